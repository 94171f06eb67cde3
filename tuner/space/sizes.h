/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sizes.h - the problem sizes: the user's, the template's defaults, and the awkward ones.
 */
#ifndef TUNE_SPACE_SIZES_H
#define TUNE_SPACE_SIZES_H

#include "tuner/space/problem.h"

enum { SIZES_TUNED, SIZES_AWKWARD, SIZES_COUNT };

/*
 * Evaluate every size of the template: `sizes[SIZES_TUNED]` from the settings, else the default; in
 * `sizes[SIZES_AWKWARD]` the awkward size where the template names one, else the tuned size. Both arrays have
 * template->size_count elements.
 *
 * Errors: an unknown or repeated name, a size below 1, a default that cannot be evaluated, and sizes at which the
 * extent of a buffer that no parameter decides cannot be computed or addressed.
 */
bool sizes_evaluate(const struct template *template, const struct device_description *device,
                    const struct size_setting *settings, size_t setting_count, int64_t *const sizes[SIZES_COUNT],
                    struct error *error);

/* "M=4096,N=4096,K=4096", allocated; NULL when out of memory. */
char *sizes_text(const struct template *template, const int64_t *sizes);

#endif
