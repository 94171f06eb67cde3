/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value_json.h - values of the expression language as JSON.
 */
#ifndef TUNE_SPACE_VALUE_JSON_H
#define TUNE_SPACE_VALUE_JSON_H

#include "tuner/lang/value.h"

struct json_t;

/* A new reference; JSON's null for VALUE_UNSET, and for a number that is not finite. NULL: out of memory. */
struct json_t *value_json(struct value value);

#endif
