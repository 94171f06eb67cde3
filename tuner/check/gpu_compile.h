/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gpu_compile.h - where no GPU is, whether its compiler accepts what the CPU device has run.
 *
 * NVRTC needs no GPU. The configurations are those of a problem for a GPU that is described here, since sources,
 * options and parameters may depend on the device. They are compiled in compile workers; nothing is loaded or run.
 */
#ifndef TUNE_CHECK_GPU_COMPILE_H
#define TUNE_CHECK_GPU_COMPILE_H

#include "tuner/check/check.h"

/* The limits of a GPU of compute capability 9.0 (CUDA C++ Programming Guide, "Compute Capabilities"), of the size of
 * an H100. */
void gpu_compile_description(struct device_description *description);

/*
 * Compile the plan's configurations of `problem`, which was created for that description, and the sources that they
 * share. What is refused is a finding with the compiler's first error. Without NVRTC a note says so.
 */
bool gpu_compile_run(const struct problem *problem, const struct check_plan *plan, struct check_report *report,
                     struct error *error);

#endif
