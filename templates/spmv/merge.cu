/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge.cu - the ends of rows, merged with the nonzeros, in equal parts: an item is a nonzero to be added, or a row to
 * be ended, BLOCK * ITEMS of them a block and ITEMS a thread. Neither many empty rows nor one with everything makes
 * the work of a thread longer.
 *
 * A block loads the columns and values of its nonzeros as they lie in memory, all of them at a time, leaves the
 * products in shared memory, and behind them the ends of its rows. Each thread finds where its items begin there, adds
 * up products in registers, and takes note of its sum at each end of a row. What a thread has added to a row that it
 * does not end, those after it need: segmented sums over the block carry it on. y is written as it lies in memory. What
 * a block has of a row that it does not end, a second kernel adds.
 *
 *   BLOCK      threads of a block.
 *   ITEMS      items of a thread. An odd number, so that threads' items begin in different banks.
 *   PARTITION  prepared: the row at which each block begins is found once for a matrix. inside: by the block, two warps
 *              with 32 tries at a time, whenever y is computed; five dependent loads for 2^25 rows.
 *   STREAM     as load.cuh has it.
 *
 * Limit: memory bandwidth while x is read from near by; else the L2 cache, which gives away a sector of 32 bytes for 4
 * of them. Loads under way: 2 * ITEMS words a thread, which at half of all threads and 9 items are 72 KiB a
 * multiprocessor; an H100 needs some 20, an H200 some 30 (latency of 800 ns times bandwidth).
 */
#include "load.cuh"
#include "segments.cuh"

#define TILE (BLOCK * ITEMS)

#if PARTITION_inside

/* How many of the first `items` are ends of rows: row i ends behind offsets[i + 1] nonzeros and i rows. Each step
 * divides what is left among the 32 lanes of a warp, and keeps the part of one. */
static __device__ __forceinline__ int find_row(const int *__restrict__ offsets, int items, int rows, int nonzeros)
{
    int low = max(items - nonzeros, 0), high = min(items, rows);
    while (low < high) {
        const int step = (high - low - 1) / 32 + 1, middle = low + (int)threadIdx.x % 32 * step;
        const bool before = middle < high && __ldg(offsets + middle + 1) + middle < items;
        const int lanes = __popc(__ballot_sync(ALL_LANES, before)); /* the first ones */
        if (lanes < 32)
            high = min(high, low + lanes * step);
        if (lanes > 0)
            low += (lanes - 1) * step + 1;
    }
    return low;
}

/* The rows that a block begins with, and the next one. */
static __device__ __forceinline__ int2 find_ends(const int *__restrict__ offsets, int *__restrict__ tile_rows, int rows,
                                                 int nonzeros)
{
    __shared__ int ends[2];
    const int warp = threadIdx.x / 32;
    if (warp < 2) {
        int items = min(((int)blockIdx.x + warp) * TILE, rows + nonzeros);
        int row = find_row(offsets, items, rows, nonzeros);
        if (threadIdx.x % 32 == 0)
            ends[warp] = row;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        tile_rows[blockIdx.x + 1] = ends[1]; /* for add_carries */
    return make_int2(ends[0], ends[1]);
}

#else

/* How many of the first `items` are ends of rows: row i ends behind offsets[i + 1] nonzeros and i rows. */
static __device__ __forceinline__ int find_row(const int *__restrict__ offsets, int items, int rows, int nonzeros)
{
    int low = max(items - nonzeros, 0), high = min(items, rows);
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (__ldg(offsets + middle + 1) + middle < items)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* prepare: the rows that blocks begin with. */
__global__ void find_tiles(const int *__restrict__ offsets, int *__restrict__ tile_rows, int tiles, int rows,
                           int nonzeros)
{
    int tile = blockIdx.x * blockDim.x + threadIdx.x;
    if (tile <= tiles)
        tile_rows[tile] = tile < tiles ? find_row(offsets, tile * TILE, rows, nonzeros) : rows;
}

static __device__ __forceinline__ int2 find_ends(const int *, const int *__restrict__ tile_rows, int, int)
{
    return make_int2(tile_rows[blockIdx.x], tile_rows[blockIdx.x + 1]);
}

#endif

union item {
    float product; /* of a nonzero; later the sum of a row */
    int end;       /* of a row: how many of the block's nonzeros are before it */
};

/* What a thread makes of its items. */
struct share {
    float sums[ITEMS]; /* of rows, at items that are ends */
    unsigned ends;     /* a bit for each item */
    int row;           /* the first that it may end, of those of the block */
    float rest;        /* of the row that it does not end */
};

/* `room`: the products, and behind them the ends. Both kinds of items take the same steps, so that warps do not divide.
 * All blocks but the last are WHOLE; there, nothing is to do behind the last item. */
template <bool WHOLE>
static __device__ __forceinline__ share add_items(const item *room, int count, int nonzeros, int rows)
{
    const item *ends = room + nonzeros;
    const int first = min((int)threadIdx.x * ITEMS, count);
    int low = max(first - nonzeros, 0), high = min(first, rows);
    while (low < high) {
        int middle = (low + high) / 2;
        if (ends[middle].end + middle < first)
            low = middle + 1;
        else
            high = middle;
    }
    share own;
    own.ends = 0;
    own.row = low;
    own.rest = 0.0f;
    int at = first - low, next_end = nonzeros + low + 1, end = ends[low].end;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        own.sums[i] = own.rest;
        if (!WHOLE && first + i >= count)
            continue;
        const bool adds = at < end;
        const item next = room[adds ? at : next_end];
        own.ends |= adds ? 0 : 1u << i;
        own.rest = adds ? own.rest + next.product : 0.0f;
        end = adds ? end : next.end;
        at += adds;
        next_end += !adds;
    }
    return own;
}

/* What the threads before have of the row that this one begins in; after it all are done with the block's items. In
 * `last`, of the last thread, what it leaves to the next block. */
static __device__ __forceinline__ float carry_in(const share &own, float &last)
{
    __shared__ float sums[BLOCK / 32];
    __shared__ int ended[BLOCK / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned heads = __ballot_sync(ALL_LANES, own.ends != 0);
    float sum = add_segment(own.rest, heads), before = __shfl_up_sync(ALL_LANES, sum, 1);
    if (lane == 31) {
        sums[warp] = sum;
        ended[warp] = heads != 0;
    }
    __syncthreads();
    float carried = 0.0f;
    for (int i = 0; i < warp; i++)
        carried = ended[i] ? sums[i] : carried + sums[i];
    last = sum + (heads ? 0.0f : carried);
    if (lane == 0)
        return carried;
    return before + (heads & lanes_up_to(lane - 1) ? 0.0f : carried);
}

__global__ void __launch_bounds__(BLOCK)
    multiply(const int *__restrict__ offsets, const int *__restrict__ columns, const float *__restrict__ values,
             const float *__restrict__ x, int *__restrict__ tile_rows, float *__restrict__ carries,
             float *__restrict__ y, int all_rows, int all_nonzeros)
{
    __shared__ item room[TILE + 1];
    const int2 own_rows = find_ends(offsets, tile_rows, all_rows, all_nonzeros);
    const int begin = blockIdx.x * TILE, count = min(TILE, all_rows + all_nonzeros - begin);
    const int rows = own_rows.y - own_rows.x, nonzeros = count - rows, first = begin - own_rows.x;
    item *ends = room + nonzeros;

    const int top = min(first + max(nonzeros, 1), all_nonzeros) - 1; /* threads without a nonzero load this one */
    int column[ITEMS];
    float value[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int place = min(first + i * BLOCK + (int)threadIdx.x, top);
        column[i] = load_once(columns + place);
        value[i] = load_once(values + place);
    }
    for (int i = threadIdx.x; i < rows; i += BLOCK)
        ends[i].end = load_once(offsets + own_rows.x + 1 + i) - first;
    if (threadIdx.x == 0)
        room[count].end = 0x7fffffff; /* behind the last row; threads that get there find no end */
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        value[i] *= __ldg(x + column[i]);
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (i * BLOCK + threadIdx.x < (unsigned)nonzeros)
            room[i * BLOCK + threadIdx.x].product = value[i];
    __syncthreads();

    const share own = count == TILE ? add_items<true>(room, count, nonzeros, rows)
                                    : add_items<false>(room, count, nonzeros, rows);
    float last, carried = carry_in(own, last);
    int row = own.row;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (own.ends >> i & 1) {
            ends[row++].product = own.sums[i] + carried;
            carried = 0.0f;
        }
    if (threadIdx.x == BLOCK - 1)
        carries[blockIdx.x] = last;
    __syncthreads();
    for (int i = threadIdx.x; i < rows; i += BLOCK)
        y[own_rows.x + i] = ends[i].product;
}

/* What blocks have left of rows that later ones end, added by runs of the same row. */
__global__ void add_carries(const int *__restrict__ tile_rows, const float *__restrict__ carries, float *__restrict__ y,
                            int tiles, int rows)
{
    const int tile = blockIdx.x * blockDim.x + threadIdx.x;
    int row = tile < tiles ? tile_rows[tile + 1] : rows;
    row = row < rows ? row : -1;
    const unsigned heads = heads_of_rows(row);
    const float sum = add_segment(row >= 0 ? carries[tile] : 0.0f, heads);
    if (ends_segment(heads))
        add_to_row(y, row, sum);
}
