/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_bf16.h - the first half of a float, for the CPU device. */
#ifndef TUNE_CUDA_BF16_H
#define TUNE_CUDA_BF16_H
#include <cuda_fp16.h>
#define TUNE_SMALL  __nv_bfloat16
#define TUNE_SMALL2 __nv_bfloat162
#define TUNE_RAW    __nv_bfloat16_raw
#define TUNE_RAW2   __nv_bfloat162_raw
#define TUNE_WORD   bfloat16
#define TUNE_DIGITS 8
#define TUNE_LOWEST (-126)
#include <tune/small_float.hpp>
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
TUNE_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
#endif
