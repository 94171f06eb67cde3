/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/error/utf8.h"

#include <string.h>

/* Bytes of the character that `lead` begins; 0 if it begins none. */
static size_t sequence_bytes(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead < 0xe0)
        return 2;
    if (lead >= 0xe0 && lead < 0xf0)
        return 3;
    return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

struct utf8_character utf8_decode(const char *text, size_t length)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const struct utf8_character invalid = {.code = (unsigned char)*text, .bytes = 1};
    size_t bytes = sequence_bytes((unsigned char)*text);
    if (bytes == 0 || bytes > length)
        return invalid;
    uint32_t code = (unsigned char)*text & first_bits[bytes];
    for (size_t i = 1; i < bytes; i++) {
        if (!is_continuation(text[i])) /* nor is the NUL */
            return invalid;
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    }
    bool surrogate = code >= 0xd800 && code < 0xe000;
    if (code < smallest[bytes] || code > 0x10ffff || surrogate)
        return invalid;
    return (struct utf8_character){code, bytes, true};
}

size_t utf8_put(uint32_t code, char *to)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    size_t bytes = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = bytes - 1; i > 0; i--, code >>= 6)
        to[i] = (char)(0x80 | (code & 0x3f));
    to[0] = (char)(leads[bytes] | code);
    return bytes;
}

bool utf8_is_valid(const char *text, size_t length)
{
    for (size_t i = utf8_plain(text, length); i < length; i += utf8_plain(text + i, length - i)) {
        struct utf8_character character = utf8_decode(text + i, length - i);
        if (!character.valid)
            return false;
        i += character.bytes;
    }
    return true;
}

void utf8_drop_cut(char *text)
{
    size_t length = strlen(text), back = 1;
    while (back < 4 && back < length && is_continuation(text[length - back]))
        back++;
    if (back <= length && sequence_bytes((unsigned char)text[length - back]) > back)
        text[length - back] = '\0';
}
