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
 * Set the peaks of the multiprocessors, from their number, capability and highest clock: operations per second by the
 * CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions", where an fp32 multiply-add counts as
 * two, and bytes of shared memory. 0 where the capability is unknown.
 */
void limits_peaks(struct device_description *description);

/* Bytes per second: two transfers per clock over the whole bus. */
double limits_peak_bandwidth(int64_t memory_clock_khz, int64_t bus_bits);

#endif
