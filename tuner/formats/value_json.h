/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value_json.h - a value of the language in JSON.
 */
#ifndef TUNE_FORMATS_VALUE_JSON_H
#define TUNE_FORMATS_VALUE_JSON_H

#include "tuner/lang/value.h"

struct json_t;

/* New reference, null for VALUE_UNSET; NULL: out of memory. */
struct json_t *value_json(struct value value);

#endif
