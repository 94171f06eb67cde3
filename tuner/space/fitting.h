/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fitting.h - is one configuration valid at some sizes on a device? By the text of a space alone: the others are not
 * looked for, as a problem does, which may take long.
 *
 *     if (!fitting_create(template, device, sizes, &fitting, error) || !fitting_has(fitting, space, object, &has,
 * error))
 */
#ifndef TUNE_SPACE_FITTING_H
#define TUNE_SPACE_FITTING_H

#include "tuner/lang/space.h"
#include "tuner/space/sizes.h"

struct fitting;
struct json_t;

/* `sizes` are the tuned ones, of sizes_evaluate. All must outlive the result, which one thread at a time may use. */
bool fitting_create(const struct template *template, const struct device_description *device,
                    const struct size_setting *sizes, struct fitting **result, struct error *error);
void fitting_free(struct fitting *fitting);

/*
 * Is the configuration, a JSON object, one of the space's, which may be a union? As problem_configuration_find, but
 * a constraint or a list of values that cannot be evaluated matters only where this configuration meets it: then it
 * is not valid. An error only when out of memory.
 */
bool fitting_has(struct fitting *fitting, const struct space *space, const struct json_t *configuration, bool *has,
                 struct error *error);

/*
 * The configuration of the space's defaults and settings as canonical text, if they leave nothing open and it is
 * valid; else NULL. It is what problem_default names, of unions that of the first member that has one. Allocated. An
 * error only when out of memory.
 */
bool fitting_default(struct fitting *fitting, const struct space *space, char **text, struct error *error);

#endif
