/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/error/visible.h"

#include "tuner/error/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ESCAPE = 12 }; /* bytes of the longest, "\U000e0041", and its NUL */

static const struct {
    uint32_t first, last;
} hidden[] = {
    {0x00, 0x1f},       {0x7f, 0x9f},                                         /* C0, DEL, C1 */
    {0x061c, 0x061c},   {0x200e, 0x200f}, {0x202a, 0x202e}, {0x2066, 0x2069}, /* direction */
    {0x2028, 0x2029},                                                         /* lines, paragraphs */
    {0xfeff, 0xfeff},   {0xfff9, 0xfffb},                                     /* byte order, annotations */
    {0xe0000, 0xe007f},                                                       /* tags */
};

bool visible_is_hidden(uint32_t code)
{
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        if (code >= hidden[i].first && code <= hidden[i].last)
            return true;
    }
    return false;
}

/* What stands for a character; "" if it stands for itself. */
static void escape(const struct utf8_character *character, enum visible_lines lines, char text[ESCAPE])
{
    uint32_t code = character->code;
    text[0] = '\0';
    if (!character->valid)
        snprintf(text, ESCAPE, "\\x%02x", (unsigned)code);
    else if (code == '\n')
        snprintf(text, ESCAPE, "%s", lines == VISIBLE_LINES ? "" : "\\n");
    else if (code == '\t')
        snprintf(text, ESCAPE, "%s", lines == VISIBLE_LINES ? " " : "\\t");
    else if (code == '\r')
        snprintf(text, ESCAPE, "\\r");
    else if (visible_is_hidden(code))
        snprintf(text, ESCAPE, code < 0x80 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)code);
}

/* Does a character that is not shown, or a byte that is none, begin here? Most texts have none. */
static bool acts(const char *text, size_t length, enum visible_lines lines, struct utf8_character *character,
                 char escaped[ESCAPE])
{
    *character = utf8_decode(text, length);
    escape(character, lines, escaped);
    return escaped[0] != '\0';
}

void visible_write(FILE *stream, const char *text, size_t length, enum visible_lines lines)
{
    size_t plain = 0; /* where what has not been written begins */
    struct utf8_character character;
    char escaped[ESCAPE];
    for (size_t at = utf8_plain(text, length); at < length; at += utf8_plain(text + at, length - at)) {
        if (acts(text + at, length - at, lines, &character, escaped)) {
            fwrite(text + plain, 1, at - plain, stream);
            fputs(escaped, stream);
            plain = at + character.bytes;
        }
        at += character.bytes;
    }
    fwrite(text + plain, 1, length - plain, stream);
}

char *visible_text(const char *text, enum visible_lines lines)
{
    size_t length = strlen(text), plain = utf8_plain(text, length), size = plain + 1;
    struct utf8_character character;
    char escaped[ESCAPE];
    for (size_t at = plain; at < length; at += character.bytes)
        size += acts(text + at, length - at, lines, &character, escaped) ? strlen(escaped) : character.bytes;
    char *shown = malloc(size), *to = shown;
    if (!shown)
        return NULL;
    to = mempcpy(to, text, plain);
    for (size_t at = plain; at < length; at += character.bytes) {
        bool other = acts(text + at, length - at, lines, &character, escaped);
        to = mempcpy(to, other ? escaped : text + at, other ? strlen(escaped) : character.bytes);
    }
    *to = '\0';
    return shown;
}

void visible_printf(FILE *stream, const char *format, ...)
{
    char few[1024], *text = few;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(few, sizeof few, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof few) {
        va_start(arguments, format);
        if (vasprintf(&text, format, arguments) < 0)
            text = few;
        va_end(arguments);
    }
    if (length >= 0)
        visible_write(stream, text, strlen(text), VISIBLE_LINES);
    if (text != few)
        free(text);
}

size_t visible_width(const char *text, size_t length)
{
    size_t plain = utf8_plain(text, length), width = plain;
    struct utf8_character character;
    char escaped[ESCAPE];
    for (size_t at = plain; at < length; at += character.bytes)
        width += acts(text + at, length - at, VISIBLE_ONE_LINE, &character, escaped) ? strlen(escaped) : 1;
    return width;
}

/* jansson escapes C0 itself, and between its strings stand only newlines and spaces. */
void visible_write_json(FILE *stream, const char *json)
{
    struct utf8_character character;
    for (size_t length = strlen(json); length > 0; length -= character.bytes, json += character.bytes) {
        character = utf8_decode(json, length);
        if (character.code < 0x20 || !visible_is_hidden(character.code))
            fwrite(json, 1, character.bytes, stream);
        else if (character.code < 0x10000)
            fprintf(stream, "\\u%04x", (unsigned)character.code);
        else
            fprintf(stream, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (character.code >> 10)),
                    (unsigned)(0xdc00 + (character.code & 0x3ff)));
    }
}

static ssize_t write_shown(void *cookie, const char *bytes, size_t count)
{
    visible_write(cookie, bytes, count, VISIBLE_LINES);
    return (ssize_t)count;
}

FILE *visible_stream(FILE *stream)
{
    FILE *shown = fopencookie(stream, "w", (cookie_io_functions_t){.write = write_shown});
    if (shown)
        setvbuf(shown, NULL, _IOLBF, BUFSIZ);
    return shown;
}
