/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

#include "tuner/search/cover.h"

static const size_t line[] = {9, 1};

/* Of nine positions in a row, whose coordinates are the logarithms of 1 to 9 (landscape.h), the first representative
 * is the one with the least sum of distances, found here by trying each. */
static void test_first_is_the_middle(void **state)
{
    (void)state;
    struct search_space *space = grid_create(line, 2);
    struct generator generator = {.state = 1};
    struct coordinates coordinates;
    double least = INFINITY, places[9][2] = {{0}};
    size_t middle = 0, first;
    assert_true(coordinates_create(&coordinates, space));
    for (size_t i = 0; i < 9; i++)
        coordinates_of(&coordinates, i, places[i]);
    for (size_t i = 0; i < 9; i++) {
        double sum = 0;
        for (size_t j = 0; j < 9; j++)
            sum += fabs(places[i][0] - places[j][0]);
        if (sum < least) {
            least = sum;
            middle = i;
        }
    }
    struct cover *cover = cover_create(space, &generator);
    assert_non_null(cover);
    assert_true(cover_next(cover, &first));
    assert_int_equal(first, middle);
    assert_true(first > 0 && first < 8);
    cover_free(cover);
    coordinates_clear(&coordinates);
    search_space_free(space);
}

/* Every configuration of a small space once, then no more; what was taken never. */
static void test_each_once(void **state)
{
    (void)state;
    static const size_t sizes[] = {7, 5};
    struct search_space *space = grid_create(sizes, 2);
    struct generator generator = {.state = 1};
    struct cover *cover = cover_create(space, &generator);
    bool seen[35] = {[17] = true};
    size_t index, count = 0;
    assert_non_null(cover);
    cover_take(cover, 17);
    for (; cover_next(cover, &index); count++) {
        assert_false(seen[index]);
        seen[index] = true;
    }
    assert_int_equal(count, 34);
    cover_free(cover);
    search_space_free(space);
}

/* As many representatives as there are words have every word, even if one of them was taken. */
static void test_kinds_first(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct landscape landscape;
        struct generator generator = {.state = seed};
        bool seen[3] = {false};
        uint16_t point[LANDSCAPE_DIMENSIONS];
        size_t index;
        landscape_create(&landscape, 12, 10, 6, 3, SIZE_MAX);
        struct cover *cover = cover_create(landscape.space, &generator);
        assert_non_null(cover);
        assert_int_equal(cover_kinds(cover), 3);
        search_space_point(landscape.space, 5, point);
        cover_take(cover, 5);
        seen[point[3]] = true;
        for (size_t i = 0; i < 2; i++) {
            assert_true(cover_next(cover, &index));
            search_space_point(landscape.space, index, point);
            seen[point[3]] = true;
        }
        assert_true(seen[0] && seen[1] && seen[2]);
        cover_free(cover);
        landscape_free(&landscape);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_is_the_middle),
        cmocka_unit_test(test_each_once),
        cmocka_unit_test(test_kinds_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
