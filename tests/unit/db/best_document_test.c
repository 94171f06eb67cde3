/* SPDX-License-Identifier: Apache-2.0 */
/* The best rows of each device by every objective: of several templates, each with a default of its own. */
#include "fixture.h"

#include "db/best_document.h"

#include <jansson.h>

static int64_t put(struct fixture *f, struct store *store, const char *configuration, double time_ns, double energy_j,
                   char *metrics)
{
    struct evaluation evaluation = fixture_success(time_ns);
    evaluation.energy_j = energy_j;
    evaluation.metrics = metrics;
    return fixture_put(f, store, fixture_begin(f, store), configuration, evaluation);
}

/* "template objective evaluation value default sense" of each row. */
static void expect_rows(const json_t *rows, const char *const *expected, size_t count)
{
    assert_int_equal(json_array_size(rows), count);
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        char text[256];
        snprintf(text, sizeof text, "%s %s %lld %g %s %s", json_string_value(json_object_get(row, "template")),
                 json_string_value(json_object_get(row, "objective")),
                 (long long)json_integer_value(json_object_get(row, "evaluation")),
                 json_number_value(json_object_get(row, "value")),
                 json_is_true(json_object_get(row, "default")) ? "default" : "-",
                 json_string_value(json_object_get(row, "sense")));
        assert_string_equal(text, expected[i]);
    }
}

static void rows_by_every_objective(void **state)
{
    static char rates[][16] = {"{\"rate\":7}", "{\"rate\":9}"};
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    put(f, store, "{\"T\":1}", 2000, 3, NULL);
    put(f, store, "{\"T\":2}", 1000, 4, NULL);
    f->problem.template_name = "heat";
    f->problem.template_metrics = "{\"rate\":{\"text\":\"a\",\"sense\":\"maximize\"},\"shown\":{\"text\":\"b\"}}";
    f->problem.template_objective = "rate";
    put(f, store, "{\"S\":1}", 10, -1, rates[0]);
    put(f, store, "{\"S\":2}", 20, -1, rates[1]);
    json_t *devices = json_pack("[{s:i}, {s:i}]", "id", 1, "id", 99);
    assert_true(best_document_add(store, devices, &f->error));
    static const char *const expected[] = {
        "gemm time 2 1000 default minimize", "heat time 3 10 - minimize",      "gemm energy 1 3 - minimize",
        "gemm edp 2 4e-06 - minimize",       "heat rate 4 9 default maximize",
    };
    const json_t *rows = json_object_get(json_array_get(devices, 0), "best");
    expect_rows(rows, expected, 5);
    assert_int_equal(json_array_size(json_object_get(json_array_get(devices, 1), "best")), 0);
    const json_t *first = json_array_get(rows, 0);
    assert_true(json_number_value(json_object_get(first, "flops")) == 2147483648.0);
    assert_string_equal(json_string_value(json_object_get(first, "limit")), "fp32");
    assert_true(json_integer_value(json_object_get(first, "registers")) == 128);
    json_decref(devices);
    store_close(store);
}

/* What another program left in the place of texts. */
static void damaged_rows_are_shown(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    static char rate[] = "{\"rate\":7}";
    f->problem.template_metrics = "{\"rate\":{\"text\":\"a\",\"sense\":\"maximize\"}}";
    f->problem.template_objective = "gone";
    put(f, store, "{\"T\":1}", 2000, 3, rate);
    static const char *const damages[] = {"configuration = '{'", "configuration = '[1]'", "metrics = '{'"};
    for (size_t i = 0; i < 3; i++) {
        char sql[128];
        snprintf(sql, sizeof sql, "UPDATE evaluation SET %s", damages[i]);
        assert_int_equal(sqlite3_exec(store->sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
        json_t *devices = json_pack("[{s:i}]", "id", 1);
        assert_true(best_document_add(store, devices, &f->error));
        const json_t *rows = json_object_get(json_array_get(devices, 0), "best");
        assert_int_equal(json_array_size(rows), i == 2 ? 3 : 4); /* no rate */
        assert_int_equal(json_object_size(json_object_get(json_array_get(rows, 0), "configuration")), 0);
        json_decref(devices);
    }
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(rows_by_every_objective),
        unit(damaged_rows_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
