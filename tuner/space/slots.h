/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slots.h - the values of all names in a scope: filling in the device's fields and the lets.
 *
 * Lets are lazy: one that cannot be evaluated has no value, and only an expression that reads it fails.
 */
#ifndef TUNE_SPACE_SLOTS_H
#define TUNE_SPACE_SLOTS_H

#include "tuner/description/description.h"
#include "tuner/lang/space.h"

/* Set the slots of the device's fields: device.kind, device.sm_count, ... */
void slots_set_device(const struct scope *scope, const struct device_description *device, struct value *slots);

/* The lets that apply, in order: the template's, then those of the space, which may be NULL. */
size_t slots_let_count(const struct template *template, const struct space *space);
const struct let_declaration *slots_let(const struct template *template, const struct space *space, size_t index);

/* Evaluate a let into its slot, which stays VALUE_UNSET if that fails. */
void slots_set_let(const struct let_declaration *let, struct value *slots);

/* Evaluate all lets in order. */
void slots_set_lets(const struct template *template, const struct space *space, struct value *slots);

/* Set `marked` of each slot that the expression reads, directly or through lets; it has an entry for each slot of the
 * scope, false before. */
void slots_mark(const struct template *template, const struct space *space, const struct expr *expr, bool *marked);

/* Does an expression of a template read any of its parameters or counts, directly or through lets? Then its value is
 * not the same for all configurations, or not known. False: out of memory. */
bool slots_read_parameters(const struct template *template, const struct expr *expr, bool *reads,
                           struct error *error);

/*
 * Call this after `expr` could not be evaluated: if the reason is a let without a value, `error` becomes the error of
 * that let. Always returns false.
 */
bool slots_blame(const struct template *template, const struct space *space, const struct expr *expr,
                 const struct value *slots, struct error *error);

#endif
