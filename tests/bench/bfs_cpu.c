/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bfs_cpu - breadth-first search on the processor, of the graphs of templates/bfs: what a GPU is compared with.
 *
 *     bfs_cpu N DEGREE SHAPE SEED [threads [samples]]
 *
 * prints the median times of two versions: `plain` is a queue, on one thread; `parallel` runs on all processors, top
 * down or bottom up, by the rule of Beamer, Asanovic and Patterson ("Direction-optimizing breadth-first search", SC
 * 2012) with their thresholds. Both must find the same levels. Lists are in order, as on the GPU. Edges are those of
 * the part that is reached, each counted once, as in Graph500.
 */
#include "tests/bench/bfs_lists.h"
#include "tuner/measure/sampling.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 1024, MOST_SAMPLES = 100, UNREACHED = -1 };
enum {
    WORD = 64,
    SHARE = 1024,
    HELD = 1024
}; /* vertices: of a word, that a thread takes at a time, that it collects */
enum { ALPHA = 14, BETA = 24 };
enum direction { DONE, DOWN, UP };

/* What all threads share. */
struct search {
    const struct lists *lists;
    pthread_barrier_t meeting;
    int thread_count;
    _Atomic int32_t *levels;
    int32_t *frontier, *next; /* queues */
    uint64_t *set, *newer;    /* the frontier bottom up: a bit a vertex */
    int64_t length, before;   /* vertices of the frontier, and of the one before it */
    int64_t left;             /* entries of lists of vertices that are not reached */
    int level;                /* that is being found */
    enum direction direction;
    bool turned;
    _Atomic int64_t cursor, found, entries;
};

struct part {
    struct search *search;
    int number;
};

/* What a thread has found, to be queued together. */
struct finds {
    int32_t held[HELD];
    int count;
    int64_t vertices, entries;
};

static void run_all(int thread_count, void *(*function)(void *), struct part *parts)
{
    pthread_t threads[MOST_THREADS];
    for (int t = 0; t < thread_count; t++)
        if (pthread_create(&threads[t], NULL, function, &parts[t])) {
            fprintf(stderr, "bfs_cpu: cannot start a thread\n");
            exit(1);
        }
    for (int t = 0; t < thread_count; t++)
        pthread_join(threads[t], NULL);
}

/* ---- on one thread --------------------------------------------------------------------------------------------- */

static void find_plain(const struct lists *lists, int32_t *levels, int32_t *queue)
{
    int64_t head = 0, tail = 0;
    for (int v = 0; v < lists->graph.vertices; v++)
        levels[v] = UNREACHED;
    levels[lists->source] = 0;
    queue[tail++] = lists->source;
    while (head < tail) {
        int32_t v = queue[head++];
        for (uint32_t k = lists->offsets[v]; k < lists->offsets[v + 1]; k++) {
            int32_t u = lists->neighbours[k];
            if (levels[u] == UNREACHED) {
                levels[u] = levels[v] + 1;
                queue[tail++] = u;
            }
        }
    }
}

/* ---- on all ---------------------------------------------------------------------------------------------------- */

/* The next share of `count` vertices, or words of them, that nobody has taken. */
static bool take_share(struct search *search, int64_t count, int64_t share, int64_t *first, int64_t *end)
{
    *first = atomic_fetch_add(&search->cursor, share);
    *end = *first + share < count ? *first + share : count;
    return *first < count;
}

static void queue_finds(struct search *search, struct finds *finds)
{
    int64_t place = atomic_fetch_add(&search->found, finds->count);
    memcpy(search->next + place, finds->held, (size_t)finds->count * sizeof finds->held[0]);
    finds->count = 0;
}

static void hold(struct search *search, struct finds *finds, int32_t v)
{
    if (finds->count == HELD)
        queue_finds(search, finds);
    finds->held[finds->count++] = v;
}

static void push(struct search *search, struct finds *finds, int32_t v)
{
    const struct lists *lists = search->lists;
    for (uint32_t k = lists->offsets[v]; k < lists->offsets[v + 1]; k++) {
        int32_t u = lists->neighbours[k], unreached = UNREACHED;
        if (atomic_load_explicit(&search->levels[u], memory_order_relaxed) != UNREACHED ||
            !atomic_compare_exchange_strong_explicit(&search->levels[u], &unreached, search->level,
                                                     memory_order_relaxed, memory_order_relaxed))
            continue;
        hold(search, finds, u);
        finds->entries += degree_of(lists, u);
    }
}

static void go_down(struct search *search, struct finds *finds)
{
    int64_t first, end;
    while (take_share(search, search->length, WORD, &first, &end))
        for (int64_t i = first; i < end; i++)
            push(search, finds, search->frontier[i]);
    queue_finds(search, finds);
}

static bool pull(const struct search *search, int32_t v)
{
    const struct lists *lists = search->lists;
    for (uint32_t k = lists->offsets[v]; k < lists->offsets[v + 1]; k++) {
        int32_t u = lists->neighbours[k];
        if (search->set[u / WORD] >> u % WORD & 1)
            return true;
    }
    return false;
}

static void go_up(struct search *search, struct finds *finds)
{
    int64_t vertices = search->lists->graph.vertices, first, end;
    while (take_share(search, vertices, SHARE, &first, &end))
        for (int64_t word = first / WORD; word * WORD < end; word++) {
            uint64_t bits = 0;
            for (int64_t v = word * WORD; v < end && v < (word + 1) * WORD; v++)
                if (search->levels[v] == UNREACHED && pull(search, (int32_t)v)) {
                    search->levels[v] = search->level;
                    bits |= (uint64_t)1 << v % WORD;
                    finds->vertices++;
                    finds->entries += degree_of(search->lists, (int32_t)v);
                }
            search->newer[word] = bits;
        }
    atomic_fetch_add(&search->found, finds->vertices);
}

/* The vertices of the frontier as bits, or in a queue: those of the last level that is known. */
static void turn(struct search *search, struct finds *finds)
{
    int64_t vertices = search->lists->graph.vertices, first, end;
    while (take_share(search, vertices, SHARE, &first, &end))
        for (int64_t word = first / WORD; word * WORD < end; word++) {
            uint64_t bits = 0;
            for (int64_t v = word * WORD; v < end && v < (word + 1) * WORD; v++)
                if (search->levels[v] == search->level - 1) {
                    bits |= (uint64_t)1 << v % WORD;
                    if (search->direction == DOWN)
                        hold(search, finds, (int32_t)v);
                }
            search->set[word] = bits;
        }
    if (search->direction == DOWN)
        queue_finds(search, finds);
}

static enum direction choose(const struct search *search)
{
    if (search->length == 0)
        return DONE;
    if (search->direction == DOWN)
        return search->entries * ALPHA > search->left ? UP : DOWN;
    return search->length * BETA < search->lists->graph.vertices && search->length < search->before ? DOWN : UP;
}

/* One thread, while the others wait. */
static void end_level(struct search *search)
{
    search->before = search->length;
    search->length = search->found;
    search->left -= search->entries;
    enum direction direction = choose(search);
    search->turned = direction != search->direction && direction != DONE;
    search->direction = direction;
    search->level++;
    int32_t *queue = search->frontier;
    search->frontier = search->next;
    search->next = queue;
    uint64_t *set = search->set;
    search->set = search->newer;
    search->newer = set;
    search->cursor = search->found = search->entries = 0;
}

static void end_turn(struct search *search)
{
    if (search->direction == DOWN) {
        int32_t *queue = search->frontier;
        search->frontier = search->next;
        search->next = queue;
    }
    search->cursor = search->found = 0;
}

static void meet(struct search *search)
{
    pthread_barrier_wait(&search->meeting);
}

static void find_level(struct search *search, bool first)
{
    struct finds finds;
    finds.count = 0;
    finds.vertices = finds.entries = 0;
    if (search->direction == DOWN)
        go_down(search, &finds);
    else
        go_up(search, &finds);
    atomic_fetch_add(&search->entries, finds.entries);
    meet(search);
    if (first)
        end_level(search);
    meet(search);
    if (!search->turned)
        return;
    turn(search, &finds);
    meet(search);
    if (first)
        end_turn(search);
    meet(search);
}

static void *search_part(void *argument)
{
    const struct part *part = argument;
    struct search *search = part->search;
    const struct lists *lists = search->lists;
    int64_t vertices = lists->graph.vertices;
    for (int64_t v = vertices * part->number / search->thread_count;
         v < vertices * (part->number + 1) / search->thread_count; v++)
        atomic_store_explicit(&search->levels[v], v == lists->source ? 0 : UNREACHED, memory_order_relaxed);
    meet(search);
    while (search->direction != DONE)
        find_level(search, part->number == 0);
    return NULL;
}

static void find_parallel(struct search *search)
{
    struct part parts[MOST_THREADS];
    const struct lists *lists = search->lists;
    search->frontier[0] = lists->source;
    search->length = search->before = 1;
    search->left = (int64_t)lists->offsets[lists->graph.vertices] - degree_of(lists, lists->source);
    search->level = 1;
    search->direction = DOWN;
    search->turned = false;
    search->cursor = search->found = search->entries = 0;
    for (int t = 0; t < search->thread_count; t++)
        parts[t] = (struct part){search, t};
    run_all(search->thread_count, search_part, parts);
}

/* ---- times ----------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static struct search make_search(const struct lists *lists, int thread_count)
{
    struct search search = {.lists = lists, .thread_count = thread_count};
    int64_t vertices = lists->graph.vertices, words = vertices / WORD + 1;
    search.levels = bfs_allocate(vertices, sizeof *search.levels);
    search.frontier = bfs_allocate(vertices, sizeof *search.frontier);
    search.next = bfs_allocate(vertices, sizeof *search.next);
    search.set = bfs_allocate(words, sizeof *search.set);
    search.newer = bfs_allocate(words, sizeof *search.newer);
    if (pthread_barrier_init(&search.meeting, NULL, (unsigned)thread_count)) {
        fprintf(stderr, "bfs_cpu: cannot make a barrier\n");
        exit(1);
    }
    return search;
}

static void free_search(struct search *search)
{
    pthread_barrier_destroy(&search->meeting);
    free(search->levels);
    free(search->frontier);
    free(search->next);
    free(search->set);
    free(search->newer);
}

static void print(const char *version, int threads, const struct lists *lists, const int32_t *levels,
                  double milliseconds)
{
    int64_t entries = 0, last = 0;
    for (int v = 0; v < lists->graph.vertices; v++) {
        entries += levels[v] == UNREACHED ? 0 : degree_of(lists, v);
        last = levels[v] > last ? levels[v] : last;
    }
    int64_t edges = entries / 2;
    printf("{\"version\": \"%s\", \"threads\": %d, \"vertices\": %d, \"entries\": %u, \"edges_reached\": %lld, "
           "\"levels\": %lld, \"time_ms\": %.3f, \"gteps\": %.4g}\n",
           version, threads, lists->graph.vertices, lists->offsets[lists->graph.vertices], (long long)edges,
           (long long)last + 1, milliseconds, (double)edges / milliseconds * 1e-6);
    fflush(stdout);
}

static bool measure(const struct lists *lists, int threads, int samples)
{
    double plain[MOST_SAMPLES], parallel[MOST_SAMPLES];
    struct search search = make_search(lists, threads);
    int32_t *levels = bfs_allocate(lists->graph.vertices, sizeof *levels);
    bool same = true;
    for (int i = 0; i < samples; i++) {
        double start = now();
        find_plain(lists, levels, search.next);
        double between = now();
        find_parallel(&search);
        plain[i] = between - start;
        parallel[i] = now() - between;
        for (int v = 0; v < lists->graph.vertices; v++)
            same = same && levels[v] == search.levels[v];
    }
    print("plain", 1, lists, levels, median_of(plain, (size_t)samples).value);
    print("parallel", threads, lists, levels, median_of(parallel, (size_t)samples).value);
    free(levels);
    free_search(&search);
    return same;
}

int main(int count, char **arguments)
{
    int numbers[] = {0, 0, 0, 0, (int)sysconf(_SC_NPROCESSORS_ONLN), 3};
    for (int i = 1; i < count && i <= 6; i++)
        numbers[i - 1] = atoi(arguments[i]);
    struct graph graph = {numbers[0], numbers[1], numbers[2], numbers[3]};
    int threads = numbers[4], samples = numbers[5];
    if (count < 5 || graph.vertices < 1 || graph.degree < 1 || graph.shape < RMAT || graph.shape > PATH ||
        edge_count(graph) >= 1 << 30 || threads < 1 || threads > MOST_THREADS || samples < 1 ||
        samples > MOST_SAMPLES) {
        fprintf(stderr, "usage: bfs_cpu N DEGREE SHAPE SEED [threads [samples]]\n");
        return 2;
    }
    struct lists lists = bfs_lists_make(graph, threads);
    bool same = measure(&lists, threads, samples);
    bfs_lists_free(&lists);
    if (!same)
        fprintf(stderr, "bfs_cpu: the versions do not agree\n");
    return same ? 0 : 1;
}
