/* SPDX-License-Identifier: Apache-2.0 */
/*
 * toolchain.h - the host's C++ compiler: $TUNE_CXX, else the first of g++, c++ and clang++ on $PATH.
 */
#ifndef TUNE_DEVICE_CPU_TOOLCHAIN_H
#define TUNE_DEVICE_CPU_TOOLCHAIN_H

#include "tuner/error/error.h"

/* Its path. ERROR_WORK if there is none. */
bool toolchain_find(char *path, size_t bytes, struct error *error);

/* "g++ 12.2.0", "clang++ 14.0.6", or "" if there is no compiler or it does not report its version. Fails only if this
 * machine lacks memory or processes. */
bool toolchain_version(char *version, size_t bytes, struct error *error);

#endif
