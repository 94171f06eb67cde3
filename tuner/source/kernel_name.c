/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/kernel_name.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 64 };

/* After ::, identifiers and the :: between them; NULL: there is something else. */
static const char *after_path(const char *at)
{
    if (strncmp(at, "::", 2) == 0)
        at += 2;
    for (;;) {
        if (!isalpha((unsigned char)*at) && *at != '_' && *at != '$')
            return NULL;
        while (isalnum((unsigned char)*at) || *at == '_' || *at == '$')
            at++;
        if (strncmp(at, "::", 2) != 0)
            return at;
        at += 2;
    }
}

/* The end of one argument: a comma or closing bracket of what it stands in, or the end of the text. NULL: it has a
 * character that no argument has, or its brackets do not match. */
static const char *after_argument(const char *at)
{
    char expected[DEEPEST];
    size_t depth = 0;
    const char *start = at;
    for (; *at; at++) {
        bool word = isalnum((unsigned char)*at) || strchr("_$: *&+-.'", *at);
        static const char opening[] = "<([", closing[] = ">)]";
        const char *opens = strchr(opening, *at), *closes = strchr(closing, *at);
        if (depth == 0 && (*at == ',' || closes))
            break;
        bool allowed = opens ? depth < DEEPEST : closes ? expected[--depth] == *at : word || *at == ',';
        if (!allowed)
            return NULL;
        if (opens)
            expected[depth++] = closing[opens - opening];
    }
    bool blank = strspn(start, " ") >= (size_t)(at - start);
    return depth == 0 && !blank ? at : NULL;
}

bool kernel_name_is_argument(const char *text)
{
    const char *end = after_argument(text);
    return end && *end == '\0';
}

bool kernel_name_is_valid(const char *name)
{
    const char *at = after_path(name);
    if (!at || *at == '\0')
        return at != NULL;
    if (*at != '<')
        return false;
    if (strcmp(at, "<>") == 0) /* all arguments have defaults */
        return true;
    do
        at = after_argument(at + 1);
    while (at && *at == ',');
    return at && strcmp(at, ">") == 0;
}
