/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direction.cu - vertex-centric, top down or bottom up, whichever a rule (direction.cuh) says is less work: a level with
 * many neighbours is found by those that are left.
 *
 *   expand_down, expand_up  as push.cu and pull.cu, but with a count of what has been found.
 *   choose                  a thread: which of them finds the next level. The host reads just that.
 *
 *   BLOCK        threads of a block.
 *   THREADS      see push.cuh.
 *   ALPHA, BETA  see direction.cuh.
 *
 * Limit: with few levels, reading entries at random; with many, looking for the vertices of each.
 */
#include "direction.cuh"
#include "push.cuh"
#include "pull.cuh"

/* What is known between levels: `direction` first, as it is read back. */
enum { DIRECTION, REACHED, ENTRIES, BEFORE, LEFT };

struct tally {
    const unsigned *offsets;
    unsigned vertices, entries;

    __device__ __forceinline__ void operator()(int v)
    {
        vertices++;
        entries += offsets[v + 1] - offsets[v];
    }
};

/* For all threads of a block. */
static __device__ __forceinline__ void count(const tally &found, unsigned *state)
{
    __shared__ unsigned vertices, entries;
    if (!__syncthreads_or(found.vertices != 0))
        return;
    if (threadIdx.x == 0)
        vertices = entries = 0;
    __syncthreads();
    unsigned own_vertices = __reduce_add_sync(0xffffffffu, found.vertices);
    unsigned own_entries = __reduce_add_sync(0xffffffffu, found.entries);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&vertices, own_vertices);
        atomicAdd(&entries, own_entries);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&state[REACHED], vertices);
        atomicAdd(&state[ENTRIES], entries);
    }
}

__global__ void __launch_bounds__(BLOCK)
    start(const unsigned *__restrict__ offsets, const int *__restrict__ source, int *levels, unsigned *state, int vertices)
{
    start_levels(levels, source[0], vertices);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        state[DIRECTION] = DOWN;
        state[REACHED] = state[ENTRIES] = 0;
        state[BEFORE] = 1;
        state[LEFT] = offsets[vertices] - (offsets[source[0] + 1] - offsets[source[0]]);
    }
}

__global__ void __launch_bounds__(BLOCK)
    expand_down(const unsigned *__restrict__ offsets, const int *__restrict__ neighbours, int *levels, unsigned *state,
                int vertices, int level)
{
    long long v = own_vertex();
    tally found = {offsets, 0, 0};
    if (v < vertices && peek(&levels[v]) == level - 1)
        push(offsets, neighbours, levels, (int)v, level, found);
    count(found, state);
}

__global__ void __launch_bounds__(BLOCK)
    expand_up(const unsigned *__restrict__ offsets, const int *__restrict__ neighbours, int *levels, unsigned *state,
              int vertices, int level)
{
    long long v = own_vertex();
    tally found = {offsets, 0, 0};
    if (v < vertices && pull(offsets, neighbours, levels, (int)v, level))
        found((int)v);
    count(found, state);
}

__global__ void choose(unsigned *state, int vertices)
{
    state[LEFT] -= state[ENTRIES];
    state[DIRECTION] = next_direction(state[DIRECTION], state[REACHED], state[BEFORE], state[ENTRIES], state[LEFT], vertices);
    state[BEFORE] = state[REACHED];
    state[REACHED] = state[ENTRIES] = 0;
}
