/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/json/json_find.h"

#include <string.h>

struct scan {
    const char *at, *end;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_blanks(struct scan *scan)
{
    while (scan->at < scan->end && is_blank(*scan->at))
        scan->at++;
}

static bool take(struct scan *scan, char c)
{
    skip_blanks(scan);
    bool found = scan->at < scan->end && *scan->at == c;
    scan->at += found;
    return found;
}

/* Behind the opening quote. */
static void skip_string(struct scan *scan)
{
    while (scan->at < scan->end && *scan->at != '"')
        scan->at += *scan->at == '\\' && scan->end - scan->at > 1 ? 2 : 1;
    scan->at += scan->at < scan->end;
}

static void skip_value(struct scan *scan)
{
    size_t depth = 0;
    skip_blanks(scan);
    while (scan->at < scan->end) {
        char c = *scan->at;
        if (depth == 0 && (c == ',' || c == ']' || c == '}'))
            return;
        scan->at++;
        if (c == '"')
            skip_string(scan);
        else if (c == '[' || c == '{')
            depth++;
        else if (c == ']' || c == '}')
            depth--;
        if (depth == 0 && (c == '"' || c == ']' || c == '}'))
            return;
    }
}

static bool is_name(struct scan *scan, const char *name)
{
    if (!take(scan, '"'))
        return false;
    const char *start = scan->at;
    skip_string(scan);
    size_t length = scan->at > start ? (size_t)(scan->at - start) - 1 : 0;
    return length == strlen(name) && memcmp(start, name, length) == 0;
}

/* From a value to one within it; false: `scan` has left it. */
static bool enter(struct scan *scan, const struct json_step *step)
{
    if (!take(scan, step->name ? '{' : '['))
        return false;
    for (size_t i = 0; scan->at < scan->end; i++) {
        bool found = step->name ? is_name(scan, step->name) : i == step->index;
        if (step->name && !take(scan, ':'))
            return false;
        skip_blanks(scan);
        if (scan->at < scan->end && *scan->at == ']')
            return false;
        if (found)
            return true;
        skip_value(scan);
        if (!take(scan, ','))
            return false;
    }
    return false;
}

bool json_find(const char *text, size_t length, const struct json_step *steps, size_t count, size_t *offset,
               size_t *span)
{
    struct scan scan = {text, text + length};
    bool found = true;
    skip_blanks(&scan);
    const char *value = scan.at;
    for (size_t i = 0; i < count && found; i++) {
        found = enter(&scan, &steps[i]);
        if (found)
            value = scan.at;
    }
    scan.at = value;
    skip_value(&scan);
    while (scan.at > value && is_blank(scan.at[-1]))
        scan.at--;
    *offset = (size_t)(value - text);
    *span = (size_t)(scan.at - value);
    return found;
}
