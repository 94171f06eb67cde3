/* SPDX-License-Identifier: Apache-2.0 */
/*
 * word.h - the words of a C++ text: what its compiler may take for identifiers, keywords and numbers.
 *
 * Wider than the standard's identifiers: GCC, Clang and NVRTC also take '$' and the bytes of UTF-8.
 */
#ifndef TUNE_SOURCE_WORD_H
#define TUNE_SOURCE_WORD_H

#include <stdbool.h>
#include <stddef.h>

/* May `c` stand in a word? Whatever the locale, and inline: scans ask it of every byte. */
static inline bool word_has(char c)
{
    unsigned char byte = (unsigned char)c, letter = byte | 0x20;
    return (letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9') || byte == '_' || byte == '$' ||
           byte >= 0x80;
}

/* The first word at or after `*at` and before `end`, which `*at` is moved behind; NULL: there is none. */
const char *word_next(const char **at, const char *end, size_t *length);

/* Is the whole text an identifier of C: letters, digits and underscores, of which a digit is not the first? */
bool word_is_identifier(const char *text);

#endif
