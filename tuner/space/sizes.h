/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sizes.h - problem sizes: given by the user, by the template's defaults, or awkward on purpose.
 */
#ifndef TUNE_SPACE_SIZES_H
#define TUNE_SPACE_SIZES_H

#include "tuner/data/inputs.h"
#include "tuner/description/description.h"

/* A size and its value, as in --size M=4096. */
struct size_setting {
    const char *name;
    int64_t value;
};

/* Kernels are tuned and validated at the tuned sizes, and validated at the awkward ones as well. */
enum { SIZES_TUNED, SIZES_AWKWARD, SIZES_COUNT };

/*
 * Evaluate every size of the template. `sizes[SIZES_TUNED]` gets the setting, or else what the shapes of data files
 * say
 * (`inputs`, NULL: there are none), or else the default;
 * `sizes[SIZES_AWKWARD]` gets the awkward size, or else the tuned one. Both have template->size_count elements, in
 * the template's order and with its names.
 *
 * Errors: an unknown or repeated name, a size below 1, a default that cannot be evaluated, and sizes at which a
 * buffer whose extent no parameter affects has a negative extent, more elements than can be addressed, or more than
 * its data file. Where files have the expected values, nothing is validated at awkward sizes, and they are not
 * examined.
 */
bool sizes_evaluate(const struct template *template, const struct device_description *device,
                    const struct size_setting *settings, size_t setting_count, const struct inputs *inputs,
                    struct size_setting *const sizes[SIZES_COUNT], struct error *error);

/* "M=4096,N=4096,K=4096": how sizes are written everywhere, in the database and the reports too. Allocated; NULL when
 * out of memory. */
char *sizes_text(const struct size_setting *sizes, size_t count);

#endif
