/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - the tree by its definition (tree.cuh), with comparisons alone: a cell is a corner and a side, exact
 * numbers, and a point is in the upper half if its coordinate is not below the middle.
 *
 * Points are brought in order by quarters of the last level, then of the level above, ... A thread has some
 * neighbouring points, which it counts and then moves behind those of the threads before it. Nodes of a level are
 * numbered likewise. What is near a point is found by looking at all points.
 */

/* The half of its cell at `level` that a coordinate is in; cells halve the unit interval level by level. */
static __device__ int half_of(float coordinate, int level)
{
    float low = 0.0f, side = 0.5f;
    for (int above = 0; above < level; above++, side *= 0.5f)
        if (coordinate >= low + side)
            low += side;
    return coordinate >= low + side;
}

static __device__ int quarter(float2 point, int level)
{
    return half_of(point.x, level) + 2 * half_of(point.y, level);
}

/* counts[q * parts + p]: points of quarter q among the `length` of part p. */
__global__ void count_quarters(const float2 *points, unsigned *counts, int n, int length, int parts, int level)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= parts)
        return;
    unsigned found[4] = {0, 0, 0, 0};
    for (int i = p * length; i < min((p + 1) * length, n); i++)
        found[quarter(points[i], level)]++;
    for (int q = 0; q < 4; q++)
        counts[q * parts + p] = found[q];
}

/* Counts become places: all before each. */
__global__ void add_up(unsigned *counts, int count)
{
    unsigned sum = 0;
    for (int i = 0; i < count; i++) {
        unsigned own = counts[i];
        counts[i] = sum;
        sum += own;
    }
}

__global__ void move_quarters(const float2 *points, float2 *to, const unsigned *places, int n, int length, int parts,
                              int level)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= parts)
        return;
    unsigned next[4];
    for (int q = 0; q < 4; q++)
        next[q] = places[q * parts + p];
    for (int i = p * length; i < min((p + 1) * length, n); i++)
        to[next[quarter(points[i], level)]++] = points[i];
}

__global__ void expect_points(const float2 *points, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    expected[2 * (size_t)i] = points[i].x;
    expected[2 * (size_t)i + 1] = points[i].y;
}

/* A node has four numbers: first point, points, first child or 0, level. levels[l] is the first node of level l. */
static __device__ void put_node(double *nodes, unsigned at, unsigned first, unsigned count, int level)
{
    double *own = nodes + 4 * (size_t)at;
    own[0] = first;
    own[1] = count;
    own[2] = 0;
    own[3] = level;
}

__global__ void expect_root(double *nodes, unsigned *levels, int n)
{
    put_node(nodes, 0, 0, n, 0);
    levels[0] = 0;
    levels[1] = 1;
}

/* A thread's part of a level's nodes: from `first` to before `end`. */
static __device__ void find_part(const unsigned *levels, int level, int p, int parts, unsigned *first, unsigned *end)
{
    unsigned width = levels[level + 1] - levels[level];
    *first = levels[level] + (unsigned)((unsigned long long)width * p / parts);
    *end = levels[level] + (unsigned)((unsigned long long)width * (p + 1) / parts);
}

/* How many nodes of each part have children. */
__global__ void count_parents(const double *nodes, const unsigned *levels, unsigned *counts, int parts, int level,
                              int capacity)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= parts)
        return;
    unsigned first, end, found = 0;
    find_part(levels, level, p, parts, &first, &end);
    for (unsigned at = first; at < end; at++)
        found += nodes[4 * (size_t)at + 1] > capacity;
    counts[p] = found;
}

/* Nodes with children learn where these are, and the next level where it ends. `places`: how many before each part.
 */
__global__ void number_children(double *nodes, unsigned *levels, const unsigned *places, int parts, int level,
                                int capacity)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= parts)
        return;
    unsigned first, end, next = levels[level + 1] + 4 * places[p];
    find_part(levels, level, p, parts, &first, &end);
    for (unsigned at = first; at < end; at++)
        if (nodes[4 * (size_t)at + 1] > capacity) {
            nodes[4 * (size_t)at + 2] = next;
            next += 4;
        }
    if (p == parts - 1)
        levels[level + 2] = next;
}

/* The first of sorted points from `first` on, before `end`, that is in quarter q or a later one. */
static __device__ unsigned first_of(const float2 *points, unsigned first, unsigned end, int q, int level)
{
    while (first < end) {
        unsigned middle = first + (end - first) / 2;
        if (quarter(points[middle], level) < q)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

__global__ void expect_children(const float2 *points, double *nodes, const unsigned *levels, int level)
{
    for (unsigned at = levels[level] + blockIdx.x * blockDim.x + threadIdx.x; at < levels[level + 1];
         at += gridDim.x * blockDim.x) {
        const double *own = nodes + 4 * (size_t)at;
        if (own[2] == 0)
            continue;
        unsigned begin = (unsigned)own[0], end = begin + (unsigned)own[1];
        for (int q = 0; q < 4; q++) {
            unsigned first = first_of(points, begin, end, q, level);
            put_node(nodes, (unsigned)own[2] + q, first, first_of(points, begin, end, q + 1, level) - first,
                     level + 1);
        }
    }
}

__global__ void expect_count(const unsigned *levels, double *node_count, int depth)
{
    node_count[0] = levels[depth + 1];
}

__global__ void expect_near(const float2 *points, double *found, unsigned queries, unsigned n, float reach)
{
    unsigned query = blockIdx.x * blockDim.x + threadIdx.x;
    if (query >= queries)
        return;
    float2 own = points[(unsigned long long)query * n / queries];
    float left = __fsub_rn(own.x, reach), right = __fadd_rn(own.x, reach);
    float low = __fsub_rn(own.y, reach), high = __fadd_rn(own.y, reach);
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += left <= points[i].x && points[i].x <= right && low <= points[i].y && points[i].y <= high;
    found[query] = sum;
}
