/* SPDX-License-Identifier: Apache-2.0 */
/*
 * size_list.h - sizes made from a template's awkward size, to validate at.
 *
 * With one dimension at a time equal to 1, and rounded up to a multiple of 32; and with all of them 1. Instead of 1
 * it is the largest power of two that divides the awkward size, for a kernel whose awkward size is 192 may well ask
 * for multiples of 64. Dimensions without an awkward size keep theirs, and derived ones follow. A template without
 * any awkward size claims no generality, and has no such sizes.
 */
#ifndef TUNE_CHECK_SIZE_LIST_H
#define TUNE_CHECK_SIZE_LIST_H

#include "tuner/space/sizes.h"

/* `count` different sizes, each of `dimensions` settings in the template's order, derived ones left out; none is the
 * awkward size itself. */
struct size_list {
    size_t dimensions, count;
    struct size_setting *values;
};

/* Errors: those of sizes_evaluate. Clear it in any case. */
bool size_list_create(const struct template *template, const struct device_description *device,
                      const struct inputs *inputs, struct size_list *sizes, struct error *error);
void size_list_clear(struct size_list *sizes);

#endif
