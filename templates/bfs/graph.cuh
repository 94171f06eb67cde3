/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.cuh - the edges of a graph by their numbers, so that any number of threads can make them: two vertices each,
 * none is written down. C as well as CUDA C++: tests/bench/bfs_cpu.c makes the same graphs.
 *
 *   1  RMAT, as Graph500 has it (graph500.org, A = 0.57, B = C = 0.19, D = 0.05; vertices are numbered at random): few
 *      vertices with very many neighbours, about half without any, all others within a few steps. There are self loops
 *      and double edges. Of a number of vertices that is no power of two the last ones of the next power are folded back.
 *   2  a grid like roads: rows of as many vertices as there are rows, each with up to four neighbours. One edge in eight
 *      is missing, so that there are detours, pockets and dead ends; levels are as many as the sides are long.
 *   3  a path: as many levels as vertices.
 */
#ifndef BFS_GRAPH_CUH
#define BFS_GRAPH_CUH

#include "../hash.cuh"

enum { RMAT = 1, GRID, PATH };

struct graph {
    int vertices, degree; /* RMAT: edges a vertex */
    int shape, seed;
};

static __device__ __forceinline__ unsigned long long graph_key(struct graph all)
{
    return (unsigned long long)all.seed * 0xd1342543de82ef95u;
}

static __device__ __forceinline__ int bits_for(int vertices)
{
    int bits = 0;
    while (1u << bits < (unsigned)vertices)
        bits++;
    return bits;
}

/* How many numbers of edges there are; those of a grid include edges that are not there. */
static __device__ __forceinline__ long long edge_count(struct graph all)
{
    long long vertices = all.vertices;
    return all.shape == RMAT ? vertices * all.degree : all.shape == GRID ? 2 * vertices : vertices - 1;
}

/* Another vertex for each: a permutation of all numbers of so many bits, applied until the number is a vertex. */
static __device__ __forceinline__ unsigned renumbered(unsigned v, int bits, struct graph all)
{
    unsigned mask = (1u << bits) - 1;
    do {
        for (unsigned long long round = 1; round <= 3; round++) {
            v = (v * (hash(~graph_key(all), 2 * round) | 1) + hash(~graph_key(all), 2 * round + 1)) & mask;
            v ^= v >> (bits + 1) / 2;
        }
    } while (v >= (unsigned)all.vertices);
    return v;
}

static __device__ __forceinline__ void rmat_edge(long long e, struct graph all, int *from, int *to)
{
    int bits = bits_for(all.vertices);
    unsigned row = 0, column = 0;
    for (int bit = 0; bit < bits; bit++) {
        unsigned r = hash(graph_key(all), 32 * (unsigned long long)e + (unsigned)bit);
        unsigned lower = r >= 3264175145u;                                        /* (A + B) 2^32 */
        unsigned right = lower ? r >= 4080218931u /* A + B + C */ : r >= 2448131359u /* A */;
        row = 2 * row + lower;
        column = 2 * column + right;
    }
    *from = (int)renumbered(row % (unsigned)all.vertices, bits, all);
    *to = (int)renumbered(column % (unsigned)all.vertices, bits, all);
}

/* Edge 2 v leads to the right of vertex v, edge 2 v + 1 down. 0: it is not there. */
static __device__ __forceinline__ int grid_edge(long long e, struct graph all, int *from, int *to)
{
    int width = (int)sqrt((double)all.vertices), v = (int)(e / 2);
    *from = v;
    *to = e % 2 == 0 ? v + 1 : v + width;
    if (v % width == width - 1 && e % 2 == 0)
        return 0;
    return *to < all.vertices && hash(graph_key(all), (unsigned long long)e) >= 1u << 29;
}

/* The ends of edge e. 0: there is none. */
static __device__ __forceinline__ int find_edge(long long e, struct graph all, int *from, int *to)
{
    if (all.shape == RMAT) {
        rmat_edge(e, all, from, to);
        return 1;
    }
    if (all.shape == GRID)
        return grid_edge(e, all, from, to);
    *from = (int)e;
    *to = (int)e + 1;
    return 1;
}

/* Where to look for a vertex to begin with. */
static __device__ __forceinline__ int first_candidate(struct graph all)
{
    return (int)(hash(~graph_key(all), 0) % (unsigned)all.vertices);
}

#endif
