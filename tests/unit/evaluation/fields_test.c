/* SPDX-License-Identifier: Apache-2.0 */
/* The table of fields: the rules_for_known_values for known values, and that no field is listed twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/evaluation/evaluation.h"

#include <math.h>
#include <string.h>

static const struct evaluation_number *find(const char *column)
{
    for (size_t i = 0; i < evaluation_number_count; i++) {
        if (strcmp(evaluation_numbers[i].column, column) == 0)
            return &evaluation_numbers[i];
    }
    fail_msg("no field %s", column);
    return NULL;
}

static void names_and_offsets_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < evaluation_number_count; i++) {
        const struct evaluation_number *a = &evaluation_numbers[i];
        assert_true(a->offset % 8 == 0 && a->offset + 8 <= sizeof(struct evaluation));
        for (size_t j = 0; j < i; j++) {
            const struct evaluation_number *b = &evaluation_numbers[j];
            assert_string_not_equal(a->column, b->column);
            assert_string_not_equal(a->document, b->document);
            assert_int_not_equal(a->offset, b->offset);
        }
    }
}

static void types_match_the_struct(void **state)
{
    (void)state;
    assert_false(find("time_ns")->integer);
    assert_true(find("spill_bytes")->integer);
    assert_true(find("registers")->integer);
    assert_false(find("occupancy")->integer);
    assert_int_equal(find("registers")->offset, offsetof(struct evaluation, resources.registers));
    assert_int_equal(find("power_mw")->offset, offsetof(struct evaluation, state.power_mw));
    assert_string_equal(find("time_low_ns")->document, "low_ns");
}

static void rules_for_known_values(void **state)
{
    (void)state;
    static const struct {
        const char *column;
        double value;
        bool known;
    } cases[] = {
        {"time_ns", 1e-9, true},        {"time_ns", 0, false},       {"time_ns", INFINITY, false},
        {"time_ns", NAN, false},        {"error_ratio", 0, true},    {"error_ratio", INFINITY, true},
        {"error_ratio", -1, false},     {"error_ratio", NAN, false}, {"compile_seconds", 0, true},
        {"compile_seconds", -1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (evaluation_real_known(find(cases[i].column), cases[i].value) != cases[i].known)
            fail_msg("%s = %g", cases[i].column, cases[i].value);
    }
    assert_true(evaluation_unknown(find("time_ns")) == 0);
    assert_true(evaluation_unknown(find("error_ratio")) == -1);
    assert_true(evaluation_unknown(find("compile_seconds")) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_offsets_are_unique),
        cmocka_unit_test(types_match_the_struct),
        cmocka_unit_test(rules_for_known_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
