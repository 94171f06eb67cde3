/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/recording_fixture.h"

/* Three of five are valid; the fourth is the first of the fastest, and a failure with a smaller time does not count.
 */
static void test_best(void **state)
{
    (void)state;
    struct recorded_result results[] = {{.outcome = OUTCOME_OK, .time_ns = 5},
                                        {.outcome = OUTCOME_FAULT, .time_ns = 0},
                                        {.outcome = OUTCOME_TIMEOUT, .time_ns = 1},
                                        {.outcome = OUTCOME_OK, .time_ns = 3},
                                        {.outcome = OUTCOME_OK, .time_ns = 3}};
    struct recording recording = {.results = results, .count = 5};
    size_t index = 99;
    assert_int_equal(recording_valid_count(&recording), 3);
    assert_true(recording_best(&recording, &index));
    assert_int_equal(index, 3);
    recording.results++;
    recording.count = 2;
    assert_int_equal(recording_valid_count(&recording), 0);
    assert_false(recording_best(&recording, &index));
    recording.count = 0;
    assert_false(recording_best(&recording, &index));
}

static void test_cost(void **state)
{
    (void)state;
    struct recorded_result result = {
        .compile_seconds = 1, .validate_seconds = 0.5, .measure_seconds = 0.25, .framework_seconds = 100};
    assert_true(recorded_cost(&result) == 1.75);
}

static void test_append(void **state)
{
    (void)state;
    struct recordings recordings = {0};
    struct recording *items[20];
    struct error error;
    for (size_t i = 0; i < 20; i++) {
        items[i] = calloc(1, sizeof **items);
        assert_true(recordings_append(&recordings, items[i], &error));
    }
    assert_int_equal(recordings.count, 20);
    for (size_t i = 0; i < 20; i++)
        assert_ptr_equal(recordings.items[i], items[i]);
    recordings_clear(&recordings);
    assert_null(recordings.items);
    assert_int_equal(recordings.count, 0);
    recording_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_append),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
