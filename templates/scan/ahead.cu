/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ahead.cu - lookback.cu with loads that never stop: a block stays for many tiles, and while it scans one and looks
 * back, the elements of the next ones are on their way.
 *
 * In lookback.cu a tile's loads are under way in the first part of its life only; to keep memory busy in the rest takes
 * other blocks on the same multiprocessor. Here AHEAD tiles of each block are always under way, copied to shared memory
 * past the registers (async.cuh). A thread scans just the vectors that it has copied itself, rows as in tile.cuh, so
 * nobody waits for anyone's copies, and its own place is free again as soon as it has read it. The number of a tile to
 * come, a round trip through the L2 cache, is asked for a tile earlier as well.
 *
 * A block may hold several tiles that others wait for, but works on them in the order in which they were taken, and the
 * first one of all that are not done is always the one that its block works on: no deadlock, however many blocks run.
 *
 *   BLOCK, ITEMS, STREAM  as tile.cuh has them; VECTOR is 4 and SCAN is rows.
 *   WINDOW, DELAY         as lookback.cuh has them.
 *   AHEAD                 tiles of a block on their way.
 *   PER_SM                blocks a multiprocessor.
 *
 * status: a count and the tiles' words, all 0 before; see lookback.cuh.
 *
 * Limit: memory bandwidth.
 */
#include "../async.cuh"
#include "tile.cuh"

#include "lookback.cuh"

/* The thread's vector of a row, in the shared memory of a tile on its way. */
static __device__ __forceinline__ float *place_of(int stage, int row)
{
    extern __shared__ float4 ring[];
    return (float *)&ring[(stage * ROWS + row) * BLOCK + threadIdx.x];
}

/* Those beyond the end are 0. */
static __device__ __forceinline__ void send_for(int stage, const element *x, int tile, long long n)
{
    long long first = (long long)tile * SECTION;
    int count = (int)max(0ll, min(n - first, (long long)SECTION));
    const float *from = (const float *)x + first; /* integers are moved as they are */
    if (count > 0) {
#pragma unroll
        for (int row = 0; row < ROWS; row++) {
            int at = vector_at(row);
            float *to = place_of(stage, row);
            if (at + VECTOR <= count || at >= count) {
                copy4(to, from + (at < count ? at : 0), at < count);
            } else {
                for (int v = 0; v < VECTOR; v++)
                    copy1(to + v, from + (at + v < count ? at + v : 0), at + v < count);
            }
        }
    }
    copies_commit();
}

__global__ void __launch_bounds__(BLOCK)
    scan(const element *__restrict__ x, element *__restrict__ y, status_word *status, long long n, int tiles)
{
    __shared__ int taken[AHEAD];
    __shared__ element before;
    int next[AHEAD]; /* tiles on their way; beyond the last one there is nothing */
    int asked = 0;   /* of thread 0: the one after these */
    if (threadIdx.x == 0) {
        for (int i = 0; i < AHEAD; i++)
            taken[i] = (int)atomicAdd(status, 1ull);
        asked = (int)atomicAdd(status, 1ull);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
        next[i] = taken[i];
        send_for(i, x, next[i], n);
    }
    __syncthreads();
    for (int stage = 0; next[0] < tiles; stage = (stage + 1) % AHEAD) {
        int tile = next[0];
        long long first = (long long)tile * SECTION;
        int count = (int)min(n - first, (long long)SECTION);
        section own;
        copies_wait<AHEAD - 1>();
#pragma unroll
        for (int row = 0; row < ROWS; row++)
            load_pack<VECTOR>(own.values + row * VECTOR, (const element *)place_of(stage, row));
        if (threadIdx.x == 0) {
            taken[0] = asked;
            asked = (int)atomicAdd(status, 1ull);
        }
        element total;
        own.before = scan_tile<EXCLUSIVE>(own.values, total); /* with a barrier */
#pragma unroll
        for (int i = 0; i + 1 < AHEAD; i++)
            next[i] = next[i + 1];
        next[AHEAD - 1] = taken[0];
        send_for(stage, x, next[AHEAD - 1], n);
        if (threadIdx.x < 32) {
            element sum = look_back(status, tile, total);
            if (threadIdx.x == 0)
                before = sum;
        }
        __syncthreads();
        store_section<EXCLUSIVE>(own, y + first, count, before);
    }
}
