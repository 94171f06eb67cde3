/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluating one configuration outside a sweep. */
#include "tests/unit/engine/sweep_fixture.h"

static void evaluate(struct sweep_fixture *fixture, size_t index, struct evaluation *evaluation, bool *from_cache)
{
    const struct single_options options = {.crew = fixture->options.crew, .seed = fixture->options.seed};
    if (!evaluate_single(fixture->problem, index, &options, evaluation, from_cache, &fixture->error))
        print_and_fail(&fixture->error);
}

static void test_a_single_evaluation(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    struct evaluation evaluation = {0};
    bool from_cache = true;
    sweep_fixture_open(&fixture, "scale", "blocks");
    for (int round = 0; round < 2; round++) { /* the second reuses the first's cached image */
        evaluate(&fixture, 5, &evaluation, &from_cache);
        assert_int_equal(evaluation.outcome, OUTCOME_OK);
        assert_true(evaluation.time_ns > 0);
        assert_int_equal(from_cache, round == 1);
        evaluation_clear(&evaluation);
    }
    fixture.options.crew.no_cache = true;
    evaluate(&fixture, 5, &evaluation, &from_cache);
    assert_true(evaluation.outcome == OUTCOME_OK && evaluation.compile_seconds > 0 && !from_cache);
    evaluation_clear(&evaluation);
    sweep_fixture_close(&fixture);
}

static void test_a_configuration_that_does_not_compile(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    struct evaluation evaluation = {0};
    bool from_cache;
    sweep_fixture_open(&fixture, "faults", "faults");
    evaluate(&fixture, 1, &evaluation, &from_cache);
    assert_int_equal(evaluation.outcome, OUTCOME_COMPILE_ERROR);
    evaluation_clear(&evaluation);
    sweep_fixture_close(&fixture);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_single_evaluation),
        cmocka_unit_test(test_a_configuration_that_does_not_compile),
    };
    return sweep_tests_main(count, arguments, "single", tests, sizeof tests / sizeof *tests);
}
