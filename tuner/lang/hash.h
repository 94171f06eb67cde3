/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash.h - hashes of texts by what they mean: XXH3-64 of the tokens, comments and white space left out.
 */
#ifndef TUNE_LANG_HASH_H
#define TUNE_LANG_HASH_H

#include "tuner/lang/text.h"

struct hash;

struct hash *hash_create(void); /* NULL when there is no memory left */
void hash_free(struct hash *hash);

void hash_bytes(struct hash *hash, const char *bytes, size_t length);

/* The tokens of a template or a space that has been parsed without error. */
void hash_tokens(struct hash *hash, const struct text *text);

/*
 * C++ source. White space is kept only where it separates: between two words, between two signs that could be one
 * operator, and in preprocessor lines, whose ends count too.
 */
void hash_source(struct hash *hash, const struct text *text);

/* 16 hex digits and NUL. */
void hash_digits(const struct hash *hash, char digits[17]);

#endif
