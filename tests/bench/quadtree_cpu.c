/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quadtree_cpu - a quad tree built by the host on all processors, and copied: what templates/quadtree is compared
 * with.
 *
 *     quadtree_cpu N CAPACITY DEPTH [threads [samples]]
 *     quadtree_cpu --copy N CAPACITY DEPTH [threads [samples]]
 *
 * prints the median time to build the tree that templates/quadtree/tree.cuh defines of N random points: threads sort
 * their shares of the points by digits of Morton codes, then divide their shares of each level's nodes. With --copy,
 * which needs a GPU, also the median time to copy the points from it and the sorted points and the nodes back, to and
 * from page-locked memory. A tree that is not the definition's is an error.
 */
#include "tests/bench/peer.h"
#include "tuner/measure/sampling.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DIGITS = 256, MOST_DEPTH = 16, MOST_THREADS = 1024, MOST_SAMPLES = 100 };

struct point {
    float x, y;
};

struct node {
    uint32_t first, count, children, level;
};

struct tree {
    const struct point *points;
    struct point *sorted, *other;
    struct node *nodes;
    uint32_t n, capacity, levels[MOST_DEPTH + 2];
    int depth, thread_count;
    uint32_t (*counts)[DIGITS];     /* of each thread, then where its points go */
    uint32_t divided[MOST_THREADS]; /* nodes of each thread's share */
    pthread_barrier_t all;
};

struct worker {
    struct tree *tree;
    int number;
};

static void fail(const char *what)
{
    fprintf(stderr, "quadtree_cpu: %s\n", what);
    exit(1);
}

/* Of `count` things those that worker `number` begins with. */
static uint32_t share_begin(const struct tree *tree, uint32_t count, int number)
{
    return (uint32_t)((uint64_t)count * (uint64_t)number / (uint64_t)tree->thread_count);
}

static uint32_t cell_of(const struct tree *tree, float coordinate)
{
    uint32_t cells = 1u << tree->depth, cell = (uint32_t)(coordinate * (float)cells);
    return cell < cells ? cell : cells - 1;
}

static uint32_t quarter_of(const struct tree *tree, struct point point, int level)
{
    int bit = tree->depth - 1 - level;
    return (cell_of(tree, point.x) >> bit & 1) | (cell_of(tree, point.y) >> bit & 1) << 1;
}

/* Four bits, each with a 0 before it. */
static uint32_t spread(uint32_t bits)
{
    bits = (bits | bits << 2) & 0x33;
    return (bits | bits << 1) & 0x55;
}

static uint32_t digit_of(const struct tree *tree, struct point point, int pass)
{
    return spread(cell_of(tree, point.x) >> 4 * pass & 15) | spread(cell_of(tree, point.y) >> 4 * pass & 15) << 1;
}

static void meet(struct tree *tree)
{
    pthread_barrier_wait(&tree->all);
}

static void place_digits(struct tree *tree)
{
    uint32_t sum = 0;
    for (int digit = 0; digit < DIGITS; digit++)
        for (int t = 0; t < tree->thread_count; t++) {
            uint32_t count = tree->counts[t][digit];
            tree->counts[t][digit] = sum;
            sum += count;
        }
}

static void sort_pass(struct worker *worker, const struct point *from, struct point *to, int pass)
{
    struct tree *tree = worker->tree;
    uint32_t *counts = tree->counts[worker->number];
    uint32_t first = share_begin(tree, tree->n, worker->number), end = share_begin(tree, tree->n, worker->number + 1);
    memset(counts, 0, sizeof tree->counts[0]);
    for (uint32_t i = first; i < end; i++)
        counts[digit_of(tree, from[i], pass)]++;
    meet(tree);
    if (worker->number == 0)
        place_digits(tree);
    meet(tree);
    for (uint32_t i = first; i < end; i++)
        to[counts[digit_of(tree, from[i], pass)]++] = from[i];
    meet(tree);
}

/* The last pass ends in `sorted`. */
static void sort_points(struct worker *worker)
{
    struct tree *tree = worker->tree;
    int passes = (tree->depth + 3) / 4;
    const struct point *from = tree->points;
    for (int pass = 0; pass < passes; pass++) {
        struct point *to = (passes - pass) % 2 ? tree->sorted : tree->other;
        sort_pass(worker, from, to, pass);
        from = to;
    }
}

static uint32_t first_of(const struct tree *tree, uint32_t low, uint32_t high, uint32_t quarter, int level)
{
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (quarter_of(tree, tree->sorted[middle], level) < quarter)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void divide(struct tree *tree, struct node *node, uint32_t children)
{
    uint32_t first = node->first, end = node->first + node->count;
    node->children = children;
    for (uint32_t q = 0; q < 4; q++) {
        uint32_t next = q < 3 ? first_of(tree, first, end, q + 1, (int)node->level) : end;
        tree->nodes[children + q] = (struct node){first, next - first, 0, node->level + 1};
        first = next;
    }
}

static void grow(struct worker *worker, int level)
{
    struct tree *tree = worker->tree;
    uint32_t begin = tree->levels[level], next = tree->levels[level + 1], width = next - begin, all = 0, divided = 0;
    uint32_t first = begin + share_begin(tree, width, worker->number);
    uint32_t end = begin + share_begin(tree, width, worker->number + 1);
    for (uint32_t at = first; at < end; at++)
        divided += tree->nodes[at].count > tree->capacity;
    tree->divided[worker->number] = divided;
    meet(tree);
    uint32_t children = next;
    for (int t = 0; t < tree->thread_count; t++) {
        children += t < worker->number ? 4 * tree->divided[t] : 0;
        all += tree->divided[t];
    }
    for (uint32_t at = first; at < end; at++)
        if (tree->nodes[at].count > tree->capacity) {
            divide(tree, &tree->nodes[at], children);
            children += 4;
        }
    if (worker->number == 0)
        tree->levels[level + 2] = next + 4 * all;
    meet(tree);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    sort_points(worker);
    for (int level = 0; level < worker->tree->depth; level++)
        grow(worker, level);
    return NULL;
}

static void build(struct tree *tree)
{
    pthread_t threads[MOST_THREADS];
    struct worker workers[MOST_THREADS];
    tree->nodes[0] = (struct node){0, tree->n, 0, 0};
    tree->levels[0] = 0;
    tree->levels[1] = 1;
    for (int t = 0; t < tree->thread_count; t++) {
        workers[t] = (struct worker){tree, t};
        if (pthread_create(&threads[t], NULL, work, &workers[t]))
            fail("cannot start a thread");
    }
    for (int t = 0; t < tree->thread_count; t++)
        pthread_join(threads[t], NULL);
}

static uint32_t node_count(const struct tree *tree)
{
    return tree->levels[tree->depth + 1];
}

/* Leaves follow each other, nodes have their points in their cells, and only full ones have children. */
static void check_node(const struct tree *tree, uint32_t at, uint32_t column, uint32_t row)
{
    const struct node *node = &tree->nodes[at];
    int below = tree->depth - (int)node->level;
    for (uint32_t i = node->first; i < node->first + node->count; i++)
        if (cell_of(tree, tree->sorted[i].x) >> below != column || cell_of(tree, tree->sorted[i].y) >> below != row)
            fail("a point is not in its node");
    if ((node->children > 0) != (node->count > tree->capacity && below > 0))
        fail("a node has children or lacks them");
    uint32_t first = node->first;
    for (uint32_t q = 0; node->children > 0 && q < 4; q++) {
        const struct node *child = &tree->nodes[node->children + q];
        if (child->first != first || child->level != node->level + 1)
            fail("a child is not a quarter");
        check_node(tree, node->children + q, 2 * column + q % 2, 2 * row + q / 2);
        first += child->count;
    }
    if (node->children > 0 && first != node->first + node->count)
        fail("a point is in no quarter");
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* ---- memory, the host's and the device's -------------------------------------------------------------------------
 */

static struct {
    int (*allocate)(void **, size_t, unsigned);
    int (*to_device)(uint64_t, const void *, size_t);
    int (*to_host)(void *, uint64_t, size_t);
} driver;

static void open_driver(void)
{
    static const char *const names[] = {"libcuda.so.1", NULL};
    static const struct peer_symbol symbols[] = {{"cuMemHostAlloc", &driver.allocate},
                                                 {"cuMemcpyHtoD_v2", &driver.to_device},
                                                 {"cuMemcpyDtoH_v2", &driver.to_host}};
    peer_open(names, symbols, sizeof symbols / sizeof *symbols);
}

/* Never freed. */
static void *allocate(bool locked, size_t bytes)
{
    void *memory = locked ? NULL : malloc(bytes);
    if (locked)
        peer_check(driver.allocate(&memory, bytes, 0), "cuMemHostAlloc");
    if (!memory)
        fail("out of memory");
    return memory;
}

static void copy(const struct tree *tree, struct point *points, uint64_t device_points, uint64_t device_nodes)
{
    size_t bytes = tree->n * sizeof *points;
    peer_check(driver.to_host(points, device_points, bytes), "cuMemcpyDtoH");
    peer_check(driver.to_device(device_points, tree->sorted, bytes), "cuMemcpyHtoD");
    peer_check(driver.to_device(device_nodes, tree->nodes, node_count(tree) * sizeof *tree->nodes), "cuMemcpyHtoD");
}

static double copy_time(const struct tree *tree, bool locked, int samples)
{
    double times[MOST_SAMPLES];
    struct point *points = allocate(locked, tree->n * sizeof *points);
    uint64_t device_points = peer_allocate(tree->n * sizeof *points);
    uint64_t device_nodes = peer_allocate(node_count(tree) * sizeof *tree->nodes);
    for (int i = -1; i < samples; i++) {
        double start = now();
        copy(tree, points, device_points, device_nodes);
        if (i >= 0)
            times[i] = now() - start;
    }
    return median_of(times, (size_t)samples).value;
}

/* ------------------------------------------------------------------------------------------------------------------
 */

static struct point *random_points(uint32_t n, bool locked)
{
    uint64_t state = 88172645463325252u;
    struct point *points = allocate(locked, n * sizeof *points);
    for (uint32_t i = 0; i < 2 * n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        *(i % 2 ? &points[i / 2].y : &points[i / 2].x) = (float)(state >> 40) * 0x1p-24f;
    }
    return points;
}

/* Nodes that are divided have more than CAPACITY points: of each level so many, and 4^l of level l. */
static size_t most_nodes(const struct tree *tree)
{
    size_t most = 1, crowded = tree->n / (tree->capacity + 1), width = 1;
    for (int level = 0; level < tree->depth; level++, width *= 4)
        most += 4 * (width < crowded ? width : crowded);
    return most;
}

static void prepare(struct tree *tree, bool locked)
{
    size_t bytes = tree->n * sizeof *tree->sorted;
    tree->points = random_points(tree->n, locked);
    tree->sorted = allocate(locked, bytes);
    tree->other = allocate(locked, bytes);
    tree->nodes = allocate(locked, most_nodes(tree) * sizeof *tree->nodes);
    tree->counts = allocate(false, (size_t)tree->thread_count * sizeof *tree->counts);
    if (pthread_barrier_init(&tree->all, NULL, (unsigned)tree->thread_count))
        fail("cannot make a barrier");
}

static int usage(void)
{
    fprintf(stderr, "usage: quadtree_cpu [--copy] N CAPACITY DEPTH [threads [samples]]\n");
    return 2;
}

int main(int count, char **arguments)
{
    static struct tree tree;
    bool copies = count > 1 && strcmp(arguments[1], "--copy") == 0;
    char **given = arguments + copies;
    count -= copies;
    long n = count > 3 ? strtol(given[1], NULL, 10) : 0, capacity = count > 3 ? strtol(given[2], NULL, 10) : 0;
    tree.depth = count > 3 ? atoi(given[3]) : 0;
    tree.thread_count = count > 4 ? atoi(given[4]) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    int samples = count > 5 ? atoi(given[5]) : 11;
    if (n < 1 || n > 1 << 30 || capacity < 1 || capacity > n || tree.depth < 1 || tree.depth > MOST_DEPTH ||
        tree.thread_count < 1 || tree.thread_count > MOST_THREADS || samples < 1 || samples > MOST_SAMPLES)
        return usage();
    tree.n = (uint32_t)n;
    tree.capacity = (uint32_t)capacity;
    if (copies)
        open_driver();
    prepare(&tree, copies);
    double times[MOST_SAMPLES];
    for (int i = -1; i < samples; i++) {
        double start = now();
        build(&tree);
        if (i >= 0)
            times[i] = now() - start;
    }
    check_node(&tree, 0, 0, 0);
    printf("{\"n\": %ld, \"capacity\": %ld, \"depth\": %d, \"nodes\": %u, \"threads\": %d, \"build_ms\": %.3f", n,
           capacity, tree.depth, node_count(&tree), tree.thread_count, median_of(times, (size_t)samples).value);
    if (copies)
        printf(", \"copy_ms\": %.3f", copy_time(&tree, true, samples));
    printf("}\n");
    return 0;
}
