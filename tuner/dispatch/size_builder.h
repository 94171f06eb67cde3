/* SPDX-License-Identifier: Apache-2.0 */
/*
 * size_builder.h - a set of sizes while it is read: sizes are completed, judged, and counted once.
 */
#ifndef TUNE_DISPATCH_SIZE_BUILDER_H
#define TUNE_DISPATCH_SIZE_BUILDER_H

#include "tuner/dispatch/size_set.h"
#include "tuner/space/index_map.h"

struct size_builder {
    const struct template *template;
    const struct device_description *device;
    struct size_set *set;
    struct size_setting *rows[SIZES_COUNT]; /* what sizes_evaluate fills in */
    struct index_map places;                /* hash of a text -> place in the set */
    size_t capacity, data_capacity;
    size_t last; /* the place of what was added last */
};

/* False when out of memory; size_builder_end is due in any case, which leaves the set. */
bool size_builder_begin(struct size_builder *builder, const struct template *template,
                        const struct device_description *device, struct size_set *set, struct error *error);
void size_builder_end(struct size_builder *builder);

/*
 * Add sizes; those that are not among the settings have the template's defaults. One that the set has gets the weight
 * in addition. Errors, some without a place: as of sizes_evaluate; the set has SIZE_SET_MOST sizes.
 */
bool size_builder_add(struct size_builder *builder, const struct size_setting *settings, size_t count, double weight,
                      struct error *error);

/* Add a file with what a buffer held to the sizes that were added last. False when out of memory. */
bool size_builder_add_data(struct size_builder *builder, const char *buffer, const char *file);

/* An error of the sizes, one without a place, gets that of what gives them. Always returns false. */
bool size_builder_blame(struct place place, struct error *error);

/* Add sizes that the set does not have and the template does not refuse: `*added`. An error only when out of memory;
 * `*why` is why they were refused, if they were. */
bool size_builder_try(struct size_builder *builder, const struct size_setting *settings, size_t count, double weight,
                      bool *added, struct error *why, struct error *error);

#endif
