/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiles.cu - no load of x and no addition to y leaves the multiprocessor. Rows are divided into parts, each the work of a
 * block, with their sums in shared memory; columns into chunks of x, which the copy engine brings there one after the
 * other. A part's nonzeros in the columns of a chunk are a tile.
 *
 * Rows are dealt like cards, the longest first, so that parts have about as many nonzeros. The longest of all, which
 * would be too much for one part, all parts share: each has a sum of its own for every parts-th nonzero, and adds it to y
 * in the end.
 *
 * prepare sorts nonzeros by tiles, part by part and there in the order of chunks: an entry is the row of the part and the
 * column of the chunk, 16 bits each, and the value. A tile is a whole number of batches, of UNROLL entries for each lane
 * of a warp. Warps take turns at a part's batches, whatever the tile, so a warp loads its next batch while it adds one,
 * and may be ahead of others by as many chunks as there are stages. One warp does nothing but start copies.
 *
 *   BLOCK      threads of a block, one warp of which starts copies.
 *   CHUNK      columns of a chunk: with few, more of each tile is padding.
 *   STAGES     chunks in shared memory, under way or in use. What they leave of it is for sums: where rows are too many
 *              for one part a multiprocessor, there are more parts, and x is read as often.
 *   STAGGER    0: all parts begin with the first chunk, so that each is in the L2 cache when they need it, even if x is
 *              too large for that. 1: with different ones, so that they do not all read the same few lines at a time.
 *   UNROLL     4 or 8, entries of a lane in a batch, whose loads are under way while it adds the batch before.
 *   AGGREGATE  0: an addition to shared memory for each entry. 1: a lane adds up neighbouring entries of one row, and
 *              then a warp what its lanes have of one row: for rows with many nonzeros in a tile, as those of a band,
 *              where lanes would else wait for each other.
 *   STREAM     as load.cuh has it.
 *
 * Limit, by arithmetic: an addition to shared memory is a loop that compares and swaps, without conflicts once; that and
 * the load of x, both in random banks, are some 15 cycles of a multiprocessor's shared memory for 32 entries, 0.3 ms for
 * 2^27 of them on an H100; their 8 bytes each from memory take 0.36 ms. x is read once by each part, from the L2 cache:
 * 132 times 16 MB for 2^22 columns, 0.4 ms. All of these overlap.
 */
#include "../bulk_copy.cuh"
#include "load.cuh"
#include "running.cuh"
#include "segments.cuh"

#define BATCH (32 * UNROLL)
#define WORKERS (BLOCK / 32 - 1) /* warps that add */

enum { NO_ROW = 0xffff }; /* of an entry that is padding */

/* How rows are divided: of those of `order` the first `shared` are everybody's, and the next ones are dealt to `parts`.
 * A part has its `own` sums, not all of which are used, and those of shared rows behind them. */
struct deal {
    int rows, columns, parts, own, shared;
};

static __device__ __forceinline__ int count_chunks(const deal &how)
{
    return (how.columns - 1) / CHUNK + 1;
}

/* The chunk that a part begins with; behind the last comes the first. */
static __device__ __forceinline__ int first_chunk(const deal &how, int part)
{
#if STAGGER
    return (int)((long long)part * count_chunks(how) / how.parts);
#else
    return 0;
#endif
}

/* ---- prepare ----------------------------------------------------------------------------------------------------- */

/* How many of the first `most` rows are longer than `limit`. */
__global__ void count_shared_rows(const int *offsets, const int *order, int *found, int most, int limit)
{
    int count = 0;
    while (count < most && offsets[order[count] + 1] - offsets[order[count]] > limit)
        count++;
    found[0] = count;
}

/* The place of each row in the order. */
__global__ void take_ranks(const int *order, int *ranks, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        ranks[order[i]] = i;
}

/* The row of each part's own sums, -1 for none. */
__global__ void list_own_rows(const int *order, int *own_rows, deal how)
{
    long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (long long)how.parts * how.own)
        return;
    long long rank = how.shared + at % how.own * how.parts + at / how.own;
    own_rows[at] = rank < how.rows ? order[rank] : -1;
}

struct entry {
    long long tile;
    unsigned place; /* row of the part, and column of the chunk */
};

/* Of nonzero i. */
static __device__ __forceinline__ entry find_entry(const int *offsets, const int *columns, const int *ranks, int i,
                                                   deal how)
{
    int low = 0, high = how.rows - 1; /* the last row that starts at i or before */
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (offsets[middle] <= i)
            low = middle;
        else
            high = middle - 1;
    }
    const int rank = ranks[low], dealt = rank - how.shared;
    const int part = (dealt < 0 ? i - offsets[low] : dealt) % how.parts;
    const unsigned row = dealt < 0 ? how.own + rank : dealt / how.parts;
    const int chunks = count_chunks(how), turn = columns[i] / CHUNK - first_chunk(how, part);
    entry found;
    found.tile = (long long)part * chunks + (turn < 0 ? turn + chunks : turn);
    found.place = row << 16 | columns[i] % CHUNK;
    return found;
}

__global__ void count_entries(const int *offsets, const int *columns, const int *ranks, int *counts, int nonzeros,
                              deal how)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nonzeros)
        atomicAdd(counts + find_entry(offsets, columns, ranks, i, how).tile, 1);
}

/* Tiles become whole batches. */
__global__ void round_counts(int *counts, int tiles)
{
    int tile = blockIdx.x * blockDim.x + threadIdx.x;
    if (tile < tiles)
        counts[tile] = (counts[tile] + BATCH - 1) / BATCH * BATCH;
}

/* `ends` are where tiles start, and become where their entries end. Neighbours mostly stay neighbours. */
__global__ void place_entries(const int *offsets, const int *columns, const float *values, const int *ranks, int *ends,
                              int *packed_places, float *packed_values, int nonzeros, deal how)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nonzeros)
        return;
    const entry own = find_entry(offsets, columns, ranks, i, how);
    const int at = atomicAdd(ends + own.tile, 1);
    packed_places[at] = (int)own.place;
    packed_values[at] = values[i];
}

/* The last batch of each tile. */
__global__ void pad_tiles(const int *starts, const int *ends, int *packed_places, float *packed_values, int tiles)
{
    int tile = blockIdx.x * blockDim.x + threadIdx.x;
    if (tile >= tiles)
        return;
    for (int at = ends[tile]; at < starts[tile + 1]; at++) {
        packed_places[at] = (int)((unsigned)NO_ROW << 16);
        packed_values[at] = 0.0f;
    }
}

/* ---- launch ------------------------------------------------------------------------------------------------------ */

__global__ void clear_shared_rows(const int *order, float *y, int shared)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < shared)
        y[order[i]] = 0.0f;
}

/* STAGES chunks of x, and the part's sums. */
extern __shared__ __align__(16) float room[];

#define SUMS (room + STAGES * CHUNK)

static __device__ __forceinline__ void add_to_sum(unsigned row, float value)
{
    if (row != NO_ROW)
        atomicAdd(SUMS + row, value);
}

/* Four entries of a lane. */
struct quad {
    uint4 place;
    float4 value;
};

static __device__ __forceinline__ void add_quad(const quad &own, const float *chunk)
{
    const unsigned place[4] = {own.place.x, own.place.y, own.place.z, own.place.w};
    const float value[4] = {own.value.x, own.value.y, own.value.z, own.value.w};
    float product[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        product[i] = value[i] * chunk[place[i] & 0xffff];
#if AGGREGATE
    float sum = product[0];
#pragma unroll
    for (int i = 1; i < 4; i++) {
        const bool ended = place[i] >> 16 != place[i - 1] >> 16;
        if (ended)
            add_to_sum(place[i - 1] >> 16, sum);
        sum = ended ? product[i] : sum + product[i];
    }
    const unsigned heads = heads_of_rows((int)(place[3] >> 16));
    sum = add_segment(sum, heads);
    if (ends_segment(heads))
        add_to_sum(place[3] >> 16, sum);
#else
#pragma unroll
    for (int i = 0; i < 4; i++)
        add_to_sum(place[i] >> 16, product[i]);
#endif
}

/* The batches of a part that a warp takes: every WORKERS-th. */
struct batches {
    const uint4 *places;
    const float4 *values;
    int next, last; /* next: the one that is loaded */
    quad loaded[UNROLL / 4];
};

static __device__ __forceinline__ void load_batch(batches &own)
{
    if (own.next >= own.last)
        return;
#pragma unroll
    for (int i = 0; i < UNROLL / 4; i++) {
        const long long at = (long long)own.next * (BATCH / 4) + i * 32 + threadIdx.x % 32;
        own.loaded[i].place = load_once(own.places + at);
        own.loaded[i].value = load_once(own.values + at);
    }
}

/* Those before batch `end`. */
static __device__ __forceinline__ void add_batches(batches &own, int end, const float *chunk)
{
    while (own.next < end) {
        quad now[UNROLL / 4];
#pragma unroll
        for (int i = 0; i < UNROLL / 4; i++)
            now[i] = own.loaded[i];
        own.next += WORKERS;
        load_batch(own);
#pragma unroll
        for (int i = 0; i < UNROLL / 4; i++)
            add_quad(now[i], chunk);
    }
}

#ifdef __CUDA_ARCH__

/* Chunks of x: which have come, and which all threads are done with, by stages. */
struct traffic {
    unsigned long long full[STAGES], empty[STAGES];
};

/* By one warp. The engine takes multiples of 16 bytes; what is left of the last columns, lanes bring. */
static __device__ __forceinline__ void bring_chunks(traffic &barriers, const float *__restrict__ x, const deal &how)
{
    const int chunks = count_chunks(how), start = first_chunk(how, blockIdx.x);
    for (int i = 0; i < chunks; i++) {
        const int stage = i % STAGES, first = (start + i) % chunks * CHUNK;
        const int count = min(CHUNK, how.columns - first), whole = count / 4 * 4, left = whole + (int)threadIdx.x % 32;
        if (i >= STAGES)
            bulk_wait(&barriers.empty[stage], i / STAGES - 1);
        if (left < count) {
            room[stage * CHUNK + left] = x[first + left];
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); /* before what the engine brings there later */
        }
        const bool starts = threadIdx.x % 32 == 0 && whole > 0;
        bulk_expect(&barriers.full[stage], starts ? 4 * whole : 0); /* each lane for its own write */
        if (starts)
            bulk_copy(room + stage * CHUNK, x + first, 4 * whole, &barriers.full[stage]);
    }
}

/* By each of the others, for each chunk: a warp without a batch there waits as well, and is never a phase ahead. */
static __device__ __forceinline__ void add_chunks(traffic &barriers, batches &own, const int *__restrict__ ends,
                                                  const deal &how)
{
    const int chunks = count_chunks(how);
    int end = __ldg(ends) / BATCH;
    for (int i = 0; i < chunks; i++) {
        const int next_end = __ldg(ends + min(i + 1, chunks - 1)) / BATCH, stage = i % STAGES;
        bulk_wait(&barriers.full[stage], i / STAGES);
        add_batches(own, end, room + stage * CHUNK);
        bulk_expect(&barriers.empty[stage], 0); /* each for its own reads: one lane for a warp would be no faster */
        end = next_end;
    }
}

/* `ends`: of the part's tiles. */
static __device__ __forceinline__ void add_part(batches &own, const int *__restrict__ ends, const float *__restrict__ x,
                                                const deal &how)
{
    __shared__ traffic barriers;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            bulk_init(&barriers.full[stage], 32);
            bulk_init(&barriers.empty[stage], WORKERS * 32);
        }
    }
    __syncthreads();
    if (threadIdx.x / 32 == WORKERS)
        bring_chunks(barriers, x, how);
    else
        add_chunks(barriers, own, ends, how);
}

#else

/* Without the engine: all threads bring a chunk, and then use it. */
static __device__ __forceinline__ void add_part(batches &own, const int *__restrict__ ends, const float *__restrict__ x,
                                                const deal &how)
{
    const int chunks = count_chunks(how), start = first_chunk(how, blockIdx.x);
    for (int i = 0; i < chunks; i++) {
        const int first = (start + i) % chunks * CHUNK;
        __syncthreads();
        for (int k = threadIdx.x; k < min(CHUNK, how.columns - first); k += BLOCK)
            room[k] = x[first + k];
        __syncthreads();
        if (threadIdx.x / 32 < WORKERS)
            add_batches(own, ends[i] / BATCH, room);
    }
}

#endif

__global__ void __launch_bounds__(BLOCK)
    multiply(const int *__restrict__ starts, const int *__restrict__ places, const float *__restrict__ values,
             const int *__restrict__ order, const int *__restrict__ own_rows, const float *__restrict__ x,
             float *__restrict__ y, deal how)
{
    const int chunks = count_chunks(how);
    const int *tiles = starts + (long long)blockIdx.x * chunks;
    batches own;
    own.places = (const uint4 *)places;
    own.values = (const float4 *)values;
    own.next = tiles[0] / BATCH + (int)threadIdx.x / 32;
    own.last = threadIdx.x / 32 < WORKERS ? tiles[chunks] / BATCH : 0;
    load_batch(own);
    for (int i = threadIdx.x; i < how.own + how.shared; i += BLOCK)
        SUMS[i] = 0.0f;
    __syncthreads();
    add_part(own, tiles + 1, x, how);
    __syncthreads();
    for (int i = threadIdx.x; i < how.own; i += BLOCK) {
        const int row = own_rows[(long long)blockIdx.x * how.own + i];
        if (row >= 0)
            y[row] = SUMS[i];
    }
    for (int i = threadIdx.x; i < how.shared; i += BLOCK)
        atomicAdd(y + order[i], SUMS[how.own + i]);
}
