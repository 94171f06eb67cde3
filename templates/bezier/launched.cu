/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launched.cu - a launch a curve: the thread that has counted a curve's points launches a grid of as many threads.
 *
 *   tessellate       a thread a curve: count, take room, and launch; up to THRESHOLD points it computes itself.
 *   points_of_curve  the points of one curve.
 *
 * Nobody waits for the longest curve of a block, and no thread is there for nothing. But a launch costs what thousands of
 * points do, and few grids run at a time. Launches into the stream that all threads of a block share follow each other; with a
 * stream of its own for each they need not, and what is launched to be forgotten needs no stream at all.
 *
 *   CURVES     curves, and threads, of a block of `tessellate`.
 *   THRESHOLD  points up to which a thread computes a curve alone.
 *   BLOCK      threads of a block of `points_of_curve`.
 *   POINTS     points of each of those.
 *   STREAM     per_block, own or forget.
 *   WAITING    launches that may wait: so many curves a launch of `tessellate`, which the next one waits for.
 *
 * Limit: how many grids a GPU launches in a second, whatever there is to do in them.
 */
#include "curve.cuh"
#include "places.cuh"
#include "room.cuh"

enum { per_block, own, forget };

__global__ void __launch_bounds__(BLOCK)
    points_of_curve(const float2 *__restrict__ controls, float2 *__restrict__ packed, int number, int count,
                    unsigned start)
{
    curve bent = load_curve(controls, number);
#pragma unroll
    for (int p = 0; p < POINTS; p++) {
        int i = (blockIdx.x * POINTS + p) * BLOCK + threadIdx.x;
        if (i < count)
            packed[start + i] = point_of(bent, i, count);
    }
}

/* A failed launch is skipped, and only asking for it tells. */
static __device__ __forceinline__ void launch_points(const float2 *controls, float2 *packed, int number, int count,
                                                     unsigned start)
{
    int blocks = (count + BLOCK * POINTS - 1) / (BLOCK * POINTS);
    cudaStream_t stream = STREAM == forget ? cudaStreamFireAndForget : 0;
    if (STREAM == own)
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    points_of_curve<<<blocks, BLOCK, 0, stream>>>(controls, packed, number, count, start);
    if (STREAM == own)
        cudaStreamDestroy(stream);
    if (cudaGetLastError() != cudaSuccess)
        __trap();
}

/* counters[0]: points so far. Of the curves from `first` on, before `curves`. */
__global__ void __launch_bounds__(CURVES)
    tessellate(const float2 *__restrict__ controls, float2 *__restrict__ packed, unsigned *__restrict__ starts,
               int *__restrict__ counts, unsigned *counters, int first, int curves, int most)
{
    int n = first + blockIdx.x * CURVES + threadIdx.x;
    placed one = place_curve(controls, starts, counts, &counters[0], n, curves, most);
    if (one.count > THRESHOLD)
        launch_points(controls, packed, n, one.count, one.start);
    else
        write_points(packed, one);
}
