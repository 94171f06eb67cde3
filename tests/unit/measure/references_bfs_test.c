/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graphs of bfs, its reference, and its verify block: lists are what their shape promises, levels those that a
 * queue finds, one vertex after the other, and each rule of Graph500 finds a vertex that breaks it.
 */
#include "tests/unit/measure/references.h"

enum { RMAT = 1, GRID, PATH };
enum { NO_LEVEL = 1, NOT_THE_SOURCE, HALF_REACHED, TOO_FAR, NO_PARENT }; /* as verify.cu has them */

struct graph {
    int vertices, entries, source;
    uint32_t *offsets;
    int32_t *neighbours;
};

static void *fetch_all(const struct fixture *fixture, const char *name, enum element type, size_t least)
{
    const struct instance_buffer *buffer = buffer_of(fixture, name);
    assert_true((size_t)buffer->extent >= least);
    assert_true(layout_equal(buffer->layout, &scalar_layouts[type]));
    return fetch(buffer->memory.address, (size_t)buffer->extent * buffer->layout->bytes);
}

static struct graph fetch_graph(const struct fixture *fixture)
{
    struct graph graph = {.vertices = size_of(fixture, "N")};
    graph.offsets = fetch_all(fixture, "offsets", ELEMENT_UINT, (size_t)graph.vertices + 1);
    graph.entries = (int)graph.offsets[graph.vertices];
    graph.neighbours = fetch_all(fixture, "neighbours", ELEMENT_INT, (size_t)graph.entries);
    int32_t *source = fetch_all(fixture, "source", ELEMENT_INT, 1);
    graph.source = *source;
    free(source);
    return graph;
}

static void free_graph(struct graph *graph)
{
    free(graph->offsets);
    free(graph->neighbours);
}

static int degree_of(const struct graph *graph, int v)
{
    return (int)(graph->offsets[v + 1] - graph->offsets[v]);
}

static const int32_t *list_of(const struct graph *graph, int v)
{
    return &graph->neighbours[graph->offsets[v]];
}

/* How often `to` is in the list of `from`. */
static int edges_between(const struct graph *graph, int from, int to)
{
    int count = 0;
    for (int k = 0; k < degree_of(graph, from); k++)
        count += list_of(graph, from)[k] == to;
    return count;
}

/* ---- graphs ---------------------------------------------------------------------------------------------------- */

/* In order, of vertices that exist, and the same seen from both ends; a self loop has both ends in one list. */
static void check_lists(const struct graph *graph)
{
    assert_int_equal(graph->offsets[0], 0);
    for (int v = 0; v < graph->vertices; v++) {
        const int32_t *list = list_of(graph, v);
        for (int k = 0; k < degree_of(graph, v); k++) {
            assert_in_range(list[k], 0, graph->vertices - 1);
            assert_true(k == 0 || list[k - 1] <= list[k]);
            if (k == 0 || list[k - 1] < list[k])
                assert_int_equal(edges_between(graph, v, list[k]), edges_between(graph, list[k], v));
        }
        assert_int_equal(edges_between(graph, v, v) % 2, 0);
    }
}

/* All edges are there. Of many vertices some have no neighbour and one very many, and there are self loops and double
 * edges. */
static void check_rmat(const struct graph *graph, int degree)
{
    int isolated = 0, most = 0, loops = 0, doubled = 0;
    assert_int_equal(graph->entries, 2 * graph->vertices * degree);
    for (int v = 0; v < graph->vertices; v++) {
        isolated += degree_of(graph, v) == 0;
        most = degree_of(graph, v) > most ? degree_of(graph, v) : most;
        loops += edges_between(graph, v, v) / 2;
        for (int k = 1; k < degree_of(graph, v); k++)
            doubled += list_of(graph, v)[k] == list_of(graph, v)[k - 1] && list_of(graph, v)[k] > v;
    }
    if (graph->vertices < 1000)
        return;
    assert_in_range(isolated, graph->vertices / 10, graph->vertices * 3 / 4);
    assert_true(most > 10 * 2 * degree && loops > 0 && doubled > 0);
}

static void check_grid(const struct graph *graph)
{
    int width = 0, possible = 0;
    while ((width + 1) * (width + 1) <= graph->vertices)
        width++;
    for (int v = 0; v < graph->vertices; v++) {
        possible += (v % width < width - 1 && v + 1 < graph->vertices) + (v + width < graph->vertices);
        for (int k = 0; k < degree_of(graph, v); k++) {
            int u = list_of(graph, v)[k], low = u < v ? u : v, high = u < v ? v : u;
            assert_true(high - low == width || (high - low == 1 && high / width == low / width));
            assert_int_equal(edges_between(graph, v, u), 1);
        }
    }
    assert_true(graph->entries <= 2 * possible);
    if (graph->vertices >= 1000) /* seven in eight, give or take eight standard deviations */
        assert_true(fabs(graph->entries / 2.0 - possible * 7 / 8.0) < 8 * sqrt(possible * 7 / 64.0));
}

static void check_path(const struct graph *graph)
{
    assert_int_equal(graph->entries, 2 * (graph->vertices - 1));
    for (int v = 0; v + 1 < graph->vertices; v++)
        assert_int_equal(edges_between(graph, v, v + 1), 1);
}

/* ---- levels ---------------------------------------------------------------------------------------------------- */

static int *plain_levels(const struct graph *graph)
{
    int *levels = malloc((size_t)graph->vertices * sizeof *levels);
    int *queue = malloc((size_t)graph->vertices * sizeof *queue);
    int head = 0, tail = 0;
    assert_true(levels && queue);
    for (int v = 0; v < graph->vertices; v++)
        levels[v] = -1;
    assert_in_range(graph->source, 0, graph->vertices - 1);
    levels[graph->source] = 0;
    queue[tail++] = graph->source;
    while (head < tail) {
        int v = queue[head++];
        for (int k = 0; k < degree_of(graph, v); k++) {
            int u = list_of(graph, v)[k];
            if (levels[u] >= 0)
                continue;
            levels[u] = levels[v] + 1;
            queue[tail++] = u;
        }
    }
    free(queue);
    return levels;
}

/* What the verify block finds of vertex v if it has this level; -1: any vertex but the one of `levels` will do. */
static int fault_of(const struct fixture *fixture, int *levels, int v, int level)
{
    int vertices = size_of(fixture, "N"), right = levels[v];
    levels[v] = level;
    store_result(fixture, "levels", levels, (size_t)vertices * sizeof *levels);
    levels[v] = right;
    run_verify(fixture);
    uint8_t *faults = fetch_all(fixture, "faults", ELEMENT_UCHAR, (size_t)vertices);
    int fault = faults[v];
    free(faults);
    return fault;
}

static void check_verify(const struct fixture *fixture, const struct graph *graph, int *levels)
{
    for (int v = 0; v < graph->vertices; v += 1 + graph->vertices / 5)
        assert_int_equal(fault_of(fixture, levels, v, levels[v]), 0);
    if (size_of(fixture, "SHAPE") != PATH || graph->vertices < 10)
        return;
    int end = graph->source < graph->vertices / 2 ? graph->vertices - 1 : 0, far = levels[end];
    assert_int_equal(fault_of(fixture, levels, end, -2), NO_LEVEL);
    assert_int_equal(fault_of(fixture, levels, end, graph->vertices), NO_LEVEL);
    assert_int_equal(fault_of(fixture, levels, end, 0), NOT_THE_SOURCE);
    assert_int_equal(fault_of(fixture, levels, graph->source, 1), NOT_THE_SOURCE);
    assert_int_equal(fault_of(fixture, levels, end, -1), HALF_REACHED);
    assert_int_equal(fault_of(fixture, levels, end, far - 3), TOO_FAR);
    assert_int_equal(fault_of(fixture, levels, end, far - 1), NO_PARENT);
}

static int unreached;

static void check_bfs(const struct fixture *fixture)
{
    struct graph graph = fetch_graph(fixture);
    struct expected expected = fetch_expected(fixture, "levels", graph.vertices, true),
                    faults = fetch_expected(fixture, "faults", graph.vertices, true);
    int *levels = plain_levels(&graph), shape = size_of(fixture, "SHAPE");
    check_lists(&graph);
    if (shape == RMAT)
        check_rmat(&graph, size_of(fixture, "DEGREE"));
    else if (shape == GRID)
        check_grid(&graph);
    else
        check_path(&graph);
    for (int v = 0; v < graph.vertices; v++) {
        assert_within("value", &expected, v, expected.values[v], levels[v], 0);
        assert_within("value", &faults, v, faults.values[v], 0, 0);
        unreached += levels[v] < 0 && degree_of(&graph, v) > 0;
    }
    assert_true(graph.vertices < 3 || levels[list_of(&graph, graph.source)[0]] == 1 ||
                edges_between(&graph, graph.source, graph.source) > 0);
    check_verify(fixture, &graph, levels);
    free(levels);
    free_expected(&expected);
    free_expected(&faults);
    free_graph(&graph);
}

static void bfs(void **state)
{
    const struct size_setting rmat[] = {{"N", 1024}, {"DEGREE", 4}, {"SHAPE", RMAT}},
                              grid[] = {{"N", 1999}, {"SHAPE", GRID}}, path[] = {{"N", 50}, {"SHAPE", PATH}};
    (void)state;
    check_template("bfs", NULL, 0, check_bfs);
    check_template("bfs", rmat, 3, check_bfs);
    check_template("bfs", grid, 2, check_bfs);
    check_template("bfs", path, 2, check_bfs);
    assert_true(unreached > 0); /* of those that have neighbours */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfs),
    };
    return cmocka_run_group_tests_name("references of bfs", tests, open_kernels, close_kernels);
}
