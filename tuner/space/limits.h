/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limits.h - limits on results: conditions over what was measured (tuner/evaluation/measured.h) that the best has to
 * meet, such as `registers <= 64`.
 *
 * A result is a fact, and limits are part of the question: they are no part of a result's identity, and what is
 * outside them is stored like any other. A limit that needs a figure which is not known does not hold. (`or` asks for
 * its second operand only if the first is false: `energy < 1 or time < 1e-3` needs the energy, the other way round
 * only slow configurations do.)
 */
#ifndef TUNE_SPACE_LIMITS_H
#define TUNE_SPACE_LIMITS_H

#include "tuner/evaluation/evaluation.h"

struct limits;

/* ERROR_INPUT, with the place in the text: it is not a condition over what is measured. The texts need not outlive
 * it. One thread at a time. */
bool limits_parse(const char *const *texts, size_t count, struct limits **result, struct error *error);
void limits_free(struct limits *limits);

size_t limits_count(const struct limits *limits); /* of NULL: 0 */
const char *limits_text(const struct limits *limits, size_t which);

/* All of them as one condition, which can be parsed again: "(registers <= 64) and (time < 1e-3)". NULL: none. */
const char *limits_condition(const struct limits *limits);

/* Does any read the energy, which is metered only where it is asked for? */
bool limits_need_energy(const struct limits *limits);

/* Do they hold for a valid evaluation? If not, `why` says which and why not: "registers <= 64 does not hold:
 * registers is 80". */
bool limits_hold(const struct limits *limits, const struct evaluation *evaluation, struct error *why);

/* Are they all met as far as the compiled image tells, before anything is launched? What it does not tell counts as
 * met. */
bool limits_hold_of_image(const struct limits *limits, const struct evaluation *evaluation, struct error *why);

#endif
