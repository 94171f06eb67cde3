/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mangled.h - the types of a kernel's parameters, from its name in a cubin.
 *
 * A C++ function's symbol spells the types of its parameters: _Z5saxpyPKfPff is saxpy(const float *, float *, float).
 * The encoding is that of the Itanium C++ ABI, section 5.1. What kernels hardly have (decltype, expressions, packs,
 * members) is not read; then, and for extern "C", nothing is known but sizes, which come from elsewhere.
 */
#ifndef TUNE_DEVICE_CUDA_MANGLED_H
#define TUNE_DEVICE_CUDA_MANGLED_H

#include "tuner/device/device.h"

/* False, with `parameters` in any state: not mangled, not understood, or not exactly `count` parameters. */
bool mangled_parameters(const char *symbol, struct kernel_parameter *parameters, size_t count);

#endif
