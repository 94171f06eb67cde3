/*
 * clocks.h - the state of a GPU around a measurement, by NVIDIA's management library.
 *
 * NVML numbers GPUs in another order than CUDA does, so the GPU is found by its UUID. Where the library or the GPU is
 * not to be had, everything reads -1: measuring goes on without.
 */
#ifndef TUNE_DEVICE_CUDA_CLOCKS_H
#define TUNE_DEVICE_CUDA_CLOCKS_H

#include "tuner/device/cuda/library.h"
#include "tuner/device/device.h"

struct clocks {
    struct nvml_library nvml;
    nvml_device device; /* NULL: not to be had */
};

/* `uuid` as nvidia-smi prints it: GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx. */
void clocks_open(struct clocks *clocks, const char *uuid);
void clocks_close(struct clocks *clocks);
void clocks_read(const struct clocks *clocks, struct device_state *state);

/* The driver's version, "580.159.04"; false where it is not to be had. */
bool clocks_driver_version(const struct clocks *clocks, char *text, size_t size);

#endif
