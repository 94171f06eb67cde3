/* SPDX-License-Identifier: Apache-2.0 */
/*
 * points.cuh - which grid points a block and its threads compute.
 *
 *   BLOCK_X, BLOCK_Y, BLOCK_Z  threads of a block along each axis.
 *   POINTS_Y, POINTS_Z         points of a thread, next to each other along y and z. Never along x: neighbouring
 *                              threads would no longer store neighbouring points.
 *   BLOCKS_PER_SM              0: a block computes one region of points. n: so many blocks a multiprocessor take one
 *                              region after the other.
 *
 * A region is all that a block computes at a time. Regions are numbered as grid points are, x first.
 */
#ifndef DCS_CUTOFF_POINTS_CUH
#define DCS_CUTOFF_POINTS_CUH

#include "volume.cuh"

enum {
    THREADS = BLOCK_X * BLOCK_Y * BLOCK_Z,
    REGION_X = BLOCK_X,
    REGION_Y = BLOCK_Y * POINTS_Y,
    REGION_Z = BLOCK_Z * POINTS_Z
};

struct thread_points {
    int i, j, k; /* the first */
    float x, y[POINTS_Y], z[POINTS_Z];
    float sum[POINTS_Y][POINTS_Z];
};

static __device__ __forceinline__ int thread_number()
{
    return (threadIdx.z * BLOCK_Y + threadIdx.y) * BLOCK_X + threadIdx.x;
}

/* The region's first grid point. */
static __device__ __forceinline__ int3 region_origin(int region, const volume &all)
{
    int across = (all.points.x - 1) / REGION_X + 1, down = (all.points.y - 1) / REGION_Y + 1;
    int line = region / across;
    return make_int3(region % across * REGION_X, line % down * REGION_Y, line / down * REGION_Z);
}

static __device__ __forceinline__ thread_points start_points(int3 origin, const volume &all)
{
    thread_points own;
    own.i = origin.x + threadIdx.x;
    own.j = origin.y + threadIdx.y * POINTS_Y;
    own.k = origin.z + threadIdx.z * POINTS_Z;
    /* __fmul_rn: products that the compiler may not make part of a multiply-add in the loop */
    own.x = __fmul_rn(all.spacing, (float)own.i);
#pragma unroll
    for (int r = 0; r < POINTS_Y; r++)
        own.y[r] = __fmul_rn(all.spacing, (float)(own.j + r));
#pragma unroll
    for (int p = 0; p < POINTS_Z; p++)
        own.z[p] = __fmul_rn(all.spacing, (float)(own.k + p));
#pragma unroll
    for (int r = 0; r < POINTS_Y; r++)
#pragma unroll
        for (int p = 0; p < POINTS_Z; p++)
            own.sum[r][p] = 0.0f;
    return own;
}

static __device__ __forceinline__ void store_points(const thread_points &own, float *energy, const volume &all)
{
    if (own.i >= all.points.x)
        return;
#pragma unroll
    for (int p = 0; p < POINTS_Z; p++)
#pragma unroll
        for (int r = 0; r < POINTS_Y; r++)
            if (own.j + r < all.points.y && own.k + p < all.points.z)
                energy[((size_t)(own.k + p) * all.points.y + own.j + r) * all.points.x + own.i] = own.sum[r][p];
}

/* The box around points, as its centre and half of its extent: exact, since the spacing is. */
struct box {
    float3 centre, half;
};

/* Around those of a region, or of `depth` slices of it, from a point on that is in the volume. */
static __device__ __forceinline__ box points_box(int3 origin, int depth, const volume &all)
{
    box own;
    float half = 0.5f * all.spacing;
    int last_x = min(origin.x + REGION_X, all.points.x) - 1;
    int last_y = min(origin.y + REGION_Y, all.points.y) - 1;
    int last_z = min(origin.z + depth, all.points.z) - 1;
    own.centre = make_float3(half * (float)(origin.x + last_x), half * (float)(origin.y + last_y),
                             half * (float)(origin.z + last_z));
    own.half = make_float3(half * (float)(last_x - origin.x), half * (float)(last_y - origin.y),
                           half * (float)(last_z - origin.z));
    return own;
}

/* How far a coordinate is from the box along one axis; 0 within it. */
static __device__ __forceinline__ float gap(float position, float centre, float half)
{
    return fmaxf(fabsf(position - centre) - half, 0.0f);
}

/* Whether the atom is within the cutoff of the box. */
static __device__ __forceinline__ bool reaches(float4 atom, const box &points, float cutoff2)
{
    float x = gap(atom.x, points.centre.x, points.half.x);
    float y = gap(atom.y, points.centre.y, points.half.y);
    float z = gap(atom.z, points.centre.z, points.half.z);
    return x * x + y * y + z * z < cutoff2;
}

#endif
