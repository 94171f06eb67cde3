/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/error/text_stream.h"

#include <stdlib.h>
#include <string.h>

static bool ensure_room(struct text_stream *stream, size_t bytes)
{
    enum { FIRST = 256 };
    size_t capacity = stream->capacity ? stream->capacity : FIRST;
    while (capacity - stream->length <= bytes) /* one more for the NUL */
        capacity *= 2;
    if (capacity == stream->capacity)
        return true;
    char *text = realloc(stream->text, capacity);
    if (!text)
        return false;
    stream->text = text;
    stream->capacity = capacity;
    return true;
}

/* After one failure everything fails, so that the text has no hole. */
static ssize_t write_bytes(void *cookie, const char *bytes, size_t count)
{
    struct text_stream *stream = cookie;
    stream->failed = stream->failed || !ensure_room(stream, count);
    if (stream->failed)
        return 0;
    memcpy(stream->text + stream->length, bytes, count);
    stream->length += count;
    return (ssize_t)count;
}

bool text_stream_open(struct text_stream *stream, struct error *error)
{
    *stream = (struct text_stream){0};
    stream->out = fopencookie(stream, "w", (cookie_io_functions_t){.write = write_bytes});
    return stream->out || error_out_of_memory(error);
}

char *text_stream_close(struct text_stream *stream, struct error *error)
{
    bool done = !ferror(stream->out);
    done = fclose(stream->out) == 0 && done;
    stream->out = NULL;
    char *text = stream->text;
    stream->text = NULL;
    if (!done || stream->failed || (!text && !(text = malloc(1)))) {
        free(text);
        error_out_of_memory(error);
        return NULL;
    }
    text[stream->length] = '\0';
    return text;
}

void text_stream_discard(struct text_stream *stream)
{
    if (stream->out)
        fclose(stream->out);
    free(stream->text);
    *stream = (struct text_stream){0};
}
