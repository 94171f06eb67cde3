/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler.h - compiles a kernel by the host's C++ compiler, a child process that is started without a shell.
 */
#ifndef TUNE_DEVICE_CPU_COMPILER_H
#define TUNE_DEVICE_CPU_COMPILER_H

#include "tuner/device/device.h"

/* As device_driver's `compile`. The image is a shared object. */
bool cpu_compile(const struct device_description *description, const struct compile_request *request,
                 struct compile_result *result, struct error *error);

#endif
