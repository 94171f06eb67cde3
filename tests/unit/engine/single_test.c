/* SPDX-License-Identifier: Apache-2.0 */
/* One configuration outside a sweep. */
#include "tests/unit/engine/sweep_fixture.h"

static void test_single(void **state)
{
    (void)state;
    struct desk desk;
    struct evaluation evaluation = {0};
    void *image = NULL;
    size_t bytes = 0;
    open_desk(&desk, "scale", "blocks");
    desk.options.crew.no_cache = true;
    if (!evaluate_single(desk.problem, 5,
                         &(struct single_options){.crew = desk.options.crew, .seed = desk.options.seed}, &image,
                         &bytes, &evaluation, &desk.error))
        print_and_fail(&desk.error);
    assert_int_equal(evaluation.outcome, OUTCOME_OK);
    assert_true(evaluation.time_ns > 0 && evaluation.compile_seconds > 0);
    assert_non_null(image);
    assert_true(bytes > 0);
    evaluation_clear(&evaluation);

    if (!evaluate_single(desk.problem, 5,
                         &(struct single_options){.crew = desk.options.crew, .seed = desk.options.seed}, &image,
                         &bytes, &evaluation, &desk.error))
        print_and_fail(&desk.error);
    assert_int_equal(evaluation.outcome, OUTCOME_OK);
    assert_true(evaluation.compile_seconds == 0); /* it had the image */
    evaluation_clear(&evaluation);
    free(image);
    close_desk(&desk);
}

static void test_single_that_does_not_compile(void **state)
{
    (void)state;
    struct desk desk;
    struct evaluation evaluation = {0};
    void *image = NULL;
    size_t bytes = 0;
    open_desk(&desk, "faults", "faults");
    if (!evaluate_single(desk.problem, 1,
                         &(struct single_options){.crew = desk.options.crew, .seed = desk.options.seed}, &image,
                         &bytes, &evaluation, &desk.error))
        print_and_fail(&desk.error);
    assert_int_equal(evaluation.outcome, OUTCOME_COMPILE_ERROR);
    assert_null(image);
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
