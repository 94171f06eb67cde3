/* SPDX-License-Identifier: Apache-2.0 */
/*
 * segments.cuh - sums over neighbouring lanes that belong together. For whole warps.
 */
#ifndef SPMV_SEGMENTS_CUH
#define SPMV_SEGMENTS_CUH

#define ALL_LANES 0xffffffffu

/* Lanes up to and including one. */
static __device__ __forceinline__ unsigned lanes_up_to(int lane)
{
    return 0xffffffffu >> (31 - lane);
}

/* The sum of the values from the latest head up to its own; `heads` has a bit for each lane that begins a segment. The
 * first lane begins one in any case. */
static __device__ __forceinline__ float add_segment(float value, unsigned heads)
{
    int lane = threadIdx.x % 32, length = lane - (31 - __clz((heads | 1) & lanes_up_to(lane)));
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        float before = __shfl_up_sync(ALL_LANES, value, step);
        value += length >= step ? before : 0.0f;
    }
    return value;
}

/* The heads where a segment is a run of lanes with equal rows. */
static __device__ __forceinline__ unsigned heads_of_rows(int row)
{
    int before = __shfl_up_sync(ALL_LANES, row, 1);
    return __ballot_sync(ALL_LANES, before != row) | 1;
}

/* Is the lane the last of its segment? */
static __device__ __forceinline__ bool ends_segment(unsigned heads)
{
    int lane = threadIdx.x % 32;
    return lane == 31 || heads >> (lane + 1) & 1;
}

/* Add to a row; to none if it is negative. */
static __device__ __forceinline__ void add_to_row(float *y, int row, float value)
{
    if (row >= 0)
        atomicAdd(y + row, value);
}

#endif
