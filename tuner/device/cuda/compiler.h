/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler.h - CUDA C++ to a cubin by NVRTC, for a device that need not be here.
 *
 * The request's defines come ahead of the source, followed by a #line directive, so that messages name the user's
 * file and line. Kernels and variables are found by their C++ names (NVRTC's name expressions), so sources need no
 * extern "C". A real architecture is asked for (sm_90, never compute_90): the driver has nothing left to compile.
 * Registers and stack are in the cubin; what was spilled is only in the assembler's messages, which are read and left
 * out of the log.
 *
 * An architecture newer than the compiler is compiled for as the newest that it knows of the same major version,
 * whose code it runs. Further options of the request go last; an -arch or -std among them takes the place of the
 * usual one.
 */
#ifndef TUNE_DEVICE_CUDA_COMPILER_H
#define TUNE_DEVICE_CUDA_COMPILER_H

#include "tuner/device/cuda/library.h"
#include "tuner/device/device.h"

/* As device_driver's `compile`. The image is one of image.h. */
bool cuda_compile(const struct device_description *description, const struct compile_request *request,
                  struct compile_result *result, struct error *error);

/* As device_driver's `compile_identity`. */
bool cuda_compile_identity(const struct device_description *description, char **text, struct error *error);

/* "NVRTC 13.0.88" into `text`; "" where there is no compiler. */
void cuda_compiler_name(char *text, size_t size);

/* The architecture to ask `nvrtc` for so that the code runs on `wanted` ("sm_90"). */
bool cuda_compiler_architecture(const struct nvrtc_library *nvrtc, const char *wanted, char *architecture,
                                size_t size, struct error *error);

#endif
