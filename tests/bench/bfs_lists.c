/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/bfs_lists.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { SHARE = 1024 }; /* edges, or lists, that a thread takes at a time */
enum { COUNT, PLACE, SORT };

void *bfs_allocate(int64_t count, size_t bytes)
{
    void *memory = calloc((size_t)(count > 0 ? count : 1), bytes);
    if (!memory) {
        fprintf(stderr, "bfs_cpu: out of memory\n");
        exit(1);
    }
    return memory;
}

struct making {
    struct lists *lists;
    _Atomic uint32_t *places; /* lengths of lists, then where their next entries go */
    _Atomic int64_t cursor;
    int step;
};

static void take_edge(struct making *making, int64_t e)
{
    int from, to;
    if (!find_edge(e, making->lists->graph, &from, &to))
        return;
    uint32_t first = atomic_fetch_add_explicit(&making->places[from], 1, memory_order_relaxed);
    uint32_t second = atomic_fetch_add_explicit(&making->places[to], 1, memory_order_relaxed);
    if (making->step == PLACE) {
        making->lists->neighbours[first] = to;
        making->lists->neighbours[second] = from;
    }
}

static int compare(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

static void *make_part(void *argument)
{
    struct making *making = argument;
    const struct lists *lists = making->lists;
    int64_t count = making->step == SORT ? lists->graph.vertices : edge_count(lists->graph), first;
    while ((first = atomic_fetch_add(&making->cursor, SHARE)) < count)
        for (int64_t i = first; i < first + SHARE && i < count; i++) {
            if (making->step != SORT)
                take_edge(making, i);
            else if (lists->offsets[i] < lists->offsets[i + 1])
                qsort(lists->neighbours + lists->offsets[i], lists->offsets[i + 1] - lists->offsets[i],
                      sizeof(int32_t), compare);
        }
    return NULL;
}

static void make_step(struct making *making, int step, int thread_count)
{
    pthread_t *threads = bfs_allocate(thread_count, sizeof *threads);
    making->step = step;
    making->cursor = 0;
    for (int t = 1; t < thread_count; t++)
        if (pthread_create(&threads[t], NULL, make_part, making))
            thread_count = t; /* the others do it */
    make_part(making);
    for (int t = 1; t < thread_count; t++)
        pthread_join(threads[t], NULL);
    free(threads);
}

static int find_source(const struct lists *lists)
{
    int first = first_candidate(lists->graph), v = first;
    do {
        for (uint32_t k = lists->offsets[v]; k < lists->offsets[v + 1]; k++)
            if (lists->neighbours[k] != v)
                return v;
        v = v + 1 < lists->graph.vertices ? v + 1 : 0;
    } while (v != first);
    return first;
}

struct lists bfs_lists_make(struct graph graph, int thread_count)
{
    struct lists lists = {.graph = graph};
    struct making making = {.lists = &lists};
    making.places = bfs_allocate(graph.vertices, sizeof *making.places);
    lists.offsets = bfs_allocate((int64_t)graph.vertices + 1, sizeof *lists.offsets);
    make_step(&making, COUNT, thread_count);
    lists.offsets[0] = 0;
    for (int v = 0; v < graph.vertices; v++) {
        lists.offsets[v + 1] = lists.offsets[v] + making.places[v];
        making.places[v] = lists.offsets[v];
    }
    lists.neighbours = bfs_allocate(lists.offsets[graph.vertices], sizeof *lists.neighbours);
    make_step(&making, PLACE, thread_count);
    make_step(&making, SORT, thread_count);
    free(making.places);
    lists.source = find_source(&lists);
    return lists;
}

void bfs_lists_free(struct lists *lists)
{
    free(lists->offsets);
    free(lists->neighbours);
}
