/* SPDX-License-Identifier: Apache-2.0 */
/*
 * size_recording.h - what a GPU took for many configurations at many sizes, from a file of lines with tabs between:
 *
 *     SIZE            SIZE ...       as `tune` writes them, M=64,N=8,K=16
 *     CONFIGURATION   TIME TIME ...  canonical JSON, and nanoseconds, or "-" where it was not measured
 *
 * Configurations are in the order of strcmp.
 */
#ifndef TUNE_TESTS_BENCH_SIZE_RECORDING_H
#define TUNE_TESTS_BENCH_SIZE_RECORDING_H

#include "tuner/engine/cost_table.h"

struct size_recording {
    size_t count;
    char **sizes;
    struct cost_table times;
    double *slowest; /* by size */
};

/* Clear it in any case. ERROR_INPUT: there is no such file, or a line of it has not as many times as there are
 * sizes, a time that is not above 0, or a configuration that is not in order. */
bool size_recording_read(const char *path, struct size_recording *recording, struct error *error);
void size_recording_clear(struct size_recording *recording);

/* Nanoseconds. What was not measured takes as long as the slowest of its size: a sweep leaves out what is bad at
 * others. Infinite where nothing is known of the size. */
double size_recording_time(const struct size_recording *recording, const char *size, const char *configuration);

#endif
