/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/json/json_text.h"

#include "tuner/error/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool json_parse(const char *text, size_t length, size_t flags, const char *file, const char *what, json_t **json,
                struct error *error)
{
    json_error_t first = {0}, second = {0}; /* which jansson does not always set */
    *json = json_loadb(text, length, flags, &first);
    if (*json)
        return true;
    if (json_error_code(&first) == json_error_out_of_memory)
        return error_out_of_memory(error);
    /* The same bytes fail at the same place, unless it was memory that failed. */
    json_t *again = json_loadb(text, length, flags, &second);
    bool same = !again && first.position == second.position && strcmp(first.text, second.text) == 0;
    json_decref(again);
    if (!same)
        return error_out_of_memory(error);
    size_t at = first.position > 0 ? (size_t)first.position - 1 : 0;
    struct place place = {file, text, at < length ? at : length, 1};
    return error_at(error, ERROR_INPUT, place, "%s: %s", what, first.text);
}

bool json_try(const char *text, size_t flags, json_t **json, struct error *error)
{
    struct error reason;
    return json_parse(text, strlen(text), flags, NULL, "", json, &reason) || reason.code == ERROR_INPUT ||
           error_out_of_memory(error);
}

json_t *json_string_of_bytes(const char *bytes)
{
    static const char replacement[] = "\xef\xbf\xbd";
    size_t length = strlen(bytes);
    if (utf8_is_valid(bytes, length))
        return json_string(bytes);
    char *text = malloc(length * (sizeof replacement - 1) + 1), *to = text;
    if (!text)
        return NULL;
    for (size_t at = 0; at < length;) {
        struct utf8_character character = utf8_decode(bytes + at, length - at);
        size_t count = character.valid ? character.bytes : sizeof replacement - 1;
        memcpy(to, character.valid ? bytes + at : replacement, count);
        to += count;
        at += character.bytes;
    }
    json_t *json = json_stringn(text, (size_t)(to - text));
    free(text);
    return json;
}

/* In UTF-8, the characters from U+0080 to U+00FF begin with 0xc2 or 0xc3, and the rest is one byte. */
json_t *json_bytes(const char *bytes)
{
    char *text = malloc(2 * strlen(bytes) + 1), *to = text;
    for (const char *from = bytes; text && *from; from++) {
        unsigned byte = (unsigned char)*from;
        if (byte >= 0x80)
            *to++ = (char)(0xc0 | byte >> 6);
        *to++ = (char)(byte < 0x80 ? byte : 0x80 | (byte & 0x3f));
    }
    json_t *json = text ? json_stringn(text, (size_t)(to - text)) : NULL;
    free(text);
    return json;
}

bool json_bytes_read(const json_t *json, char **bytes)
{
    const unsigned char *from = (const unsigned char *)json_string_value(json);
    char *to = *bytes = from ? malloc(json_string_length(json) + 1) : NULL;
    if (!to)
        return !from;
    for (; *from; from++) {
        if (*from > 0xc3) {
            free(*bytes);
            *bytes = NULL;
            return true;
        }
        unsigned high = *from >= 0x80 ? (*from++ & 3u) << 6 : 0;
        *to++ = (char)(high | (high ? *from & 0x3fu : *from));
    }
    *to = '\0';
    return true;
}

json_t *json_strings(const char *const *strings, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < count; i++) {
        if (json_array_append_new(list, json_string(strings[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

json_t *json_finite(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

char *json_print(const json_t *json, size_t flags)
{
    enum { USUAL = 4096 }; /* most texts fit, and are written in one pass */
    size_t room = USUAL, length = 0;
    char *text = malloc(room + 1);
    while (text && (length = json_dumpb(json, text, room, flags)) > room) {
        free(text);
        room = length;
        text = malloc(room + 1);
    }
    if (!text || length == 0) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

char *json_text(const json_t *json, size_t flags)
{
    enum { LEAST_DIGITS = 15, MOST_DIGITS = 17 };
    for (size_t digits = LEAST_DIGITS; digits <= MOST_DIGITS; digits++) {
        char *text = json_print(json, flags | JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits));
        if (!text || digits == MOST_DIGITS)
            return text;
        json_t *back = json_loads(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        bool equal = json_equal(json, back);
        json_decref(back);
        if (equal)
            return text;
        free(text);
    }
    return NULL;
}

/* The end of the string that begins here, behind its quotation mark. */
static const char *skip_string(const char *text)
{
    for (text++; *text && *text != '"'; text++)
        text += *text == '\\' && text[1];
    return *text ? text + 1 : text;
}

void json_join_numbers(char *text)
{
    static const char numbers[] = "0123456789+-.eEnul, \n";
    char *to = text;
    for (const char *from = text; *from;) {
        const char *end = *from == '"' ? skip_string(from) : from + 1;
        bool joins = *from == '[' && end[strspn(end, numbers)] == ']';
        if (joins)
            end += strspn(end, numbers);
        for (; from < end; from++) {
            if (joins && (*from == '\n' || *from == ' '))
                continue;
            *to++ = *from;
            if (joins && from[0] == ',' && from[1] == '\n')
                *to++ = ' ';
        }
    }
    *to = '\0';
}
