/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resident.cu - all levels in one launch: blocks stay on the device, go through a level together, and meet. No host in
 * between, no launches, and what comes next is decided by each thread from the same counts.
 *
 *   bitmaps  one bit a vertex says whether it need not be reached any more: 2 MiB for 2^24 vertices, which stay in the L2
 *            cache. Vertices without neighbours have it from the beginning.
 *   pieces   the frontier's queue holds spans of `neighbours`, of at most SPLIT entries: a list as long as all others
 *            together is work for all. Which vertex a span belongs to need not be known to find levels. Blocks have
 *            queues of their own in shared memory (privatised.cu).
 *   down     threads take pieces, claim neighbours by their bits, and queue their lists.
 *   up       a warp takes a word of the bitmap, a thread each vertex whose bit is 0 (pull.cuh), and writes the word of the
 *            next bitmap. All vertices of the bitmap were reached before the level; those that are neighbours of one that
 *            was not, in the level just before it.
 *   collect  from up to down: vertices that only the newer of the two bitmaps has are queued.
 *
 *   BLOCK          threads of a block.
 *   BLOCKS_PER_SM  blocks of a multiprocessor, which have no more registers than all of them find room for. The fewer, the
 *                  sooner all have met.
 *   THREADS        threads a piece, see own_vertex.cuh.
 *   SPLIT          entries of a piece at most.
 *   CAPACITY       pieces of a block's queue.
 *   PROBES         neighbours that a thread looks up at once on the way up: fewer waits, more looks in vain.
 *   ALPHA, BETA    see direction.cuh.
 *
 * Limit: with few levels, the memory's rate of reads of whole sectors at random; with many, the time in which all blocks
 * meet.
 */
#include "bits.cuh"
#include "direction.cuh"
#include "own_queue.cuh"
#include "own_vertex.cuh"

#include "../meeting.cuh"

/* Everything that a level needs; the same in all threads, but for `found`. */
struct search {
    const unsigned *offsets;
    const int *neighbours;
    int *levels;
    int vertices, level;
    tally found; /* by this thread in this level */
};

static __device__ __forceinline__ unsigned own_thread() { return blockIdx.x * BLOCK + threadIdx.x; }

static __device__ __forceinline__ unsigned all_threads() { return gridDim.x * BLOCK; }

static __device__ __forceinline__ span list_of(const search &all, int v)
{
    return {__ldg(&all.offsets[v]), __ldg(&all.offsets[v + 1])};
}

static __device__ __forceinline__ void reach(search &all, int v, span list)
{
    all.levels[v] = all.level;
    all.found.vertices++;
    all.found.entries += list.end - list.begin;
}

/* A warp a word. Vertices without neighbours have nothing to be reached by; places behind the last one neither. */
static __device__ __forceinline__ void start_bits(search &all, int source, unsigned *reached)
{
    int words = (all.vertices + 31) / 32, lane = threadIdx.x % 32;
    for (int word = own_thread() / 32; word < words; word += all_threads() / 32) {
        int v = word * 32 + lane;
        bool needless = true;
        if (v < all.vertices) {
            span list = list_of(all, v);
            needless = v == source || list.begin == list.end;
            all.levels[v] = v == source ? 0 : UNREACHED;
        }
        unsigned bits = __ballot_sync(0xffffffffu, needless);
        if (lane == 0)
            reached[word] = bits;
    }
}

static __device__ __forceinline__ void go_down(search &all, unsigned *reached, const span *frontier, unsigned pieces,
                                               own_queue &queue)
{
    for (unsigned piece = own_thread() / THREADS; piece < pieces; piece += all_threads() / THREADS) {
        span own = frontier[piece];
        for (unsigned k = own.begin + own_part(); k < own.end; k += THREADS) {
            int u = __ldg(&all.neighbours[k]);
            if (!claim_bit(reached, u))
                continue;
            span list = list_of(all, u);
            reach(all, u, list);
            queue_list(queue, list);
        }
    }
}

/* Whether one of the vertices is in the bitmap. */
static __device__ __forceinline__ bool find_any(const search &all, const unsigned *reached, span list)
{
    for (unsigned k = list.begin; k < list.end; k += PROBES) {
        int u[PROBES];
        bool any = false;
#pragma unroll
        for (int p = 0; p < PROBES; p++)
            u[p] = __ldg(&all.neighbours[min(k + p, list.end - 1)]);
#pragma unroll
        for (int p = 0; p < PROBES; p++)
            any |= has_bit(reached, u[p]);
        if (any)
            return true;
    }
    return false;
}

static __device__ __forceinline__ void go_up(search &all, const unsigned *reached, unsigned *newer)
{
    int words = (all.vertices + 31) / 32, lane = threadIdx.x % 32;
    for (int word = own_thread() / 32; word < words; word += all_threads() / 32) {
        unsigned bits = reached[word];
        bool found = false;
        if (!(bits >> lane & 1)) {
            int v = word * 32 + lane;
            span list = list_of(all, v);
            found = find_any(all, reached, list);
            if (found)
                reach(all, v, list);
        }
        bits |= __ballot_sync(0xffffffffu, found);
        if (lane == 0)
            newer[word] = bits;
    }
}

static __device__ __forceinline__ void collect(const search &all, const unsigned *reached, const unsigned *older,
                                               own_queue &queue)
{
    int words = (all.vertices + 31) / 32, lane = threadIdx.x % 32;
    for (int word = own_thread() / 32; word < words; word += all_threads() / 32)
        if ((reached[word] & ~older[word]) >> lane & 1)
            queue_list(queue, list_of(all, word * 32 + lane));
}

/*
 * `counts`: three of them take turns, as what is counted in this level and what in the level before is still read; the
 * third is set to 0 meanwhile.
 */
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    find_levels(const unsigned *__restrict__ offsets, const int *__restrict__ neighbours, const int *__restrict__ source,
                int *levels, unsigned *reached, unsigned *other, span *frontier, span *next, tally *counts, unsigned *gate, int vertices)
{
    __shared__ shared_queue room;
    search all = {offsets, neighbours, levels, vertices, 0, {0, 0, 0}};
    span list = list_of(all, source[0]);
    unsigned left = offsets[vertices] - (list.end - list.begin), before = 1;

    start_bits(all, source[0], reached);
    if (own_thread() < 3)
        counts[own_thread()] = {pieces_of(own_thread() == 0 ? list : span{0, 0}), 0, 0};
    for (unsigned piece = own_thread(); piece < pieces_of(list); piece += all_threads())
        frontier[piece] = piece_of(list, piece);
    clear_queue(room);
    meet_all_blocks(gate);

    unsigned direction = DOWN;
    while (direction != DONE) {
        all.level++;
        all.found = {0, 0, 0};
        tally *now = &counts[(all.level - 1) % 3], *then = &counts[all.level % 3];
        own_queue queue = {&room, next, &then->pieces};
        if (direction == DOWN)
            go_down(all, reached, frontier, now->pieces, queue);
        else
            go_up(all, reached, other);
        hand_over(queue, all.found, then);
        if (own_thread() == 0)
            counts[(all.level + 1) % 3] = {0, 0, 0};
        meet_all_blocks(gate);

        bool up = direction == UP;
        unsigned found = then->vertices, entries = then->entries;
        left -= entries;
        direction = next_direction(direction, found, before, entries, left, vertices);
        before = found;
        if (up) {
            unsigned *newer = other;
            other = reached;
            reached = newer;
            if (direction == DOWN) {
                collect(all, reached, other, queue);
                hand_over(queue, {0, 0, 0}, then);
                meet_all_blocks(gate);
            }
        }
        span *found_spans = next;
        next = frontier;
        frontier = found_spans;
    }
}
