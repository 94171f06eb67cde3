/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.h - a text file in memory: valid UTF-8 without NUL bytes, at most TEXT_LIMIT bytes.
 */
#ifndef TUNE_LANG_TEXT_H
#define TUNE_LANG_TEXT_H

#include "tuner/error/error.h"
#include "tuner/lang/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum { TEXT_LIMIT = 16 * 1024 * 1024 };

struct text {
    const char *file; /* for messages */
    const char *data; /* NUL-terminated; `length` does not count the NUL */
    size_t length;
};

/* Copy a text into the arena and validate it. */
bool text_copy(struct text *text, struct arena *arena, const char *file, const char *data, size_t length,
               struct error *error);

/* Read a file into the arena and validate it. Only regular files are read. */
bool text_read(struct text *text, struct arena *arena, const char *path, struct error *error);

struct place text_place(const struct text *text, size_t offset, size_t length);

/* The line of a byte, counted from 1. */
unsigned text_line(const struct text *text, size_t offset);

#endif
