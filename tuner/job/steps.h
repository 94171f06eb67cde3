/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steps.h - a sequence of statements as a list of steps: loops unrolled, branches resolved, swaps applied.
 */
#ifndef TUNE_JOB_STEPS_H
#define TUNE_JOB_STEPS_H

#include "tuner/job/unrolling.h"

/*
 * Lower the sequence for `now`, whose buffers are known, into `steps`; kernels and symbols are added to `program`.
 *
 * `results[i]` is the buffer that holds the results of buffer i after the launches: ref(y) and mag(y) refer to it.
 * In finish and verify each name means that buffer from the start.
 * Buffers may stay swapped only if `swapped` is given; swapped[i] is then the buffer that the i-th name means at the
 * end. It may be the same array as `results`.
 */
bool steps_lower(const struct lowering *lowering, const struct sequence *sequence, const struct job_case *now,
                 const size_t *results, struct job_program *program, size_t *swapped, struct job_steps *steps);

#endif
