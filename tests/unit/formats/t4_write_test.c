/* SPDX-License-Identifier: Apache-2.0 */
/* The members of a document, and that it reads back as a recording. */
#include "tests/unit/formats/recording_fixture.h"

#include "tuner/error/text_stream.h"
#include "tuner/formats/t4_write.h"

#include <jansson.h>

static const struct store_recorded_row row = {
    .configuration = "{\"x\":16}",
    .outcome = OUTCOME_OK,
    .message = "",
    .time_ns = 2.5e6,
    .samples_ns = "[2500000,null,2600000]",
    .compile_seconds = 0.25,
    .validate_seconds = 0.5,
    .measure_seconds = 0.125,
    .framework_seconds = 0.0625,
    .measured_at = "2023-12-22T09:54:05.5Z",
};

static const char definitions[] =
    "{\"rate\":{\"text\":\"1 / time\",\"sense\":\"maximize\"},\"odd\":{\"text\":\"x\"}}";

static char *written(const struct store_recorded_row *rows, size_t count, const char *device)
{
    struct text_stream stream;
    struct error error;
    assert_true(text_stream_open(&stream, &error));
    const struct store_recorded_row any = {.device_name = device,
                                           .definitions = rows && rows->objective ? definitions : "",
                                           .default_configuration = rows ? rows->default_configuration : NULL};
    assert_true(t4_begin(stream.out, &any, &error));
    for (size_t i = 0; i < count; i++)
        assert_true(t4_row(stream.out, &rows[i], i == 0, &error));
    t4_end(stream.out);
    char *text = text_stream_close(&stream, &error);
    assert_non_null(text);
    return text;
}

/* What is no object is no default. */
static void test_default(void **state)
{
    (void)state;
    struct store_recorded_row begun = row;
    begun.default_configuration = "{\"x\":16}";
    char *text = written(&begun, 1, "GPU");
    assert_non_null(strstr(text, "\"device\": \"GPU\", \"default\": {\"x\":16}}"));
    free(text);
    begun.default_configuration = "16";
    text = written(&begun, 1, "GPU");
    assert_null(strstr(text, "default"));
    free(text);
}

/* Milliseconds; a sample that was not finite is left out. */
static void test_document(void **state)
{
    (void)state;
    char *text = written(&row, 1, "GPU \"7\"\n");
    json_t *document = json_loads(text, 0, NULL);
    json_t *expected = json_loads(
        "{\"metadata\": {\"timeunit\": \"miliseconds\", \"device\": \"GPU \\\"7\\\"\\n\"}, \"results\": [{"
        "\"timestamp\": \"2023-12-22 09:54:05.5+00:00\", \"configuration\": {\"x\": 16},"
        "\"times\": {\"compilation\": 250.0, \"benchmark\": 125.0, \"framework\": 62.5, \"search_algorithm\": 0,"
        " \"validation\": 500.0, \"runtimes\": [2.5, 2.6]}, \"invalidity\": \"correct\", \"correctness\": 1,"
        "\"measurements\": [{\"name\": \"time\", \"value\": 2.5, \"unit\": \"ms\"}], \"objectives\": [\"time\"]}],"
        "\"schema_version\": \"1.0.0\"}",
        0, NULL);
    assert_non_null(expected);
    if (!document || !json_equal(document, expected))
        fail_msg("%s", text);
    json_decref(document);
    json_decref(expected);
    free(text);
    text = written(NULL, 0, "");
    document = json_loads(text, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(document, "results")), 0);
    assert_non_null(document);
    json_decref(document);
    free(text);
}

/* Every outcome has a kind, which comes back as the nearest of the outcomes that T4 tells apart. */
static void test_outcomes(void **state)
{
    (void)state;
    static const enum outcome back[OUTCOME_COUNT] = {
        [OUTCOME_OK] = OUTCOME_OK,
        [OUTCOME_HOST_ERROR] = OUTCOME_RESOURCES,
        [OUTCOME_COMPILE_ERROR] = OUTCOME_COMPILE_ERROR,
        [OUTCOME_COMPILE_CRASH] = OUTCOME_COMPILE_ERROR,
        [OUTCOME_COMPILE_TIMEOUT] = OUTCOME_TIMEOUT,
        [OUTCOME_RESOURCES] = OUTCOME_RESOURCES,
        [OUTCOME_MEMORY] = OUTCOME_RESOURCES,
        [OUTCOME_LAUNCH_ERROR] = OUTCOME_LAUNCH_ERROR,
        [OUTCOME_FAULT] = OUTCOME_LAUNCH_ERROR,
        [OUTCOME_WRONG_RESULT] = OUTCOME_WRONG_RESULT,
        [OUTCOME_NOT_FINITE] = OUTCOME_WRONG_RESULT,
        [OUTCOME_OUT_OF_BOUNDS] = OUTCOME_WRONG_RESULT,
        [OUTCOME_TIMEOUT] = OUTCOME_TIMEOUT,
        [OUTCOME_CRASH] = OUTCOME_LAUNCH_ERROR,
        [OUTCOME_LIMIT] = OUTCOME_RESOURCES,
    };
    struct store_recorded_row rows[OUTCOME_COUNT];
    char configurations[OUTCOME_COUNT][16];
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        rows[i] = row;
        snprintf(configurations[i], sizeof configurations[i], "{\"x\":%zu}", i);
        rows[i].configuration = configurations[i];
        rows[i].outcome = (enum outcome)i;
        rows[i].samples_ns = "[]";
    }
    char *text = written(rows, OUTCOME_COUNT, "GPU");
    struct recording *recording = parse("a.json", text);
    assert_int_equal(recording->count, OUTCOME_COUNT);
    assert_string_equal(recording->device, "GPU");
    for (size_t i = 0; i < OUTCOME_COUNT; i++) {
        assert_int_equal(recording->results[i].outcome, back[i]);
        assert_near(recording->results[i].time_ns, i == OUTCOME_OK ? 2.5e6 : 0, 0);
        assert_near(recorded_cost(&recording->results[i]), 0.875, 1e-15);
    }
    recording_free(recording);
    free(text);
}

/* What a row is known to have, and what its template looks for; it all comes back. */
static void test_metrics(void **state)
{
    (void)state;
    struct store_recorded_row rows[] = {row, row, row, row};
    rows[0].energy_j = 0.25;
    rows[0].metrics = "{\"rate\":12.5,\"odd\":null}";
    rows[0].objective = rows[1].objective = rows[2].objective = rows[3].objective = "rate";
    rows[1].configuration = "{\"x\":2}";
    rows[1].metrics = "{\"rate\":7,\"odd\":-1}";
    rows[2].configuration = "{\"x\":3}";
    rows[2].metrics = "{\"rate";
    rows[3].configuration = "{\"x\":4}";
    rows[3].outcome = OUTCOME_TIMEOUT;
    rows[3].metrics = "{\"rate\":7}";
    char *text = written(rows, 4, "GPU");
    json_t *document = json_loads(text, 0, NULL), *list = json_object_get(document, "results");
    static const char *const expected[] = {
        "[{\"name\": \"time\", \"value\": 2.5, \"unit\": \"ms\"}, {\"name\": \"energy\", \"value\": 0.25, \"unit\": "
        "\"J\"}, {\"name\": \"rate\", \"value\": 12.5, \"unit\": \"\"}]",
        "[{\"name\": \"time\", \"value\": 2.5, \"unit\": \"ms\"}, {\"name\": \"rate\", \"value\": 7.0, \"unit\": "
        "\"\"}, "
        "{\"name\": \"odd\", \"value\": -1.0, \"unit\": \"\"}]",
        "[{\"name\": \"time\", \"value\": 2.5, \"unit\": \"ms\"}]",
        "[{\"name\": \"time\", \"value\": \"RuntimeFailedConfig\", \"unit\": \"ms\"}]",
    };
    for (size_t i = 0; i < 4; i++) {
        json_t *entry = json_array_get(list, i), *wanted = json_loads(expected[i], 0, NULL);
        assert_non_null(wanted);
        if (!json_equal(json_object_get(entry, "measurements"), wanted))
            fail_msg("%s", text);
        json_t *objectives = json_object_get(entry, "objectives");
        assert_int_equal(json_array_size(objectives), 1);
        assert_string_equal(json_string_value(json_array_get(objectives, 0)), "rate");
        json_decref(wanted);
    }
    json_decref(document);
    struct recording *recording = parse("a.json", text);
    assert_string_equal(recording->definitions, definitions);
    assert_string_equal(recording->objective, "rate");
    assert_int_equal(recording->left_out, 0);
    assert_near(recording->results[0].energy_j, 0.25, 0);
    assert_string_equal(recording->results[0].metrics, "{\"rate\":12.5}");
    assert_string_equal(recording->results[1].metrics, "{\"rate\":7.0,\"odd\":-1.0}");
    assert_null(recording->results[2].metrics);
    assert_null(recording->results[3].metrics);
    recording_free(recording);
    free(text);
}

static void test_damaged_samples(void **state)
{
    (void)state;
    struct store_recorded_row damaged = row;
    struct text_stream stream;
    struct error error;
    damaged.samples_ns = "[1,";
    assert_true(text_stream_open(&stream, &error));
    assert_false(t4_row(stream.out, &damaged, true, &error));
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_string_equal(error.text, "the samples of {\"x\":16} are damaged in the database");
    text_stream_discard(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default), cmocka_unit_test(test_document),        cmocka_unit_test(test_outcomes),
        cmocka_unit_test(test_metrics), cmocka_unit_test(test_damaged_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
