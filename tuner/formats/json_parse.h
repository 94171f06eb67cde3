/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_parse.h - texts of files and of database columns as JSON, with out of memory told from bad syntax.
 */
#ifndef TUNE_FORMATS_JSON_PARSE_H
#define TUNE_FORMATS_JSON_PARSE_H

#include "tuner/error/error.h"

#include <jansson.h>

/* A new reference; NULL after a syntax error, with its place in the file `path`, or out of memory. Flags are
 * jansson's.
 */
json_t *json_parse(const char *path, const char *text, size_t length, size_t flags, struct error *error);

/* For texts that may be damaged: `*json` is NULL if the syntax is wrong. False: out of memory. */
bool json_try(const char *text, size_t length, json_t **json, struct error *error);

#endif
