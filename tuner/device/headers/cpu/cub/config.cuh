/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cub/config.cuh - CUB for the CPU device: what works on blocks and warps, written for it. Meanings are those of
 * CUB's documentation; the simplest way is taken, and the algorithms that one may ask for are all the same. Names are
 * those of CUB 3; what it has lost since CUB 2 (cub::Sum ...) is there as well.
 */
#ifndef TUNE_CUB_CONFIG
#define TUNE_CUB_CONFIG
#define CUB_VERSION          300000
#define CUB_MAJOR_VERSION    3
#define CUB_MINOR_VERSION    0
#define CUB_SUBMINOR_VERSION 0
#endif
