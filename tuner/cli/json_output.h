/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_output.h - JSON documents built without a check at each step, and printed.
 *
 * An allocation that fails leaves NULL: of the value at hand, hence of the array or object that it was meant for, and
 * at last of the document, which json_output then reports. json_pack follows the same rule for "o".
 */
#ifndef TUNE_CLI_JSON_OUTPUT_H
#define TUNE_CLI_JSON_OUTPUT_H

#include "tuner/error/error.h"

#include <jansson.h>

/* Append or set a new reference; on failure `*array` or `*object` is freed and becomes NULL. */
void json_append(json_t **array, json_t *value);
void json_put(json_t **object, const char *name, json_t *value);

/* A text of ours that a database may have damaged: what it says in JSON, or the text itself as a string if it is not
 * JSON. New reference; NULL: memory ran out. */
json_t *json_of_text(const char *text);

/* Print a document to stdout and free it; `flags` as in json_dumps. What a terminal would act on is escaped. NULL:
 * memory ran out. */
bool json_output(json_t *document, size_t flags, struct error *error);

/* Set the members limit, limit_source and limit_rate: what bounds a share, where its ceiling comes from, and the
 * ceiling per second. Nothing if the share is unknown. */
struct share;
void json_put_limit(json_t **object, const struct share *share);

/* A string of an object, "" where it has none. */
const char *json_string_at(const json_t *object, const char *name);

#endif
