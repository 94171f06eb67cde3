/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/recording_fixture.h"

#include "tuner/formats/t4_read.h"

static const char t4[] = "{\"metadata\":{\"timeunit\":\"seconds\"},\"results\":[" /**/
    ENTRY("\"x\":16,\"fast\":true,\"v\":\"a\",\"s\":0.5", "correct", "0.002",
          "\"compilation\":1,\"validation\":0.25,\"runtimes\":[0.001,0.003]") "," /**/
    ENTRY("\"x\":8,\"fast\":false,\"v\":\"b\",\"s\":1.0", "compile", "\"CompilationFailedConfig\"",
          "\"compilation\":2") "," /**/
    ENTRY("\"x\":8,\"fast\":true,\"v\":\"a\",\"s\":1", "correctness", "0.001",
          "\"compilation\":3,\"benchmark\":0.5,\"runtimes\":[0.25]") "," /**/
    ENTRY("\"x\":32,\"v\":\"a\",\"s\":1", "correct", "1e20", "\"compilation\":3") "]}";

static void test_t4(void **state)
{
    (void)state;
    struct recording *recording = parse("/data/odd_T4.json", t4);
    assert_string_equal(recording->name, "odd");
    assert_string_equal(recording->kernel, "");
    assert_int_equal(recording->parameter_count, 4);
    assert_int_equal(recording->count, 4);
    assert_int_equal(recording_valid_count(recording), 1);

    const struct dimension *parameters = recording->parameters;
    static const uint16_t rows[] = {0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 2, 2, 0, 1};
    assert_memory_equal(recording->rows, rows, sizeof rows);
    assert_int_equal(parameters[0].count, 3);
    assert_int_equal(parameters[0].values[2].integer, 32);
    assert_int_equal(parameters[1].values[0].kind, VALUE_BOOLEAN);
    assert_int_equal(parameters[1].values[2].kind, VALUE_UNSET);
    assert_string_equal(parameters[2].values[1].string, "b");
    assert_int_equal(parameters[3].count, 2); /* 1 and 1.0 are one value */

    const struct recorded_result *results = recording->results;
    assert_near(results[0].time_ns, 2e6, 1e-6);
    assert_near(recorded_cost(&results[0]), 1.254, 1e-12);
    assert_int_equal(results[0].sample_count, 2);
    assert_near(results[0].samples_ns[1], 3e6, 1e-6);
    assert_int_equal(results[1].outcome, OUTCOME_COMPILE_ERROR);
    assert_string_equal(results[1].message, "CompilationFailedConfig");
    assert_near(recorded_cost(&results[1]), 2, 1e-12);
    assert_int_equal(results[2].outcome, OUTCOME_WRONG_RESULT);
    assert_near(recorded_cost(&results[2]), 3.5, 1e-12); /* "benchmark" tells more than the run times */
    assert_int_equal(results[3].outcome, OUTCOME_LAUNCH_ERROR);
    assert_true(results[3].time_ns == 0);
    size_t best;
    assert_true(recording_best(recording, &best));
    assert_int_equal(best, 0);
    recording_free(recording);
}

/* Every unit of time: 3 of it in nanoseconds. */
static void test_units(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double time_ns;
    } units[] = {{"miliseconds", 3e6},  {"milliseconds", 3e6}, {"ms", 3e6},        {"seconds", 3e9}, {"s", 3e9},
                 {"microseconds", 3e3}, {"us", 3e3},           {"nanoseconds", 3}, {"ns", 3}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char text[512];
        snprintf(text, sizeof text, "{\"metadata\":{\"timeunit\":\"%s\",\"device\":\"GPU\"},\"results\":[%s]}",
                 units[i].name, ENTRY("\"x\":1", "correct", "3", "\"benchmark\":3,\"runtimes\":[3]"));
        struct recording *recording = parse("a.json", text);
        assert_near(recording->results[0].time_ns, units[i].time_ns, units[i].time_ns * 1e-15);
        assert_near(recording->results[0].samples_ns[0], units[i].time_ns, units[i].time_ns * 1e-15);
        assert_near(recording->results[0].measure_seconds, units[i].time_ns * 1e-9, units[i].time_ns * 1e-23);
        assert_string_equal(recording->device, "GPU");
        recording_free(recording);
    }
}

/* What KTT's script makes of its results: another name, and the unit beside it alone. */
static void test_ktt(void **state)
{
    (void)state;
    struct recording *recording = parse(
        "a.json", "{\"results\":[{\"configuration\":{\"x\":1},\"invalidity\":\"correct\",\"measurements\":[{\"name\":"
                  "\"TotalDuration\",\"value\":3,\"unit\":\"Microseconds\"}],\"times\":{\"compilation_time\":5e6,"
                  "\"runtimes\":[3]}}]}");
    assert_near(recording->results[0].time_ns, 3000, 1e-9);
    assert_near(recording->results[0].samples_ns[0], 3000, 1e-9);
    assert_near(recording->results[0].compile_seconds, 5, 1e-12);
    recording_free(recording);
}

static void test_validity(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum outcome outcome;
    } kinds[] = {{"compile", OUTCOME_COMPILE_ERROR}, {"runtime", OUTCOME_LAUNCH_ERROR},
                 {"timeout", OUTCOME_TIMEOUT},       {"correctness", OUTCOME_WRONG_RESULT},
                 {"constraints", OUTCOME_RESOURCES}, {"constraint", OUTCOME_RESOURCES}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "{\"results\":[{\"configuration\":{\"x\":1},\"invalidity\":\"%s\",\"timestamp\":\"now\"}]}",
                 kinds[i].name);
        struct recording *recording = parse("a.json", text);
        assert_int_equal(recording->results[0].outcome, kinds[i].outcome);
        assert_true(recording->results[0].time_ns == 0);
        assert_string_equal(recording->results[0].timestamp, "now");
        recording_free(recording);
    }
}

static void test_errors(void **state)
{
    (void)state;
    refuse("{\"results\":{}}", "\"results\" is not an array");
    refuse("{\"results\":[{}]}", "results[0]: \"configuration\" is missing");
    refuse("{\"results\":[{\"configuration\":{\"x\":1}}]}", "results[0]: \"invalidity\" is missing");
    refuse("{\"results\":[" ENTRY("\"x\":1", "odd", "1", "") "]}", "unknown invalidity \"odd\"");
    refuse("{\"results\":[" ENTRY("\"x\":1", "correct", "\"fast\"", "") "]}", "needs a measurement \"time\"");
    refuse("{\"results\":[" ENTRY("\"x\":[1]", "correct", "1", "") "]}",
           "parameter x is not a number, string or boolean");
    refuse("{\"results\":[" ENTRY("\"x\":1", "correct", "1", "\"runtimes\":[\"a\"]") "]}",
           "sample 1 is not a number");
    refuse("{\"metadata\":{\"timeunit\":\"fortnights\"},\"results\":[]}", "\"fortnights\" is not a unit of time");
}

/* Equal values are one entry; what is no entry, or only part of one, is no default. */
static void test_default(void **state)
{
    (void)state;
    static const struct {
        const char *written;
        bool known;
    } cases[] = {{"{\"x\":2.0,\"y\":\"b\"}", true},
                 {"{\"y\":\"b\",\"x\":2}", true},
                 {"{\"x\":2}", false},
                 {"{\"x\":2,\"y\":\"b\",\"z\":1}", false},
                 {"{\"x\":2,\"y\":\"c\"}", false},
                 {"\"x\"", false},
                 {"null", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, "{\"metadata\":{\"default\":%s},\"results\":[%s,%s]}", cases[i].written,
                 ENTRY("\"x\":1,\"y\":\"a\"", "correct", "5", ""), ENTRY("\"x\":2,\"y\":\"b\"", "correct", "6", ""));
        struct recording *recording = parse("default.json", text);
        assert_int_equal(recording->has_default, cases[i].known);
        assert_true(!recording->has_default || recording->default_index == 1);
        recording_free(recording);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_t4),       cmocka_unit_test(test_units),  cmocka_unit_test(test_ktt),
        cmocka_unit_test(test_validity), cmocka_unit_test(test_errors), cmocka_unit_test(test_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
