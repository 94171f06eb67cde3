/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/recording_fixture.h"

#include "tuner/formats/ktt_read.h"

#define HEAD                                                                                                         \
    "{\"Metadata\":{\"ComputeApi\":\"CUDA\",\"Device\":\"RTX 2080\",\"TimeUnit\":\"Microseconds\","                  \
    "\"Timestamp\":\"2024-08-12 11:26:23 UTC\"},\"Results\":["
#define RESULT(status, duration, configuration)                                                                      \
    "{\"KernelName\":\"coulomb\",\"Status\":\"" status "\",\"TotalDuration\":" duration                              \
    ",\"CompilationOverhead\":2e6,\"ValidationOverhead\":5e5,\"DataMovementOverhead\":1e6,\"SearcherOverhead\":7,"   \
    "\"ComputationResults\":[],\"Configuration\":[" configuration "]}"
#define X "{\"Name\":\"X\",\"ValueType\":\"UnsignedInt\",\"Value\":16}"

static void test_results(void **state)
{
    (void)state;
    struct recording *recording =
        parse("/data/coulomb_2080.json",
              HEAD RESULT("Ok", "3037.5", X ",{\"Name\":\"SOA\",\"ValueType\":\"Bool\",\"Value\":true}") "," /**/
              RESULT("Ok", "12", X) ","                                                                      /**/
              RESULT("CompilationFailed", "0", "{\"Name\":\"X\",\"Value\":\"half\"}") "]}");
    assert_string_equal(recording->kernel, "coulomb");
    assert_string_equal(recording->device, "RTX 2080");
    assert_int_equal(recording->parameter_count, 2);
    assert_int_equal(recording->count, 3);
    assert_string_equal(recording->parameters[1].name, "SOA");
    assert_int_equal(recording->parameters[0].values[0].integer, 16);
    assert_string_equal(recording->parameters[0].values[1].string, "half");
    assert_int_equal(recording->parameters[1].values[recording->rows[3]].kind, VALUE_UNSET);

    const struct recorded_result *results = recording->results;
    assert_near(results[0].time_ns, 3037500, 1e-6);
    assert_near(results[0].compile_seconds, 2, 1e-12);
    assert_near(results[0].validate_seconds, 0.5, 1e-12);
    assert_near(results[0].measure_seconds, 3037.5e-6, 1e-15);
    assert_near(results[0].framework_seconds, 1.000007, 1e-12);
    assert_int_equal(results[0].sample_count, 0);
    assert_string_equal(results[0].timestamp, "2024-08-12 11:26:23 UTC");
    assert_string_equal(results[0].message, "");
    assert_near(results[1].time_ns, 12000, 1e-9);
    assert_int_equal(results[2].outcome, OUTCOME_COMPILE_ERROR);
    assert_string_equal(results[2].message, "CompilationFailed");
    assert_true(results[2].time_ns == 0);
    recording_free(recording);
}

static void test_statuses(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum outcome outcome;
    } cases[] = {{HEAD RESULT("ComputationFailed", "0", X) "]}", OUTCOME_LAUNCH_ERROR},
                 {HEAD RESULT("ValidationFailed", "9", X) "]}", OUTCOME_WRONG_RESULT},
                 {HEAD RESULT("DeviceLimitsExceeded", "0", X) "]}", OUTCOME_RESOURCES}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct recording *recording = parse("a.json", cases[i].text);
        assert_int_equal(recording->results[0].outcome, cases[i].outcome);
        assert_true(recording->results[0].time_ns == 0);
        recording_free(recording);
    }
}

static void test_errors(void **state)
{
    (void)state;
    refuse(HEAD RESULT("Odd", "1", X) "]}", "Results[0]: unknown Status \"Odd\"");
    refuse(HEAD RESULT("Ok", "1", X) "," RESULT("Ok", "0", X) "]}", "Results[1]: a result that is Ok needs");
    refuse(HEAD RESULT("Ok", "1", "{\"Name\":\"X\"}") "]}", "Results[0]: \"Configuration\" is no list");
    refuse(HEAD "7]}", "Results[0]: \"Configuration\" is no list");
    refuse(HEAD "{\"Configuration\":[]}]}", "Results[0]: \"Status\" is missing");
    refuse("{\"Metadata\":{\"TimeUnit\":\"Days\"},\"Results\":[]}", "\"Days\" is not a unit of time");
    refuse("{\"Metadata\":{},\"Results\":[]}", "\"\" is not a unit of time");
    refuse("{\"Metadata\":{\"TimeUnit\":\"Seconds\"},\"Results\":7}", "\"Results\" is not an array");
    refuse(HEAD RESULT("Ok", "1", "{\"Name\":\"X\",\"Value\":[1]}") "]}", "parameter X is not a number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
