/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/workers/crew_fixture.h"

#include "tuner/cluster/outings.h"

enum { MANY = 200 }; /* more than there are places at first */

static uint64_t goes_out(struct outings *outings, size_t index, size_t member)
{
    uint64_t token = 0;
    assert_true(outings_add(outings, candidate("source.cu", index), member, &token, NULL));
    return token;
}

static void comes_back(struct candidate *candidate, size_t index)
{
    assert_non_null(candidate);
    assert_int_equal(candidate->index, index);
    candidate_free(candidate);
}

static void test_a_candidate_comes_back_once_and_from_where_it_went(void **state)
{
    (void)state;
    struct outings outings = {0};
    uint64_t tokens[MANY];
    for (size_t i = 0; i < MANY; i++)
        tokens[i] = goes_out(&outings, i, i % 3);
    for (size_t i = MANY; i-- > 0;) {
        assert_null(outings_take(&outings, (i + 1) % 3, tokens[i]));
        comes_back(outings_take(&outings, i % 3, tokens[i]), i);
        assert_null(outings_take(&outings, i % 3, tokens[i]));
    }
    assert_null(outings_take(&outings, 0, UINT64_MAX));
    outings_clear(&outings);
}

static void test_a_place_that_is_taken_again_has_another_token(void **state)
{
    (void)state;
    struct outings outings = {0};
    uint64_t first = goes_out(&outings, 1, 0);
    comes_back(outings_take(&outings, 0, first), 1);
    uint64_t second = goes_out(&outings, 2, 0);
    assert_null(outings_take(&outings, 0, first));
    comes_back(outings_take(&outings, 0, second), 2);
    outings_clear(&outings);
}

static void test_all_of_one_member_come_back(void **state)
{
    (void)state;
    struct outings outings = {0};
    goes_out(&outings, 1, 0);
    goes_out(&outings, 2, 1);
    goes_out(&outings, 3, 0);
    size_t sum = 0;
    for (struct candidate *candidate; (candidate = outings_take_any(&outings, 0));) {
        sum += candidate->index;
        candidate_free(candidate);
    }
    assert_int_equal(sum, 1 + 3);
    outings_clear(&outings); /* which has the second */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_candidate_comes_back_once_and_from_where_it_went),
        cmocka_unit_test(test_a_place_that_is_taken_again_has_another_token),
        cmocka_unit_test(test_all_of_one_member_come_back),
    };
    return cmocka_run_group_tests_name("outings", tests, NULL, NULL);
}
