/* SPDX-License-Identifier: Apache-2.0 */
/*
 * utf8.h - the characters of a UTF-8 text, and what in it is not UTF-8.
 */
#ifndef TUNE_ERROR_UTF8_H
#define TUNE_ERROR_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct utf8_character {
    uint32_t code;
    size_t bytes; /* 1 if it is not valid */
    bool valid;
};

/* The first character of a text of `length` bytes, of which there is at least one; it may end earlier with a NUL. As
 * Unicode has it (table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF. */
struct utf8_character utf8_decode(const char *text, size_t length);

/* How many bytes of a text begin it that are printable ASCII: most texts have no others, and need no decoding. It
 * ends after `length` bytes, or earlier with a NUL. Inline: texts to print are looked at byte by byte, more than
 * once. */
static inline size_t utf8_plain(const char *text, size_t length)
{
    size_t plain = 0;
    while (plain < length && text[plain] >= ' ' && text[plain] <= '~')
        plain++;
    return plain;
}

/* Write a character, without a NUL; returns its bytes, at most 4. */
size_t utf8_put(uint32_t code, char *to);

/* Is all of it UTF-8? */
bool utf8_is_valid(const char *text, size_t length);

/* A text that was cut to fit a buffer may end within a character: take its first bytes away. */
void utf8_drop_cut(char *text);

#endif
