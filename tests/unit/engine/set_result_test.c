/* SPDX-License-Identifier: Apache-2.0 */
/* From costs to a dispatch: small sizes are for one configuration, large ones for another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/engine/set_result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZES = 8, CONFIGURATIONS = 4 };

struct world {
    struct size_setting values[SIZES];
    double weights[SIZES];
    char texts[SIZES][32], *text_list[SIZES];
    struct size_set set;
    struct cost_table table;
};

/* "{}" 0: best at small sizes; 1: best at large ones; 2: never best; 3: not measured at large ones. */
static double cost_of(size_t configuration, int64_t n)
{
    bool small = n < 100;
    static const double small_costs[] = {10, 30, 20, 11}, large_costs[] = {300, 100, 200, 0};
    return (small ? small_costs : large_costs)[configuration];
}

static void make(struct world *world, size_t without)
{
    *world = (struct world){0};
    for (size_t s = 0; s < SIZES; s++) {
        world->values[s] = (struct size_setting){"n", (int64_t)10 << s};
        world->weights[s] = 1;
        snprintf(world->texts[s], sizeof world->texts[s], "n=%d", 10 << s);
        world->text_list[s] = world->texts[s];
    }
    world->set = (struct size_set){1, SIZES, world->values, world->weights, world->text_list, false};
    assert_true(cost_table_create(&world->table, (const char *const *)world->text_list, SIZES, NULL));
    for (size_t c = 0; c < CONFIGURATIONS; c++) {
        char text[16];
        snprintf(text, sizeof text, "{\"A\":%zu}", c);
        for (size_t s = 0; s < SIZES; s++) {
            double cost = cost_of(c, world->values[s].value);
            if (cost > 0)
                assert_true(cost_table_put(&world->table, text, s, s == without ? HUGE_VAL : cost, NULL));
        }
    }
}

static void the_tree_separates_what_differs(void **state)
{
    (void)state;
    struct world world;
    size_t chosen[3], count, configuration, missing;
    struct dispatch *dispatch = NULL;
    make(&world, SIZES);
    assert_true(set_result_choose(&world.table, world.weights, false, 3, chosen, &count, NULL));
    assert_int_equal(count, 2);
    assert_true(set_result_make(&world.table, &world.set, false, chosen, count, &dispatch, NULL));
    assert_int_equal(dispatch->configuration_count, 2);
    assert_int_equal(dispatch->tree.count, 3);
    assert_true(dispatch_answer(dispatch, "n=17", &configuration));
    assert_string_equal(dispatch->configurations[configuration], "{\"A\":0}");
    assert_true(dispatch_answer(dispatch, "n=100000", &configuration));
    assert_string_equal(dispatch->configurations[configuration], "{\"A\":1}");
    struct dispatch_quality quality = dispatch_quality(dispatch);
    assert_true(quality.mean == 1 && quality.worst == 1);
    assert_true(quality.held_out_worst == 1); /* nobody has looked */
    dispatch_free(dispatch);

    assert_true(set_result_conclude(&world.table, &world.set, 3, &dispatch, &missing, NULL));
    assert_int_equal(missing, 0);
    quality = dispatch_quality(dispatch);
    assert_true(quality.mean == 1 && quality.worst == 1);
    assert_true(quality.held_out_worst < 1); /* without the last small one the gap to the large ones is too wide */
    dispatch_free(dispatch);
    cost_table_clear(&world.table);
}

static void one_configuration_needs_no_questions(void **state)
{
    (void)state;
    struct world world;
    size_t chosen[1], count;
    struct dispatch *dispatch = NULL;
    make(&world, SIZES);
    world.weights[0] = 100;
    assert_true(set_result_choose(&world.table, world.weights, false, 1, chosen, &count, NULL));
    assert_true(set_result_make(&world.table, &world.set, false, chosen, count, &dispatch, NULL));
    assert_string_equal(dispatch->configurations[0], "{\"A\":0}");
    assert_int_equal(dispatch->tree.count, 1);
    assert_true(fabs(dispatch_quality(dispatch).worst - 1.0 / 3) < 1e-12);
    dispatch_free(dispatch);
    cost_table_clear(&world.table);
}

/* What is not known at large sizes is expected to be as good there, but must not be chosen unmeasured. */
static void what_was_not_measured_is_only_hoped_for(void **state)
{
    (void)state;
    struct world world;
    size_t chosen[1], count;
    make(&world, SIZES);
    for (size_t s = 0; s < SIZES; s++)
        world.weights[s] = s < 4 ? 1 : 0.5;
    assert_true(set_result_choose(&world.table, world.weights, true, 1, chosen, &count, NULL));
    assert_int_equal(chosen[0], 3);
    assert_true(set_result_choose(&world.table, world.weights, false, 1, chosen, &count, NULL));
    assert_int_not_equal(chosen[0], 3);
    cost_table_clear(&world.table);
}

static void sizes_without_a_valid_configuration_do_not_count(void **state)
{
    (void)state;
    struct world world;
    size_t chosen[3], count;
    struct dispatch *dispatch = NULL;
    make(&world, 2);
    assert_true(set_result_choose(&world.table, world.weights, false, 3, chosen, &count, NULL));
    assert_true(set_result_make(&world.table, &world.set, false, chosen, count, &dispatch, NULL));
    assert_int_equal(dispatch->case_count, SIZES - 1);
    assert_int_equal(dispatch->cases[2].sizes[0], 80);
    dispatch_free(dispatch);
    cost_table_clear(&world.table);

    assert_true(cost_table_create(&world.table, (const char *const *)world.text_list, SIZES, NULL));
    assert_true(set_result_choose(&world.table, world.weights, false, 3, chosen, &count, NULL));
    assert_int_equal(count, 0);
    cost_table_clear(&world.table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_separates_what_differs),
        cmocka_unit_test(one_configuration_needs_no_questions),
        cmocka_unit_test(what_was_not_measured_is_only_hoped_for),
        cmocka_unit_test(sizes_without_a_valid_configuration_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
