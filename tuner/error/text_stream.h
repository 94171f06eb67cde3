/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_stream.h - a growing text in memory, written through stdio.
 *
 * Use this in place of open_memstream: when an allocation fails there, glibc drops the bytes and reports it neither
 * by ferror nor by fclose, so the text ends up truncated or NULL. Here writes need no checks; closing reports the
 * failure.
 *
 *     struct text_stream stream;
 *     if (!text_stream_open(&stream, error))
 *         return false;
 *     fprintf(stream.out, "%d", number);
 *     char *text = text_stream_close(&stream, error);
 */
#ifndef TUNE_TEXT_STREAM_H
#define TUNE_TEXT_STREAM_H

#include "tuner/error/error.h"

struct text_stream {
    FILE *out; /* NULL: not open */
    char *text;
    size_t length, capacity;
    bool failed; /* whoever writes may set it when an allocation of theirs fails */
};

/* The struct must not move while the stream is open. On failure nothing is left open. */
bool text_stream_open(struct text_stream *stream, struct error *error);

/* The text, NUL-terminated, for the caller to free, or NULL and an error. The stream's `length` remains. */
char *text_stream_close(struct text_stream *stream, struct error *error);

/* Close and free the text. A zeroed or closed stream is allowed. */
void text_stream_discard(struct text_stream *stream);

#endif
