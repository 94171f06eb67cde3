/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_token.h - the tokens of a CUDA C++ text, as far as somebody needs them who only looks for declarations.
 *
 * Comments and line splices are gone, a preprocessor directive is one token, and a string, character or raw string is
 * one token whatever it holds. Any bytes are a text: what is never closed ends with the text.
 */
#ifndef TUNE_SOURCE_CUDA_TOKEN_H
#define TUNE_SOURCE_CUDA_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum cuda_token_kind {
    CUDA_WORD,
    CUDA_NUMBER,
    CUDA_TEXT,      /* a string or character literal */
    CUDA_MARK,      /* one character, or :: */
    CUDA_DIRECTIVE, /* from # to the end of its last line */
};

struct cuda_token {
    enum cuda_token_kind kind;
    const char *start; /* within the text */
    size_t length;
    unsigned line; /* from 1 */
};

struct cuda_tokens {
    struct cuda_token *items;
    size_t count;
};

/* The tokens of `length` bytes, which must outlive them; free the items. False: out of memory. */
bool cuda_tokens_scan(const char *text, size_t length, struct cuda_tokens *tokens);

bool cuda_token_is(const struct cuda_token *token, const char *text);

/* The index of the bracket that closes the one at `open`, or the count where none does. ( [ { and, with `angles`, <.
 */
size_t cuda_tokens_close(const struct cuda_tokens *tokens, size_t open, bool angles);

#endif
