/* SPDX-License-Identifier: Apache-2.0 */
/*
 * surplus.cuh - the overflow list: atoms that found their bin full.
 *
 * The list lies behind the bins, `list` in the kernels below; its length is the counter behind those of the bins. In the
 * original the host adds these atoms while the GPU adds the others; here that is the GPU's work too:
 *
 *   SURPLUS  gather   each block looks through the whole list for those within the cutoff of its region, all threads an
 *                     atom each, and adds them as it adds all others. The search is short, but blocks times atoms: not
 *                     linear in the volume.
 *            scatter  each atom of the list is added to the points around it with atomic additions, by a block. Linear.
 */
#ifndef DCS_CUTOFF_SURPLUS_CUH
#define DCS_CUTOFF_SURPLUS_CUH

#include "spheres.cuh"

static __device__ __forceinline__ void add_to_list(float4 *list, unsigned *length, float4 atom)
{
    list[atomicAdd(length, 1u)] = atom;
}

#if SURPLUS_gather
static __device__ __forceinline__ void gather_surplus(thread_points &own, const float4 *__restrict__ list, int length,
                                                      int3 origin, const volume &all)
{
    __shared__ float4 near[THREADS];
    __shared__ int near_count;
    box points = points_box(origin, REGION_Z, all);
    int thread = thread_number();
    for (int first = 0; first < length; first += THREADS) {
        __syncthreads(); /* nobody reads those of before any more */
        if (thread == 0)
            near_count = 0;
        __syncthreads();
        if (first + thread < length) {
            float4 atom = list[first + thread];
            if (reaches(atom, points, all.cutoff2))
                near[atomicAdd(&near_count, 1)] = atom;
        }
        __syncthreads();
        for (int n = 0; n < near_count; n++)
            add_atom(own, near[n], all);
    }
}
#endif

#if SURPLUS_scatter
enum { SCATTERING = 128 }; /* threads */

static __device__ __forceinline__ int first_point(float position, float cutoff, float spacing)
{
    return max((int)floorf((position - cutoff) / spacing), 0);
}

static __device__ __forceinline__ int end_point(float position, float cutoff, float spacing, int points)
{
    return min((int)floorf((position + cutoff) / spacing) + 2, points);
}

/* Adds one atom to the points around it, a warp a row of points. */
static __device__ void scatter_atom(float4 atom, float *energy, float cutoff, const volume &all)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int left = first_point(atom.x, cutoff, all.spacing);
    int right = end_point(atom.x, cutoff, all.spacing, all.points.x);
    int top = first_point(atom.y, cutoff, all.spacing);
    int height = end_point(atom.y, cutoff, all.spacing, all.points.y) - top;
    int front = first_point(atom.z, cutoff, all.spacing);
    int depth = end_point(atom.z, cutoff, all.spacing, all.points.z) - front;
    for (int row = warp; row < height * depth; row += SCATTERING / 32) {
        int j = top + row % height, k = front + row / height;
        float dy = all.spacing * (float)j - atom.y, dz = all.spacing * (float)k - atom.z;
        float across = dy * dy + dz * dz;
        if (across >= all.cutoff2)
            continue;
        float *line = energy + ((size_t)k * all.points.y + j) * all.points.x;
        for (int i = left + lane; i < right; i += 32) {
            float dx = all.spacing * (float)i - atom.x;
            float d = dx * dx + across;
            if (d < all.cutoff2)
                atomicAdd(&line[i], term(atom.w, d, all.falling));
        }
    }
}

__global__ void scatter_surplus(const float4 *__restrict__ list, const unsigned *__restrict__ length,
                                float *__restrict__ energy, grid given)
{
    volume all = volume_of(given);
    float cutoff = sqrtf(all.cutoff2);
    int count = (int)*length;
    for (int n = blockIdx.x; n < count; n += gridDim.x)
        scatter_atom(list[n], energy, cutoff, all);
}
#endif

#endif
