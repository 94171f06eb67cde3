/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clocks.h - the state of a GPU around a measurement, its energy, and what else NVIDIA's management library (NVML)
 * tells.
 *
 * A query takes microseconds to milliseconds, during which nothing is measured. So only the SM clock and the throttle
 * reasons are read each time; temperature, power and memory clock, which are the slowest to read and to change (power
 * is itself a mean over a second), at most once per second.
 *
 * NVML orders GPUs differently from CUDA, so the GPU is found by its UUID. Without the library or the GPU in it,
 * everything reads -1, and measuring carries on.
 */
#ifndef TUNE_DEVICE_CUDA_CLOCKS_H
#define TUNE_DEVICE_CUDA_CLOCKS_H

#include "tuner/description/state.h"
#include "tuner/device/cuda/library.h"

#include <time.h>

struct clocks {
    struct nvml_library nvml;
    nvml_device device; /* NULL: unavailable */
    struct device_state slow;
    struct timespec slow_read; /* when `slow` was read; 0: never */
};

/* `uuid` in nvidia-smi's form: GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx. */
void clocks_open(struct clocks *clocks, const char *uuid);
void clocks_close(struct clocks *clocks);
void clocks_read(struct clocks *clocks, struct device_state *state);

/* NVML's bits as bits of enum throttle_reason. */
int64_t clocks_reasons(unsigned long long nvml_reasons);

/* Since the driver was loaded, in steps of 20 to 100 ms; Volta and later. ERROR_WORK: not reported. */
bool clocks_energy(const struct clocks *clocks, double *joules, struct error *error);

/* The driver's version, "580.159.04"; false if it is unavailable. */
bool clocks_driver_version(const struct clocks *clocks, char *text, size_t size);

/* The architecture that all GPUs of this machine have, "sm_90"; false if they differ or it is unavailable. */
bool clocks_common_architecture(char *text, size_t size);

#endif
