/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sanitizer_tool.h - run configurations on a GPU under NVIDIA's compute-sanitizer, and read what it prints.
 *
 * Each configuration runs in a process of its own (plain_run.h) for each of the tools memcheck, racecheck and
 * synccheck (Compute Sanitizer User Manual, 3 to 6). Lines are known because kernels are compiled with -lineinfo.
 */
#ifndef TUNE_CHECK_SANITIZER_TOOL_H
#define TUNE_CHECK_SANITIZER_TOOL_H

#include "tuner/check/check.h"

/* Look for the program on PATH and in /usr/local/cuda/bin. */
bool sanitizer_tool_find(char *path, size_t size);

/* Check on device `ordinal` of a kind, which `problem` is made for. Without the program the report gets a note. */
bool sanitizer_tool_run(const struct problem *problem, const char *kind, int ordinal, const struct check_plan *plan,
                        struct check_report *report, struct error *error);

/*
 * Read a tool's output. `found` is called for each report that the output holds. Lines that are no reports are passed
 * over, so that versions may differ in what they say besides.
 */
void sanitizer_tool_read(const char *output, void (*found)(void *context, const struct flaw *flaw), void *context);

#endif
