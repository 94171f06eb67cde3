/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/file_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static bool grow(struct file_text *text, size_t *capacity)
{
    enum { FIRST = 1 << 20 };
    size_t larger = *capacity ? 2 * *capacity : FIRST;
    char *bytes = realloc(text->bytes, larger);
    if (!bytes)
        return false;
    text->bytes = bytes;
    *capacity = larger;
    return true;
}

/* gzread reads uncompressed files as they are. */
static bool inflate_all(gzFile file, struct file_text *text, const char *path, struct error *error)
{
    const size_t most = (size_t)1 << 31;
    size_t capacity = 0;
    for (;;) {
        if (text->length + 1 >= capacity && !grow(text, &capacity))
            return error_out_of_memory(error);
        size_t room = capacity - text->length - 1;
        int got = gzread(file, text->bytes + text->length, room < (1U << 30) ? (unsigned)room : 1U << 30);
        if (got < 0)
            return error_set(error, ERROR_INPUT, "cannot read %s: %s", path, gzerror(file, &got));
        if (got == 0)
            break;
        text->length += (size_t)got;
        if (text->length > most)
            return error_set(error, ERROR_INPUT, "%s holds more than 2 GiB of text", path);
    }
    text->bytes[text->length] = '\0';
    return true;
}

bool file_text_read(const char *path, struct file_text *text, struct error *error)
{
    gzFile file = gzopen(path, "rb");
    if (!file)
        return error_set(error, ERROR_INPUT, "cannot open %s: %s", path, strerror(errno));
    bool done = inflate_all(file, text, path, error);
    gzclose(file);
    return done;
}
