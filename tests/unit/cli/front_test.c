/* SPDX-License-Identifier: Apache-2.0 */
/* Fronts of rows made up here: who is on them, in which order, and a hypervolume worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/cli/front.h"
#include "tuner/space/limits.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct made {
    const char *size, *configuration;
    double time_ns, energy_j, value;
    enum store_verdict verdict;
};

/* Two sizes. Of the first C is dominated, D was beaten in finals, E has no energy and F no metric. */
static const struct made rows[] = {
    {"n=1", "{\"T\":\"A\"}", 100, 8, 5, VERDICT_WINNER}, {"n=1", "{\"T\":\"B\"}", 300, 2, 4, VERDICT_NONE},
    {"n=1", "{\"T\":\"C\"}", 400, 10, 3, VERDICT_NONE},  {"n=1", "{\"T\":\"D\"}", 200, 3, 2, VERDICT_OUTSIDE},
    {"n=1", "{\"T\":\"E\"}", 10, -1, 1, VERDICT_NONE},   {"n=1", "{\"T\":\"F\"}", 90, 9, 0, VERDICT_NONE},
    {"n=2", "{\"T\":\"A\"}", 50, 5, 5, VERDICT_NONE},
};

static bool visit_rows(const void *from, store_visitor *visit, void *context, struct error *error)
{
    (void)from;
    (void)error;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char metrics[64];
        snprintf(metrics, sizeof metrics, "{\"rate\": %g}", rows[i].value);
        struct store_row row = {0};
        row.id = (int64_t)(70 - i);
        row.template_name = "t";
        row.template_hash = "1";
        row.device_name = "d";
        row.device_kind = "cpu";
        row.size = rows[i].size;
        row.configuration = rows[i].configuration;
        row.inputs = row.input_files = row.architecture = row.driver = row.compiler = row.message = row.awkward = "";
        row.metrics = rows[i].value > 0 ? metrics : "{\"rate\": null}";
        row.definitions = row.default_objective = "";
        row.measured_at = "2026-11-23T20:45:37.174Z";
        row.origin = "measured";
        row.outcome = OUTCOME_OK;
        row.verdict = rows[i].verdict;
        row.was_final = rows[i].verdict != VERDICT_NONE;
        row.time_ns = rows[i].time_ns;
        row.energy_j = rows[i].energy_j;
        if (!visit(&row, context))
            break;
    }
    return true;
}

static bool refuse(const void *from, store_visitor *visit, void *context, struct error *error)
{
    (void)from;
    (void)visit;
    (void)context;
    return error_set(error, ERROR_SYSTEM, "the disk is gone");
}

static json_t *find(const char *names, const char *limit)
{
    struct aims aims;
    struct limits *limits = NULL;
    struct error error = {0};
    assert_true(aims_choose(NULL, names, &aims, &error));
    assert_true(!limit || limits_parse(&limit, 1, &limits, &error));
    json_t *fronts = fronts_find(&aims, limits, visit_rows, NULL, &error);
    assert_non_null(fronts);
    limits_free(limits);
    return fronts;
}

static void expect_front(const json_t *front, const char *members, size_t valid)
{
    char found[64] = "";
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(front, "front"), i, row)
        strcat(found, json_string_value(json_object_get(json_object_get(row, "configuration"), "T")));
    assert_string_equal(found, members);
    assert_int_equal(json_integer_value(json_object_get(front, "valid")), valid);
}

static double number(const json_t *front, const char *object, const char *name)
{
    const json_t *at = object ? json_object_get(front, object) : front;
    return json_number_value(json_object_get(at, name));
}

static void fronts_by_hand(void **state)
{
    (void)state;
    json_t *fronts = find("time,energy", NULL);
    assert_int_equal(json_array_size(fronts), 2);
    const json_t *front = json_array_get(fronts, 0);
    expect_front(front, "FAB", 5); /* 90 and 9, 100 and 8, 300 and 2 */
    assert_true(fabs(number(front, "reference", "time") - 440) < 1e-9);
    assert_true(fabs(number(front, "reference", "energy") - 11) < 1e-9);
    double volume = 10 * (11 - 9) + 200 * (11 - 8) + 140 * (11 - 2); /* from 90 to 100, 300 and 440 */
    assert_true(fabs(number(front, NULL, "hypervolume") - volume / (440 * 11)) < 1e-12);
    const json_t *first = json_array_get(json_object_get(front, "front"), 1);
    assert_true(number(first, "values", "time") == 100 && number(first, "values", "energy") == 8);
    assert_true(json_is_true(json_object_get(first, "finals")));
    expect_front(json_array_get(fronts, 1), "A", 1);
    json_decref(fronts);
    fronts = find("energy,time", NULL);
    expect_front(json_array_get(fronts, 0), "BAF", 5); /* by the first */
    json_decref(fronts);
}

static void within_limits(void **state)
{
    (void)state;
    json_t *fronts = find("time,energy", "time > 95e-9");
    expect_front(json_array_get(fronts, 0), "AB", 4);
    assert_int_equal(json_array_size(fronts), 1);
    json_decref(fronts);
}

static void a_metric_that_is_to_be_large(void **state)
{
    (void)state;
    struct error error = {0};
    struct aims aims = {.of = {objectives[0], {.name = "rate", .is_metric = true, .maximize = true}}, .count = 2};
    json_t *fronts = fronts_find(&aims, NULL, visit_rows, NULL, &error);
    assert_non_null(fronts);
    expect_front(json_array_get(fronts, 0), "EA", 5); /* 10 and 1, 100 and 5 */
    assert_true(fabs(number(json_array_get(fronts, 0), "reference", "rate") - 1 / 1.1) < 1e-12);
    json_decref(fronts);
}

static void a_source_that_fails(void **state)
{
    (void)state;
    struct aims aims;
    struct error error = {0};
    assert_true(aims_choose(NULL, "time,energy", &aims, &error));
    assert_null(fronts_find(&aims, NULL, refuse, NULL, &error));
    assert_string_equal(error.text, "the disk is gone");
}

static void as_text(void **state)
{
    (void)state;
    json_t *fronts = find("time,energy", NULL);
    char *printed = NULL;
    size_t size;
    FILE *out = open_memstream(&printed, &size);
    assert_non_null(out);
    front_print_volume(json_array_get(fronts, 0), out);
    fclose(out);
    assert_string_equal(printed, "3 of 5 valid configurations are on the front; hypervolume 0.3884 of the box up to "
                                 "time 440 ns, energy 11 J");
    free(printed);
    json_decref(fronts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fronts_by_hand),
        cmocka_unit_test(within_limits),
        cmocka_unit_test(a_metric_that_is_to_be_large),
        cmocka_unit_test(a_source_that_fails),
        cmocka_unit_test(as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
