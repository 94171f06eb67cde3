/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows of the database answer for an evaluation that would be made now. */
#include "tests/unit/fixture.h"
#include "tuner/engine/answer.h"
#include "tuner/space/limits.h"

static bool is_answer(const char *objective, const struct store_row *row, const char *awkward)
{
    const struct answer_demand demand = {objective_find(objective), NULL, 10, 20, NULL, NULL};
    return answers(&demand, row, awkward);
}

/* With deadlines of 10 s to compile and 20 s to measure. */
static void deadlines_and_energy(void **state)
{
    (void)state;
    static const struct {
        enum outcome outcome;
        double energy_j, deadline_seconds, seconds; /* seconds: that it took, which do not matter */
        bool for_time, for_energy;
    } cases[] = {
        {OUTCOME_OK, 0, 0, 1, true, false},
        {OUTCOME_OK, 0.5, 0, 1, true, true},
        {OUTCOME_OK, 0.5, 0, 100, true, true}, /* longer than now allowed, but done */
        {OUTCOME_WRONG_RESULT, 0, 0, 1, true, true},
        {OUTCOME_CRASH, 0, 0, 100, true, true},
        {OUTCOME_COMPILE_TIMEOUT, 0, 10, 10, true, true},
        {OUTCOME_COMPILE_TIMEOUT, 0, 9, 9, false, false}, /* one more second may suffice */
        {OUTCOME_COMPILE_TIMEOUT, 0, 60, 60, true, true},
        {OUTCOME_TIMEOUT, 0, 20, 20, true, true},
        {OUTCOME_TIMEOUT, 0, 10, 10, false, false},
        {OUTCOME_TIMEOUT, 0, 10, 31, false, false}, /* with what a worker that was lost had spent on it before */
        {OUTCOME_TIMEOUT, 0, 0, 60, false, false},  /* its deadline is unknown */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct store_row row = {
            .outcome = cases[i].outcome,
            .awkward = "",
            .energy_j = cases[i].energy_j,
            .deadline_seconds = cases[i].deadline_seconds,
            .compile_seconds = cases[i].seconds,
            .measure_seconds = cases[i].seconds,
        };
        assert_int_equal(is_answer("time", &row, ""), cases[i].for_time);
        assert_int_equal(is_answer("energy", &row, ""), cases[i].for_energy);
    }
}

static void failures_that_may_not_recur(void **state)
{
    (void)state;
    static const enum outcome outcomes[] = {OUTCOME_CRASH, OUTCOME_COMPILE_CRASH, OUTCOME_MEMORY, OUTCOME_TIMEOUT};
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
        struct store_row row = {.outcome = outcomes[i], .awkward = "", .deadline_seconds = 60};
        assert_true(is_answer("time", &row, ""));
        row.transient = 1;
        assert_false(is_answer("time", &row, ""));
    }
}

/* Validated then and to be validated now: both at the tuned sizes, and at these. */
static void awkward_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *then, *now;
        bool valid, failure; /* is such a row an answer? */
    } cases[] = {
        {"", "", true, true},
        {"n=7", "n=7", true, true},
        {"n=7", "", true, false}, /* it may have failed at n=7, where nobody looks now */
        {"", "n=7", false, true}, /* it failed at the tuned sizes already */
        {"n=7", "n=9", false, false},
        {STORE_AWKWARD_UNKNOWN, "", false, false}, /* of an older schema */
        {STORE_AWKWARD_UNKNOWN, "n=7", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct store_row row = {.outcome = OUTCOME_OK, .awkward = cases[i].then};
        assert_int_equal(is_answer("time", &row, cases[i].now), cases[i].valid);
        for (int kind = OUTCOME_OK + 1; kind < OUTCOME_COUNT; kind++) {
            if (kind == OUTCOME_LIMIT) /* which says nothing without limits */
                continue;
            row.outcome = (enum outcome)kind;
            row.deadline_seconds = 60;
            assert_int_equal(is_answer("time", &row, cases[i].now), cases[i].failure);
        }
    }
}

/* What was not measured because of a limit answers as long as its image is outside one. */
static void limits(void **state)
{
    (void)state;
    static const struct {
        const char *limit;
        bool answers;
    } cases[] = {{NULL, false}, {"registers <= 64", true}, {"registers <= 80", false}, {"time < 1e-9", false}};
    const struct store_row row = {.outcome = OUTCOME_LIMIT, .awkward = "", .transient = 1, .registers = 80};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct limits *limits = NULL;
        struct error error;
        struct objective objective = *objective_find("time");
        assert_true(!cases[i].limit || limits_parse(&cases[i].limit, 1, &limits, &error));
        objective.limits = limits;
        const struct answer_demand demand = {&objective, NULL, 10, 20, NULL, NULL};
        assert_int_equal(answers(&demand, &row, ""), cases[i].answers);
        limits_free(limits);
    }
}

static void whether_a_row_stands_for_a_configuration(void **state)
{
    (void)state;
    static const char template_text[] = "template t\nsize n = 64\nawkward n = 7\nparameter A\nsource \"k.cu\"\n"
                                        "buffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\n"
                                        "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n";
    struct fixture fixture;
    fixture_create(&fixture, template_text, "space s of t\nparam A = [0, 1]\nwhere A == 0 or n == 64\n");
    const struct store_row row = {.outcome = OUTCOME_OK, .awkward = ""};
    bool stands = true;
    assert_success(answer_stands(fixture.problem, 0, &row, &stands, &fixture.error), &fixture.error);
    assert_false(stands);
    assert_success(answer_stands(fixture.problem, 1, &row, &stands, &fixture.error), &fixture.error);
    assert_true(stands);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deadlines_and_energy),
        cmocka_unit_test(failures_that_may_not_recur),
        cmocka_unit_test(awkward_sizes),
        cmocka_unit_test(limits),
        cmocka_unit_test(whether_a_row_stands_for_a_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
