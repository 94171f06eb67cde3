/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gemm_model.h - what the kernels of templates/gemm with VARIANT "pipelined" would take on a GPU, by arithmetic.
 *
 * A stand-in for measurements where there is no GPU, to judge how a sweep shares evaluations, not to predict times.
 * It has what makes one configuration best at some sizes and bad at others: padding of tiles, waves of blocks over
 * the multiprocessors, what is resident in them and hides latencies, multiply-adds and shared memory as rivals for
 * the pipe, traffic through L2 and memory, copies of a transposed or aligned operand, shares of a tile that are added
 * up, and for each configuration what its machine code happens to be like.
 */
#ifndef TUNE_TESTS_BENCH_GEMM_MODEL_H
#define TUNE_TESTS_BENCH_GEMM_MODEL_H

#include "tuner/description/description.h"

/* Nanoseconds of a configuration (canonical JSON) at M, N, K. */
double gemm_model_time(const struct device_description *device, const char *configuration, const int64_t sizes[3]);

#endif
