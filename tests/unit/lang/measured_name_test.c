/* SPDX-License-Identifier: Apache-2.0 */
/* Each figure is one name of a scope, with a value where it is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/measured_name.h"

#include <stdlib.h>
#include <string.h>

static struct value *value_of(const struct scope *scope, struct value *values, const char *name)
{
    size_t slot = 0;
    assert_true(scope_find(scope, name, &slot));
    assert_int_equal(scope_kind(scope, slot), NAME_MEASURED);
    return &values[slot];
}

static void names_and_values(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct scope *scope = scope_create(&arena);
    struct evaluation evaluation = evaluation_unmeasured;
    size_t *slots = calloc(measured_figure_count, sizeof *slots);
    struct value *values = calloc(measured_figure_count, sizeof *values);
    assert_true(slots && values && scope && scope_add_measured(scope) && scope_add_measured(scope));
    assert_int_equal(scope_count(scope), measured_figure_count); /* each once */
    scope_find_measured(scope, slots);
    evaluation.resources.registers = 64;
    evaluation.state.power_mw = 1500;
    measured_set(&evaluation, slots, values);
    const struct value *registers = value_of(scope, values, "measured.registers");
    assert_int_equal(registers->kind, VALUE_INTEGER);
    assert_int_equal(registers->integer, 64);
    const struct value *power = value_of(scope, values, "measured.power");
    assert_int_equal(power->kind, VALUE_FLOAT); /* watts, whatever it was counted in */
    assert_true(power->real == 1.5);
    assert_int_equal(value_of(scope, values, "measured.energy")->kind, VALUE_UNSET);
    arena_free(&arena);
    free(values);
    free(slots);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_and_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
