/* SPDX-License-Identifier: Apache-2.0 */
/*
 * configuration.h - the canonical text of a configuration, a JSON object: writing and reading it.
 */
#ifndef TUNE_SPACE_CONFIGURATION_H
#define TUNE_SPACE_CONFIGURATION_H

#include "tuner/space/domain.h"

struct json_t;

/* {"VARIANT":"joint","TILE_M":64}, allocated; NULL when out of memory. */
char *configuration_text(const struct domain *domain, const uint16_t *point);

/* The same of all parameters that have a value in `slots`. */
char *configuration_text_of(const struct template *template, const struct value *slots);

/* A parameter's value of its JSON, which owns a string's text; VALUE_UNSET: JSON that is no value. */
struct value configuration_value(const struct json_t *json);

/* Does the object have exactly this domain's parameters, each with one of its values? Fills in `point`. */
bool configuration_point(const struct domain *domain, const struct json_t *object, uint16_t *point);

/* The same of a text, if it is as configuration_text writes it and has no floats, nor strings that are long or have
 * escapes: nearly all that are stored are like that, and need not become JSON. False: look at the object. */
bool configuration_point_of_text(const struct domain *domain, const char *text, uint16_t *point);

/*
 * The text of a space whose only configuration is `text`: "space configuration of gemm", then a `set` per member.
 * `*result` is allocated. Errors: not a JSON object, a name that the template does not declare, a value that is not a
 * number, a boolean or a string.
 */
bool configuration_space_text(const struct template *template, const char *text, char **result, struct error *error);

#endif
