/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sanitizer_tool.h - run configurations on a GPU under NVIDIA's compute-sanitizer.
 *
 * Each configuration runs in a process of its own (plain_run.h) under memcheck, racecheck and synccheck in turn
 * (Compute Sanitizer User Manual, 3 to 6), until one of them finds something. Kernels are compiled with -lineinfo, so
 * reports carry line numbers.
 */
#ifndef TUNE_CHECK_SANITIZER_TOOL_H
#define TUNE_CHECK_SANITIZER_TOOL_H

#include "tuner/check/check.h"

/* Look for compute-sanitizer on PATH, then in /usr/local/cuda/bin. */
bool sanitizer_tool_find(char *path, size_t size);

/* Check on device `ordinal` of a kind, for which `problem` was created. Without compute-sanitizer the report gets a
 * note. */
bool sanitizer_tool_run(const struct problem *problem, const char *kind, int ordinal, const struct check_plan *plan,
                        struct check_report *report, struct error *error);

#endif
