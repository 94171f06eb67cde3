/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expected.h - is what the reference has computed fit to be compared with?
 *
 * Nothing can be compared with NaN or an infinity, unless the template says that they may be expected; and a
 * reference that reads elements of an out or temp buffer before it writes them, or reads out of bounds, computes
 * something else each time. The latter is found by a second run with other poison and other guard bands, whose
 * results must agree within the tolerance. It takes place at the awkward size if there is one.
 */
#ifndef TUNE_MEASURE_EXPECTED_H
#define TUNE_MEASURE_EXPECTED_H

#include "tuner/measure/instance.h"

/* After template_sequences_run. ERROR_INPUT, at the place of the check: the expected values are not fit. */
bool expected_check(struct validation_kernels *validation, struct program_cache *programs, const struct job *job,
                    const struct instance *instance, struct error *error);

/* Add the place of a check to an error. Always returns false. */
bool expected_place(const struct job_check *check, struct error *error);

#endif
