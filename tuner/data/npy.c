/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/data/npy.h"

#include <string.h>

static const char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

/* What is left of the dictionary. */
struct reading {
    const char *at, *end;
    struct error *error;
};

bool npy_is(const void *bytes, size_t length)
{
    return length >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

static bool damaged(const struct reading *reading, const char *what)
{
    return error_set(reading->error, ERROR_INPUT, "has a damaged header: %s", what);
}

/* ---- tokens of the dictionary */

static void skip_blanks(struct reading *reading)
{
    while (reading->at < reading->end && (*reading->at == ' ' || *reading->at == '\n' || *reading->at == '\t'))
        reading->at++;
}

/* Is it the next character? It is then taken. */
static bool accept(struct reading *reading, char c)
{
    skip_blanks(reading);
    if (reading->at == reading->end || *reading->at != c)
        return false;
    reading->at++;
    return true;
}

static bool accept_word(struct reading *reading, const char *word)
{
    size_t length = strlen(word);
    skip_blanks(reading);
    if ((size_t)(reading->end - reading->at) < length || memcmp(reading->at, word, length) != 0)
        return false;
    reading->at += length;
    return true;
}

/* A string without escapes: 'descr' or "descr". */
static bool read_string(struct reading *reading, const char **text, size_t *length)
{
    skip_blanks(reading);
    char quote = reading->at < reading->end ? *reading->at : '\0';
    if (quote != '\'' && quote != '"')
        return damaged(reading, "a string is missing");
    *text = reading->at + 1;
    const char *end = memchr(*text, quote, (size_t)(reading->end - *text));
    if (!end)
        return damaged(reading, "a string does not end");
    *length = (size_t)(end - *text);
    reading->at = end + 1;
    return true;
}

/* Decimal digits, behind which Python 2 wrote an L. */
static bool read_whole(struct reading *reading, uint64_t *number)
{
    skip_blanks(reading);
    if (reading->at == reading->end || *reading->at < '0' || *reading->at > '9')
        return damaged(reading, "a length in 'shape' is no whole number");
    for (*number = 0; reading->at < reading->end && *reading->at >= '0' && *reading->at <= '9'; reading->at++) {
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(*reading->at - '0'), number))
            return damaged(reading, "a length in 'shape' does not fit 64 bits");
    }
    if (reading->at < reading->end && *reading->at == 'L')
        reading->at++;
    return true;
}

/* ---- values */

/* Skip a list or tuple with what is in it: the fields of a record. */
static bool skip_list(struct reading *reading)
{
    size_t depth = 0;
    do {
        const char *text;
        size_t length;
        skip_blanks(reading);
        if (reading->at == reading->end)
            return damaged(reading, "'descr' does not end");
        char c = *reading->at;
        if (c == '\'' || c == '"') {
            if (!read_string(reading, &text, &length))
                return false;
            continue;
        }
        depth += c == '[' || c == '(';
        depth -= c == ']' || c == ')';
        reading->at++;
    } while (depth > 0);
    return true;
}

/* '<f4': order, kind, bytes. */
static bool read_type(struct reading *reading, struct npy *npy)
{
    const char *text;
    size_t length;
    skip_blanks(reading);
    if (reading->at < reading->end && *reading->at == '[') {
        npy->record = true;
        return skip_list(reading);
    }
    if (!read_string(reading, &text, &length))
        return false;
    if (length < 2 || !strchr("<>|=", text[0]) || !text[0])
        return damaged(reading, "'descr' is not a type such as '<f4'");
    npy->order = text[0];
    npy->kind = text[1];
    for (size_t i = 2; i < length && i < 8 && text[i] >= '0' && text[i] <= '9'; i++)
        npy->bytes = npy->bytes * 10 + (uint32_t)(text[i] - '0');
    return true;
}

static bool read_order(struct reading *reading, struct npy *npy)
{
    npy->fortran = accept_word(reading, "True");
    return npy->fortran || accept_word(reading, "False") ||
           damaged(reading, "'fortran_order' is neither True nor False");
}

/* (), (3,) or (3, 4) */
static bool read_shape(struct reading *reading, struct npy *npy)
{
    if (!accept(reading, '('))
        return damaged(reading, "'shape' is no tuple");
    npy->count = 1;
    bool empty = false;
    while (!accept(reading, ')')) {
        if (npy->rank == NPY_RANK)
            return damaged(reading, "'shape' has too many dimensions");
        uint64_t *length = &npy->shape[npy->rank++];
        if (!read_whole(reading, length))
            return false;
        empty = empty || *length == 0;
        if (!empty && __builtin_mul_overflow(npy->count, *length, &npy->count))
            return damaged(reading, "'shape' has more elements than 64 bits can count");
        skip_blanks(reading);
        bool ends = reading->at < reading->end && *reading->at == ')';
        if (!ends && !accept(reading, ','))
            return damaged(reading, "'shape' is no tuple of lengths");
    }
    if (empty)
        npy->count = 0;
    return true;
}

static const struct {
    const char *name;
    bool (*read)(struct reading *reading, struct npy *npy);
} keys[] = {{"descr", read_type}, {"fortran_order", read_order}, {"shape", read_shape}};

enum { KEYS = sizeof keys / sizeof *keys };

static bool read_entry(struct reading *reading, struct npy *npy, bool given[KEYS])
{
    const char *name;
    size_t length;
    if (!read_string(reading, &name, &length))
        return false;
    for (size_t i = 0; i < KEYS; i++) {
        if (strlen(keys[i].name) != length || memcmp(keys[i].name, name, length) != 0)
            continue;
        if (given[i])
            return damaged(reading, "a key occurs twice");
        given[i] = true;
        return (accept(reading, ':') || damaged(reading, "a colon is missing")) && keys[i].read(reading, npy);
    }
    return damaged(reading, "there is a key that is not 'descr', 'fortran_order' or 'shape'");
}

static bool read_dictionary(struct reading *reading, struct npy *npy)
{
    bool given[KEYS] = {false};
    if (!accept(reading, '{'))
        return damaged(reading, "it is no dictionary");
    while (!accept(reading, '}')) {
        if (!read_entry(reading, npy, given))
            return false;
        skip_blanks(reading);
        bool ends = reading->at < reading->end && *reading->at == '}';
        if (!ends && !accept(reading, ','))
            return damaged(reading, "a comma is missing");
    }
    for (size_t i = 0; i < KEYS; i++) {
        if (!given[i])
            return error_set(reading->error, ERROR_INPUT, "has a damaged header: it lacks '%s'", keys[i].name);
    }
    skip_blanks(reading);
    return reading->at == reading->end || damaged(reading, "something follows the dictionary");
}

/* ---- the whole header */

bool npy_read(const void *bytes, size_t length, struct npy *npy, struct error *error)
{
    const unsigned char *start = bytes;
    *npy = (struct npy){0};
    if (!npy_is(bytes, length))
        return error_set(error, ERROR_INPUT, "is no .npy file: it does not begin with \\x93NUMPY");
    if (length < 10 || (start[6] > 1 && length < 12))
        return error_set(error, ERROR_INPUT, "is cut off in its header");
    unsigned version = start[6];
    if (version < 1 || version > 3)
        return error_set(error, ERROR_INPUT, "has version %u of the .npy format; versions 1 to 3 are known", version);
    size_t before = version == 1 ? 10 : 12;
    size_t text = version == 1
                      ? (size_t)start[8] | (size_t)start[9] << 8
                      : (size_t)start[8] | (size_t)start[9] << 8 | (size_t)start[10] << 16 | (size_t)start[11] << 24;
    if (text > NPY_HEADER_MOST - before)
        return error_set(error, ERROR_INPUT, "has a header of %zu bytes; at most %d are read", text,
                         NPY_HEADER_MOST - (int)before);
    if (text > length - before)
        return error_set(error, ERROR_INPUT, "is cut off in its header");
    struct reading reading = {(const char *)start + before, (const char *)start + before + text, error};
    npy->offset = before + text;
    return read_dictionary(&reading, npy);
}
