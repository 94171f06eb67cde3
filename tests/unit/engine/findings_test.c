/* SPDX-License-Identifier: Apache-2.0 */
/* Which database rows can replace an evaluation in this sweep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/engine/findings.h"

#include <math.h>

static const struct {
    enum outcome outcome;
    double energy_j, compile_seconds, measure_seconds;
    bool for_time, for_energy; /* usable with deadlines of 10 s to compile and 20 s to measure */
} cases[] = {
    {OUTCOME_OK, 0, 1, 1, true, false},
    {OUTCOME_OK, 0.5, 1, 1, true, true},
    {OUTCOME_WRONG_RESULT, 0, 1, 1, true, true},
    {OUTCOME_CRASH, 0, 100, 100, true, true},
    {OUTCOME_COMPILE_TIMEOUT, 0, 10, 0, true, true},
    {OUTCOME_COMPILE_TIMEOUT, 0, 9, 0, false, false}, /* one more second may suffice */
    {OUTCOME_COMPILE_TIMEOUT, 0, 60, 0, true, true},
    {OUTCOME_TIMEOUT, 0, 1, 20, true, true},
    {OUTCOME_TIMEOUT, 0, 15, 10, false, false},
    {OUTCOME_TIMEOUT, 0, 1, 0, false, false}, /* its deadline is unknown */
};

static void test_which_rows_are_usable(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int energy = 0; energy < 2; energy++) {
            struct finding finding = {0};
            struct findings findings = {
                .demand = {objective_find(energy ? "energy" : "time"), 10, 20},
                .count = 1,
            };
            const struct store_row row = {
                .id = 7,
                .outcome = cases[i].outcome,
                .time_ns = 100,
                .time_low_ns = 90,
                .time_high_ns = 120,
                .energy_j = cases[i].energy_j,
                .compile_seconds = cases[i].compile_seconds,
                .measure_seconds = cases[i].measure_seconds,
                .lost_by = "",
            };
            bool good = energy ? cases[i].for_energy : cases[i].for_time;
            assert_int_equal(findings_load(&findings, &finding, &row), good);
            assert_int_equal(finding.state, good ? FINDING_STORED : FINDING_NONE);
            assert_int_equal(findings.stored, good);
            assert_int_equal(finding.evaluation_id, good ? 7 : 0);
        }
    }
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
        findings_make(&findings, &finding, &evaluation);
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
    struct error error;
    struct finding *found[4];
    struct findings findings = {.demand = {objective_find("time"), 10, 10}, .count = 4};
    for (size_t i = 0; i < 4; i++) {
        found[i] = findings_ensure(&findings, i, &error);
        assert_non_null(found[i]);
    }
    struct store_row row = {.lost_by = "time", .beaten = true, .was_final = true};
    row.time_ns = row.time_low_ns = row.time_high_ns = 1;
    assert_true(findings_load(&findings, found[0], &row));
    row.time_ns = row.time_low_ns = row.time_high_ns = 2;
    assert_true(findings_load(&findings, found[1], &row));
    row.lost_by = "energy";
    row.time_ns = row.time_low_ns = row.time_high_ns = 4;
    assert_true(findings_load(&findings, found[2], &row));
    row.lost_by = "";
    row.beaten = false;
    row.time_ns = row.time_low_ns = row.time_high_ns = 3;
    assert_true(findings_load(&findings, found[3], &row));
    static const size_t order[] = {3, 2, 0, 1};
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++)
            assert_int_equal(findings_better(&findings, order[i], order[j]), i < j);
    }
    findings_clear(&findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_rows_are_usable),
        cmocka_unit_test(test_values_and_intervals),
        cmocka_unit_test(test_beaten_finalists_rank_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
