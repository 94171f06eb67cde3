/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/points.h"

static void test_equal_nodes_are_one(void **state)
{
    (void)state;
    const size_t widths[] = {4, 4};
    const uint16_t values[] = {0, 2, 3};
    const uint32_t ends[] = {DIAGRAM_END, DIAGRAM_END, DIAGRAM_END};
    struct diagram_builder *builder = diagram_builder_create(widths, 2);
    uint32_t all, again, two, none, root, other;
    assert_true(diagram_builder_node(builder, 1, values, ends, 3, &all));
    assert_true(diagram_builder_node(builder, 1, values, ends, 3, &again));
    assert_true(diagram_builder_node(builder, 1, values, ends, 2, &two));
    assert_true(diagram_builder_node(builder, 1, values, ends, 0, &none));
    assert_int_equal(all, again);
    assert_int_not_equal(all, two);
    assert_true(none == DIAGRAM_DEAD);
    /* The same values with other children are another node. */
    const uint32_t same[] = {all, all}, mixed[] = {all, two};
    assert_true(diagram_builder_node(builder, 0, values, same, 2, &root));
    assert_true(diagram_builder_node(builder, 0, values, mixed, 2, &other));
    assert_int_not_equal(root, other);
    assert_true(diagram_builder_count(builder, root) == 3 + 3);
    assert_true(diagram_builder_count(builder, other) == 3 + 2);
    assert_true(diagram_builder_count(builder, DIAGRAM_DEAD) == 0);
    diagram_builder_free(builder);
}

/* Every non-empty subset of 10 values is a node; after the table has grown, each is found again. */
static void test_many_nodes(void **state)
{
    (void)state;
    enum { VALUES = 10, SETS = 1 << VALUES };
    const size_t widths[] = {VALUES};
    struct diagram_builder *builder = diagram_builder_create(widths, 1);
    size_t bytes = diagram_builder_bytes(builder);
    uint32_t ends[VALUES] = {DIAGRAM_END};
    for (int round = 0; round < 2; round++) {
        for (uint32_t set = 1; set < SETS; set++) {
            uint16_t values[VALUES];
            size_t count = 0;
            uint32_t node;
            for (size_t i = 0; i < VALUES; i++) {
                if (set >> i & 1)
                    values[count++] = (uint16_t)i;
            }
            assert_true(diagram_builder_node(builder, 0, values, ends, count, &node));
            assert_int_equal(node, set - 1);
            assert_true(diagram_builder_count(builder, node) == (double)count);
        }
        if (round == 0) {
            assert_true(diagram_builder_bytes(builder) > bytes);
            bytes = diagram_builder_bytes(builder);
        }
    }
    assert_int_equal(diagram_builder_bytes(builder), bytes);
    diagram_builder_free(builder);
}

/* The same two values with every pair of 40 children: 1600 nodes, numbered in the order of creation. */
static void test_children_distinguish(void **state)
{
    (void)state;
    enum { CHILDREN = 40 };
    const size_t widths[] = {2, CHILDREN};
    const uint16_t values[] = {0, 1};
    struct diagram_builder *builder = diagram_builder_create(widths, 2);
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < CHILDREN * CHILDREN; i++) {
            const uint32_t children[] = {i / CHILDREN, i % CHILDREN};
            uint32_t node;
            assert_true(diagram_builder_node(builder, 0, values, children, 2, &node));
            assert_int_equal(node, i);
        }
    }
    diagram_builder_free(builder);
}

/* A chain of 10 levels whose nodes all lead to the same child: 3^10 points in 10 nodes. */
static void test_products(void **state)
{
    (void)state;
    enum { LEVELS = 10 };
    size_t widths[LEVELS];
    const uint16_t values[] = {0, 1, 2};
    uint32_t node = DIAGRAM_END;
    for (size_t l = 0; l < LEVELS; l++)
        widths[l] = 3;
    struct diagram_builder *builder = diagram_builder_create(widths, LEVELS);
    for (size_t l = LEVELS; l-- > 0;) {
        const uint32_t children[] = {node, node, node};
        assert_true(diagram_builder_node(builder, l, values, children, 3, &node));
        assert_int_equal(node, 0);
    }
    assert_true(diagram_builder_count(builder, node) == 59049);
    diagram_builder_free(builder);
    builder = diagram_builder_create(NULL, 0);
    assert_true(diagram_builder_count(builder, DIAGRAM_END) == 1);
    diagram_builder_free(builder);
    diagram_builder_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_nodes_are_one),
        cmocka_unit_test(test_many_nodes),
        cmocka_unit_test(test_children_distinguish),
        cmocka_unit_test(test_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
