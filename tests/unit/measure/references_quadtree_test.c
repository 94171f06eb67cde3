/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference of quadtree: the tree as a host would build it, by recursion, and the points near others by looking
 * at all of them.
 */
#include "tests/unit/measure/references.h"

struct point {
    float x, y;
};

struct cell {
    double x, y, side;
};

static int64_t capacity, depth; /* of the configuration */

/* The quarter of a cell that a point is in, and that quarter. */
static int quarter_of(struct cell cell, struct point point)
{
    return (point.x >= cell.x + cell.side / 2) + 2 * (point.y >= cell.y + cell.side / 2);
}

static struct cell quarter(struct cell cell, int number)
{
    double half = cell.side / 2;
    return (struct cell){cell.x + (number % 2 ? half : 0), cell.y + (number / 2 ? half : 0), half};
}

/* Points of a cell in the order of its quarters' points, down to the last level. */
static void arrange(struct point *points, int count, struct cell cell, int levels)
{
    int first = 0;
    if (levels == 0 || count < 2)
        return;
    struct point *copy = malloc((size_t)count * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, points, (size_t)count * sizeof *copy);
    for (int q = 0; q < 4; q++) {
        int end = first;
        for (int i = 0; i < count; i++)
            if (quarter_of(cell, copy[i]) == q)
                points[end++] = copy[i];
        arrange(points + first, end - first, quarter(cell, q), levels - 1);
        first = end;
    }
    free(copy);
}

struct node {
    int first, count, children, level;
    struct cell cell;
};

/* The four children of nodes[at] behind the `length` nodes there are. */
static void divide(struct node *nodes, int at, int length, const struct point *points)
{
    int first = nodes[at].first;
    nodes[at].children = length;
    for (int q = 0; q < 4; q++) {
        int end = first;
        while (end < nodes[at].first + nodes[at].count && quarter_of(nodes[at].cell, points[end]) == q)
            end++;
        nodes[length + q] = (struct node){first, end - first, 0, nodes[at].level + 1, quarter(nodes[at].cell, q)};
        first = end;
    }
    assert_int_equal(first, nodes[at].first + nodes[at].count); /* points are in order */
}

/* Breadth first; at most `room` nodes. */
static struct node *build(const struct point *points, int n, int room, int *length)
{
    struct node *nodes = malloc((size_t)room * sizeof *nodes);
    assert_non_null(nodes);
    nodes[0] = (struct node){0, n, 0, 0, {0, 0, 1}};
    *length = 1;
    for (int at = 0; at < *length; at++)
        if (nodes[at].count > capacity && nodes[at].level < depth) {
            assert_true(*length + 4 <= room);
            divide(nodes, at, *length, points);
            *length += 4;
        }
    return nodes;
}

static double *fetch_values(const struct fixture *fixture, const char *name, int count)
{
    return fetch(buffer_of(fixture, name)->reference, (size_t)count * sizeof(double));
}

static void check_points(const struct fixture *fixture, const struct point *points, int n)
{
    double *values = fetch_values(fixture, "sorted", 2 * n);
    for (int i = 0; i < n; i++)
        assert_true(values[2 * i] == points[i].x && values[2 * i + 1] == points[i].y);
    free(values);
}

static void check_nodes(const struct fixture *fixture, const struct point *points, int n)
{
    int length;
    struct node *nodes = build(points, n, (int)buffer_of(fixture, "nodes")->extent, &length);
    double *count = fetch_values(fixture, "node_count", 1), *values = fetch_values(fixture, "nodes", 4 * length);
    assert_true(*count == length);
    for (int i = 0; i < length; i++) {
        const double right[] = {nodes[i].first, nodes[i].count, nodes[i].children, nodes[i].level};
        assert_memory_equal(values + 4 * (size_t)i, right, sizeof right);
    }
    free(values);
    free(count);
    free(nodes);
}

static void check_near(const struct fixture *fixture, const struct point *points, int n)
{
    int queries = size_of(fixture, "QUERIES");
    double *values = fetch_values(fixture, "found", queries);
    float reach = (float)fmin(1.0, sqrt(8.0 / n));
    for (int i = 0; i < queries; i++) {
        struct point own = points[(int64_t)i * n / queries];
        const float left = own.x - reach, right = own.x + reach, low = own.y - reach, high = own.y + reach;
        int near = 0;
        for (int j = 0; j < n; j++)
            near += !(points[j].x < left || points[j].x > right || points[j].y < low || points[j].y > high);
        assert_true(values[i] == near);
    }
    free(values);
}

/* What setup promises: enough points where the shape says. */
static void check_shape(const struct point *points, int n, int shape)
{
    int on_lines = 0, equal = 0, upper = 0;
    for (int i = 0; i < n; i++) {
        assert_true(points[i].x >= 0 && points[i].x <= 1 && points[i].y >= 0 && points[i].y <= 1);
        on_lines += points[i].x * 64 == floorf(points[i].x * 64) && points[i].y * 64 == floorf(points[i].y * 64);
        equal += points[i].x == points[0].x && points[i].y == points[0].y;
        upper += points[i].x == 1 || points[i].y == 1;
    }
    assert_true(shape != 3 || equal == n);
    assert_true(shape != 4 || (on_lines == n && (n < 500 || (upper > 0 && equal < n))));
    assert_true(shape > 2 || n < 1000 || (equal < 10 && on_lines < 10));
}

static void check_quadtree(const struct fixture *fixture)
{
    int n = size_of(fixture, "n");
    struct point *points = fetch(buffer_of(fixture, "points")->memory.address, (size_t)n * sizeof *points);
    check_shape(points, n, size_of(fixture, "SHAPE"));
    arrange(points, n, (struct cell){0, 0, 1}, (int)depth);
    check_points(fixture, points, n);
    check_nodes(fixture, points, n);
    check_near(fixture, points, n);
    free(points);
}

/* At the sizes given for every `step`-th configuration, which differ in capacity and depth. */
static void check_at(const struct size_setting *sizes, size_t size_count, size_t step)
{
    struct shipped shipped;
    shipped_open(&shipped, "quadtree", "nodes", &kernels.description, sizes, size_count);
    for (size_t index = 0; index < problem_configuration_count(shipped.problem); index += step) {
        capacity = value_of(&shipped, index, "CAPACITY");
        depth = value_of(&shipped, index, "DEPTH");
        check_configuration(&shipped, index, check_quadtree);
    }
    shipped_close(&shipped);
}

static void quadtree(void **state)
{
    (void)state;
    check_at(NULL, 0, 100);
    for (int shape = 1; shape <= 4; shape++) {
        /* Of 512 points squares reach as far as 1/8: points on the lines are on their borders. */
        const struct size_setting sizes[] = {{"n", shape < 4 ? 1009 : 512}, {"QUERIES", 101}, {"SHAPE", shape}};
        check_at(sizes, 3, 31);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadtree),
    };
    return cmocka_run_group_tests_name("references of quadtree", tests, open_kernels, close_kernels);
}
