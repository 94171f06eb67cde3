/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_code.h - what of a CUDA source only a host program can compile: NVRTC and the CPU device cannot.
 */
#ifndef TUNE_SOURCE_HOST_CODE_H
#define TUNE_SOURCE_HOST_CODE_H

#include "tuner/source/cuda_token.h"

/* The first token of a call of the runtime (cudaMalloc), a launch (<<<) or main; NULL: none. __global__ and
 * __device__ functions may launch and call the runtime. What stands between a directive that mentions __CUDACC_RTC__
 * and its #endif is taken to be kept from both already. */
const struct cuda_token *host_code_find(const struct cuda_tokens *tokens);

#endif
