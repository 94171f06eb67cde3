/* SPDX-License-Identifier: Apache-2.0 */
/* One configuration outside a sweep. */
#include "tests/unit/engine/sweep_fixture.h"

static void evaluate(struct desk *desk, size_t index, struct evaluation *evaluation, bool *from_cache)
{
    const struct single_options options = {.crew = desk->options.crew, .seed = desk->options.seed};
    if (!evaluate_single(desk->problem, index, &options, evaluation, from_cache, &desk->error))
        print_and_fail(&desk->error);
}

static void test_single(void **state)
{
    (void)state;
    struct desk desk;
    struct evaluation evaluation = {0};
    bool from_cache = true;
    open_desk(&desk, "scale", "blocks");
    for (int round = 0; round < 2; round++) { /* the second finds the first's image */
        evaluate(&desk, 5, &evaluation, &from_cache);
        assert_int_equal(evaluation.outcome, OUTCOME_OK);
        assert_true(evaluation.time_ns > 0);
        assert_int_equal(from_cache, round == 1);
        evaluation_clear(&evaluation);
    }
    desk.options.crew.no_cache = true;
    evaluate(&desk, 5, &evaluation, &from_cache);
    assert_true(evaluation.outcome == OUTCOME_OK && evaluation.compile_seconds > 0 && !from_cache);
    evaluation_clear(&evaluation);
    close_desk(&desk);
}

static void test_single_that_does_not_compile(void **state)
{
    (void)state;
    struct desk desk;
    struct evaluation evaluation = {0};
    bool from_cache;
    open_desk(&desk, "faults", "faults");
    evaluate(&desk, 1, &evaluation, &from_cache);
    assert_int_equal(evaluation.outcome, OUTCOME_COMPILE_ERROR);
    evaluation_clear(&evaluation);
    close_desk(&desk);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single),
        cmocka_unit_test(test_single_that_does_not_compile),
    };
    return sweep_tests_main(count, arguments, "single", tests, sizeof tests / sizeof *tests);
}
