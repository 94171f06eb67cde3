/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/text_width.h"

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

struct character {
    size_t bytes;
    uint32_t code;
    bool valid;
};

/* Bytes of the sequence that `first` begins; 0 if it begins none. */
static size_t sequence_bytes(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return 2;
    if (first >= 0xe0 && first < 0xf0)
        return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

static struct character decode(const char *text)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const struct character invalid = {.bytes = 1};
    size_t bytes = sequence_bytes((unsigned char)*text);
    if (bytes == 0)
        return invalid;
    uint32_t code = (unsigned char)*text & first_bits[bytes];
    for (size_t i = 1; i < bytes; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return invalid;
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    }
    bool surrogate = code >= 0xd800 && code < 0xe000;
    if (code < smallest[bytes] || code > 0x10ffff || surrogate)
        return invalid;
    return (struct character){bytes, code, true};
}

static size_t columns_of(const struct character *character)
{
    if (!character->valid || character->code < 0x80)
        return 1;
    int columns = wcwidth((wchar_t)character->code);
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
    struct character character = decode(text);
    *columns = style ? 0 : columns_of(&character);
    return style ? style : character.bytes;
}

size_t text_width_of(const char *text, size_t bytes)
{
    size_t width = 0, columns;
    for (size_t at = 0; at < bytes && text[at]; width += columns)
        at += step(text + at, &columns);
    return width;
}

size_t text_width(const char *text)
{
    return text_width_of(text, SIZE_MAX);
}

size_t text_prefix(const char *text, size_t columns)
{
    size_t used = 0, at = 0, more;
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

static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

void text_clean(char *text)
{
    while (*text) {
        struct character character = decode(text);
        bool blank = !character.valid || is_control(character.code);
        for (size_t i = 0; blank && i < character.bytes; i++)
            text[i] = ' ';
        text += character.bytes;
    }
}
