/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluations as JSON: every field survives, including numbers JSON cannot express and invalid UTF-8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/evaluation/evaluation.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* To JSON text and back. */
static struct evaluation round_trip(const struct evaluation *evaluation)
{
    json_t *json = evaluation_to_json(evaluation);
    assert_non_null(json);
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    assert_non_null(text);
    json = json_loads(text, 0, NULL);
    free(text);
    assert_non_null(json);
    struct evaluation back;
    struct error error;
    assert_true(evaluation_from_json(json, &back, &error));
    json_decref(json);
    return back;
}

static void all_fields_survive(void **state)
{
    (void)state;
    double samples[] = {3.5, INFINITY, 0.1};
    struct evaluation evaluation = {
        .outcome = OUTCOME_WRONG_RESULT,
        .message = (char *)"C[3]: got \"1\"\n",
        .time_ns = 0.1,
        .time_low_ns = 1e-300,
        .time_high_ns = 1e300,
        .samples_ns = samples,
        .sample_count = 3,
        .error_ratio = INFINITY,
        .resources = {40, -1, 49152, 1024, NAN},
        .spill_bytes = INT64_MAX,
        .state = {1980, 2619, -1, INT64_MIN, 4},
        .compile_seconds = 0.25,
        .validate_seconds = -INFINITY,
        .measure_seconds = 7,
        .throttled = 12,
        .energy_j = 0.125,
        .energy_error_j = 0.001,
        .uuid = "GPU-01234567-89ab-cdef-0123-456789abcdef",
        .seed = UINT64_MAX,
    };
    struct evaluation back = round_trip(&evaluation);
    assert_int_equal(back.outcome, OUTCOME_WRONG_RESULT);
    assert_string_equal(back.message, "C[3]: got \"1\"\n");
    assert_true(back.time_ns == 0.1 && back.time_low_ns == 1e-300 && back.time_high_ns == 1e300);
    assert_int_equal(back.sample_count, 3);
    assert_true(back.samples_ns[0] == 3.5 && isinf(back.samples_ns[1]) && back.samples_ns[2] == 0.1);
    assert_true(isinf(back.error_ratio) && back.error_ratio > 0);
    assert_int_equal(back.resources.registers, 40);
    assert_int_equal(back.resources.local_bytes, -1);
    assert_int_equal(back.resources.shared_bytes, 49152);
    assert_int_equal(back.resources.max_threads, 1024);
    assert_true(isnan(back.resources.occupancy));
    assert_true(back.spill_bytes == INT64_MAX);
    assert_int_equal(back.state.sm_clock_mhz, 1980);
    assert_int_equal(back.state.memory_clock_mhz, 2619);
    assert_int_equal(back.state.temperature_c, -1);
    assert_true(back.state.power_mw == INT64_MIN);
    assert_int_equal(back.state.throttle_reasons, 4);
    assert_true(back.compile_seconds == 0.25 && back.measure_seconds == 7);
    assert_true(isinf(back.validate_seconds) && back.validate_seconds < 0);
    assert_int_equal(back.throttled, 12);
    assert_true(back.energy_j == 0.125 && back.energy_error_j == 0.001);
    assert_string_equal(back.uuid, "GPU-01234567-89ab-cdef-0123-456789abcdef");
    assert_true(back.seed == UINT64_MAX);
    evaluation_clear(&back);
    assert_null(back.message);
    assert_null(back.samples_ns);
}

static void an_empty_evaluation_survives(void **state)
{
    (void)state;
    struct evaluation evaluation = {0};
    struct evaluation back = round_trip(&evaluation);
    assert_int_equal(back.outcome, OUTCOME_OK);
    assert_string_equal(back.message, "");
    assert_int_equal(back.sample_count, 0);
    evaluation_clear(&back);
}

static void invalid_utf8_is_replaced(void **state)
{
    (void)state;
    struct evaluation evaluation = {.message = (char *)"bad \xff byte"};
    struct evaluation back = round_trip(&evaluation);
    assert_string_equal(back.message, "bad \xef\xbf\xbd byte");
    evaluation_clear(&back);
    evaluation.message = (char *)"\xc2\xb5s";
    back = round_trip(&evaluation);
    assert_string_equal(back.message, "\xc2\xb5s");
    evaluation_clear(&back);
}

static void malformed_json_is_an_error(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        "[]",
        "{\"outcome\": \"no such\", \"message\": \"\"}",
        "{\"outcome\": \"ok\"}",
        "{\"outcome\": \"ok\", \"message\": \"\", \"uuid\": \"\", \"seed\": \"1\", \"time_ns\": \"many\"}",
        "{\"outcome\": \"ok\", \"message\": \"\", \"uuid\": \"\", \"seed\": 1}",
        "{\"outcome\": \"ok\", \"message\": \"\", \"uuid\": \"\", \"seed\": \"99999999999999999999\"}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_t *json = json_loads(texts[i], 0, NULL);
        struct evaluation evaluation;
        struct error error = {0};
        assert_false(evaluation_from_json(json, &evaluation, &error));
        assert_int_equal(error.code, ERROR_MESSAGE);
        assert_null(evaluation.message);
        json_decref(json);
    }
}

/* What each field of a valid evaluation, of one microsecond, must not be. */
static void impossible_values_are_found(void **state)
{
    (void)state;
    double good[] = {1000, 1001}, bad[] = {1000, NAN};
    const struct evaluation valid = {.time_ns = 1000,
                                     .time_low_ns = 990,
                                     .time_high_ns = INFINITY, /* too few samples for an upper end */
                                     .samples_ns = good,
                                     .sample_count = 2,
                                     .error_ratio = 0.5,
                                     .energy_j = -1};
    struct error error = {0};
    assert_true(evaluation_check(&valid, &error));
    struct evaluation wrong[] = {valid, valid, valid, valid, valid, valid, valid, valid, valid, valid, valid};
    wrong[0].time_ns = 0;
    wrong[1].time_ns = -1000;
    wrong[2].time_ns = INFINITY;
    wrong[3].time_low_ns = 1001;
    wrong[4].time_high_ns = 999;
    wrong[5].samples_ns = bad;
    wrong[6].error_ratio = 1.5;
    wrong[7].resources.occupancy = 1.5;
    wrong[8].measure_seconds = NAN;
    wrong[9].transient = 1;
    wrong[10].outcome = OUTCOME_FAULT; /* with a time */
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (evaluation_check(&wrong[i], &error))
            fail_msg("case %zu", i);
        assert_int_equal(error.code, ERROR_MESSAGE);
    }
    const struct evaluation failed = {.outcome = OUTCOME_WRONG_RESULT, .error_ratio = INFINITY};
    assert_true(evaluation_check(&failed, &error));
}

static void outcomes_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        enum outcome found = OUTCOME_COUNT;
        assert_true(outcome_find(outcome_name((enum outcome)i), &found));
        assert_int_equal(found, i);
        assert_true(strlen(outcome_meaning((enum outcome)i)) > 0);
    }
    enum outcome found;
    assert_false(outcome_find("fine", &found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_fields_survive),          cmocka_unit_test(an_empty_evaluation_survives),
        cmocka_unit_test(invalid_utf8_is_replaced),    cmocka_unit_test(malformed_json_is_an_error),
        cmocka_unit_test(impossible_values_are_found), cmocka_unit_test(outcomes_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
