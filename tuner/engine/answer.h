/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer.h - does a stored row answer for an evaluation that would be made now?
 *
 * Only if what was done then decides what would be done now. The template, its sources, sizes, device, driver,
 * compiler and configuration are the row's identity; these are not:
 *
 *   - at which awkward sizes it was validated. A space's `where` may exclude a configuration there, and be changed.
 *     A valid row must have been validated wherever it would be validated now; a failure counts only if it would be
 *     validated now wherever it was then, since it may have failed there.
 *   - the deadline. A timeout says nothing about a longer one.
 *   - whether its energy is known, if that is to be minimised.
 *   - limits. What was not measured because of one (OUTCOME_LIMIT) is not measured now if one of today's says so.
 *
 * Rows of older schemas do not say where they were validated, and shipped rows were not validated here: neither
 * answers, so that a sweep evaluates them again. They stay in the database, and `tune best` and `tune run` use them.
 */
#ifndef TUNE_ENGINE_ANSWER_H
#define TUNE_ENGINE_ANSWER_H

#include "db/store.h"
#include "tuner/space/aims.h"
#include "tuner/space/problem.h"

/* What is required of a row; one that falls short is ignored, as is a transient failure. The limits are the
 * objective's. */
struct answer_demand {
    const struct objective *objective;         /* if it needs the energy, that must be known */
    const struct aims *aims;                   /* several, of which that is the first; NULL: that alone */
    double compile_deadline, measure_deadline; /* seconds */
    struct metrics *metrics;                   /* to judge rows by a template's objective; NULL: not needed */
    struct error *why; /* says why the first that the objective says nothing of is so; or NULL */
};

/* `awkward`: where the row's configuration would be validated now, as problem_awkward_text says. */
bool answers(const struct answer_demand *demand, const struct store_row *row, const char *awkward);

/* Only whether what is stored of configuration `index` was validated as it would be now; `*stands` is the answer. */
bool answer_stands(const struct problem *problem, size_t index, const struct store_row *row, bool *stands,
                   struct error *error);

#endif
