/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/engine/cost_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Two sizes that are near each other, and one that is not. */
static const char *const sizes[] = {"n=1000", "n=1100", "n=64000"};

static void create(struct cost_table *table)
{
    assert_true(cost_table_create(table, sizes, 3, NULL));
}

static void put(struct cost_table *table, const char *configuration, size_t size, double cost)
{
    assert_true(cost_table_put(table, configuration, size, cost, NULL));
}

static void losses_are_relative_to_the_best_of_a_size(void **state)
{
    (void)state;
    struct cost_table table;
    create(&table);
    put(&table, "a", 0, 200);
    put(&table, "b", 0, 100);
    put(&table, "c", 0, HUGE_VAL);
    put(&table, "d", 0, 1e9);
    assert_int_equal(table.count, 4);
    assert_int_equal(table.known[0], 4);
    assert_true(table.best[0] == 100 && table.best[1] == 0);
    assert_true(fabs(cost_table_loss(&table, 0, 0) - log(2)) < 1e-12);
    assert_true(cost_table_loss(&table, 1, 0) == 0);
    assert_true(cost_table_loss(&table, 2, 0) == cost_table_loss_most);
    assert_true(cost_table_loss(&table, 3, 0) == cost_table_loss_most);
    put(&table, "a", 0, 50); /* measured again */
    assert_int_equal(table.count, 4);
    assert_int_equal(table.known[0], 4);
    assert_true(cost_table_loss(&table, 0, 0) == 0);
    put(&table, "a", 0, 150); /* and again: now another is the best */
    assert_true(table.best[0] == 100 && fabs(cost_table_loss(&table, 0, 0) - log(1.5)) < 1e-12);
    static const size_t ranks[] = {1, 0, 3};
    size_t order[4];
    assert_int_equal(cost_table_rank(&table, 0, order), 3);
    assert_memory_equal(order, ranks, sizeof ranks);
    put(&table, "b", 0, HUGE_VAL);
    assert_true(table.best[0] == 150);
    cost_table_clear(&table);
}

static void expectations_come_from_near_sizes(void **state)
{
    (void)state;
    struct cost_table table;
    create(&table);
    put(&table, "near", 0, 1);
    put(&table, "far", 0, 5);
    put(&table, "near", 2, 5);
    put(&table, "far", 2, 1);
    put(&table, "bad", 0, HUGE_VAL);
    assert_false(cost_table_knows(&table, 0, 1));
    double near = cost_table_loss(&table, 0, 1), far = cost_table_loss(&table, 1, 1);
    assert_true(near > 0 && near < far && far < log(5));
    double bad_near = cost_table_loss(&table, 2, 1), bad_far = cost_table_loss(&table, 2, 2);
    assert_true(bad_near > bad_far && bad_near < cost_table_loss_most);
    cost_table_clear(&table);
}

/* More configurations than a table begins with room for; of each size the best sixteen contend. */
static void contenders_are_the_best_few_anywhere(void **state)
{
    (void)state;
    struct cost_table table;
    size_t count;
    create(&table);
    for (int i = 0; i < 200; i++) {
        char text[32];
        snprintf(text, sizeof text, "{\"A\":%d}", i);
        put(&table, text, 0, 1000 + i);
        put(&table, text, 1, 1000 - i);
    }
    put(&table, "failed", 2, HUGE_VAL);
    put(&table, "{\"A\":100}", 2, 7);
    assert_int_equal(table.count, 201);
    size_t *contenders = cost_table_contenders(&table, &count);
    assert_non_null(contenders);
    assert_int_equal(count, 33);
    for (size_t i = 0; i < 16; i++) {
        assert_int_equal(contenders[i], i);
        assert_int_equal(contenders[17 + i], 184 + i);
    }
    assert_int_equal(contenders[16], 100);
    free(contenders);
    cost_table_clear(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_are_relative_to_the_best_of_a_size),
        cmocka_unit_test(expectations_come_from_near_sizes),
        cmocka_unit_test(contenders_are_the_best_few_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
