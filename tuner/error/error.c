/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/error/error.h"

#include "tuner/error/utf8.h"
#include "tuner/error/visible.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#undef error_set
#undef error_at
#undef error_hint
#undef error_out_of_memory

static void write_text(char *text, size_t size, const char *format, va_list arguments)
{
    if (vsnprintf(text, size, format, arguments) >= (int)size)
        utf8_drop_cut(text);
}

static void fill(struct error *error, enum error_code code, const char *format, va_list arguments)
{
    memset(error, 0, sizeof *error);
    error->code = code;
    write_text(error->text, sizeof error->text, format, arguments);
}

bool error_set(struct error *error, enum error_code code, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        fill(error, code, format, arguments);
        va_end(arguments);
    }
    return false;
}

bool error_out_of_memory(struct error *error)
{
    return error_set(error, ERROR_OUT_OF_MEMORY, "out of memory");
}

bool error_is_of_machine(const struct error *error)
{
    return error->code == ERROR_SYSTEM || error->code == ERROR_OUT_OF_MEMORY || error->code == ERROR_DEVICE;
}

/* Copy the line that the place is on, and mark the place in it. Long lines are cut off at the end. */
static void show_line(struct error *error, const struct place *place)
{
    const char *start = place->text;
    const char *at = place->text + place->offset;
    error->line = 1;
    for (const char *end; (end = memchr(start, '\n', (size_t)(at - start))); start = end + 1)
        error->line++;
    error->column = (unsigned)(at - start) + 1;

    size_t length = strcspn(start, "\r\n");
    bool cut = length >= sizeof error->excerpt;
    if (cut)
        length = sizeof error->excerpt - 1;
    for (size_t i = 0; i < length; i++)
        error->excerpt[i] = start[i] == '\t' ? ' ' : start[i];
    if (cut)
        utf8_drop_cut(error->excerpt);

    size_t column = (size_t)(at - start);
    if (column > length) {
        error->excerpt[0] = '\0';
        return;
    }
    size_t span = place->length ? place->length : 1;
    if (column + span > length + 1)
        span = length + 1 - column;
    error->caret = (unsigned)column;
    error->caret_length = (unsigned)span;
}

bool error_at(struct error *error, enum error_code code, struct place place, const char *format, ...)
{
    if (!error)
        return false;
    va_list arguments;
    va_start(arguments, format);
    fill(error, code, format, arguments);
    va_end(arguments);
    if (place.file)
        snprintf(error->file, sizeof error->file, "%s", place.file);
    if (place.text)
        show_line(error, &place);
    return false;
}

bool error_hint(struct error *error, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        write_text(error->hint, sizeof error->hint, format, arguments);
        va_end(arguments);
    }
    return false;
}

static void repeat(char c, size_t count, FILE *stream)
{
    for (size_t i = 0; i < count; i++)
        fputc(c, stream);
}

/* Bytes from `at` on, at most `count` and to the end of the text. */
static size_t bytes_from(const char *text, size_t at, size_t count)
{
    size_t length = strlen(text);
    size_t left = at < length ? length - at : 0;
    return count < left ? count : left;
}

static void print_caret(const struct error *error, FILE *stream)
{
    const char *excerpt = error->excerpt;
    size_t before = bytes_from(excerpt, 0, error->caret);
    size_t under = bytes_from(excerpt, before, error->caret_length);
    size_t behind = under < error->caret_length ? 1 : 0; /* the line's end can be what is meant */
    fputs("    ", stream);
    visible_write(stream, excerpt, strlen(excerpt), VISIBLE_ONE_LINE);
    fputs("\n    ", stream);
    repeat(' ', visible_width(excerpt, before), stream);
    repeat('^', visible_width(excerpt + before, under) + behind, stream);
    fputc('\n', stream);
}

void error_place_text(const struct error *error, char *text, size_t size)
{
    if (error->file[0] && error->line)
        snprintf(text, size, "%s:%u:%u: ", error->file, error->line, error->column);
    else
        snprintf(text, size, "%s%s", error->file, error->file[0] ? ": " : "");
}

void error_print(const struct error *error, FILE *stream)
{
    char place[sizeof error->file + 32];
    error_place_text(error, place, sizeof place);
    fputs("tune: ", stream);
    visible_write(stream, place, strlen(place), VISIBLE_ONE_LINE);
    visible_printf(stream, "%s\n", error->text);
    if (error->excerpt[0])
        print_caret(error, stream);
    if (error->hint[0])
        visible_printf(stream, "    hint: %s\n", error->hint);
}

int error_exit_status(const struct error *error)
{
    return error->code == ERROR_INPUT ? 2 : 1;
}

enum { NAME_LIMIT = 64 };

/* Optimal string alignment distance: Damerau-Levenshtein in which no substring is edited twice. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][NAME_LIMIT + 1];
    size_t *before = rows[0], *previous = rows[1], *current = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        previous[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        current[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
            size_t best = previous[j - 1] + cost;
            if (previous[j] + 1 < best)
                best = previous[j] + 1;
            if (current[j - 1] + 1 < best)
                best = current[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            current[j] = best;
        }
        size_t *oldest = before;
        before = previous;
        previous = current;
        current = oldest;
    }
    return previous[b_length];
}

const char *error_nearest(const char *name, const char *const *names, size_t count)
{
    size_t length = strlen(name);
    if (length == 0 || length > NAME_LIMIT)
        return NULL;
    size_t allowed = length < 6 ? 1 : length / 3;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(names[i]);
        if (other > NAME_LIMIT)
            continue;
        size_t d = distance(name, length, names[i], other);
        if (d <= allowed) {
            nearest = names[i];
            if (d == 0)
                break;
            allowed = d - 1;
        }
    }
    return nearest;
}
