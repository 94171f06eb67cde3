/* SPDX-License-Identifier: Apache-2.0 */
/* Predicted compile times, and the compile order based on them. */
#include "tests/unit/fixture.h"

#include "tuner/engine/expectation.h"
#include "tuner/workers/candidate.h"

#include <math.h>
#include <stdlib.h>

#define TEMPLATE                                                                                                     \
    "template t\nsize n = 4\nparameter A\nparameter B\nsource \"k.cu\"\nbuffer y : float[n] out\n"                   \
    "launch { k<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

/* Times that are a product of one factor per parameter are predicted exactly after a balanced design. */
static void test_products_are_predicted(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, TEMPLATE, "space s of t\nparam A = range(1, 9)\nparam B = range(1, 6)\n");
    const struct search_space *space = problem_search_space(fixture.problem);
    struct expectation *expectation = expectation_create(space);
    assert_non_null(expectation);
    assert_true(expectation_of(expectation, 0) == 0);
    for (size_t i = 0; i < search_space_count(space); i++) {
        uint16_t point[2];
        search_space_point(space, i, point);
        expectation_learn(expectation, i, 0.1 * (1 + point[0]) * (1 + point[1]));
    }
    expectation_learn(expectation, 0, 0);
    expectation_learn(expectation, 0, -1);
    for (size_t i = 0; i < search_space_count(space); i++) {
        uint16_t point[2];
        search_space_point(space, i, point);
        assert_true(fabs(expectation_of(expectation, i) / (0.1 * (1 + point[0]) * (1 + point[1])) - 1) < 1e-9);
    }
    expectation_free(expectation);
    fixture_free(&fixture);
}

static void test_the_longest_is_compiled_first(void **state)
{
    (void)state;
    static const double seconds[] = {2, 5, 1, 5, 9, 0};
    static const size_t expected[] = {4, 1, 3, 0, 2, 5};
    struct candidate candidates[6] = {{0}};
    struct candidate_queue queue = {0};
    for (size_t i = 0; i < 6; i++) {
        candidates[i].index = i;
        candidates[i].expected_seconds = seconds[i];
        candidate_push(&queue, &candidates[i]);
    }
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(candidate_pop_longest(&queue)->index, expected[i]);
        assert_int_equal(queue.count, 5 - i);
    }
    assert_null(candidate_pop_longest(&queue));
    candidate_push(&queue, &candidates[0]); /* the queue's tail must be right */
    candidate_push(&queue, &candidates[4]);
    assert_ptr_equal(candidate_pop_longest(&queue), &candidates[4]);
    candidate_push(&queue, &candidates[1]);
    assert_ptr_equal(candidate_pop(&queue), &candidates[0]);
    assert_ptr_equal(candidate_pop(&queue), &candidates[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products_are_predicted),
        cmocka_unit_test(test_the_longest_is_compiled_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
