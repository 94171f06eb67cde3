/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limits.h - a GPU's limits and peak rates.
 */
#ifndef TUNE_DEVICE_CUDA_LIMITS_H
#define TUNE_DEVICE_CUDA_LIMITS_H

#include "tuner/description/description.h"
#include "tuner/device/cuda/library.h"

/* Fills in all but kind, driver and compiler. */
bool limits_read(const struct cuda_library *cuda, cuda_device device, struct device_description *description,
                 struct error *error);

/*
 * fp32 operations per second: multiprocessors, times their fp32 lanes (CUDA C++ Programming Guide, "Throughput of
 * Native Arithmetic Instructions"), times two for a multiply-add, times the highest clock. 0 for an unknown
 * capability.
 */
double limits_peak_flops(int64_t compute_capability, int64_t sm_count, int64_t clock_khz);

/* Bytes per second: two transfers per clock over the whole bus. */
double limits_peak_bandwidth(int64_t memory_clock_khz, int64_t bus_bits);

#endif
