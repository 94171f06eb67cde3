/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz.h - the entry point of a fuzz target, called by libFuzzer or, with the files of a corpus, by replay.c, and
 * what targets have in common.
 *
 * A target aborts if what it tests breaks a promise of its header; the sanitizers see the rest.
 */
#ifndef TUNE_FUZZ_H
#define TUNE_FUZZ_H

#include "tuner/error/error.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_require(bool holds)
{
    if (!holds)
        abort();
}

/* A copy of just its size, so that the address sanitizer sees each step beyond; free() it. */
static inline void *fuzz_copy(const uint8_t *data, size_t size)
{
    void *copy = malloc(size ? size : 1);
    fuzz_require(copy);
    if (size > 0)
        memcpy(copy, data, size);
    return copy;
}

/* The same as a text. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    fuzz_require(text);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* What was refused was refused with a reason, and lack of memory is none here. */
static inline void fuzz_refused(const struct error *error)
{
    fuzz_require(error->code != ERROR_NONE && error->code != ERROR_OUT_OF_MEMORY && error->text[0]);
}

#endif
