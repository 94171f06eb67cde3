/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/file_text.h"

#include "tuner/error/input_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
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

/* Recordings shrink some 30-fold. A small file that turns into gigabytes is no recording. */
static bool check_growth(gzFile file, const struct file_text *text, const char *path, struct error *error)
{
    const size_t most = (size_t)1 << 31, harmless = (size_t)16 << 20, ratio = 100;
    if (text->length > most)
        return error_set(error, ERROR_INPUT, "%s holds more than 2 GiB of text", path);
    z_off_t compressed = gzoffset(file);
    if (gzdirect(file) || text->length <= harmless || compressed <= 0 || text->length / ratio <= (size_t)compressed)
        return true;
    error_set(error, ERROR_INPUT, "%s grows more than %zu-fold when uncompressed, to over %zu MiB", path, ratio,
              harmless >> 20);
    return error_hint(error, "if that is right, uncompress it with gunzip first");
}

/* gzread reads uncompressed files as they are. */
static bool inflate_all(gzFile file, struct file_text *text, const char *path, struct error *error)
{
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
        if (!check_growth(file, text, path, error))
            return false;
    }
    text->bytes[text->length] = '\0';
    return true;
}

bool file_text_read(const char *path, struct file_text *text, struct error *error)
{
    bool regular;
    int descriptor = input_file_open(path, &regular, error);
    if (descriptor < 0)
        return false;
    gzFile file = gzdopen(descriptor, "rb");
    if (!file) {
        close(descriptor);
        return error_out_of_memory(error);
    }
    bool done = inflate_all(file, text, path, error);
    gzclose(file);
    return done;
}
