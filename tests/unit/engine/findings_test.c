/* SPDX-License-Identifier: Apache-2.0 */
/* What a sweep knows about configurations. */
#include "tests/unit/fixture.h"
#include "tuner/engine/findings.h"

#include <math.h>

static const char template_text[] = "template t\n"
                                    "size n = 64\n"
                                    "awkward n = 7\n"
                                    "parameter A\n"
                                    "source \"k.cu\"\n"
                                    "buffer y : float[n] out\n"
                                    "launch { k<<<1, 1>>>(y) }\n"
                                    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\n"
                                    "check y exact\n";
static const char space_text[] = "space s of t\nparam A = range(4)\nwhere A < 2 or n == 64\n";

/* A is 0 and 1 at n = 7, too. */
static void test_rows_that_do_not_answer_are_ignored(void **state)
{
    (void)state;
    static const struct {
        size_t index;
        const char *awkward;
        bool answers;
    } cases[] = {
        {0, "n=7", true}, {0, "", false}, {2, "", true}, {3, "n=7", true}, {0, STORE_AWKWARD_UNKNOWN, false}};
    struct fixture fixture;
    fixture_create(&fixture, template_text, space_text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct findings findings = {
            .problem = fixture.problem, .demand = {objective_find("time"), NULL, 10, 20, NULL, NULL}, .count = 4};
        const struct store_row row = {.id = 7, .time_ns = 100, .awkward = cases[i].awkward};
        assert_success(findings_load(&findings, cases[i].index, &row, &fixture.error), &fixture.error);
        assert_int_equal(findings.stored, cases[i].answers);
        assert_int_equal(findings.known, cases[i].answers);
        if (cases[i].answers) {
            assert_int_equal(findings_of(&findings, cases[i].index)->state, FINDING_STORED);
            assert_int_equal(findings_of(&findings, cases[i].index)->evaluation_id, 7);
        }
        findings_clear(&findings);
    }
    fixture_free(&fixture);
}

static void test_values_and_intervals(void **state)
{
    (void)state;
    static const struct {
        const char *objective;
        double value, low, high;
    } expected[] = {
        {"time", 2e6, 1e6, 4e6},
        {"energy", 3, 2.5, 3.5},
        {"edp", 6e-3, 2.5e-3, 14e-3},
    };
    const struct evaluation evaluation = {
        .time_ns = 2e6,
        .time_low_ns = 1e6,
        .time_high_ns = 4e6,
        .energy_j = 3,
        .energy_error_j = 0.5,
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct finding finding = {0};
        struct findings findings = {.demand.objective = objective_find(expected[i].objective)};
        findings_make(&findings, &finding, &evaluation, "{}");
        assert_true(finding.time_ns == 2e6);
        assert_true(fabs(finding.value / expected[i].value - 1) < 1e-12);
        assert_true(fabs((double)finding.low / expected[i].low - 1) < 1e-6);
        assert_true(fabs((double)finding.high / expected[i].high - 1) < 1e-6);
    }
}

/* A configuration beaten in finals by this objective ranks behind all others, whatever its time. */
static void test_beaten_finalists_rank_last(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, template_text, space_text);
    struct findings findings = {
        .problem = fixture.problem, .demand = {objective_find("time"), NULL, 10, 10, NULL, NULL}, .count = 4};
    struct store_row row = {.verdict = VERDICT_LOST, .was_final = true, .awkward = "n=7"};
    row.time_ns = row.time_low_ns = row.time_high_ns = 1;
    assert_true(findings_load(&findings, 0, &row, &fixture.error));
    row.time_ns = row.time_low_ns = row.time_high_ns = 2;
    row.verdict = VERDICT_OUTSIDE;
    assert_true(findings_load(&findings, 1, &row, &fixture.error));
    row.verdict = VERDICT_WINNER;
    row.time_ns = row.time_low_ns = row.time_high_ns = 4;
    assert_true(findings_load(&findings, 2, &row, &fixture.error));
    row.verdict = VERDICT_NONE;
    row.time_ns = row.time_low_ns = row.time_high_ns = 3;
    assert_true(findings_load(&findings, 3, &row, &fixture.error));
    static const size_t order[] = {3, 2, 0, 1};
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++)
            assert_int_equal(findings_better(&findings, order[i], order[j]), i < j);
    }
    findings_clear(&findings);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_that_do_not_answer_are_ignored),
        cmocka_unit_test(test_values_and_intervals),
        cmocka_unit_test(test_beaten_finalists_rank_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
