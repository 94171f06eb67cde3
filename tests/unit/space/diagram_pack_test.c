/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/points.h"

static size_t packed_bytes(const struct points *points)
{
    size_t bytes = 0;
    for (size_t l = 0; l < points->levels; l++)
        bytes += points->widths[l] > 256 ? 2 : 1;
    return bytes * points->count;
}

/* Neither a random set nor a product takes more than its packed list, but for the bits of the values and the headers;
 * a product takes far less. */
static void test_memory(void **state)
{
    (void)state;
    const size_t widths[] = {20, 300, 4, 5};
    for (size_t part = 5; part <= 1000; part = part == 1000 ? 1001 : part * 3 > 1000 ? 1000 : part * 3) {
        struct points points = points_create(4, widths, part);
        struct diagram *diagram = points_diagram(&points);
        size_t bytes = diagram_bytes(diagram), packed = packed_bytes(&points);
        assert_true(bytes < packed + 1000);
        if (part == 1000)
            assert_true(20 * bytes < packed);
        diagram_free(diagram);
        free(points.items);
    }
}

/* 10^15 points: 15 levels of 10 values. Numbers of more than 32 bits; the point of a number has its digits. */
static void test_many_points(void **state)
{
    (void)state;
    enum { LEVELS = 15, VALUES = 10 };
    size_t widths[LEVELS], columns[LEVELS];
    uint16_t values[VALUES], point[LEVELS];
    uint32_t children[VALUES], node = DIAGRAM_END;
    for (size_t l = 0; l < LEVELS; l++) {
        widths[l] = VALUES;
        columns[l] = l;
    }
    for (size_t i = 0; i < VALUES; i++)
        values[i] = (uint16_t)i;
    struct diagram_builder *builder = diagram_builder_create(widths, LEVELS);
    for (size_t l = LEVELS; l-- > 0;) {
        for (size_t i = 0; i < VALUES; i++)
            children[i] = node;
        assert_true(diagram_builder_node(builder, l, values, children, VALUES, &node));
    }
    struct diagram *diagram = diagram_pack(builder, node);
    assert_int_equal(diagram_count(diagram), 1000000000000000);
    const struct diagram_frame frame = {.columns = columns};
    const size_t numbers[] = {0, 999999999999999, 4294967296, 123456789012345};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        size_t rest = numbers[i], index;
        diagram_point(diagram, &frame, numbers[i], point);
        for (size_t l = LEVELS; l-- > 0; rest /= 10)
            assert_int_equal(point[l], rest % 10);
        assert_true(diagram_find(diagram, &frame, point, &index));
        assert_int_equal(index, numbers[i]);
    }
    diagram_free(diagram);
    /* The builder is empty now, and can be used again. */
    assert_true(diagram_builder_node(builder, LEVELS - 1, values, children, 1, &node));
    assert_int_equal(node, 0);
    diagram_builder_free(builder);
}

/* DIAGRAM_DEAD is the root of the empty set. */
static void test_empty(void **state)
{
    (void)state;
    const size_t widths[] = {3, 3};
    struct diagram_builder *builder = diagram_builder_create(widths, 2);
    struct diagram *diagram = diagram_pack(builder, DIAGRAM_DEAD);
    const size_t columns[] = {0, 1};
    const struct diagram_frame frame = {.columns = columns};
    const uint16_t point[] = {1, 1};
    size_t index;
    assert_int_equal(diagram_count(diagram), 0);
    assert_false(diagram_find(diagram, &frame, point, &index));
    assert_false(diagram_alive(diagram, 0, 1));
    diagram_free(diagram);
    diagram_builder_free(builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_many_points),
        cmocka_unit_test(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
