/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alike.h - are two results of a template the same, as far as its checks can tell without its reference?
 *
 * Each of the two may be as far from the expected result as its check allows, so they may be as far apart as both
 * allow together. Where that is relative to magnitudes which only the reference computes, the largest number of the
 * output stands for them. What is NaN or infinite in one must be so in the other.
 */
#ifndef TUNE_LIBRARY_ALIKE_H
#define TUNE_LIBRARY_ALIKE_H

#include "tuner/job/job.h"

/* Why the results of a case cannot be compared like this; NULL: they can. Of the buffers, `is_output` tells those
 * that hold results. */
const char *alike_obstacle(const struct job_case *one, const bool *is_output);

/* The checks of this buffer in the case that yields `expected`, and in the one that yields `actual`, which are of the
 * same template: the elements of the whole buffer, on the host. False as well if the two have other checks. */
struct alike_case {
    const struct job_case *job_case;
    size_t buffer;     /* that has the result */
    const void *bytes; /* of it */
};
bool alike(const struct alike_case *expected, const struct alike_case *actual);

#endif
