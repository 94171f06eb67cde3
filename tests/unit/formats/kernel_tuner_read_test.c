/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/recording_fixture.h"

#include "tuner/formats/kernel_tuner_read.h"

#define CACHE_HEAD                                                                                                   \
    "{\"device_name\":\"GPU\",\"kernel_name\":\"add\",\"problem_size\":[64,2],\"tune_params_keys\":[\"x\"],"         \
    "\"tune_params\":{\"x\":[1,2,3]},\"cache\":{\n"
#define CACHE_ONE                                                                                                    \
    "\"1\": {\"x\": 1, \"time\": 4.0, \"times\": [3.0, 5.0], \"compile_time\": 100.0, \"verification_time\": 10, "   \
    "\"benchmark_time\": 8.5, \"GFLOP/s\": 3, \"timestamp\": \"2026-01-01\"}"
#define CACHE_TWO "\"2\": {\"x\": 2, \"time\": \"\", \"__error__\": \"InvalidConfig\", \"compile_time\": 1.0}"

static void check_cache(const char *text, size_t count)
{
    struct recording *recording = parse("add_kerneltuner_cache.json", text);
    assert_string_equal(recording->name, "add");
    assert_string_equal(recording->kernel, "add");
    assert_string_equal(recording->device, "GPU");
    assert_string_equal(recording->size, "64x2");
    assert_int_equal(recording->count, count);
    assert_near(recording->results[0].time_ns, 4e6, 1e-6);
    assert_near(recorded_cost(&recording->results[0]), 0.1185, 1e-12);
    assert_string_equal(recording->results[0].timestamp, "2026-01-01");
    if (count > 1) {
        assert_int_equal(recording->results[1].outcome, OUTCOME_RESOURCES);
        assert_string_equal(recording->results[1].message, "InvalidConfig");
    }
    recording_free(recording);
}

/* As Kernel Tuner leaves it while it runs, when it was killed between two entries, and in the middle of one. */
static void test_kernel_tuner_cache(void **state)
{
    (void)state;
    check_cache(CACHE_HEAD CACHE_ONE ",\n" CACHE_TWO "}\n}", 2);
    check_cache(CACHE_HEAD CACHE_ONE ",\n" CACHE_TWO ",", 2);
    check_cache(CACHE_HEAD CACHE_ONE ",\n" CACHE_TWO ",\n", 2);
    check_cache(CACHE_HEAD CACHE_ONE ",\n" CACHE_TWO, 2);
    check_cache(CACHE_HEAD CACHE_ONE ",\n\"2\": {\"x\": 2, \"ti", 1);
}

static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *json, *size;
    } cases[] = {{"7", "7"}, {"[7]", "7"}, {"[1, 2, 3]", "1x2x3"}, {"\"N=7\"", "N=7"}, {"null", ""},
                 {"[]", ""}, {"1.5", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, "{\"problem_size\":%s,\"tune_params_keys\":[\"x\"],\"cache\":{" CACHE_ONE "}}",
                 cases[i].json);
        struct recording *recording = parse("a.json", text);
        assert_string_equal(recording->size, cases[i].size);
        recording_free(recording);
    }
}

static void test_failures(void **state)
{
    (void)state;
    enum outcome outcome;
    assert_true(kernel_tuner_failure("InvalidConfig", &outcome) && outcome == OUTCOME_RESOURCES);
    assert_true(kernel_tuner_failure("CompilationFailedConfig", &outcome) && outcome == OUTCOME_COMPILE_ERROR);
    assert_true(kernel_tuner_failure("RuntimeFailedConfig", &outcome) && outcome == OUTCOME_LAUNCH_ERROR);
    assert_true(kernel_tuner_failure("ErrorConfig", &outcome) && outcome == OUTCOME_LAUNCH_ERROR);
    assert_false(kernel_tuner_failure("invalidconfig", &outcome));
    assert_false(kernel_tuner_failure("", &outcome));
    assert_true(kernel_tuner_is_time(1e-9));
    assert_true(kernel_tuner_is_time(1e18));
    assert_false(kernel_tuner_is_time(1e20));
    assert_false(kernel_tuner_is_time(0));
    assert_false(kernel_tuner_is_time(-1));
    assert_false(kernel_tuner_is_time(NAN));
    assert_false(kernel_tuner_is_time(INFINITY));
}

/* As older versions have it: the failure, or 1e20, in place of the time. */
static void test_old_failures(void **state)
{
    (void)state;
    struct recording *recording = parse(
        "a.json", CACHE_HEAD "\"1\": {\"x\": 1, \"time\": \"InvalidConfig\"}, \"2\": {\"x\": 2, \"time\": 1e20}}}");
    assert_int_equal(recording->results[0].outcome, OUTCOME_RESOURCES);
    assert_string_equal(recording->results[0].message, "InvalidConfig");
    assert_int_equal(recording->results[1].outcome, OUTCOME_LAUNCH_ERROR);
    assert_true(recording->results[1].time_ns == 0);
    recording_free(recording);
}

static void test_errors(void **state)
{
    (void)state;
    refuse(CACHE_HEAD "\"1\": {\"x\": 1}}}", "cache[\"1\"]: it has neither \"time\" nor \"__error__\"");
    refuse(CACHE_HEAD "\"1\": {\"x\": 1, \"time\": \"late\"}}}", "unknown failure \"late\"");
    refuse(CACHE_HEAD "\"1\": 7}}", "cache[\"1\"]: it is not an object");
    refuse("{\"cache\":[]}", "\"cache\" is not an object");
    refuse("{\"cache\":{}}", "\"tune_params_keys\" is not an array");
    refuse("{\"cache\":{},\"tune_params_keys\":[1]}", "tune_params_keys[0] is not a string");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel_tuner_cache), cmocka_unit_test(test_sizes),  cmocka_unit_test(test_failures),
        cmocka_unit_test(test_old_failures),       cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
