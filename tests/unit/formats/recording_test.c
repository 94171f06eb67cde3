/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings in memory: both formats by hand, what is unfinished or odd in them, databases, errors. */
#include "tests/unit/db/fixture.h"
#include "tuner/formats/recording_file.h"

#include <math.h>
#include <zlib.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static struct recording *parse(const char *path, const char *text)
{
    struct recording *recording;
    struct error error;
    if (!recording_parse(path, text, strlen(text), &recording, &error))
        fail_msg("%s", error.text);
    return recording;
}

static void refuse(const char *text, const char *part)
{
    struct recording *recording;
    struct error error = {0};
    assert_false(recording_parse("/data/odd.json", text, strlen(text), &recording, &error));
    assert_null(recording);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" does not say \"%s\"", error.text, part);
}

#define ENTRY(configuration, invalidity, value, times)                                                               \
    "{\"configuration\":{" configuration "},\"invalidity\":\"" invalidity                                            \
    "\",\"measurements\":[{\"name\":\"GFLOP/s\",\"value\":1},{\"name\":\"time\",\"value\":" value                    \
    "}],\"times\":{" times "}}"

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

static void test_last_of_a_configuration_counts(void **state)
{
    (void)state;
    struct recording *recording = parse("two.json", "{\"results\":["                              /**/
                                        ENTRY("\"x\":1", "correct", "5", "\"compilation\":1") "," /**/
                                        ENTRY("\"x\":2", "correct", "6", "\"compilation\":1") "," /**/
                                        ENTRY("\"x\":1.0", "correct", "7", "\"compilation\":1") "]}");
    assert_int_equal(recording->count, 2);
    assert_near(recording->results[0].time_ns, 7e6, 1e-6);
    recording_free(recording);
}

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

static void test_errors(void **state)
{
    (void)state;
    refuse("", "invalid JSON");
    refuse("[1]", "is not a recording");
    refuse("{\"results\":[]}", "no results");
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
    refuse("{\"ConfigurationSpace\":{}}", "is a T1 file");
    refuse(CACHE_HEAD "\"1\": {\"x\": 1}}}", "cache[\"1\"]: it has neither \"time\" nor \"__error__\"");
    refuse(CACHE_HEAD "\"1\": {\"x\": 1, \"time\": \"late\"}}}", "unknown failure \"late\"");
    refuse(CACHE_HEAD "\"1\": 7}}", "cache[\"1\"]: it is not an object");
}

static void test_place_of_what_is_not_json(void **state)
{
    (void)state;
    struct recording *recording;
    struct error error;
    static const char text[] = "{\n  \"results\": nothing\n}\n";
    assert_false(recording_parse("odd.json", text, strlen(text), &recording, &error));
    assert_string_equal(error.file, "odd.json");
    assert_int_equal(error.line, 2);
    assert_string_equal(error.excerpt, "  \"results\": nothing");
}

static void test_files(void **state)
{
    struct fixture *f = *state;
    struct recordings recordings = {0};
    char path[256];
    snprintf(path, sizeof path, "%s/odd_T4.json.gz", f->folder);
    gzFile file = gzopen(path, "wb");
    assert_true(gzwrite(file, t4, (unsigned)strlen(t4)) > 0);
    gzclose(file);
    assert_true(recordings_read(path, &recordings, &f->error));
    assert_int_equal(recordings.count, 1);
    assert_string_equal(recordings.items[0]->name, "odd");
    assert_int_equal(recordings.items[0]->count, 4);

    assert_false(recordings_read("/nonexistent/file", &recordings, &f->error));
    assert_non_null(strstr(f->error.text, "/nonexistent/file"));
    assert_false(recordings_read(f->folder, &recordings, &f->error));
    assert_int_equal(recordings.count, 1);
    recordings_clear(&recordings);
}

static void test_database(void **state)
{
    struct fixture *f = *state;
    double samples[] = {900, 1100};
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    struct evaluation success = fixture_success(1000);
    success.samples_ns = samples;
    success.sample_count = 2;
    fixture_put(f, store, run, "{\"V\":\"a\",\"X\":1}", success);
    fixture_put(f, store, run, "{\"V\":\"b\",\"Y\":2}", fixture_failure(OUTCOME_FAULT, (char[]){"illegal address"}));
    f->problem.size = "M=1,N=1,K=1";
    run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"V\":\"a\",\"X\":4}", fixture_success(3000));
    store_close(store);

    struct recordings recordings = {0};
    if (!recordings_read(f->path, &recordings, &f->error))
        fail_msg("%s", f->error.text);
    assert_int_equal(recordings.count, 2);
    const struct recording *first = recordings.items[0];
    assert_string_equal(first->name, "gemm M=1024,N=1024,K=1024 on Imaginary 100");
    assert_string_equal(first->kernel, "gemm");
    assert_string_equal(first->device, "Imaginary 100");
    assert_string_equal(first->size, "M=1024,N=1024,K=1024");
    assert_int_equal(first->count, 2);
    assert_int_equal(first->parameter_count, 3);
    static const uint16_t rows[] = {0, 0, 0, 1, 1, 1};
    assert_memory_equal(first->rows, rows, sizeof rows);
    assert_int_equal(first->parameters[1].values[1].kind, VALUE_UNSET);
    assert_near(first->results[0].time_ns, 1000, 0);
    assert_near(recorded_cost(&first->results[0]), 0.875, 1e-12);
    assert_int_equal(first->results[0].sample_count, 2);
    assert_near(first->results[0].samples_ns[1], 1100, 0);
    assert_int_equal(first->results[1].outcome, OUTCOME_FAULT);
    assert_string_equal(first->results[1].message, "illegal address");
    assert_int_equal(recordings.items[1]->count, 1);
    recordings_clear(&recordings);
}

static void test_empty_database(void **state)
{
    struct fixture *f = *state;
    store_close(fixture_open(f));
    struct recordings recordings = {0};
    assert_false(recordings_read(f->path, &recordings, &f->error));
    assert_error(f, "no evaluations");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_t4),
        cmocka_unit_test(test_last_of_a_configuration_counts),
        cmocka_unit_test(test_kernel_tuner_cache),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_place_of_what_is_not_json),
        unit(test_files),
        unit(test_database),
        unit(test_empty_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
