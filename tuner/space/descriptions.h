/* SPDX-License-Identifier: Apache-2.0 */
/*
 * descriptions.h - what a template says of its parameters, for reports: JSON, in the template's order.
 *
 *     [{"name": "VARIANT", "meaning": "how C is computed", "values": [{"value": "naive", "meaning": "..."}]}]
 *
 * "values" is left out where none is described.
 */
#ifndef TUNE_SPACE_DESCRIPTIONS_H
#define TUNE_SPACE_DESCRIPTIONS_H

#include "tuner/lang/template.h"

struct json_t;

/* A new reference, and its text, allocated; NULL: out of memory. */
struct json_t *descriptions_json(const struct template *template);
char *descriptions_text(const struct template *template);

#endif
