/* SPDX-License-Identifier: Apache-2.0 */
/*
 * configuration.h - the canonical text of a configuration, a JSON object, written and read.
 */
#ifndef TUNE_SPACE_CONFIGURATION_H
#define TUNE_SPACE_CONFIGURATION_H

#include "tuner/space/domain.h"

struct json_t;

/* {"VARIANT":"joint","TILE_M":64}, allocated; NULL when out of memory. */
char *configuration_text(const struct domain *domain, const uint16_t *point);

/* Is the object a configuration with just this domain's parameters and values? Fills `point` in. */
bool configuration_point(const struct domain *domain, const struct json_t *object, uint16_t *point);

/*
 * Write the space file whose one configuration is `text`: "space configuration of gemm", and a `set` for each member.
 * `*result` is allocated. Errors: no JSON object, a name that the template does not declare, a value that is neither
 * number, boolean nor string.
 */
bool configuration_space_text(const struct template *template, const char *text, char **result, struct error *error);

#endif
