/* SPDX-License-Identifier: Apache-2.0 */
/*
 * four_way.cu - path.cu with four runs at a time: half as many passes through memory.
 *
 * A block loads the parts of four runs that make its tile, merges the first two and the last two in shared memory,
 * and then the results. That is one more round there instead of one more pass through memory, which takes several
 * times as long. Where tiles begin in four runs is found like the smallest of a tournament, level by level: first
 * among every 2^k-th element of the runs, then among twice as many, and so on. What was found on one level is at most
 * a few elements off on the next. (P. Varman, S. Scheufler, B. Iyer and G. Ricard, "Merging multiple lists on
 * hierarchical-memory multiprocessors", 1991.)
 *
 * If the number of passes of path.cu would be odd, the first one merges two runs as there.
 *
 *   BLOCK, ITEMS, VECTOR  see path.cu. A tile has VECTOR * ITEMS elements less than the block's threads could make:
 *                         the second pair of runs begins with a thread of its own.
 *   SORT_BLOCK, SORT_ITEMS, SORT  see block_sort.cuh.
 *
 * Limit: memory bandwidth and shared memory, much the same; one read and one write an element, half as often as in
 * path.cu.
 */
#include "elements.cuh"

extern __shared__ __align__(16) element room[]; /* for the headers as well */

#include "block_sort.cuh"
#include "path.cuh"

#define QUAD_TILE ((BLOCK - VECTOR) * ITEMS)

/* Four neighbouring runs that become one; the last ones are shorter, or empty. */
struct quad_runs {
    unsigned first[4], length[4];

    __device__ __forceinline__ quad_runs(unsigned number, unsigned run, unsigned n)
    {
#pragma unroll
        for (int r = 0; r < 4; r++) {
            first[r] = (unsigned)min((4ull * number + r) * run, (unsigned long long)n);
            length[r] = min(run, n - first[r]);
        }
    }
    __device__ __forceinline__ unsigned all() const
    {
        return length[0] + length[1] + length[2] + length[3];
    }
};

/* A tile of the result: `count` elements from `begin` on. `tiles`: of four runs. */
struct quad_tile {
    quad_runs runs;
    unsigned begin, count;

    __device__ __forceinline__ quad_tile(unsigned number, unsigned tiles, unsigned run, unsigned n)
        : runs(number / tiles, run, n)
    {
        begin = min(number % tiles * QUAD_TILE, runs.all());
        count = min((unsigned)QUAD_TILE, runs.all() - begin);
    }
};

/*
 * Every 2^k-th element of four runs, of which `taken` are taken from each. The last one taken and the next one are
 * numbers in which the key stands before that of the run, so that all are different and equal keys are in order.
 */
struct quad_samples {
    const unsigned *__restrict__ keys;
    const quad_runs &runs;
    int k;
    unsigned taken[4];
    long long last[4], next[4];

    static constexpr long long none_before = -1, none_left = 0x7fffffffffffffff;

    __device__ __forceinline__ long long sample(int r, unsigned i) const
    {
        return (long long)keys[runs.first[r] + ((i + 1) << k) - 1] << 2 | r;
    }
    __device__ __forceinline__ long long next_sample(int r) const
    {
        return taken[r] < runs.length[r] >> k ? sample(r, taken[r]) : none_left;
    }
    __device__ __forceinline__ void take(int run)
    {
#pragma unroll
        for (int r = 0; r < 4; r++)
            if (r == run) {
                last[r] = next[r];
                taken[r]++;
                next[r] = next_sample(r);
            }
    }
    __device__ __forceinline__ void drop(int run)
    {
#pragma unroll
        for (int r = 0; r < 4; r++)
            if (r == run) {
                next[r] = last[r];
                taken[r]--;
                last[r] = taken[r] > 0 ? sample(r, taken[r] - 1) : none_before;
            }
    }
    /* Twice as many samples; those that are taken, are. */
    __device__ __forceinline__ void refine()
    {
        k--;
#pragma unroll
        for (int r = 0; r < 4; r++) {
            taken[r] *= 2;
            next[r] = next_sample(r);
        }
    }
    /* Take `count` in all, or as many as there are, so that none is left that belongs before one taken. */
    __device__ __forceinline__ void select(unsigned count)
    {
        unsigned sum = taken[0] + taken[1] + taken[2] + taken[3];
        for (;;) {
            const long long least = min(min(next[0], next[1]), min(next[2], next[3]));
            const long long most = max(max(last[0], last[1]), max(last[2], last[3]));
            if (least == none_left || (sum == count && least >= most)) /* the same: two of a run */
                break;
            take((int)(least & 3));
            if (sum < count)
                sum++;
            else
                drop((int)(most & 3));
        }
    }
};

/* How many of the elements before each tile come from each run. */
__global__ void __launch_bounds__(64) find_quad_splits(const unsigned *__restrict__ keys, uint4 *__restrict__ splits,
                                                       unsigned blocks, unsigned tiles, unsigned n, unsigned run)
{
    const unsigned number = blockIdx.x * 64 + threadIdx.x;
    if (number >= blocks)
        return;
    const quad_tile tile(number, tiles, run, n);
    quad_samples samples = {keys, tile.runs, 32 - __clz((int)run), {}, {}, {}};
#pragma unroll
    for (int r = 0; r < 4; r++)
        samples.last[r] = samples.none_before;
    while (samples.k > 0) {
        samples.refine();
        samples.select(tile.begin >> samples.k);
    }
    splits[number] = make_uint4(samples.taken[0], samples.taken[1], samples.taken[2], samples.taken[3]);
}

/*
 * Which element lies where in shared memory. The first two parts, of neighbouring runs, have the first places, as
 * many as their threads can merge, and the other two the rest. The first of a pair rises in front, the second falls
 * from the end on; between them is what they lack.
 */
struct quad_places {
    int pair_threads; /* that merge the first two */
    int length[4];    /* of the parts */
    unsigned from[4]; /* place 0 in memory, as it were: rising, falling, rising, falling */

    __device__ __forceinline__ quad_places(const quad_runs &runs, uint4 begin, uint4 end)
    {
        length[0] = (int)(end.x - begin.x);
        length[1] = (int)(end.y - begin.y);
        length[2] = (int)(end.z - begin.z);
        length[3] = (int)(end.w - begin.w);
        pair_threads = (pair_length() + ITEMS - 1) / ITEMS;
        from[0] = runs.first[0] + begin.x;
        from[1] = runs.first[1] + begin.y + middle() - 1;
        from[2] = runs.first[2] + begin.z - middle();
        from[3] = runs.first[3] + begin.w + TILE - 1;
    }
    __device__ __forceinline__ int pair_length() const
    {
        return length[0] + length[1];
    }
    __device__ __forceinline__ int middle() const
    {
        return pair_threads * ITEMS;
    }
    __device__ __forceinline__ bool is_filled(int place) const
    {
        const bool lacking = place >= length[0] && place < middle() - length[1];
        return !lacking && !(place >= middle() + length[2] && place < TILE - length[3]);
    }
    __device__ __forceinline__ unsigned in_memory(int place) const
    {
        const unsigned first = place < length[0] ? from[0] + place : from[1] - place;
        const unsigned second = place < middle() + length[2] ? from[2] + place : from[3] - place;
        return place < middle() ? first : second;
    }
};

__global__ void __launch_bounds__(BLOCK)
    merge_quads(const unsigned *__restrict__ keys, const unsigned *__restrict__ values,
                unsigned *__restrict__ to_keys, unsigned *__restrict__ to_values, const uint4 *__restrict__ splits,
                unsigned tiles, unsigned n, unsigned run)
{
    const input from = {keys, values};
    const quad_tile tile(blockIdx.x, tiles, run, n);
    if (tile.count == 0)
        return;
    const unsigned *length = tile.runs.length;
    const bool last = tile.begin + tile.count == tile.runs.all();
    const uint4 end = last ? make_uint4(length[0], length[1], length[2], length[3]) : splits[blockIdx.x + 1];
    const quad_places parts(tile.runs, splits[blockIdx.x], end);
    const int thread = threadIdx.x;
    element items[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int place = i * BLOCK + thread;
        items[i] = parts.is_filled(place) ? from[parts.in_memory(place)] : last_element();
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        room[tile_places<ITEMS>::of(i * BLOCK + thread)] = items[i];
    __syncthreads();

    /* The threads of each pair, beginning with 0. */
    const bool second = thread >= parts.pair_threads;
    const int own = thread - (second ? parts.pair_threads : 0), a_length = second ? parts.length[2] : parts.length[0];
    const int a = second ? parts.middle() : 0, b = second ? TILE : parts.middle();
    merge_items<ITEMS>(room, a, a_length, b - 1, b - a - a_length, own * ITEMS, items);
    __syncthreads();
    put_items(room, second ? TILE - 1 - own * ITEMS : own * ITEMS, second, items);
    __syncthreads();
    merge_items<ITEMS>(room, 0, parts.pair_length(), TILE - 1, TILE - parts.pair_length(), thread * ITEMS, items);
    __syncthreads();
    store_tile<BLOCK, ITEMS>(room, items, {to_keys, to_values}, tile.runs.first[0] + tile.begin, tile.count);
}
