/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checks.h - the checks of a case: what is compared, and how closely.
 */
#ifndef TUNE_JOB_CHECKS_H
#define TUNE_JOB_CHECKS_H

#include "tuner/job/lowering.h"

/* Of the case whose buffers are known. Ranges may depend on counts that are known behind the reference, which must
 * have been lowered. */
bool checks_lower(const struct lowering *lowering, struct job_case *now);

#endif
