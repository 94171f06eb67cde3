/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_text.h - from texts to JSON values and back, beyond what jansson does.
 */
#ifndef TUNE_JSON_JSON_TEXT_H
#define TUNE_JSON_JSON_TEXT_H

#include "tuner/error/error.h"

#include <jansson.h>

/*
 * Parse a text (flags are json_loadb's) into a new reference. ERROR_INPUT: it is not JSON, "what: the problem", with
 * its place in `file` (NULL: none). Lack of memory is told apart, which jansson does not always do: a string that it
 * has no memory for it calls an invalid token.
 */
bool json_parse(const char *text, size_t length, size_t flags, const char *file, const char *what, json_t **json,
                struct error *error);

/* The same for a text that may be damaged: `*json` is NULL if it is not JSON. False: out of memory. */
bool json_try(const char *text, size_t flags, json_t **json, struct error *error);

/* Any bytes as a JSON string (new reference): where they are not UTF-8, such as a compiler's log that quotes a source
 * in Latin-1, each byte that is none becomes U+FFFD, the replacement character. NULL: out of memory. */
json_t *json_string_of_bytes(const char *bytes);

/* Any bytes as a JSON string that json_bytes_read turns back into them: each byte is the character of its number, so
 * that ASCII stays as it is (new reference). NULL: out of memory. */
json_t *json_bytes(const char *bytes);

/* `*bytes`, to be freed, is NULL if json_bytes has not made this. False: out of memory. */
bool json_bytes_read(const json_t *json, char **bytes);

/* A list of strings, which are UTF-8 (new reference). NULL: out of memory, or one is not. */
json_t *json_strings(const char *const *strings, size_t count);

/* A number (new reference): JSON has none that is not finite, and null stands for it. NULL: out of memory. */
json_t *json_finite(double number);

/* As json_dumps, which ignores a failed allocation while it writes an object's key, and then returns a text without
 * the key. The caller frees it; NULL: out of memory. */
char *json_print(const json_t *json, size_t flags);

/* The text of `json` (flags are json_dumps'), each number in the fewest digits that read back equal. The caller frees
 * it; NULL: out of memory. */
char *json_text(const json_t *json, size_t flags);

/* Of an indented text, put each array of nothing but numbers and nulls on one line. */
void json_join_numbers(char *text);

#endif
