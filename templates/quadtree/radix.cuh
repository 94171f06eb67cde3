/* SPDX-License-Identifier: Apache-2.0 */
/*
 * radix.cuh - points in the order of their cells: a radix sort by the digits of Morton codes, the last digit first.
 *
 * A Morton code is never stored: its digits are bits of the coordinates, interleaved. So what is sorted is points alone,
 * 8 bytes each as a code and an index would have, and no point has to be fetched in the end.
 *
 *   count_digits  how often each digit occurs, of all passes at once.
 *   start_digits  where the points with a digit begin.
 *   sort_pass     a pass: a block takes the next tile of points, brings it in order in shared memory, and writes the
 *                 points of each digit behind those of the tiles before. How many these are it learns from the tiles
 *                 before it while they are under way, a thread a digit. So a pass reads and writes each point once.
 *                 (A. Adinets and D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022.)
 *
 * Needs before it `extern __shared__ float2 room[]`, for TILE points. Stable: a warp has neighbouring points, 32 at a
 * time, and ranks them in order.
 *
 *   SORT_BLOCK  threads of a block; at least as many as there are digits.
 *   SORT_ITEMS  points of a thread.
 *   DIGIT_BITS  bits of a digit, half of them of each coordinate. More make fewer passes, of DEPTH bits of each, and
 *               shorter pieces of each digit.
 *   RANK        ballots or match: how lanes with the same digit are found.
 *
 * Limit: memory bandwidth, 16 bytes a point and pass, and 8 to count; for few points how soon a tile knows of those
 * before it.
 */
#ifndef QUADTREE_RADIX_CUH
#define QUADTREE_RADIX_CUH

#include "../sums.cuh"
#include "tree.cuh"

enum {
    DIGITS = 1 << DIGIT_BITS,
    PASSES = (2 * DEPTH + DIGIT_BITS - 1) / DIGIT_BITS,
    SORT_WARPS = SORT_BLOCK / 32,
    TILE = SORT_BLOCK * SORT_ITEMS,
    AT_ONCE = 4, /* points of a thread that are under way while it counts */
};
static_assert(SORT_BLOCK % 32 == 0 && SORT_BLOCK >= DIGITS, "a thread a digit");
static_assert(DIGIT_BITS % 2 == 0 && DIGIT_BITS >= 6 && DIGIT_BITS <= 8, "half of a digit has at most 4 bits");

/* Digit `pass` of a point's Morton code, from the last on. */
static __device__ __forceinline__ unsigned digit_of(float2 point, int pass)
{
    constexpr unsigned half = DIGIT_BITS / 2, mask = (1u << half) - 1;
    unsigned bits = (cell_of(point.x) >> pass * half & mask) | (cell_of(point.y) >> pass * half & mask) << 16;
    bits = (bits | bits << 2) & 0x00330033u;
    bits = (bits | bits << 1) & 0x00550055u;
    return (bits | bits >> 15) & (DIGITS - 1);
}

static __device__ __forceinline__ void count_point(unsigned *counts, float2 point)
{
#pragma unroll
    for (int pass = 0; pass < PASSES; pass++)
        atomicAdd(&counts[pass * DIGITS + digit_of(point, pass)], 1u);
}

__global__ void __launch_bounds__(SORT_BLOCK)
    count_digits(const float2 *__restrict__ points, unsigned *__restrict__ starts, unsigned n)
{
    __shared__ unsigned counts[PASSES * DIGITS];
    for (int d = threadIdx.x; d < PASSES * DIGITS; d += SORT_BLOCK)
        counts[d] = 0;
    __syncthreads();
    for (unsigned first = blockIdx.x * SORT_BLOCK * AT_ONCE + threadIdx.x; first < n;
         first += gridDim.x * SORT_BLOCK * AT_ONCE) {
        float2 own[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            own[i] = first + i * SORT_BLOCK < n ? points[first + i * SORT_BLOCK] : make_float2(0.0f, 0.0f);
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            if (first + i * SORT_BLOCK < n)
                count_point(counts, own[i]);
    }
    __syncthreads();
    for (int d = threadIdx.x; d < PASSES * DIGITS; d += SORT_BLOCK)
        if (counts[d] > 0)
            atomicAdd(&starts[d], counts[d]);
}

/* A block a pass, a thread a digit. */
__global__ void __launch_bounds__(DIGITS) start_digits(unsigned *starts)
{
    unsigned count = starts[blockIdx.x * DIGITS + threadIdx.x];
    starts[blockIdx.x * DIGITS + threadIdx.x] = sum_up_to<DIGITS>(count) - count;
}

/* ---- what tiles tell each other ---------------------------------------------------------------------------------- */

/* A word a digit: how many points of it there are, the tile's own or all up to the tile's end. */
enum : unsigned { SILENT = 0, OWN = 1u << 30, ALL = 2u << 30, NUMBER = OWN - 1 };

static __device__ __forceinline__ void tell(unsigned *status, unsigned word)
{
#ifdef __CUDA_ARCH__
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(status), "r"(word) : "memory");
#else
    atomicExch(status, word);
#endif
}

static __device__ __forceinline__ unsigned ask(unsigned *status)
{
#ifdef __CUDA_ARCH__
    unsigned word;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(status) : "memory");
    return word;
#else
    unsigned word = atomicAdd(status, 0);
    if (word == SILENT)
        __nanosleep(0); /* it is the turn of others */
    return word;
#endif
}

/*
 * Points of the thread's digit in all tiles before this one, which has `own` of them and has told so. All tiles
 * before it have been taken by blocks that wait for no later one.
 */
static __device__ __forceinline__ unsigned look_back(unsigned *status, unsigned tile, unsigned own)
{
    unsigned before = 0, word = SILENT;
    for (unsigned earlier = tile; earlier > 0 && !(word & ALL); earlier--) {
        while ((word = ask(status + (size_t)(earlier - 1) * DIGITS)) == SILENT)
            ;
        before += word & NUMBER;
    }
    if (tile > 0)
        tell(status + (size_t)tile * DIGITS, ALL | (before + own));
    return before;
}

/* ---- a pass ------------------------------------------------------------------------------------------------------
 */

/* The lanes that have the same digit. */
static __device__ __forceinline__ unsigned lanes_with(unsigned digit)
{
#if RANK_match
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned lanes = 0xffffffffu;
#pragma unroll
    for (int bit = 0; bit < DIGIT_BITS; bit++) {
        unsigned set = __ballot_sync(0xffffffffu, digit >> bit & 1);
        lanes &= digit >> bit & 1 ? set : ~set;
    }
    return lanes;
#endif
}

/* Of each point of a thread, how many with its digit are before it in its warp; `counts` are the warp's, 0 before. */
static __device__ __forceinline__ void rank_in_warp(const unsigned (&digits)[SORT_ITEMS],
                                                    unsigned (&ranks)[SORT_ITEMS], unsigned *counts)
{
    unsigned below = (1u << threadIdx.x % 32) - 1;
#pragma unroll
    for (int i = 0; i < SORT_ITEMS; i++) {
        unsigned lanes = lanes_with(digits[i]);
        unsigned before = counts[digits[i]];
        __syncwarp();
        if ((lanes & below) == 0)
            counts[digits[i]] = before + __popc(lanes);
        __syncwarp();
        ranks[i] = before + __popc(lanes & below);
    }
}

/* The thread's digit: what each warp has of it becomes what is before that warp; returns the sum. */
static __device__ __forceinline__ unsigned add_warps(unsigned (*counts)[DIGITS])
{
    unsigned sum = 0;
#pragma unroll
    for (int w = 0; w < SORT_WARPS; w++) {
        unsigned count = counts[w][threadIdx.x];
        counts[w][threadIdx.x] = sum;
        sum += count;
    }
    return sum;
}

/* `taken`: tiles so far, 0 before; `status`: DIGITS words a tile, SILENT before. */
__global__ void __launch_bounds__(SORT_BLOCK)
    sort_pass(const float2 *__restrict__ from, float2 *__restrict__ to, const unsigned *__restrict__ starts,
              unsigned *taken, unsigned *status, unsigned n, int pass)
{
    __shared__ unsigned counts[SORT_WARPS][DIGITS];
    __shared__ unsigned begins[DIGITS]; /* of the digits in the tile */
    __shared__ unsigned places[DIGITS]; /* of those in memory, less that */
    __shared__ unsigned ticket;
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        ticket = atomicAdd(taken, 1u);
    for (int d = threadIdx.x; d < SORT_WARPS * DIGITS; d += SORT_BLOCK)
        (&counts[0][0])[d] = 0;
    __syncthreads();
    unsigned tile = ticket, first = tile * TILE, length = min((unsigned)TILE, n - first);

    /* What the last tile lacks is behind all points, with the last digit: no tile asks for that number. */
    float2 points[SORT_ITEMS];
    unsigned digits[SORT_ITEMS], ranks[SORT_ITEMS];
#pragma unroll
    for (int i = 0; i < SORT_ITEMS; i++) {
        unsigned place = warp * 32 * SORT_ITEMS + i * 32 + lane;
        points[i] = place < length ? from[first + place] : make_float2(1.0f, 1.0f);
    }
#pragma unroll
    for (int i = 0; i < SORT_ITEMS; i++)
        digits[i] = warp * 32 * SORT_ITEMS + i * 32 + lane < length ? digit_of(points[i], pass) : DIGITS - 1;
    rank_in_warp(digits, ranks, counts[warp]);
    __syncthreads();

    unsigned sum = 0;
    status += threadIdx.x; /* those of the thread's digit */
    if (threadIdx.x < DIGITS) {
        sum = add_warps(counts);
        tell(status + (size_t)tile * DIGITS, (tile == 0 ? ALL : OWN) | sum);
    }
    unsigned begin = sum_up_to<SORT_BLOCK>(sum) - sum;
    if (threadIdx.x < DIGITS)
        begins[threadIdx.x] = begin;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < SORT_ITEMS; i++)
        room[begins[digits[i]] + counts[warp][digits[i]] + ranks[i]] = points[i];
    if (threadIdx.x < DIGITS)
        places[threadIdx.x] = starts[threadIdx.x] + look_back(status, tile, sum) - begin;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < SORT_ITEMS; i++) {
        unsigned place = i * SORT_BLOCK + threadIdx.x;
        if (place < length) {
            float2 point = room[place];
            to[places[digit_of(point, pass)] + place] = point;
        }
    }
}

#endif
