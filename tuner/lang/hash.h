/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash.h - hashes of texts that ignore comments and layout: XXH3-64 of the tokens.
 */
#ifndef TUNE_LANG_HASH_H
#define TUNE_LANG_HASH_H

#include "tuner/lang/text.h"

struct hash;

struct hash *hash_create(void); /* NULL: out of memory */
void hash_free(struct hash *hash);

void hash_bytes(struct hash *hash, const char *bytes, size_t length);

/*
 * Add the tokens of a template or space that was parsed without error; of a statement `work` only the figures flops
 * and bytes, of a `parameter` without the block that describes values, and no `metric`, `objective` or `default
 * objective`. The rest says how results are judged and shown, not what they are: results stay known when it is added.
 * The name in file("x.npy") does not count either: what the file holds is part of a result's identity by itself
 * (tuner/data/inputs.h).
 */
void hash_tokens(struct hash *hash, const struct text *text);

/*
 * Add C++ source. White space counts only where it may separate tokens: between two words, between a word and a
 * literal (L "x" is two tokens, L"x" one), between two characters that could form one operator, and in preprocessor
 * lines, whose ends count as well.
 */
void hash_source(struct hash *hash, const struct text *text);

/* The hash as 16 hexadecimal digits and a NUL. */
void hash_digits(struct hash *hash, char digits[17]);

#endif
