/* SPDX-License-Identifier: Apache-2.0 */
#include "known_files.h"

#include "db/evaluations.h"

#include <jansson.h>

/* Measure two sizes and write them to the folder of known results. */
static void ship(struct fixture *f, const struct known *k)
{
    struct store *store = fixture_open(f);
    fixture_put(f, store, fixture_begin(f, store), "{\"V\":\"joint\",\"T\":64,\"F\":0.1}",
                fixture_success(1234.5678));
    f->problem.size = "M=512,N=512,K=512";
    f->problem.work.flops /= 8;
    f->run.budget = "500";
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"V\":\"joint\",\"T\":32,\"F\":0.1}", fixture_success(600));
    fixture_put(f, store, run, "{\"V\":\"joint\",\"T\":16,\"F\":0.1}", fixture_success(500));
    const struct store_filter filter = {.template_name = "gemm", .device_name = "Imaginary 100"};
    if (!store_known_write(store, &filter, k->file, &f->error))
        fail_msg("%s", f->error.text);
    store_close(store);
}

static void shipped_rows_answer_elsewhere(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f);
    ship(f, &k);
    struct store *store = open_target(f, &k);
    load(f, store, &k);
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT group_concat(size || ' ' || configuration || ' ' || origin, ';') "
                                    "FROM best"),
                        "M=512,N=512,K=512 {\"V\":\"joint\",\"T\":16,\"F\":0.1} shipped;"
                        "M=1024,N=1024,K=1024 {\"V\":\"joint\",\"T\":64,\"F\":0.1} shipped");
    assert_string_equal(fixture_ask(f->path, "SELECT time_ns || ' ' || registers || ' ' || shared_bytes || ' ' || "
                                             "occupancy || ' ' || ifnull(spill_bytes, '-') || ' ' || power_mw || ' ' "
                                             "|| error_ratio FROM evaluation ORDER BY time_ns DESC"),
                        "1234.5678 128 16384 0.5 - 512000 0.25");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM device WHERE uuid IS NULL"), "1");
    /* written again from there it is identical, apart from the rows' origin */
    const struct store_filter filter = {.template_name = "gemm"};
    assert_true(store_known_write(store, &filter, k.again, &f->error));
    json_t *first = json_load_file(k.file, 0, NULL), *second = json_load_file(k.again, 0, NULL);
    json_t *problem = json_array_get(json_object_get(first, "problems"), 0);
    assert_string_equal(json_string_value(json_object_get(json_object_get(problem, "provenance"), "command")),
                        "tune gemm --space joint --size M=512,N=512,K=512 --strategy exhaustive --budget 500 --seed "
                        "18446744073709551615");
    for (size_t i = 0; i < 2; i++)
        json_object_del(json_array_get(json_object_get(first, "problems"), i), "provenance");
    assert_true(json_equal(first, second));
    json_decref(first);
    json_decref(second);
    store_close(store);
}

/* Each problem of a file says what compiled it. */
static void problems_of_several_compilers(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f);
    ship(f, &k);
    json_t *file = json_load_file(k.file, 0, NULL);
    json_t *problems = json_object_get(file, "problems"), *third = json_deep_copy(json_array_get(problems, 0));
    json_object_set_new(json_array_get(problems, 1), "compiler", json_string("NVRTC 99"));
    json_object_set_new(third, "size", json_string("M=3,N=3,K=3"));
    json_array_append_new(problems, third);
    json_dump_file(file, k.file, 0);
    json_decref(file);
    struct store *store = open_target(f, &k);
    load(f, store, &k);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(size || (compiler = 'NVRTC 99'), ' ') FROM (SELECT "
                                             "size, compiler FROM problem JOIN toolchain ON toolchain.id = toolchain "
                                             "ORDER BY problem.id)"),
                        "M=512,N=512,K=5120 M=1024,N=1024,K=10241 M=3,N=3,K=30");
}

static void a_file_is_readable_and_reproducible(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f);
    ship(f, &k);
    static char first[65536], second[65536];
    struct store *store = fixture_open(f);
    assert_true(store_known_write(store, &(struct store_filter){0}, k.again, &f->error));
    store_close(store);
    size_t length = fixture_read(k.file, first, sizeof first - 1);
    assert_int_equal(fixture_read(k.again, second, sizeof second - 1), length);
    assert_memory_equal(first, second, length);
    static const char start[] = "{\n  \"format\": 1,\n  \"template\": \"gemm\",\n  \"template_hash\": \"aaaa\",\n";
    assert_memory_equal(first, start, strlen(start));
    assert_null(strstr(first, "uuid"));
    assert_null(strstr(first, "GPU-1"));
    assert_non_null(strstr(first, "\"time_ns\": 1234.5678,"));
}

/* The rungs of a ladder are evaluations of one problem, and what the template says goes along. */
static void a_ladder_is_shipped_with_its_descriptions(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f);
    struct store *store = fixture_open(f);
    static const char said[] = "[{\"name\":\"V\",\"meaning\":\"how\"}]";
    static const char *const names[] = {"V"};
    f->problem.template_descriptions = said;
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"V\":\"naive\",\"T\":1}", fixture_success(90));
    fixture_put(f, store, run, "{\"V\":\"naive\",\"T\":2}", fixture_success(80));
    f->run.seed = 7;
    run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"V\":\"tiled\",\"T\":1}", fixture_success(30));
    fixture_put(f, store, run, "{\"V\":\"untiled\",\"T\":1}", fixture_success(95));
    const struct store_filter filter = {.template_name = "gemm", .rungs = names, .rung_count = 1};
    assert_true(store_known_write(store, &filter, k.file, &f->error));
    store_close(store);
    store = open_target(f, &k);
    load(f, store, &k);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(time_ns, ' ') FROM (SELECT time_ns FROM evaluation "
                                             "ORDER BY time_ns)"),
                        "30.0 80.0 95.0");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM problem"), "1");
    assert_string_equal(fixture_ask(f->path, "SELECT descriptions FROM template"), said);
    json_t *file = json_load_file(k.file, 0, NULL);
    const json_t *problems = json_object_get(file, "problems"), *problem = json_array_get(problems, 0);
    assert_int_equal(json_array_size(problems), 1);
    /* of the fastest */
    const char *command = json_string_value(json_object_get(json_object_get(problem, "provenance"), "command"));
    assert_non_null(strstr(command, "--seed 7"));
    json_decref(file);
}

static void identical_content_is_loaded_once(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f);
    ship(f, &k);
    struct store *store = open_target(f, &k);
    load(f, store, &k);
    assert_int_equal(sqlite3_exec(store->sqlite, "DELETE FROM evaluation", NULL, NULL, NULL), SQLITE_OK);
    load(f, store, &k);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM evaluation"), "0");
    FILE *file = fopen(k.file, "ab");
    assert_non_null(file);
    fputs("\n", file);
    assert_int_equal(fclose(file), 0);
    load(f, store, &k);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM evaluation"), "2");
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(DISTINCT name) || count(*) FROM known_file"),
                        "gemm-imaginary.json2");
    store_close(store);
}

/* Of a folder whose files are named for their templates. */
static void one_template_is_loaded_alone(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f);
    char path[160];
    ship(f, &k);
    static const char text[] = "{}"; /* to be read would be an error */
    snprintf(path, sizeof path, "%s/gemm_aat-h100.json", k.folder);
    fixture_write(path, text, strlen(text));
    struct store *store = open_target(f, &k);
    assert_true(store_known_load_of(store, k.folder, "transpose", &f->error));
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM known_file"), "0");
    assert_true(store_known_load_of(store, k.folder, "gemm", &f->error));
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM best"), "2");
    snprintf(path, sizeof path, "%s/ceilings-h100.json", k.folder);
    fixture_write(path, text, strlen(text));
    assert_false(store_known_load_of(store, k.folder, "gemm", &f->error)); /* what devices can do always counts */
    assert_string_equal(f->error.file, path);
    memset(&f->error, 0, sizeof f->error);
    assert_false(store_known_load_of(store, k.folder, NULL, &f->error));
    store_close(store);
}

static void a_measurement_takes_precedence_over_a_shipped_row(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f);
    ship(f, &k);
    struct store *store = open_target(f, &k);
    static const char origin[] = "SELECT origin || ' ' || time_ns || ' ' || count(*) FROM evaluation JOIN problem ON "
                                 "problem.id = evaluation.problem WHERE size LIKE 'M=512,%'";
    strcpy(f->device.uuid, "GPU-2");
    f->device.peak_flops = 66e12;
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"V\":\"joint\",\"T\":16,\"F\":0.1}", fixture_success(700));
    load(f, store, &k);
    assert_string_equal(fixture_ask(f->path, origin), "measured 700.0 1");
    assert_string_equal(fixture_ask(f->path, "SELECT uuid || ' ' || peak_flops FROM device"),
                        "GPU-2 66000000000000.0");
    /* and the reverse */
    assert_int_equal(sqlite3_exec(store->sqlite, "DELETE FROM evaluation; DELETE FROM known_file", NULL, NULL, NULL),
                     SQLITE_OK);
    load(f, store, &k);
    assert_string_equal(fixture_ask(f->path, origin), "shipped 500.0 1");
    fixture_put(f, store, run, "{\"V\":\"joint\",\"T\":16,\"F\":0.1}", fixture_success(800));
    assert_string_equal(fixture_ask(f->path, origin), "measured 800.0 1");
    store_close(store);
}

static void a_broken_file_is_named_and_does_not_stop_the_others(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f);
    ship(f, &k);
    struct store *store = open_target(f, &k);
    char path[160];
    snprintf(path, sizeof path, "%s/broken.json", k.folder);
    static const char text[] = "{\n  \"format\": 1,\n  \"template\" \"gemm\"\n}\n";
    fixture_write(path, text, strlen(text));
    memset(&f->error, 0, sizeof f->error);
    assert_false(store_known_load(store, k.folder, &f->error));
    assert_string_equal(f->error.file, path);
    assert_int_equal(f->error.line, 3);
    assert_int_equal(f->error.code, ERROR_INPUT);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM best"), "2");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM known_file"), "1");
    assert_false(store_known_load(store, k.folder, &f->error)); /* until it is repaired */
    assert_int_equal(unlink(path), 0);
    load(f, store, &k);
    store_close(store);
}

/* What it is about must be right, or there is nothing to load. */
static void malformed_files_are_refused(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f), broken = k;
    ship(f, &k);
    snprintf(broken.folder, sizeof broken.folder, "%s/broken", f->folder);
    snprintf(broken.file, sizeof broken.file, "%s/x.json", broken.folder);
    assert_int_equal(mkdir(broken.folder, 0700), 0);
    struct store *store = open_target(f, &k);
    static const struct {
        const char *path[5];
        size_t depth;
        const char *value, *text;
    } cases[] = {
        {{"format"}, 1, "2", "\"format\" must be 1"},
        {{"template"}, 1, NULL, "\"template\" must be a non-empty string"},
        {{"template_hash"}, 1, "7", "\"template_hash\" must be a non-empty string"},
        {{"device"}, 1, NULL, "device description"},
        {{"device", "sm_count"}, 2, "-3", "sm_count"},
        {{"problems"}, 1, "{}", "\"problems\" must be an array"},
        {{"dispatches"}, 1, "{}", "\"dispatches\" must be an array"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        corrupt(&k, broken.file, cases[i].path, cases[i].depth, cases[i].value);
        memset(&f->error, 0, sizeof f->error);
        assert_false(store_known_load(store, broken.folder, &f->error));
        if (!strstr(f->error.text, cases[i].text))
            fail_msg("\"%s\" does not mention: %s", f->error.text, cases[i].text);
        assert_string_equal(f->error.file, broken.file);
    }
    /* none of them leaves anything behind */
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT (SELECT count(*) FROM template) + (SELECT count(*) FROM device) + "
                                    "(SELECT count(*) FROM known_file)"),
                        "0");
    store_close(store);
}

static void a_wrong_entry_is_refused_with_its_place_and_no_other(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f);
    char file[160], longest[5000], huge[70000];
    ship(f, &k);
    snprintf(file, sizeof file, "%s/x.json", f->folder);
    snprintf(longest, sizeof longest, "\"%04998d", 0);
    strcpy(longest + 4997, "\"");
    snprintf(huge, sizeof huge, "{\"T\": \"%069000d\"}", 0);
    const struct {
        const char *path[5];
        size_t depth;
        const char *value, *text, *at;
    } cases[] = {
        {{"problems", "1"}, 2, "7", "\"size\" must be a non-empty string", "7"},
        {{"problems", "1", "size"}, 3, "\"\"", "\"size\" must be a non-empty string", "\"\""},
        {{"problems", "1", "size"}, 3, longest, "\"size\" is longer than 4000 bytes", "\"0000"},
        {{"problems", "1", "data"}, 3, "1", "\"data\" must be a non-empty string", "1"},
        {{"problems", "1", "driver"}, 3, NULL, "\"driver\" must be a non-empty string", "{\"size\""},
        {{"problems", "1", "compiler"}, 3, longest, "\"compiler\" is longer than 127 bytes", "\"0000"},
        {{"problems", "1", "flops"}, 3, "\"1\"", "\"flops\" must be a number", "\"1\""},
        {{"problems", "1", "evaluations"}, 3, "null", "\"evaluations\" must be an array", "null"},
        {{"problems", "1", "evaluations", "0"}, 4, "[]", "\"time_ns\" must be a positive number", "[]"},
        {{"problems", "1", "evaluations", "0", "configuration"},
         5,
         "[]",
         "\"configuration\" must be an object",
         "[]"},
        {{"problems", "1", "evaluations", "0", "configuration"}, 5, "{\"T\": []}", "no number, text", "{\"T\""},
        {{"problems", "1", "evaluations", "0", "configuration"}, 5, huge, "longer than 65536 bytes", "{\"T\""},
        {{"problems", "1", "evaluations", "0", "time_ns"}, 5, "0", "\"time_ns\" must be a positive number", "0"},
        {{"problems", "1", "evaluations", "0", "time_ns"}, 5, "\"1\"", "\"time_ns\" must be a number", "\"1\""},
        {{"problems", "1", "evaluations", "0", "registers"}, 5, "1.5", "\"registers\" must be an integer", "1.5"},
        {{"problems", "1", "evaluations", "0", "measured_at"}, 5, NULL, "must be a non-empty string", "{\"config"},
        {{"problems", "1", "evaluations", "0", "measured_at"}, 5, "\"soon\"", "must be a time of day", "\"soon\""},
        {{"problems", "1", "evaluations", "0", "measured_at"},
         5,
         "\"2026_01_01\"",
         "must be a time of day",
         "\"2026_"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct refusals refusals;
        struct store_known_counts counts;
        snprintf(f->path, sizeof f->path, "%s/%zu.db", f->folder, i);
        struct store *store = fixture_open(f);
        corrupt(&k, file, cases[i].path, cases[i].depth, cases[i].value);
        if (!import_file(f, store, file, &refusals, &counts))
            fail_msg("case %zu: %s", i, f->error.text);
        store_close(store);
        if (counts.taken != 1 || counts.refused != 1 || refusals.count != 1 ||
            !strstr(refusals.last.text, cases[i].text))
            fail_msg("case %zu: %zu taken, %zu refused: %s", i, counts.taken, counts.refused, refusals.last.text);
        assert_string_equal(refusals.last.file, file);
        assert_int_equal(refusals.last.line, 1); /* they are written in one */
        char *text = malloc(1 << 17);
        size_t length = fixture_read(file, text, (1 << 17) - 1);
        assert_in_range(refusals.last.column, 2, length);
        text[length] = '\0';
        if (strncmp(text + refusals.last.column - 1, cases[i].at, strlen(cases[i].at)) != 0)
            fail_msg("case %zu is at %.40s", i, text + refusals.last.column - 1);
        free(text);
        assert_string_equal(fixture_ask(f->path,
                                        "SELECT size || ' ' || origin || ' ' || (SELECT count(*) FROM problem) "
                                        "FROM evaluation JOIN problem ON problem.id = problem"),
                            "M=512,N=512,K=512 imported 1");
    }
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM known_file"), "0");
}

/* As what is shipped, but it may be taken twice, and replaces what is shipped. */
static void what_is_imported_never_replaces_a_measurement(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f);
    struct refusals refusals;
    struct store_known_counts counts;
    static const char sql[] =
        "SELECT group_concat(origin || ' ' || time_ns, ';') FROM (SELECT * FROM evaluation ORDER "
        "BY time_ns)";
    ship(f, &k);
    struct store *store = open_target(f, &k);
    load(f, store, &k);
    assert_string_equal(fixture_ask(f->path, sql), "shipped 500.0;shipped 1234.5678");
    f->problem.template_path = "/mine";
    fixture_put(f, store, fixture_begin(f, store), "{\"V\":\"joint\",\"T\":16,\"F\":0.1}", fixture_success(700));
    for (size_t i = 0; i < 2; i++) {
        assert_true(import_file(f, store, k.file, &refusals, &counts));
        assert_string_equal(counts.template_name, "gemm");
        assert_string_equal(counts.device_name, "Imaginary 100");
        assert_int_equal(counts.taken, 2);
        assert_string_equal(fixture_ask(f->path, sql), "measured 700.0;imported 1234.5678");
    }
    assert_string_equal(fixture_ask(f->path, "SELECT path || ' ' || (SELECT uuid FROM device) FROM template"),
                        "/mine GPU-1");
    store_close(store);
}

static void other_texts_are_not_taken_for_known_results(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct store_known_counts counts;
    assert_false(store_known_is("", 0));
    assert_false(store_known_is("{\"results\": []}", 15));
    assert_false(store_known_import(store, "x.json", "{,}", 3, NULL, NULL, &counts, &f->error));
    assert_int_equal(f->error.column, 2);
    assert_false(store_known_import(store, "x.json", "{}", 2, NULL, NULL, &counts, &f->error));
    assert_non_null(strstr(f->error.text, "\"format\" must be 1"));
    store_close(store);
}

static void a_file_holds_one_template_of_one_device(void **state)
{
    struct fixture *f = *state;
    struct known k = known_paths(f);
    struct store *store = fixture_open(f);
    assert_false(store_known_write(store, &(struct store_filter){0}, k.again, &f->error));
    assert_non_null(strstr(f->error.text, "no valid evaluation"));
    fixture_put(f, store, fixture_begin(f, store), "{\"T\":1}", fixture_success(1));
    f->problem.template_name = "sum";
    fixture_put(f, store, fixture_begin(f, store), "{\"T\":1}", fixture_success(1));
    assert_false(store_known_write(store, &(struct store_filter){0}, k.again, &f->error));
    assert_error(f, "one template, not both gemm and sum");
    strcpy(f->device.name, "Imaginary 200");
    fixture_put(f, store, fixture_begin(f, store), "{\"T\":1}", fixture_success(1));
    assert_false(store_known_write(store, &(struct store_filter){.template_name = "sum"}, k.again, &f->error));
    assert_error(f, "one device, not both Imaginary 100 and Imaginary 200");
    assert_int_equal(access(k.again, F_OK), -1);
    snprintf(k.again, sizeof k.again, "%s/nowhere/x.json", f->folder);
    assert_false(store_known_write(store, &(struct store_filter){.template_name = "gemm"}, k.again, &f->error));
    assert_non_null(strstr(f->error.text, "cannot create"));
    store_close(store);
}

static void a_missing_folder_holds_no_knowledge(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    assert_true(store_known_load(store, "/nowhere/known", &f->error));
    assert_false(store_known_load(store, "/dev/null", &f->error));
    assert_non_null(strstr(f->error.text, "it is not a regular file but"));
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(shipped_rows_answer_elsewhere),
        unit(problems_of_several_compilers),
        unit(a_file_is_readable_and_reproducible),
        unit(a_ladder_is_shipped_with_its_descriptions),
        unit(identical_content_is_loaded_once),
        unit(one_template_is_loaded_alone),
        unit(a_measurement_takes_precedence_over_a_shipped_row),
        unit(a_broken_file_is_named_and_does_not_stop_the_others),
        unit(malformed_files_are_refused),
        unit(a_wrong_entry_is_refused_with_its_place_and_no_other),
        unit(what_is_imported_never_replaces_a_measurement),
        unit(other_texts_are_not_taken_for_known_results),
        unit(a_file_holds_one_template_of_one_device),
        unit(a_missing_folder_holds_no_knowledge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
