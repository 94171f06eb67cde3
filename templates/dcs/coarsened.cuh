/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coarsened.cuh - COARSEN points of one row of a slice per thread; the variant decides which.
 *
 * FIRST is the x index of the thread's first point, STEP the distance to the next. All points of a thread have the
 * same y, so an atom is read once and dy*dy + dz*dz is computed once for all of them. Each x is an integer times the
 * spacing, not the previous x plus a step, and therefore exact if the spacing is a power of two.
 */
#ifndef DCS_COARSENED_CUH
#define DCS_COARSENED_CUH

#include "slice.cuh"

__global__ void add_chunk(float *__restrict__ energy, int count, float spacing, int nx, int ny, int k)
{
    int i = FIRST;
    int j = blockIdx.y * BLOCK_Y + threadIdx.y;
#if !PADDED
    if (j >= ny)
        return;
#endif
    float *row = energy + ((size_t)k * ny + j) * nx;
    float y = spacing * (float)j;
    float x[COARSEN], sum[COARSEN], before[COARSEN];
#pragma unroll
    for (int c = 0; c < COARSEN; c++) {
        x[c] = spacing * (float)(i + c * STEP);
        sum[c] = 0.0f;
        before[c] = PADDED || i + c * STEP < nx ? row[i + c * STEP] : 0.0f;
    }
#pragma unroll unroll
    for (int n = 0; n < count; n++) {
        float4 atom = chunk[n];
        float dy = y - atom.y;
        float rest = dy * dy + atom.z;
#pragma unroll
        for (int c = 0; c < COARSEN; c++) {
            float dx = x[c] - atom.x;
            sum[c] += atom.w * rsqrtf(dx * dx + rest);
        }
    }
#pragma unroll
    for (int c = 0; c < COARSEN; c++)
        if (PADDED || i + c * STEP < nx)
            row[i + c * STEP] = before[c] + sum[c];
}

#endif
