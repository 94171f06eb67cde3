/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler.h - the host's C++ compiler as a child process.
 *
 * It is $TUNE_CXX, else the first of g++, c++ and clang++ on $PATH. It is started without a shell.
 */
#ifndef TUNE_DEVICE_CPU_COMPILER_H
#define TUNE_DEVICE_CPU_COMPILER_H

#include "tuner/device/device.h"

/* Its path. ERROR_WORK if there is none. */
bool compiler_find(char *path, size_t bytes, struct error *error);

/* "g++ 12.2.0", "clang++ 14.0.6", or "" if there is none or it does not tell. */
void compiler_version(char *version, size_t bytes);

/* A driver's compile_identity(): the compiler's file, its options and environment, the processor, the words of CUDA.
 */
bool compiler_identity(const struct device_description *description, char **text, struct error *error);

/* A driver's compile(): see device.h. The image is a shared object. */
bool compiler_run(const struct device_description *description, const struct compile_request *request,
                  struct compile_result *result, struct error *error);

#endif
