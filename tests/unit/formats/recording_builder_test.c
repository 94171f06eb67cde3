/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/recording_fixture.h"

#include "tuner/formats/recording_builder.h"

static double half_above(int whole)
{
    return whole + 0.5;
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

/* 3000 rows of two parameters, with values by arithmetic. */
static void test_many(void **state)
{
    (void)state;
    enum { COUNT = 3000, FIRST = 60, SECOND = 50 };
    struct recording_builder builder;
    struct recording *recording;
    struct error error;
    assert_true(recording_builder_create(&builder, "many", &error));
    assert_true(recording_builder_parameter(&builder, "a", &error));
    assert_true(recording_builder_parameter(&builder, "b", &error));
    assert_true(recording_builder_parameter(&builder, "a", &error)); /* only once */
    for (int i = 0; i < COUNT; i++) {
        struct recorded_result result = {.time_ns = i};
        json_t *row = json_pack("{s:i, s:f}", "a", i % FIRST, "b", half_above(i / FIRST));
        assert_true(recording_builder_add(&builder, row, &result, &error));
        json_decref(row);
    }
    assert_true(recording_builder_finish(&builder, &recording, &error));
    recording_builder_clear(&builder);
    assert_int_equal(recording->parameter_count, 2);
    assert_int_equal(recording->count, COUNT);
    assert_int_equal(recording->parameters[0].count, FIRST);
    assert_int_equal(recording->parameters[1].count, SECOND);
    for (size_t i = 0; i < COUNT; i++) {
        const uint16_t *row = recording->rows + 2 * i;
        assert_int_equal(recording->parameters[0].values[row[0]].integer, i % FIRST);
        assert_true(recording->parameters[1].values[row[1]].real == half_above((int)i / FIRST));
        assert_true(recording->results[i].time_ns == (double)i);
    }
    recording_free(recording);
}

/* Equal in the language, so one value: 1, 1.0 and true. A string and null are others. */
static void test_equal_values(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        size_t values;
    } steps[] = {{"{\"x\": 1}", 1},     {"{\"x\": 1.0}", 1}, {"{\"x\": true}", 1}, {"{\"x\": \"1\"}", 2},
                 {"{\"x\": null}", 3},  {"{}", 3},           {"{\"x\": 0.0}", 4},  {"{\"x\": -0.0}", 4},
                 {"{\"x\": false}", 4}, {"{\"x\": -1}", 5}};
    struct recording_builder builder;
    struct error error;
    struct recorded_result result = {0};
    assert_true(recording_builder_create(&builder, "", &error));
    assert_true(recording_builder_parameter(&builder, "x", &error));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        json_t *row = json_loads(steps[i].json, 0, NULL);
        assert_true(recording_builder_add(&builder, row, &result, &error));
        assert_int_equal(builder.values[0].count, steps[i].values);
        assert_int_equal(builder.recording->count, steps[i].values);
        json_decref(row);
    }
    recording_builder_clear(&builder);
}

static void test_copies(void **state)
{
    (void)state;
    struct recording_builder builder;
    struct error error;
    struct recorded_result result = {0};
    struct recording *recording;
    const char *text;
    char mine[] = "mine";
    assert_true(recording_builder_create(&builder, "r", &error));
    assert_true(recording_builder_text(&builder, mine, &text, &error));
    mine[0] = 'M';
    assert_string_equal(text, "mine");
    assert_true(recording_builder_text(&builder, NULL, &text, &error));
    assert_string_equal(text, "");
    assert_true(recording_builder_samples(&builder, NULL, 1, &result, &error));
    assert_int_equal(result.sample_count, 0);
    json_t *samples = json_pack("[i, f]", 3, 0.25);
    assert_true(recording_builder_samples(&builder, samples, 1000, &result, &error));
    assert_int_equal(result.sample_count, 2);
    assert_true(result.samples_ns[0] == 3000 && result.samples_ns[1] == 250);
    json_array_append_new(samples, json_null());
    assert_false(recording_builder_samples(&builder, samples, 1000, &result, &error));
    assert_string_equal(error.text, "sample 3 is not a number");
    json_decref(samples);
    assert_false(recording_builder_finish(&builder, &recording, &error));
    assert_string_equal(error.text, "recording r has no results");
    recording_builder_clear(&builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_of_a_configuration_counts),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_equal_values),
        cmocka_unit_test(test_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
