/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slots.h - the values of all names of a scope: filling in the device's fields and the lets.
 *
 * Lets are lazy: one that cannot be evaluated is left without a value, and only an expression that reads it fails.
 */
#ifndef TUNE_SPACE_SLOTS_H
#define TUNE_SPACE_SLOTS_H

#include "tuner/description/description.h"
#include "tuner/lang/space.h"

/* Give the slots of the device's fields (device.kind, device.sm_count, ...) their values. */
void slots_set_device(const struct scope *scope, const struct device_description *device, struct value *slots);

/* The number of lets that apply: the template's, then those of the space (which may be NULL). */
size_t slots_let_count(const struct template *template, const struct space *space);
const struct let_declaration *slots_let(const struct template *template, const struct space *space, size_t index);

/* Evaluate a let into its slot, or leave the slot without a value. */
void slots_set_let(const struct let_declaration *let, struct value *slots);

/* Evaluate all lets in order. */
void slots_set_lets(const struct template *template, const struct space *space, struct value *slots);

/*
 * Does the expression read the slot, itself or through lets?
 */
bool slots_reads(const struct template *template, const struct space *space, const struct expr *expr, size_t slot);

/*
 * Call this when `expr` could not be evaluated: if that is because a let has no value, `error` becomes the let's own
 * error, which says why. Always returns false.
 */
bool slots_blame(const struct template *template, const struct space *space, const struct expr *expr,
                 const struct value *slots, struct error *error);

#endif
