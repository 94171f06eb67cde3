/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/joined_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The first character, and what follows it up to a backslash. */
static size_t plain_length(const char *bytes, size_t length)
{
    const char *backslash = memchr(bytes + 1, '\\', length - 1);
    return backslash ? (size_t)(backslash - bytes) : length;
}

char *joined_lines(const char *bytes, size_t length, size_t *joined, bool *uncertain)
{
    char *text = malloc(length + 1);
    size_t lost = 0;
    if (!text)
        return NULL;
    *joined = 0;
    for (size_t i = 0; i < length; i++) {
        size_t end = i + 1;
        if (bytes[i] == '\\') {
            while (end < length && bytes[end] != '\n' && isspace((unsigned char)bytes[end]))
                end++;
            if (end < length && bytes[end] == '\n') {
                *uncertain |= end - i > 2 || (end - i == 2 && bytes[i + 1] != '\r');
                i = end;
                lost++;
                continue;
            }
        }
        size_t plain = lost > 0 ? 1 : plain_length(bytes + i, length - i);
        memcpy(text + *joined, bytes + i, plain);
        *joined += plain;
        i += plain - 1;
        for (; bytes[i] == '\n' && lost > 0; lost--)
            text[(*joined)++] = '\n';
    }
    text[*joined] = '\0';
    return text;
}
