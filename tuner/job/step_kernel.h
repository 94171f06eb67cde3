/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_kernel.h - the kernel of a launch by its name in C++, with the values of its template arguments.
 */
#ifndef TUNE_JOB_STEP_KERNEL_H
#define TUNE_JOB_STEP_KERNEL_H

#include "tuner/job/unrolling.h"

/* Find or add the kernel among the program's; `before` is put before its name. */
bool step_kernel_lower(const struct unrolling *unrolling, const struct statement *statement, const char *before,
                       struct job_step *step);

#endif
