/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/launch_name.h"

#include <ctype.h>
#include <stdbool.h>

static const char *before_blanks(const char *start, const char *at)
{
    while (at > start && isspace((unsigned char)at[-1]))
        at--;
    return at;
}

/* Before <...>, which may hold others like it, but ends within its statement. */
static const char *before_arguments(const char *start, const char *at)
{
    int depth = 0;
    do {
        char c = *--at;
        depth += c == '>';
        depth -= c == '<';
        if (c == ';' || c == '{' || c == '}')
            return at + 1;
    } while (at > start && depth > 0);
    return at;
}

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == ':';
}

const char *launch_name(const char *start, const char *at, size_t *length)
{
    const char *end = before_blanks(start, at);
    if (end > start && end[-1] == '>')
        end = before_blanks(start, before_arguments(start, end));
    const char *name = end;
    while (name > start && is_part(name[-1]))
        name--;
    *length = (size_t)(end - name);
    return name;
}
