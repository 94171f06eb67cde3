/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - the graph as lists of neighbours (CSR): those of vertex v are neighbours[offsets[v]] to
 * neighbours[offsets[v + 1] - 1], in order, and each edge is in the lists of both of its ends.
 *
 * The search begins at a vertex with a neighbour, as Graph500's do, if there is one.
 */
#include "../sums.cuh"
#include "graph.cuh"

/* `lengths`: of the lists; 0 before. */
__global__ void count_ends(unsigned *lengths, graph all)
{
    long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    int from, to;
    if (e < edge_count(all) && find_edge(e, all, &from, &to)) {
        atomicAdd(&lengths[from], 1u);
        atomicAdd(&lengths[to], 1u);
    }
}

/* A block. `places`: lengths before, where each list begins afterwards. */
__global__ void __launch_bounds__(256) add_up(unsigned *places, unsigned *offsets, int vertices)
{
    __shared__ unsigned sum;
    unsigned before = 0;
    for (int first = 0; first < vertices; first += 256) {
        int v = first + threadIdx.x;
        unsigned length = v < vertices ? places[v] : 0;
        unsigned end = before + sum_up_to<256>(length);
        if (v < vertices)
            offsets[v] = places[v] = end - length;
        if (threadIdx.x == 255)
            sum = end;
        __syncthreads();
        before = sum;
    }
    if (threadIdx.x == 0)
        offsets[vertices] = before;
}

__global__ void place_ends(unsigned *places, int *neighbours, graph all)
{
    long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    int from, to;
    if (e < edge_count(all) && find_edge(e, all, &from, &to)) {
        neighbours[atomicAdd(&places[from], 1u)] = to;
        neighbours[atomicAdd(&places[to], 1u)] = from;
    }
}

static __device__ __forceinline__ void put_in_order(int *list, unsigned lower, unsigned upper, unsigned length)
{
    if (upper < length && list[lower] > list[upper]) {
        int swapped = list[lower];
        list[lower] = list[upper];
        list[upper] = swapped;
    }
}

/*
 * A block a list, whose ends have come in any order. A network that puts runs in order by mirror images (Batcher's, as
 * Knuth has it in "The Art of Computer Programming", vol. 3, 5.3.4): the smaller one always goes to the lower place, so
 * places behind the end, which would hold infinity, need not exist.
 */
__global__ void sort_lists(const unsigned *offsets, int *neighbours)
{
    unsigned first = offsets[blockIdx.x], length = offsets[blockIdx.x + 1] - first;
    int *list = neighbours + first;
    for (unsigned run = 2; run / 2 < length; run *= 2) {
        unsigned half = run / 2, pairs = (length + run - 1) / run * half;
        for (unsigned i = threadIdx.x; i < pairs; i += blockDim.x)
            put_in_order(list, i / half * run + i % half, i / half * run + run - 1 - i % half, length);
        __syncthreads();
        for (unsigned step = half / 2; step > 0; step /= 2) {
            for (unsigned i = threadIdx.x; i < pairs; i += blockDim.x)
                put_in_order(list, i / step * 2 * step + i % step, i / step * 2 * step + i % step + step, length);
            __syncthreads();
        }
    }
}

/* A thread. */
__global__ void choose_source(const unsigned *offsets, const int *neighbours, int *source, graph all)
{
    int first = first_candidate(all), v = first;
    bool found = false;
    do {
        for (unsigned k = offsets[v]; k < offsets[v + 1] && !found; k++)
            found = neighbours[k] != v;
        if (!found)
            v = v + 1 < all.vertices ? v + 1 : 0;
    } while (!found && v != first);
    source[0] = v;
}
