/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clocks.h - the state of a GPU around a measurement and the energy it has used, by NVIDIA's management library.
 *
 * A question costs from some microseconds to some milliseconds, during which nothing is measured. So only the SM
 * clock and the throttle reasons are asked for each time; temperature, power and memory clock, which cost most and
 * change slowly (power is itself a mean over a second), at most once a second.
 *
 * NVML numbers GPUs in another order than CUDA does, so the GPU is found by its UUID. Where the library or the GPU is
 * not to be had, everything reads -1: measuring goes on without.
 */
#ifndef TUNE_DEVICE_CUDA_CLOCKS_H
#define TUNE_DEVICE_CUDA_CLOCKS_H

#include "tuner/device/cuda/library.h"
#include "tuner/device/device.h"

#include <time.h>

struct clocks {
    struct nvml_library nvml;
    nvml_device device; /* NULL: not to be had */
    struct device_state slow;
    struct timespec slow_read; /* when; 0: never */
};

/* `uuid` as nvidia-smi prints it: GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx. */
void clocks_open(struct clocks *clocks, const char *uuid);
void clocks_close(struct clocks *clocks);
void clocks_read(struct clocks *clocks, struct device_state *state);

/* Since the driver was loaded, in steps of some 20 to 100 ms; Volta and later. ERROR_WORK: it cannot be told. */
bool clocks_energy(const struct clocks *clocks, double *joules, struct error *error);

/* The driver's version, "580.159.04"; false where it is not to be had. */
bool clocks_driver_version(const struct clocks *clocks, char *text, size_t size);

#endif
