/* SPDX-License-Identifier: Apache-2.0 */
/* Random sets of points against their sorted lists, from almost empty to complete, with narrow and wide levels. */
#include "tests/unit/space/points.h"

struct shape {
    size_t levels, widths[POINTS_LEVELS];
};

static const struct shape shapes[] = {
    {1, {7}},           {1, {300}},          {2, {5, 9}},          {3, {300, 2, 7}},        {3, {2, 300, 3}},
    {4, {3, 5, 1, 11}}, {4, {6, 4, 5, 270}}, {5, {4, 1, 6, 3, 8}}, {6, {3, 4, 2, 5, 3, 4}},
};
static const size_t parts[] = {0, 2, 60, 500, 980, 1000};

static const size_t columns[] = {0, 1, 2, 3, 4, 5};
static const struct diagram_frame plain = {.columns = columns};

static bool same(const struct points *points, const uint16_t *a, const uint16_t *b)
{
    return memcmp(a, b, points->levels * sizeof *a) == 0;
}

/* The number that the sorted list gives a point, or false. */
static bool listed(const struct points *points, const uint16_t *point, size_t *index)
{
    size_t low = 0, high = points->count;
    while (low < high) {
        size_t middle = (low + high) / 2, l = 0;
        while (l < points->levels && points->items[middle][l] == point[l])
            l++;
        if (l < points->levels && points->items[middle][l] < point[l])
            low = middle + 1;
        else
            high = middle;
    }
    *index = low;
    return low < points->count && same(points, points->items[low], point);
}

static void check_numbers(const struct points *points, const struct diagram *diagram)
{
    uint16_t point[POINTS_LEVELS] = {0};
    assert_int_equal(diagram_count(diagram), points->count);
    assert_int_equal(diagram_levels(diagram), points->levels);
    for (size_t i = 0; i < points->count; i++) {
        diagram_point(diagram, &plain, i, point);
        assert_true(same(points, point, points->items[i]));
    }
    memset(point, 0, sizeof point);
    do {
        size_t index, expected;
        bool in = listed(points, point, &expected);
        assert_int_equal(diagram_find(diagram, &plain, point, &index), in);
        if (in)
            assert_int_equal(index, expected);
    } while (points_next(points, point));
}

static void check_lines(const struct points *points, const struct diagram *diagram)
{
    const size_t untouched = 12345678, base = 1000;
    for (int trial = 0; trial < 60; trial++) {
        uint16_t point[POINTS_LEVELS] = {0};
        for (size_t l = 0; l < points->levels; l++)
            point[l] = (uint16_t)points_pick(points->widths[l]);
        for (size_t l = 0; l < points->levels; l++) {
            size_t indices[512], expected;
            uint16_t other[POINTS_LEVELS];
            for (size_t i = 0; i < points->widths[l]; i++)
                indices[i] = untouched;
            diagram_line(diagram, &plain, point, l, base, indices);
            memcpy(other, point, sizeof other);
            for (other[l] = 0; other[l] < points->widths[l]; other[l]++)
                assert_int_equal(indices[other[l]], listed(points, other, &expected) ? base + expected : untouched);
        }
    }
}

static void check_alive(const struct points *points, const struct diagram *diagram)
{
    for (size_t l = 0; l < points->levels; l++) {
        assert_int_equal(diagram_width(diagram, l), points->widths[l]);
        for (size_t value = 0; value < points->widths[l]; value++) {
            bool alive = false;
            for (size_t i = 0; i < points->count && !alive; i++)
                alive = points->items[i][l] == value;
            assert_int_equal(diagram_alive(diagram, l, value), alive);
        }
    }
}

static void check_first_with(const struct points *points, const struct diagram *diagram)
{
    for (int trial = 0; trial < 40; trial++) {
        uint16_t wanted[POINTS_LEVELS];
        size_t expected = 0, index;
        bool found;
        for (size_t l = 0; l < points->levels; l++)
            wanted[l] = points_pick(2) ? DIAGRAM_NO_VALUE : (uint16_t)points_pick(points->widths[l]);
        for (; expected < points->count; expected++) {
            size_t l = 0;
            while (l < points->levels && (wanted[l] == DIAGRAM_NO_VALUE || wanted[l] == points->items[expected][l]))
                l++;
            if (l == points->levels)
                break;
        }
        assert_true(diagram_first_with(diagram, wanted, &found, &index));
        assert_int_equal(found, expected < points->count);
        if (found)
            assert_int_equal(index, expected);
    }
}

static void for_all(void (*check)(const struct points *points, const struct diagram *diagram))
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
            struct points points = points_create(shapes[s].levels, shapes[s].widths, parts[p]);
            struct diagram *diagram = points_diagram(&points);
            check(&points, diagram);
            diagram_free(diagram);
            free(points.items);
        }
    }
}

static void test_numbers(void **state)
{
    (void)state;
    for_all(check_numbers);
}

static void test_lines(void **state)
{
    (void)state;
    for_all(check_lines);
}

static void test_alive(void **state)
{
    (void)state;
    for_all(check_alive);
}

static void test_first_with(void **state)
{
    (void)state;
    for_all(check_first_with);
}

/* Points in another order of columns, one coordinate mirrored and one shifted by one so that 0 is no value. */
static void test_frame(void **state)
{
    (void)state;
    const size_t widths[] = {4, 3, 5};
    const size_t moved[] = {2, 0, 1};
    const uint16_t mirrored[] = {4, 3, 2, 1, 0}, shifted[] = {1, 2, 3}, unshifted[] = {DIAGRAM_NO_VALUE, 0, 1, 2};
    const uint16_t *const coordinates_of[] = {NULL, shifted, mirrored};
    const uint16_t *const values_of[] = {NULL, unshifted, mirrored};
    const struct diagram_frame frame = {moved, coordinates_of, values_of};
    struct points points = points_create(3, widths, 500);
    struct diagram *diagram = points_diagram(&points);
    for (size_t i = 0; i < points.count; i++) {
        uint16_t point[3];
        size_t index;
        diagram_point(diagram, &frame, i, point);
        assert_int_equal(point[2], points.items[i][0]);
        assert_int_equal(point[0], points.items[i][1] + 1);
        assert_int_equal(point[1], 4 - points.items[i][2]);
        assert_true(diagram_find(diagram, &frame, point, &index));
        assert_int_equal(index, i);
        point[0] = 0;
        assert_false(diagram_find(diagram, &frame, point, &index));
        size_t indices[4] = {0};
        diagram_line(diagram, &frame, point, 1, 0, indices);
        point[0] = (uint16_t)(points.items[i][1] + 1);
        assert_int_equal(indices[point[0]], i);
    }
    diagram_free(diagram);
    free(points.items);
}

/* Without levels a set is empty or has the one point without coordinates. */
static void test_no_levels(void **state)
{
    (void)state;
    size_t index = 7;
    bool found;
    struct diagram_builder *builder = diagram_builder_create(NULL, 0);
    struct diagram *one = diagram_pack(builder, DIAGRAM_END), *none = diagram_pack(builder, DIAGRAM_DEAD);
    assert_int_equal(diagram_count(one), 1);
    assert_true(diagram_find(one, &plain, NULL, &index));
    assert_int_equal(index, 0);
    assert_true(diagram_first_with(one, NULL, &found, &index) && found);
    assert_int_equal(diagram_count(none), 0);
    assert_false(diagram_find(none, &plain, NULL, &index));
    assert_true(diagram_first_with(none, NULL, &found, &index) && !found);
    diagram_free(one);
    diagram_free(none);
    diagram_free(NULL);
    diagram_builder_free(builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),    cmocka_unit_test(test_lines), cmocka_unit_test(test_alive),
        cmocka_unit_test(test_first_with), cmocka_unit_test(test_frame), cmocka_unit_test(test_no_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
