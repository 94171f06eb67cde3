/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <jansson.h>

/* One sweep with a success and a failure, and one that reuses the success and adds to it. */
static void make_sweeps(struct fixture *f, struct store *store)
{
    int64_t run = fixture_begin(f, store);
    double samples[] = {2000.5, 1999.5};
    struct evaluation evaluation = fixture_success(2000);
    evaluation.samples_ns = samples;
    evaluation.sample_count = 2;
    int64_t id = fixture_put(f, store, run, "{\"V\":\"joint\",\"T\":64,\"Z\":true}", evaluation);
    char message[] = "kernel.cu(3): \"x\" & <y> \xff\xfe";
    fixture_put(f, store, run, "{\"V\":\"plain\",\"B\":8,\"Z\":false}",
                fixture_failure(OUTCOME_COMPILE_ERROR, message));
    assert_true(store_run_end(store, run, "done", &f->error));
    f->problem.space_name = "full";
    f->problem.space_hash = "ffff";
    f->problem.space_text = "space full of gemm";
    run = fixture_begin(f, store);
    assert_true(store_reuse(store, run, &id, 1, &f->error));
    fixture_put(f, store, run, "{\"V\":\"joint\",\"T\":32,\"Z\":true}", fixture_success(1000));
}

static json_t *device_document(struct fixture *f, struct store *store, int64_t id)
{
    json_t *document;
    if (!store_device_json(store, id, &document, &f->error))
        fail_msg("%s", f->error.text);
    /* it can be serialized, so every string is UTF-8 */
    char *text = json_dumps(document, 0);
    assert_non_null(text);
    free(text);
    return document;
}

static void expect_text(const json_t *object, const char *name, const char *expected)
{
    const char *text = json_string_value(json_object_get(object, name));
    assert_non_null(text);
    assert_string_equal(text, expected);
}

static void expect_number(const json_t *object, const char *name, double expected)
{
    const json_t *number = json_object_get(object, name);
    if (!json_is_number(number) || json_number_value(number) != expected)
        fail_msg("\"%s\" is %f, not %f", name, json_number_value(number), expected);
}

static void expect_json(const json_t *object, const char *name, const char *expected)
{
    char *text = json_dumps(json_object_get(object, name), JSON_COMPACT | JSON_ENCODE_ANY);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

/* What the template says is that of its last use; what is no JSON is left out. */
static void descriptions_of_parameters(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    fixture_put(f, store, fixture_begin(f, store), "{\"V\":\"a\"}", fixture_success(1000));
    json_t *document = device_document(f, store, 1);
    assert_null(json_object_get(json_array_get(json_object_get(document, "problems"), 0), "descriptions"));
    json_decref(document);
    f->problem.template_descriptions = "[{\"name\":\"V\",\"meaning\":\"old\"}]";
    fixture_begin(f, store);
    static const char said[] =
        "[{\"name\":\"V\",\"meaning\":\"<how>\",\"values\":[{\"value\":\"a\",\"meaning\":\"b\"}]}]";
    f->problem.template_descriptions = said;
    fixture_begin(f, store);
    document = device_document(f, store, 1);
    expect_json(json_array_get(json_object_get(document, "problems"), 0), "descriptions", said);
    json_decref(document);
    f->problem.template_descriptions = "[oops";
    fixture_begin(f, store);
    document = device_document(f, store, 1);
    assert_null(json_object_get(json_array_get(json_object_get(document, "problems"), 0), "descriptions"));
    json_decref(document);
    store_close(store);
}

static void an_empty_store_has_no_devices(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    json_t *devices;
    assert_true(store_devices_json(store, &devices, &f->error));
    assert_true(json_is_array(devices) && json_array_size(devices) == 0);
    json_decref(devices);
    assert_false(store_device_json(store, 1, &devices, &f->error));
    assert_null(devices);
    assert_non_null(strstr(f->error.text, "no device 1"));
    store_close(store);
}

static void the_list_of_devices(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    make_sweeps(f, store);
    strcpy(f->device.kind, "cpu");
    f->device.peak_flops = 1e12;
    strcpy(f->device.name, "Abacus");
    f->problem.template_name = "sum";
    fixture_begin(f, store);
    json_t *devices;
    assert_true(store_devices_json(store, &devices, &f->error));
    assert_int_equal(json_array_size(devices), 2);
    const json_t *gpu = json_array_get(devices, 0), *cpu = json_array_get(devices, 1);
    expect_text(gpu, "name", "Imaginary 100");
    expect_text(gpu, "kind", "cuda");
    expect_text(gpu, "architecture", "sm_90");
    expect_number(gpu, "id", 1);
    expect_number(gpu, "evaluations", 3);
    expect_number(gpu, "failures", 1);
    expect_number(gpu, "runs", 2);
    expect_json(gpu, "templates", "[\"gemm\"]");
    assert_non_null(json_object_get(gpu, "last_measured_at"));
    const json_t *best = json_array_get(json_object_get(gpu, "best"), 0);
    assert_int_equal(json_array_size(json_object_get(gpu, "best")), 1);
    expect_number(best, "evaluation", 3);
    expect_number(best, "time_ns", 1000);
    expect_json(best, "configuration", "{\"V\":\"joint\",\"T\":32,\"Z\":true}");
    expect_text(best, "template", "gemm");
    expect_text(best, "origin", "measured");
    expect_text(cpu, "name", "Abacus");
    expect_number(cpu, "evaluations", 0);
    expect_json(cpu, "best", "[]");
    expect_json(cpu, "templates", "[\"sum\"]");
    json_decref(devices);
    store_close(store);
}

static void the_document_of_a_device(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    make_sweeps(f, store);
    json_t *document = device_document(f, store, 1);
    expect_text(document, "tune_version", TUNE_VERSION);
    assert_non_null(json_object_get(document, "generated_at"));
    const json_t *device = json_object_get(document, "device");
    expect_number(device, "id", 1);
    expect_text(device, "uuid", "GPU-1");
    expect_number(device, "sm_count", 132);
    expect_number(device, "peak_flops", 60e12);
    expect_json(device, "drivers", "[\"580.1\"]");
    expect_json(device, "compilers", "[\"NVRTC 13.0\"]");
    assert_null(json_object_get(device, "driver"));

    assert_int_equal(json_array_size(json_object_get(document, "problems")), 1);
    const json_t *problem = json_array_get(json_object_get(document, "problems"), 0);
    expect_text(problem, "template", "gemm");
    expect_text(problem, "template_hash", "aaaa");
    expect_text(problem, "size", "M=1024,N=1024,K=1024");
    expect_text(problem, "driver", "580.1");
    expect_number(problem, "flops", 2147483648.0);
    expect_json(problem, "latest", "true");
    expect_json(problem, "parameters", "[\"V\",\"B\",\"T\",\"Z\"]");
    expect_json(problem, "spaces",
                "[{\"name\":\"full\",\"hash\":\"ffff\",\"text\":\"space full of gemm\"},"
                "{\"name\":\"joint\",\"hash\":\"bbbb\",\"text\":\"space joint of gemm\"}]");

    const json_t *runs = json_object_get(problem, "runs");
    assert_int_equal(json_array_size(runs), 2);
    const json_t *first = json_array_get(runs, 0), *second = json_array_get(runs, 1);
    expect_text(first, "space", "joint");
    expect_text(first, "seed", "18446744073709551615");
    expect_text(first, "status", "done");
    expect_json(first, "order", "[1,2]");
    expect_number(first, "reused", 0);
    assert_non_null(json_object_get(first, "ended_at"));
    expect_text(second, "status", "running");
    expect_json(second, "order", "[1,3]");
    expect_number(second, "reused", 1);
    assert_null(json_object_get(second, "ended_at"));

    const json_t *evaluations = json_object_get(problem, "evaluations");
    assert_int_equal(json_array_size(evaluations), 3);
    const json_t *evaluation = json_array_get(evaluations, 0);
    expect_number(evaluation, "run", 1); /* the run that measured it, although the second used it too */
    expect_number(evaluation, "sequence", 1);
    expect_text(evaluation, "outcome", "ok");
    expect_json(evaluation, "samples", "[2000.5,1999.5]");
    expect_json(evaluation, "configuration", "{\"V\":\"joint\",\"T\":64,\"Z\":true}");
    expect_number(evaluation, "low_ns", 1980);
    expect_number(evaluation, "high_ns", 2020);
    expect_number(evaluation, "registers", 128);
    expect_number(evaluation, "power_mw", 512000);
    expect_text(evaluation, "origin", "measured");
    assert_null(json_object_get(evaluation, "spill_bytes"));
    evaluation = json_array_get(evaluations, 1);
    expect_text(evaluation, "outcome", "compile_error");
    expect_text(evaluation, "message", "kernel.cu(3): \"x\" & <y> \xef\xbf\xbd\xef\xbf\xbd");
    assert_null(json_object_get(evaluation, "time_ns"));
    evaluation = json_array_get(evaluations, 2);
    expect_number(evaluation, "run", 2);
    expect_number(evaluation, "sequence", 2);
    json_decref(document);
    store_close(store);
}

static void the_latest_version_is_the_last_one_that_works(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    make_sweeps(f, store);
    sqlite3_sleep(3);
    f->problem.template_hash = "cccc";
    int64_t run = fixture_begin(f, store);
    json_t *document = device_document(f, store, 1);
    const json_t *problems = json_object_get(document, "problems");
    assert_int_equal(json_array_size(problems), 2);
    expect_text(json_array_get(problems, 0), "template_hash", "cccc");
    expect_json(json_array_get(problems, 0), "latest", "false");
    expect_json(json_array_get(problems, 0), "parameters", "[]");
    expect_json(json_array_get(problems, 1), "latest", "true");
    json_decref(document);
    fixture_put(f, store, run, "{\"T\":1}", fixture_success(5));
    document = device_document(f, store, 1);
    problems = json_object_get(document, "problems");
    expect_json(json_array_get(problems, 0), "latest", "true");
    expect_json(json_array_get(problems, 1), "latest", "false");
    json_decref(document);
    store_close(store);
}

static void damaged_values_do_not_stop_a_report(void **state)
{
    static const char damage[] = "UPDATE evaluation SET configuration = '{', samples_ns = 'x' WHERE id = 1;"
                                 "UPDATE evaluation SET configuration = 'null' WHERE id = 2;"
                                 "UPDATE device SET description = '[1]'";
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    make_sweeps(f, store);
    assert_int_equal(sqlite3_exec(store->sqlite, damage, NULL, NULL, NULL), SQLITE_OK);
    json_t *document = device_document(f, store, 1);
    const json_t *problem = json_array_get(json_object_get(document, "problems"), 0);
    const json_t *rows = json_object_get(problem, "evaluations");
    assert_int_equal(json_array_size(rows), 3);
    expect_json(json_array_get(rows, 0), "configuration", "{}");
    expect_json(json_array_get(rows, 1), "configuration", "{}");
    expect_json(json_object_get(document, "device"), "id", "1");
    json_decref(document);
    store_close(store);
}

/* 30,000 rows, each slower than the one before, every tenth a failure. */
static void very_many_rows_are_sampled(void **state)
{
    static const char sql[] =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) "
        "INSERT INTO evaluation (problem, configuration, outcome, measured_at, origin, time_ns) "
        "SELECT 1, '{\"N\":' || i || '}', CASE WHEN i % 10 THEN 'ok' ELSE 'fault' END, '2026-01-01', 'measured', "
        "CASE WHEN i % 10 THEN 1e6 + i END FROM n";
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    make_sweeps(f, store);
    assert_int_equal(sqlite3_exec(store->sqlite, "DELETE FROM evaluation", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(store->sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
    json_t *document = device_document(f, store, 1);
    const json_t *problem = json_array_get(json_object_get(document, "problems"), 0);
    const json_t *rows = json_object_get(problem, "evaluations");
    size_t fastest = 0, faults = 0, slowest_third = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        double time = json_number_value(json_object_get(json_array_get(rows, i), "time_ns"));
        fastest += time > 0 && time <= 1e6 + 4444; /* 4,000 of the 27,000 that are ok */
        faults += time <= 0;
        slowest_third += time > 1e6 + 20000;
    }
    assert_in_range(json_array_size(rows), 7000, 8000);
    assert_int_equal(fastest, 4000);
    assert_in_range(faults, 350, 450);          /* a tenth of the sample of 4,000 */
    assert_in_range(slowest_third, 1000, 1400); /* a third of the successes in it */
    expect_json(problem, "outcomes", "{\"fault\":3000,\"ok\":27000}");
    json_decref(document);
    store_close(store);
}

/* 30,000 rows: the faster, the more energy, and the lower the rate. */
static void the_best_by_each_objective_are_shown(void **state)
{
    static const char sql[] =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) "
        "INSERT INTO evaluation (problem, configuration, outcome, measured_at, origin, time_ns, energy_j, metrics) "
        "SELECT 1, '{\"N\":' || i || '}', 'ok', '2026-01-01', 'measured', 1e6 + i, 1e6 - 30 * i, "
        "'{\"it''s 100 %\":' || i || '}' FROM n";
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    f->problem.template_metrics = "{\"it's 100 %\":{\"text\":\"\",\"sense\":\"maximize\"}}";
    make_sweeps(f, store);
    assert_int_equal(sqlite3_exec(store->sqlite, "DELETE FROM evaluation", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(store->sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
    json_t *document = device_document(f, store, 1);
    const json_t *problem = json_array_get(json_object_get(document, "problems"), 0);
    const json_t *rows = json_object_get(problem, "evaluations");
    size_t fastest = 0, slowest = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        double time = json_number_value(json_object_get(json_array_get(rows, i), "time_ns"));
        fastest += time <= 1e6 + 4000;
        slowest += time > 1e6 + 29500;
    }
    assert_int_equal(fastest, 4000);
    assert_int_equal(slowest, 500); /* an eighth of a half of 8,000: energy, edp and the rate have the same best */
    assert_in_range(json_array_size(rows), 7000, 10000);
    json_decref(document);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(an_empty_store_has_no_devices),
        unit(the_list_of_devices),
        unit(the_document_of_a_device),
        unit(descriptions_of_parameters),
        unit(the_latest_version_is_the_last_one_that_works),
        unit(damaged_values_do_not_stop_a_report),
        unit(very_many_rows_are_sampled),
        unit(the_best_by_each_objective_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
