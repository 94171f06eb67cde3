/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bfs_lists.h - the graphs of templates/bfs on the processor: lists of neighbours in order, each edge in the lists of
 * both of its ends, and the vertex that a search begins at. The same as on the GPU.
 */
#ifndef TUNE_BENCH_BFS_LISTS_H
#define TUNE_BENCH_BFS_LISTS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "templates/bfs/graph.cuh" /* the build defines away what C does not have */

struct lists {
    struct graph graph;
    int source;
    uint32_t *offsets; /* where each list begins, and the end of the last */
    int32_t *neighbours;
};

/* Zeros, for free(); ends the program if there is not enough memory. */
void *bfs_allocate(int64_t count, size_t bytes);

/* On so many threads. */
struct lists bfs_lists_make(struct graph graph, int thread_count);
void bfs_lists_free(struct lists *lists);

static inline int64_t degree_of(const struct lists *lists, int32_t v)
{
    return (int64_t)lists->offsets[v + 1] - lists->offsets[v];
}

#endif
