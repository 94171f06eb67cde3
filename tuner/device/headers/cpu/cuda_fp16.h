/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_fp16.h - IEEE 754's binary16 for the CPU device. */
#ifndef TUNE_CUDA_FP16_H
#define TUNE_CUDA_FP16_H
#define TUNE_SMALL  __half
#define TUNE_SMALL2 __half2
#define TUNE_RAW    __half_raw
#define TUNE_RAW2   __half2_raw
#define TUNE_WORD   half
#define TUNE_DIGITS 11
#define TUNE_LOWEST (-14)
#include <tune/small_float.hpp>
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
TUNE_INLINE __half2 __half2half2(__half a) { return {a, a}; }
#endif
