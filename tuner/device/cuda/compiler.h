/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler.h - compiles CUDA C++ to a cubin by NVRTC, for a device that need not be present.
 *
 * The request's defines precede the source, followed by a #line directive, so that messages name the user's file and
 * line. Kernels and variables are looked up by their C++ names (NVRTC's name expressions), so sources need no
 * extern "C". The target is a real architecture (sm_90, never compute_90; see architecture.h), so the driver has
 * nothing left to compile. Registers and stack are read from the cubin, spills from the assembler's messages
 * (compiler_log.h).
 *
 * A source whose kernels launch kernels is compiled again, as relocatable code, and linked (linker.h). Where there is
 * no linker it does not compile, and the messages say what is missing.
 *
 * Options of the request come last; an -arch or -std among them replaces the usual one.
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

/* "NVRTC 13.0.88" into `text`; "" if there is no compiler. */
void cuda_compiler_name(char *text, size_t size);

#endif
