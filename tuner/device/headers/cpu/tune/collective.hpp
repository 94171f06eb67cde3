/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective.hpp - what threads that compute together know: each its rank among them, and how to wait for the others.
 * They keep the line where the kernel made the collective, for messages about it.
 */
#ifndef TUNE_COLLECTIVE
#define TUNE_COLLECTIVE
#include <cub/util_ptx.cuh>
#include <cub/util_type.cuh>
namespace cub {

struct tune_line { /* where an int might be taken for another argument */
    int line;
};

/* The threads of a block, in row-major order. */
template <int x, int y, int z> class tune_block
{
  protected:
    static constexpr int threads = x * y * z;
    int line;
    __forceinline__ explicit tune_block(int line) : line(line) {}
    static __forceinline__ int rank() { return int(threadIdx.x + x * (threadIdx.y + y * threadIdx.z)); }
    __forceinline__ void sync() const
    {
        if (blockDim.x != x || blockDim.y != y || blockDim.z != z)
            tune_fault("a collective of CUB is for a block of other dimensions than the kernel's", line);
        __syncthreads(line);
    }
};

/* The lanes of a warp, or of a part of it: from every `width`-th lane on, `width` of them. */
template <int width> class tune_lanes
{
    static_assert(width >= 1 && width <= TUNE_WARP, "a warp has 1 to 32 threads");

  protected:
    static constexpr int threads = width;
    int line;
    __forceinline__ explicit tune_lanes(int line) : line(line) {}
    static __forceinline__ int first() { return int(tune_context.lane) / width * width; }
    static __forceinline__ int rank() { return int(tune_context.lane) % width; }
    static __forceinline__ unsigned int mask() { return (~0u >> (TUNE_WARP - width)) << first(); }
    __forceinline__ void sync() const { __syncwarp(mask(), line); }
};

}
#endif
