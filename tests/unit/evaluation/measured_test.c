/* SPDX-License-Identifier: Apache-2.0 */
/* What metrics may read: each name's unit, and which values are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/evaluation/measured.h"

#include <math.h>
#include <string.h>

static bool value_of(const char *name, const struct evaluation *evaluation, double *value)
{
    for (size_t i = 0; i < measured_figure_count; i++) {
        if (strcmp(measured_figures[i].name, name) == 0)
            return measured_value(&measured_figures[i], evaluation, value);
    }
    fail_msg("there is no %s", name);
    return false;
}

static void values(void **state)
{
    (void)state;
    struct evaluation e = evaluation_unmeasured;
    e.time_ns = 2e6;
    e.energy_j = 3;
    e.resources.registers = 40;
    e.work.flops = 7;
    double value;
    assert_true(value_of("time", &e, &value) && fabs(value - 2e-3) < 1e-18);        /* 2 ms */
    assert_true(value_of("device_time", &e, &value) && fabs(value - 2e-3) < 1e-18); /* nothing waits for the host */
    e.device_ns = 1e6;
    assert_true(value_of("device_time", &e, &value) && fabs(value - 1e-3) < 1e-18);
    assert_true(value_of("energy", &e, &value) && value == 3);
    assert_true(value_of("registers", &e, &value) && value == 40);
    assert_true(value_of("flops", &e, &value) && value == 7);
    assert_true(value_of("special", &e, &value) && value == 0); /* nothing to do is known */
}

static void unknown(void **state)
{
    (void)state;
    struct evaluation e = evaluation_unmeasured;
    double value;
    assert_false(value_of("time", &e, &value));
    assert_false(value_of("device_time", &e, &value));
    assert_false(value_of("energy", &e, &value));
    assert_false(value_of("registers", &e, &value));
    assert_false(value_of("occupancy", &e, &value));
    e.energy_j = NAN;
    assert_false(value_of("energy", &e, &value));
    e.resources.registers = 0;
    assert_true(value_of("registers", &e, &value) && value == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(unknown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
