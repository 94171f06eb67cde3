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

/* What is given of a problem's sizes. */
struct given_sizes {
    const struct size_setting *settings;
    size_t count;
    const struct inputs *inputs; /* data files, whose shapes say sizes; NULL: there are none */
    bool own_matrices;           /* a program has the matrices, and setup does not run: see below */
};

/*
 * Evaluate every size of the template. `sizes[SIZES_TUNED]` gets the setting, or else what the shapes of data files
 * say, or else the default; `sizes[SIZES_AWKWARD]` gets the awkward size, or else the tuned one. Both have
 * template->size_count elements, in the template's order and with its names.
 *
 * A derived size has what the file of its matrix says, or else its default, and a setting may only repeat that. With
 * `own_matrices` settings say what a matrix has for which there is no file: all of its derived sizes, or none.
 *
 * Errors: an unknown or repeated name, a size below 1, a default that cannot be evaluated, sizes that no matrix has,
 * and sizes at which a buffer whose extent no parameter affects has a negative extent, more elements than can be
 * addressed, or more than its data file. Where files have the expected values, nothing is validated at awkward sizes,
 * and they are not examined.
 */
bool sizes_evaluate(const struct template *template, const struct device_description *device,
                    const struct given_sizes *given, struct size_setting *const sizes[SIZES_COUNT],
                    struct error *error);

/* Those of `sizes` (as sizes_evaluate makes them) that a setting can say for any problem: all but derived ones. They
 * go to `settable`, as long as the template has sizes; returns their number. */
size_t sizes_settable(const struct template *template, const struct size_setting *sizes,
                      struct size_setting *settable);

/* "M=4096,N=4096,K=4096": how sizes are written everywhere, in the database and the reports too. Allocated; NULL when
 * out of memory. */
char *sizes_text(const struct size_setting *sizes, size_t count);

#endif
