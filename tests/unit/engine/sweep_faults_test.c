/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels, references and expressions that go wrong: each is a row, or ends the sweep with its place. */
#include "tests/unit/engine/sweep_fixture.h"

static void test_each_fault_is_a_row_of_its_kind(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *outcome, *message;
    } expected[] = {
        {"good", "ok", ""},
        {"compile_error", "compile_error", "%faults.cu:2%this is no kernel%"},
        {"trap", "fault", "%trap%"},
        {"null_pointer", "fault", "%_%"},
        {"good_too", "ok", ""},
        {"endless", "timeout", "%within 6 s%"},
        {"wrong", "wrong_result", "%y%"},
        {"nan", "not_finite", "%y%"},
        {"unwritten", "not_finite", "%y%"},
        {"beyond", "out_of_bounds", "%y%"},
        {"into_input", "out_of_bounds", "%x%"},
        {"good_still", "ok", ""},
    };
    enum { COUNT = sizeof expected / sizeof *expected };
    struct desk desk;
    open_desk(&desk, "faults", "faults");
    desk.options.crew.measure_deadline = 6;
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.done, COUNT);
    assert_int_equal(desk.summary.progress.failed[OUTCOME_FAULT], 2);
    assert_int_equal(desk.summary.progress.failed[OUTCOME_OK], 0);
    assert_true(desk.summary.progress.best_ns > 0);
    for (size_t i = 0; i < COUNT; i++) {
        char where[512];
        snprintf(where, sizeof where,
                 "configuration LIKE '%%\"KIND\":\"%s\"%%' AND outcome = '%s' AND message LIKE '%s'",
                 expected[i].kind, expected[i].outcome, expected[i].message);
        if (count_rows(&desk, where) != 1)
            fail_msg("not 1 row: %s", where);
    }
    assert_int_equal(count_rows(&desk, "outcome <> 'ok' AND time_ns IS NOT NULL"), 0);
    close_desk(&desk);
}

static void test_nothing_valid_is_no_failure_of_the_sweep(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "all_too_large");
    sweep_well(&desk, "done");
    assert_true(desk.summary.progress.best_ns == 0);
    assert_int_equal(desk.summary.progress.failed[OUTCOME_RESOURCES], 2);
    close_desk(&desk);
}

static void test_a_broken_reference_ends_the_sweep_at_once(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "broken", "broken");
    assert_false(sweep(&desk));
    assert_int_equal(desk.error.code, ERROR_INPUT);
    assert_non_null(strstr(desk.error.text, "reference"));
    assert_int_equal(count_rows(&desk, "1"), 0);
    assert_int_equal(count_runs(&desk, "failed"), 1);
    close_desk(&desk);
}

static void test_an_expression_without_a_value_ends_the_sweep_with_its_place(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "division", "division");
    assert_false(sweep(&desk));
    assert_int_equal(desk.error.code, ERROR_INPUT);
    assert_non_null(strstr(desk.error.file, "division.template"));
    assert_int_equal(desk.error.line, 14);
    assert_int_equal(count_runs(&desk, "failed"), 1);
    close_desk(&desk);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_fault_is_a_row_of_its_kind),
        cmocka_unit_test(test_nothing_valid_is_no_failure_of_the_sweep),
        cmocka_unit_test(test_a_broken_reference_ends_the_sweep_at_once),
        cmocka_unit_test(test_an_expression_without_a_value_ends_the_sweep_with_its_place),
    };
    return sweep_tests_main(count, arguments, "sweep, faults", tests, sizeof tests / sizeof *tests);
}
