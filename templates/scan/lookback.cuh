/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookback.cuh - the sum of all tiles before one's own, without waiting for each to know its own: decoupled look-back.
 * (Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", NVIDIA NVR-2016-002.)
 *
 * A tile's status says nothing at first, then its total, as soon as that is known, then the sum of it and all tiles
 * before. A warp looks at the WINDOW tiles before its own at once, and again until none of those that count is silent:
 * up to the nearest one with a sum, or all of them, and then at the WINDOW before those. So a tile waits for totals,
 * which depend on nothing, and only now and then for a sum.
 *
 * A status is one word of 64 bits, the value below and what it is above, which is read and written as a whole: no order
 * of two accesses has to be kept. (PTX: relaxed accesses, which go to the L2 cache.)
 *
 *   WINDOW  tiles that are looked at at once, at most 32 or a multiple of 32: the more, the fewer round trips to the
 *           cache, and the more of it is in vain.
 *   DELAY   nanoseconds to wait before looking again.
 *
 * How far back a tile looks depends on the schedule, and so does the order in which floats are added up: results of
 * two runs may differ by rounding.
 */
#ifndef SCAN_LOOKBACK_CUH
#define SCAN_LOOKBACK_CUH

#include "kinds.cuh"

typedef unsigned long long status_word;

enum { SILENT = 0, TOTAL = 1, SUM = 2 };
enum { LOOKS = (WINDOW + 31) / 32 }; /* of a lane, in a window */

/* status[0] counts the tiles that are taken; those of the tiles begin here, at a line of their own. */
enum { FIRST_STATUS = 16 };

static __device__ __forceinline__ void tell(status_word *status, int tile, unsigned what, element value)
{
    status_word word = (status_word)what << 32 | bits_of(value);
    status_word *at = status + FIRST_STATUS + tile;
#ifdef __CUDA_ARCH__
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(word) : "memory");
#else
    atomicExch(at, word);
#endif
}

/* What is before the first tile sums up to 0; a lane without a place in the window has nothing to add. */
static __device__ __forceinline__ status_word ask(status_word *status, int tile, bool looks)
{
    if (!looks || tile < 0)
        return (status_word)(looks ? SUM : TOTAL) << 32;
    status_word *at = status + FIRST_STATUS + tile;
#ifdef __CUDA_ARCH__
    status_word word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
    return word;
#else
    return atomicAdd(at, 0);
#endif
}

static __device__ __forceinline__ element sum_of_lanes(element value)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    return value;
}

/*
 * A look at the window that ends before tile `end`. False: a tile that counts is silent. Else `sum` has taken in this
 * lane's tiles as far as they count, and `ends` says whether one of the window had a sum.
 */
static __device__ __forceinline__ bool look(status_word *status, int end, element &sum, bool &ends)
{
    int lane = threadIdx.x % 32;
    status_word words[LOOKS];
#pragma unroll
    for (int i = 0; i < LOOKS; i++)
        words[i] = ask(status, end - 1 - 32 * i - lane, WINDOW >= 32 || lane < WINDOW);
    ends = false;
#pragma unroll
    for (int i = 0; i < LOOKS; i++) {
        if (ends)
            continue;
        unsigned what = (unsigned)(words[i] >> 32);
        unsigned sums = __ballot_sync(0xffffffffu, what == SUM);
        unsigned silent = __ballot_sync(0xffffffffu, what == SILENT);
        unsigned counted = sums ^ (sums - 1); /* up to the nearest sum; all if there is none */
        if (silent & counted)
            return false;
        if (counted >> lane & 1)
            sum += element_of((unsigned)words[i]);
        ends = sums != 0;
    }
    return true;
}

/* By the first warp. On the CPU device it is the turn of others. */
static __device__ __forceinline__ void wait_a_little()
{
#if DELAY > 0 || defined TUNE_CPU
    if (threadIdx.x == 0)
        __nanosleep(DELAY);
#endif
}

/* By the first warp: the sum of all tiles before this one, whose total is told at once and whose sum in the end. */
static __device__ __forceinline__ element look_back(status_word *status, int tile, element total)
{
    int lane = threadIdx.x % 32;
    element sum = 0;
    if (lane == 0)
        tell(status, tile, tile == 0 ? SUM : TOTAL, total);
    if (tile == 0)
        return 0;
    bool ends = false;
    for (int end = tile; !ends; end -= WINDOW) {
        element seen = 0;
        while (!look(status, end, seen, ends)) {
            seen = 0;
            wait_a_little();
        }
        sum += seen;
    }
    sum = sum_of_lanes(sum);
    if (lane == 0)
        tell(status, tile, SUM, sum + total);
    return sum;
}

#endif
