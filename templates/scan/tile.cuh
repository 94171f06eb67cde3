/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tile.cuh - a tile of BLOCK * ITEMS elements, in the registers of a block's threads, and its scan.
 *
 * A warp has 32 * ITEMS neighbouring elements. It loads and stores them row by row, 32 vectors of VECTOR elements, so
 * that each access takes whole lines. What a thread gets that way is not one piece, and there are two ways on:
 *   SCAN = rows   a row is scanned as it lies: a thread its vector, then the lanes by shuffles. The rows do not depend
 *                 on each other but for the sums that are handed on in the end, and no element sees shared memory.
 *   else          the warp turns its corner: through shared memory, that of its own, each thread gets ITEMS
 *                 neighbours. It scans them one after the other, and the threads' totals are scanned as kinds.cuh has
 *                 it. The results go back the same way. (Merrill and Garland call these layouts warp-striped and
 *                 blocked.)
 *
 *   BLOCK   threads of a block; powers of two where SCAN is neither rows nor shuffle.
 *   ITEMS   elements of a thread, a multiple of VECTOR.
 *   VECTOR  elements of an access: 1, 2 or 4.
 *   PAD     1: a word is left out after every 32 in shared memory; see three_phase.cu.
 *   STREAM  1: results are hinted not to be read again soon.
 *
 * Tiles begin at multiples of a vector, since x and y do. Unless SCAN is rows, the including file declares the shared
 * memory before: `extern __shared__ element corner[]`.
 */
#ifndef SCAN_TILE_CUH
#define SCAN_TILE_CUH

#include "kinds.cuh"

enum { SECTION = BLOCK * ITEMS, ROWS = ITEMS / VECTOR };

struct section {
    element values[ITEMS]; /* row by row, or ITEMS neighbours */
    element before;        /* the threads' before these */
};

/* Where in the tile the thread's vector of a row begins. */
static __device__ __forceinline__ int vector_at(int row)
{
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    return warp * (32 * ITEMS) + (row * 32 + lane) * VECTOR;
}

static __device__ __forceinline__ void load_rows(element *values, const element *from, int count)
{
    if (count == SECTION) {
#pragma unroll
        for (int row = 0; row < ROWS; row++)
            load_pack<VECTOR>(values + row * VECTOR, from + vector_at(row));
    } else {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            int at = vector_at(i / VECTOR) + i % VECTOR;
            values[i] = at < count ? from[at] : 0;
        }
    }
}

static __device__ __forceinline__ void store_rows(const element *values, element *to, int count)
{
    if (count == SECTION) {
#pragma unroll
        for (int row = 0; row < ROWS; row++)
            store_pack<VECTOR>(to + vector_at(row), values + row * VECTOR, STREAM);
    } else {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            int at = vector_at(i / VECTOR) + i % VECTOR;
            if (at < count)
                to[at] = values[i];
        }
    }
}

/* Sums of `count` neighbours, inclusive or exclusive. Returns the total. */
template <bool EXCLUSIVELY> static __device__ __forceinline__ element scan_own(element *values, int count)
{
    element sum = 0;
#pragma unroll
    for (int i = 0; i < count; i++) {
        element value = values[i];
        values[i] = EXCLUSIVELY ? sum : sum + value;
        sum += value;
    }
    return sum;
}

#if SCAN_rows
/* Returns what the warps before have. */
template <bool EXCLUSIVELY> static __device__ __forceinline__ element scan_tile(element *values, element &total)
{
    element lanes[ROWS];
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        lanes[row] = scan_lanes(scan_own<EXCLUSIVELY>(values + row * VECTOR, VECTOR));
    element rows = 0;
#pragma unroll
    for (int row = 0; row < ROWS; row++) {
        element before = rows + before_lane(lanes[row]);
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            values[row * VECTOR + v] += before;
        rows += __shfl_sync(0xffffffffu, lanes[row], 31);
    }
    return before_warp(rows, total);
}
#else
static __device__ __forceinline__ element &turned(int i)
{
    return corner[PAD ? i + i / 32 : i];
}

/* Rows to neighbours. */
static __device__ __forceinline__ void turn(element *values)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        turned(vector_at(i / VECTOR) + i % VECTOR) = values[i];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        values[i] = turned(threadIdx.x * ITEMS + i);
}

/* Neighbours to rows: into the places that the thread has read from, so nobody else needs them any more. */
static __device__ __forceinline__ void turn_back(element *values)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        turned(threadIdx.x * ITEMS + i) = values[i];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        values[i] = turned(vector_at(i / VECTOR) + i % VECTOR);
}

/* Returns what the threads before have. */
template <bool EXCLUSIVELY> static __device__ __forceinline__ element scan_tile(element *values, element &total)
{
    turn(values);
    return before_thread(scan_own<EXCLUSIVELY>(values, ITEMS), total);
}
#endif

/*
 * By all threads: scan `count` elements. Returns their total, in all threads. There is a barrier in it, and there must
 * be another one before the next scan.
 */
template <bool EXCLUSIVELY>
static __device__ __forceinline__ element scan_section(section &own, const element *from, int count)
{
    element total;
    load_rows(own.values, from, count);
    own.before = scan_tile<EXCLUSIVELY>(own.values, total);
    return total;
}

/* By all threads: write the results, to each of which `before` is added. */
template <bool>
static __device__ __forceinline__ void store_section(section &own, element *to, int count, element before)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        own.values[i] += before + own.before;
#if !SCAN_rows
    turn_back(own.values);
#endif
    store_rows(own.values, to, count);
}

#endif
