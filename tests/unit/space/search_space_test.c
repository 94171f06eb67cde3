/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/points.h"

#include "tuner/space/search_space.h"

static const struct value TILES[] = {{.kind = VALUE_INTEGER, .integer = 64},
                                     {.kind = VALUE_INTEGER, .integer = 8},
                                     {.kind = VALUE_INTEGER, .integer = 32}};
static const struct value NAMES[] = {{.kind = VALUE_STRING, .string = "joint"},
                                     {.kind = VALUE_STRING, .string = "a"}};
static const struct value ONE[] = {{.kind = VALUE_INTEGER, .integer = 7}};
static const struct dimension DIMENSIONS[] = {{"TILE", TILES, 3}, {"ONE", ONE, 1}, {"NAME", NAMES, 2}};

/* Rows keep their numbers; positions ascend with numbers and are as given for strings. */
static void test_listed(void **state)
{
    (void)state;
    static const uint16_t rows[][3] = {{0, 0, 1}, {2, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    static const uint16_t points[][3] = {{2, 0, 1}, {1, 0, 0}, {0, 0, 0}, {2, 0, 0}};
    struct search_space *space;
    uint16_t point[3] = {0};
    size_t index, found = 0;
    assert_true(search_space_listed(DIMENSIONS, 3, rows[0], 4, &space, NULL));
    assert_int_equal(search_space_count(space), 4);
    assert_int_equal(search_space_dimensions(space), 3);
    assert_string_equal(search_space_name(space, 2), "NAME");
    assert_true(search_space_dimension(space, "NAME", &index) && index == 2);
    assert_false(search_space_dimension(space, "TIL", &index));
    assert_int_equal(search_space_value(space, 0, 1).integer, 32);
    for (size_t i = 0; i < 4; i++) {
        search_space_point(space, i, point);
        assert_memory_equal(point, points[i], sizeof point);
        assert_true(search_space_find(space, point, &index));
        assert_int_equal(index, i);
    }
    for (uint16_t tile = 0; tile < 3; tile++) {
        for (uint16_t name = 0; name < 2; name++)
            found += search_space_find(space, (const uint16_t[]){tile, 0, name}, &index);
    }
    assert_int_equal(found, 4);
    size_t line[3];
    uint16_t middle[] = {1, 0, 1};
    search_space_line(space, middle, 0, line);
    assert_true(line[0] == SEARCH_SPACE_NONE && line[1] == SEARCH_SPACE_NONE && line[2] == 0);
    assert_int_equal(middle[0], 1);
    assert_true(search_space_bytes(space) >= sizeof rows);
    search_space_free(space);
}

static void test_listed_twice(void **state)
{
    (void)state;
    static const uint16_t rows[][3] = {{0, 0, 1}, {2, 0, 0}, {0, 0, 1}};
    struct search_space *space;
    struct error error;
    assert_false(search_space_listed(DIMENSIONS, 3, rows[0], 3, &space, &error));
    assert_string_equal(error.text, "configurations 0 and 2 are the same");
}

static void test_empty(void **state)
{
    (void)state;
    struct search_space *space;
    size_t index;
    assert_true(search_space_listed(DIMENSIONS, 3, NULL, 0, &space, NULL));
    assert_int_equal(search_space_count(space), 0);
    assert_false(search_space_find(space, (const uint16_t[]){0, 0, 0}, &index));
    search_space_free(space);
    search_space_free(NULL);
}

enum { WIDTH = 5, MEMBERS = 2 };

/* Two random sets, each with a different value in one fixed dimension, behave like the list of both. */
static void test_members(void **state)
{
    (void)state;
    static const size_t widths[] = {WIDTH, WIDTH};
    struct value values[WIDTH];
    struct points points[MEMBERS];
    struct search_space_member members[MEMBERS];
    struct diagram *diagrams[MEMBERS];
    struct search_space *space, *listed;
    /* In the diagram of either member level 0 is dimension 2, level 1 dimension 0; values are given in reverse. */
    static const uint16_t reversed[] = {4, 3, 2, 1, 0};
    static const uint16_t *const translation[] = {reversed, reversed};
    static const size_t dimensions_of_levels[] = {2, 0};
    static const uint16_t fixed[MEMBERS][3] = {{0, 1, 0}, {0, 3, 0}};
    uint16_t rows[2 * WIDTH * WIDTH][3];
    size_t count = 0;
    for (int i = 0; i < WIDTH; i++)
        values[i] = value_integer(100 - 7 * i);
    const struct dimension dimensions[] = {{"A", values, WIDTH}, {"B", values, WIDTH}, {"C", values, WIDTH}};
    for (size_t m = 0; m < MEMBERS; m++) {
        points[m] = points_create(2, widths, 600);
        diagrams[m] = points_diagram(&points[m]);
        members[m] = (struct search_space_member){diagrams[m], dimensions_of_levels, translation, fixed[m]};
        for (size_t i = 0; i < points[m].count; i++, count++) {
            rows[count][0] = reversed[points[m].items[i][1]];
            rows[count][1] = fixed[m][1];
            rows[count][2] = reversed[points[m].items[i][0]];
        }
    }
    assert_true(search_space_of_members(dimensions, 3, members, MEMBERS, &space, NULL));
    assert_true(search_space_listed(dimensions, 3, rows[0], count, &listed, NULL));
    assert_int_equal(search_space_count(space), count);
    for (size_t i = 0; i < count; i++) {
        uint16_t point[3], expected[3];
        search_space_point(space, i, point);
        search_space_point(listed, i, expected);
        assert_memory_equal(point, expected, sizeof point);
    }
    for (size_t i = 0; i < (size_t)WIDTH * WIDTH * WIDTH; i++) {
        uint16_t point[] = {(uint16_t)(i / WIDTH / WIDTH), (uint16_t)(i / WIDTH % WIDTH), (uint16_t)(i % WIDTH)};
        size_t index, expected, line[WIDTH], expected_line[WIDTH];
        bool found = search_space_find(space, point, &index);
        assert_int_equal(found, search_space_find(listed, point, &expected));
        assert_true(!found || index == expected);
        for (size_t d = 0; d < 3; d++) {
            search_space_line(space, point, d, line);
            search_space_line(listed, point, d, expected_line);
            assert_memory_equal(line, expected_line, sizeof line);
        }
    }
    search_space_free(space);
    search_space_free(listed);
    for (size_t m = 0; m < MEMBERS; m++) {
        diagram_free(diagrams[m]);
        free(points[m].items);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listed),
        cmocka_unit_test(test_listed_twice),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
