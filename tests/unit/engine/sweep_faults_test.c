/* SPDX-License-Identifier: Apache-2.0 */
/* Faulty kernels, references and expressions: each is recorded as a row, or ends the sweep with its location. */
#include "tests/unit/engine/sweep_fixture.h"

static void test_each_fault_is_recorded_with_its_outcome(void **state)
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
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "faults", "faults");
    fixture.options.crew.measure_deadline = 6;
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.done, COUNT);
    assert_int_equal(fixture.summary.progress.failed[OUTCOME_FAULT], 2);
    assert_int_equal(fixture.summary.progress.failed[OUTCOME_OK], 0);
    assert_true(fixture.summary.progress.best_ns > 0);
    for (size_t i = 0; i < COUNT; i++) {
        char where[512];
        snprintf(where, sizeof where,
                 "configuration LIKE '%%\"KIND\":\"%s\"%%' AND outcome = '%s' AND message LIKE '%s'",
                 expected[i].kind, expected[i].outcome, expected[i].message);
        if (count_rows(&fixture, where) != 1)
            fail_msg("not 1 row: %s", where);
    }
    assert_int_equal(count_rows(&fixture, "outcome <> 'ok' AND time_ns IS NOT NULL"), 0);
    sweep_fixture_close(&fixture);
}

static void test_a_sweep_without_valid_results_succeeds(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "all_too_large");
    sweep_well(&fixture, "done");
    assert_true(fixture.summary.progress.best_ns == 0);
    assert_int_equal(fixture.summary.progress.failed[OUTCOME_RESOURCES], 2);
    sweep_fixture_close(&fixture);
}

static void test_a_broken_reference_ends_the_sweep_immediately(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "broken", "broken");
    assert_false(sweep(&fixture));
    assert_int_equal(fixture.error.code, ERROR_INPUT);
    assert_non_null(strstr(fixture.error.text, "reference"));
    assert_int_equal(count_rows(&fixture, "1"), 0);
    assert_int_equal(count_runs(&fixture, "failed"), 1);
    sweep_fixture_close(&fixture);
}

static void test_an_expression_that_fails_is_a_row_with_its_location(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "division", "division");
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.failed[OUTCOME_HOST_ERROR], 1);
    assert_true(fixture.summary.progress.best_ns > 0);
    assert_int_equal(count_rows(&fixture,
                                "configuration = '{\"BLOCK\":64}' AND outcome = 'host_error' AND message LIKE "
                                "'%division.template:14:%: division by zero%'"),
                     1);
    assert_int_equal(count_rows(&fixture, "configuration = '{\"BLOCK\":128}' AND outcome = 'ok'"), 1);
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.reused, 2);
    sweep_fixture_close(&fixture);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_fault_is_recorded_with_its_outcome),
        cmocka_unit_test(test_a_sweep_without_valid_results_succeeds),
        cmocka_unit_test(test_a_broken_reference_ends_the_sweep_immediately),
        cmocka_unit_test(test_an_expression_that_fails_is_a_row_with_its_location),
    };
    return sweep_tests_main(count, arguments, "sweep, faults", tests, sizeof tests / sizeof *tests);
}
