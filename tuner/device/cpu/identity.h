/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identity.h - what the image of a kernel depends on besides its source: the compiler's file, its options and
 * environment, the processor, the words of CUDA.
 */
#ifndef TUNE_DEVICE_CPU_IDENTITY_H
#define TUNE_DEVICE_CPU_IDENTITY_H

#include "tuner/device/device.h"

/* As device_driver's `compile_identity`. */
bool cpu_compile_identity(const struct device_description *description, char **text, struct error *error);

#endif
