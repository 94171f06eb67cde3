/* SPDX-License-Identifier: Apache-2.0 */
/*
 * architecture.h - which architecture NVRTC compiles for, so that the code runs on a given one.
 */
#ifndef TUNE_DEVICE_CUDA_ARCHITECTURE_H
#define TUNE_DEVICE_CUDA_ARCHITECTURE_H

#include "tuner/device/cuda/library.h"

/*
 * The one that is `wanted` ("sm_90", "sm_90a"), or the newest older one of the same major version that NVRTC knows:
 * code runs on later minor versions too. A suffix is dropped then, since it means code for that architecture alone.
 */
bool architecture_choose(const struct nvrtc_library *nvrtc, const char *wanted, char *architecture, size_t size,
                         struct error *error);

#endif
