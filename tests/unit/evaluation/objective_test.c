/* SPDX-License-Identifier: Apache-2.0 */
/* Objectives: values checked by arithmetic, unknown values never best, intervals that contain the value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/evaluation/objective.h"

#include <math.h>
#include <string.h>

/* 2 ms and 3 J: 6 mJ s. */
static const struct evaluation measured = {
    .time_ns = 2e6, .time_low_ns = 1.9e6, .time_high_ns = 2.2e6, .energy_j = 3, .energy_error_j = 0.5};

static void values(void **state)
{
    (void)state;
    assert_true(objective_find("time")->value(&measured) == 2e6);
    assert_true(objective_find("energy")->value(&measured) == 3);
    assert_true(fabs(objective_find("edp")->value(&measured) - 6e-3) < 1e-15);
}

static void unknown_energy_is_never_best(void **state)
{
    (void)state;
    struct evaluation unknown = measured;
    for (int i = 0; i < 2; i++) {
        unknown.energy_j = i ? 0 : -1;
        assert_true(objective_find("energy")->value(&unknown) == HUGE_VAL);
        assert_true(objective_find("edp")->value(&unknown) == HUGE_VAL);
    }
    assert_false(objective_find("time")->needs_energy);
    assert_true(objective_find("energy")->needs_energy && objective_find("edp")->needs_energy);
}

static void intervals(void **state)
{
    (void)state;
    double low, high;
    objective_interval(objective_find("time"), &measured, &low, &high);
    assert_true(low == 1.9e6 && high == 2.2e6);
    objective_interval(objective_find("energy"), &measured, &low, &high);
    assert_true(low == 2.5 && high == 3.5);
    objective_interval(objective_find("edp"), &measured, &low, &high); /* 2.5 J x 1.9 ms, 3.5 J x 2.2 ms */
    assert_true(fabs(low - 4.75e-3) < 1e-15 && fabs(high - 7.7e-3) < 1e-15);
}

static void an_error_larger_than_the_energy(void **state)
{
    (void)state;
    struct evaluation uncertain = measured;
    uncertain.energy_error_j = 5;
    double low, high;
    objective_interval(objective_find("energy"), &uncertain, &low, &high);
    assert_true(low > 0 && low < 1e-300 && high == 8);
    uncertain.energy_error_j = -1; /* unknown */
    objective_interval(objective_find("energy"), &uncertain, &low, &high);
    assert_true(low == 3 && high == 3);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(objectives[0].name, "time");
    for (size_t i = 0; i < objective_count; i++)
        assert_ptr_equal(objective_find(objectives[i].name), &objectives[i]);
    assert_null(objective_find("Time"));
    assert_null(objective_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),    cmocka_unit_test(unknown_energy_is_never_best),
        cmocka_unit_test(intervals), cmocka_unit_test(an_error_larger_than_the_energy),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
