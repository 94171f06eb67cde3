/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/text_width.h"

#include "tuner/error/utf8.h"

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

enum { LONGEST = 4 }; /* bytes of a character; texts end with a NUL */

/* By the locale of characters; numbers stay as in C. To load it takes longer than to print a table, and most texts
 * are ASCII. */
static int width_of(wchar_t character)
{
    static bool loaded;
    if (!loaded)
        setlocale(LC_CTYPE, "C.UTF-8");
    loaded = true;
    return wcwidth(character);
}

static size_t columns_of(const struct utf8_character *character)
{
    if (!character->valid || character->code < 0x80)
        return 1;
    int columns = width_of((wchar_t)character->code);
    return columns < 0 ? 1 : (size_t)columns;
}

/* Bytes of an escape sequence "ESC [ 1 ; 32 m"; 0: none begins here. */
static size_t style_bytes(const char *text)
{
    if (text[0] != '\033' || text[1] != '[')
        return 0;
    size_t i = 2;
    while ((text[i] >= '0' && text[i] <= '9') || text[i] == ';')
        i++;
    return text[i] == 'm' ? i + 1 : 0;
}

/* One step along a text: its bytes and columns. */
static size_t step(const char *text, size_t *columns)
{
    size_t style = style_bytes(text);
    struct utf8_character character = utf8_decode(text, LONGEST);
    *columns = style ? 0 : columns_of(&character);
    return style ? style : character.bytes;
}

size_t text_width_of(const char *text, size_t bytes)
{
    size_t plain = utf8_plain(text, bytes), width = plain, columns;
    for (size_t at = plain; at < bytes && text[at]; width += columns)
        at += step(text + at, &columns);
    return width;
}

size_t text_width(const char *text)
{
    return text_width_of(text, SIZE_MAX);
}

size_t text_prefix(const char *text, size_t columns)
{
    size_t at = utf8_plain(text, columns), used = at, more;
    while (text[at]) {
        size_t bytes = step(text + at, &more);
        if (used + more > columns)
            break;
        used += more;
        at += bytes;
    }
    return at;
}

size_t text_fold(const char *text, size_t columns)
{
    size_t fits = text_prefix(text, columns), ignored;
    if (!text[fits] || text[fits] == ' ')
        return fits;
    for (size_t end = fits; end > 0; end--) {
        if (text[end] == ' ' || text[end - 1] == ',')
            return end;
    }
    return fits ? fits : step(text, &ignored);
}
