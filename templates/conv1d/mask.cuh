/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mask.cuh - shared by the variants: the mask in constant memory, and the signal with its zero boundary.
 *
 * MASK_WIDTH, an odd number, is known when the kernel is compiled: a loop over the mask can be written out, and then
 * its values need no loads of their own: they come from the constant cache through uniform registers.
 */
#ifndef CONV1D_MASK_CUH
#define CONV1D_MASK_CUH

#define RADIUS (MASK_WIDTH / 2)

/* One value more, which nobody uses: an even number, so that values are fetched in pairs. */
__constant__ __align__(8) float mask[MASK_WIDTH + 1];

__global__ void pack_mask(const float *__restrict__ weights, float *__restrict__ packed)
{
    packed[threadIdx.x] = threadIdx.x < MASK_WIDTH ? weights[threadIdx.x] : 0.0f;
}

/* The value at a place that may lie outside. */
static __device__ __forceinline__ float value_at(const float *__restrict__ input, int i, int n)
{
    return i >= 0 && i < n ? input[i] : 0.0f;
}

#endif
