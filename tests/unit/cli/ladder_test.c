/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include "tuner/cli/ladder.h"

#include <jansson.h>
#include <stdlib.h>

#define HEAD "template t\n"
#define REST                                                                                                         \
    "source \"k.cu\"\nbuffer y : float[1] out\nlaunch { k<<<1, 1>>>(y) }\n"                                          \
    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

static struct template *template_of(const char *text)
{
    struct template *template = NULL;
    struct error error;
    assert_success(template_parse("t.template", "folder", text, strlen(text), &template, &error), &error);
    return template;
}

static void expect_chosen(const struct template *template, const char *list, const char *wanted)
{
    struct ladder ladder;
    struct error error;
    char names[256] = "";
    assert_success(ladder_choose(template, list, &ladder, &error), &error);
    for (size_t i = 0; i < ladder.count; i++) {
        assert_string_equal(ladder.names[i], ladder.parameters[i]->name);
        strcat(strcat(names, i ? "," : ""), ladder.names[i]);
    }
    assert_string_equal(names, wanted);
}

static void expect_wrong(const struct template *template, const char *list, const char *text)
{
    struct ladder ladder;
    struct error error = {0};
    assert_false(ladder_choose(template, list, &ladder, &error));
    assert_string_equal(error.text, text);
}

static void the_parameters_of_a_ladder(void **state)
{
    (void)state;
    struct template *t =
        template_of(HEAD "parameter A\nparameter VARIANT\nparameter B\nparameter C\nparameter D\n" REST);
    expect_chosen(t, "", "VARIANT");
    expect_chosen(t, "B", "B");
    expect_chosen(t, "B,A", "B,A");
    expect_wrong(t, "B,X", "--ladder: template t has no parameter 'X'");
    expect_wrong(t, "B,", "--ladder: template t has no parameter ''");
    expect_wrong(t, "A,B,C,D,VARIANT", "--ladder: at most 4 parameters");
    template_free(t);
    t = template_of(
        HEAD "parameter A\nparameter VARIANT\nparameter B { \"b\" \"c\" }\nparameter C { \"b\" \"c\" }\n" REST);
    expect_chosen(t, "", "B");
    template_free(t);
    t = template_of(HEAD "parameter A\n" REST);
    expect_wrong(t, "", "template t has no parameter VARIANT and describes no values");
    template_free(t);
}

static json_t *row(const char *device, const char *size, const char *configuration, double time)
{
    json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:f, s:f}", "template", "t", "device", device,
                            "device_kind", "cuda", "architecture", "sm_90", "size", size, "configuration",
                            json_loads(configuration, 0, NULL), "time_ns", time, "percent_of_peak", 50.0);
    assert_non_null(row);
    return row;
}

static json_t *ladders_of(const struct template *template, const char *list, json_t *rows)
{
    struct ladder ladder;
    struct error error;
    assert_success(ladder_choose(template, list, &ladder, &error), &error);
    json_t *ladders = ladder_arrange(&ladder, rows);
    assert_non_null(ladders);
    json_decref(rows);
    return ladders;
}

/* The values of "V" of a ladder's rungs. */
static void expect_order(const json_t *ladder, const char *wanted)
{
    char order[256] = "";
    size_t i;
    json_t *rung;
    json_array_foreach(json_object_get(ladder, "rungs"), i, rung)
    {
        char *text = json_dumps(json_object_get(json_object_get(rung, "rung"), "V"), JSON_ENCODE_ANY);
        strcat(strcat(order, i ? " " : ""), text);
        free(text);
    }
    assert_string_equal(order, wanted);
}

/* The block, then the description, where only whole words count, then numbers, other texts, and none at all. */
static void rungs_are_in_the_templates_order(void **state)
{
    (void)state;
    struct template *t = template_of(HEAD "parameter V \"untiled, tiled_twice, tiled, or naive\" {\n\"z\" \"last\"\n"
                                          "\"naive\" \"first\"\n}\n" REST);
    static const char *const values[] = {"\"tiled\"",       "10",   "\"q\"", "\"naive\"", "9",
                                         "\"tiled_twice\"", "null", "\"b\"", "\"z\"",     "true"};
    json_t *rows = json_array();
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char configuration[64];
        snprintf(configuration, sizeof configuration, "{\"V\": %s}", values[i]);
        json_array_append_new(rows, row("G", "n=1", configuration, 100));
    }
    json_t *ladders = ladders_of(t, "", rows);
    assert_int_equal(json_array_size(ladders), 1);
    expect_order(json_array_get(ladders, 0), "\"z\" \"naive\" \"tiled_twice\" \"tiled\" true 9 10 \"b\" \"q\" null");
    const json_t *first = json_array_get(json_object_get(json_array_get(ladders, 0), "rungs"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "meaning")), "last");
    json_decref(ladders);
    template_free(t);
}

static void expect_ratio(const json_t *rung, const char *name, double wanted)
{
    assert_true(json_number_value(json_object_get(rung, name)) == wanted);
}

/* 80, 40, 10: twice and eight times as fast as the first one, twice and four times as fast as the one before. */
static void ratios_and_ladders(void **state)
{
    (void)state;
    struct template *t = template_of(HEAD "parameter V \"a, b or c\"\nparameter W\n" REST);
    json_t *rows = json_pack("[o, o, o, o, o, o]", row("G", "n=1", "{\"V\": \"c\", \"X\": 1}", 10),
                             row("G", "n=1", "{\"V\": \"a\"}", 80), row("G", "n=1", "{\"V\": \"b\"}", 40),
                             row("G", "n=2", "{\"V\": \"b\"}", 7), row("H", "n=2", "{\"V\": \"b\"}", 8),
                             row("H", "n=2", "{\"V\": \"a\"}", 16));
    json_t *ladders = ladders_of(t, "V", rows);
    assert_int_equal(json_array_size(ladders), 3);
    const json_t *ladder = json_array_get(ladders, 0), *rungs = json_object_get(ladder, "rungs");
    expect_order(ladder, "\"a\" \"b\" \"c\"");
    assert_string_equal(json_string_value(json_object_get(ladder, "size")), "n=1");
    assert_null(json_object_get(json_array_get(rungs, 0), "times_first"));
    assert_null(json_object_get(json_array_get(rungs, 0), "times_previous"));
    expect_ratio(json_array_get(rungs, 1), "times_first", 2);
    expect_ratio(json_array_get(rungs, 1), "times_previous", 2);
    expect_ratio(json_array_get(rungs, 2), "times_first", 8);
    expect_ratio(json_array_get(rungs, 2), "times_previous", 4);
    expect_ratio(json_array_get(rungs, 2), "percent_of_peak", 50);
    expect_order(json_array_get(ladders, 1), "\"b\"");
    expect_order(json_array_get(ladders, 2), "\"a\" \"b\"");
    json_decref(ladders);
    template_free(t);
}

static void several_parameters_combine(void **state)
{
    (void)state;
    struct template *t =
        template_of(HEAD "parameter V { \"a\" \"A.\"\n\"b\" \"B.\" }\nparameter W \"slow or quick\" {\n"
                         "\"quick\" \"Q.\"\n}\n" REST);
    json_t *rows = json_pack("[o, o, o]", row("G", "n=1", "{\"V\": \"b\", \"W\": \"slow\"}", 1),
                             row("G", "n=1", "{\"V\": \"b\", \"W\": \"quick\"}", 1),
                             row("G", "n=1", "{\"V\": \"a\", \"W\": \"slow\"}", 1));
    json_t *ladders = ladders_of(t, "V,W", rows);
    json_t *rungs = json_object_get(json_array_get(ladders, 0), "rungs");
    static const char *const wanted[] = {"{\"V\":\"a\",\"W\":\"slow\"} A.", "{\"V\":\"b\",\"W\":\"quick\"} B.; Q.",
                                         "{\"V\":\"b\",\"W\":\"slow\"} B."};
    for (size_t i = 0; i < 3; i++) {
        char shown[128], *text = json_dumps(json_object_get(json_array_get(rungs, i), "rung"), JSON_COMPACT);
        snprintf(shown, sizeof shown, "%s %s", text,
                 json_string_value(json_object_get(json_array_get(rungs, i), "meaning")));
        assert_string_equal(shown, wanted[i]);
        free(text);
    }
    json_decref(ladders);
    template_free(t);
}

static void no_rows_are_no_ladder(void **state)
{
    (void)state;
    struct template *t = template_of(HEAD "parameter V\n" REST);
    json_t *ladders = ladders_of(t, "V", json_array());
    assert_int_equal(json_array_size(ladders), 0);
    json_decref(ladders);
    template_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parameters_of_a_ladder), cmocka_unit_test(rungs_are_in_the_templates_order),
        cmocka_unit_test(ratios_and_ladders),         cmocka_unit_test(several_parameters_combine),
        cmocka_unit_test(no_rows_are_no_ladder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
