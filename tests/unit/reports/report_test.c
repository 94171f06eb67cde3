/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include "reports/report.h"

#include <jansson.h>
#include <sqlite3.h>
#include <unistd.h>

static const char data_begin[] = "<script type=\"application/json\" id=\"data\">";

static struct store *open_store(const char *folder)
{
    struct store *store;
    struct error error = {0};
    if (!store_open(path_in(folder, "tune.db"), false, &store, &error))
        fail_msg("%s", error.text);
    return store;
}

/* One sweep with one result on a device of this name. */
static void add_device(struct store *store, const char *name)
{
    const struct device_description device = {.kind = "cuda", .architecture = "sm_90", .sm_count = 132};
    struct device_description named = device;
    snprintf(named.name, sizeof named.name, "%s", name);
    const struct store_problem problem = {
        .template_name = "gemm",
        .template_path = "/gemm.template",
        .template_hash = "aaaa",
        .space_name = "joint",
        .space_hash = "bbbb",
        .space_text = "space joint of gemm",
        .size = "M=64",
        .device = &named,
    };
    const struct store_run run = {
        .strategy = "random", .budget = "", .objective = "time", .tune_version = "0.1.0", .host = "here"};
    const struct evaluation evaluation = {
        .outcome = OUTCOME_OK, .time_ns = 2000, .time_low_ns = 1990, .time_high_ns = 2010};
    struct error error = {0};
    int64_t run_id, id;
    if (!store_run_begin(store, &problem, &run, &run_id, &error) ||
        !store_put(store, run_id, "{\"V\":\"</script>\"}", &evaluation, &id, &error))
        fail_msg("%s", error.text);
}

static void write_report(struct store *store, const char *folder)
{
    struct error error = {0};
    char *index = NULL;
    if (!report_write(store, path_in(folder, "report"), true, &index, &error))
        fail_msg("%s", error.text);
    assert_string_equal(index, path_in(folder, "report/index.html"));
    free(index);
}

/* The data that a page holds, read as a browser would: up to the next end of a script. */
static json_t *data_of(const char *folder, const char *name)
{
    char *page = text_of(path_in(folder, name));
    char *json = text_between(page, data_begin, "</script>");
    json_t *data = json_loads(json, 0, NULL);
    assert_non_null(data);
    free(json);
    free(page);
    return data;
}

static void an_empty_database_has_an_index(void **state)
{
    struct store *store = open_store(*state);
    write_report(store, *state);
    store_close(store);
    json_t *data = data_of(*state, "report/index.html");
    assert_int_equal(json_array_size(json_object_get(data, "devices")), 0);
    assert_true(json_is_array(json_object_get(data, "devices")));
    assert_string_equal(json_string_value(json_object_get(data, "tune_version")), TUNE_VERSION);
    json_decref(data);
}

static void expect_page_of(json_t *index, const char *device, const char *page)
{
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(index, "devices"), i, entry)
    {
        if (strcmp(json_string_value(json_object_get(entry, "name")), device) == 0) {
            assert_string_equal(json_string_value(json_object_get(entry, "page")), page);
            return;
        }
    }
    fail_msg("the index has no %s", device);
}

static void each_device_has_a_page_that_the_index_names(void **state)
{
    struct store *store = open_store(*state);
    add_device(store, "NVIDIA H100 80GB HBM3");
    add_device(store, " (odd)  <b>&name --");
    write_report(store, *state);
    store_close(store);

    json_t *index = data_of(*state, "report/index.html");
    assert_int_equal(json_array_size(json_object_get(index, "devices")), 2);
    expect_page_of(index, "NVIDIA H100 80GB HBM3", "device-1-nvidia-h100-80gb-hbm3.html");
    expect_page_of(index, " (odd)  <b>&name --", "device-2-odd-b-name.html");
    json_decref(index);
    assert_int_equal(access(path_in(*state, "report/device-1-nvidia-h100-80gb-hbm3.html"), R_OK), 0);
    assert_int_equal(access(path_in(*state, "report/device-2-odd-b-name.html"), R_OK), 0);
}

static void a_page_holds_the_document_and_escapes_text(void **state)
{
    struct store *store = open_store(*state);
    struct error error = {0};
    json_t *document;
    add_device(store, "a <b> & \"c\"");
    write_report(store, *state);
    assert_true(store_device_json(store, 1, &document, &error));
    store_close(store);

    json_t *data = data_of(*state, "report/device-1-a-b-c.html");
    assert_true(json_equal(json_object_get(data, "problems"), json_object_get(document, "problems")));
    assert_true(json_equal(json_object_get(data, "device"), json_object_get(document, "device")));
    json_decref(data);
    json_decref(document);

    char *page = text_of(path_in(*state, "report/device-1-a-b-c.html"));
    char *title = text_between(page, "<title>", "</title>");
    assert_string_equal(title, "a &#60;b&#62; &#38; &#34;c&#34;");
    free(title);
    free(page);
}

static void a_long_name_is_cut(void **state)
{
    struct store *store = open_store(*state);
    char name[100];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    add_device(store, name);
    write_report(store, *state);
    store_close(store);
    json_t *index = data_of(*state, "report/index.html");
    json_t *device = json_array_get(json_object_get(index, "devices"), 0);
    const char *page = json_string_value(json_object_get(device, "page"));
    assert_int_equal(strlen(page), strlen("device-1-") + 63 + strlen(".html"));
    json_decref(index);
}

/* Only a damaged database has one. */
static void a_device_without_a_name_has_a_page(void **state)
{
    struct store *store = open_store(*state);
    add_device(store, "GPU");
    store_close(store);
    sqlite3 *sqlite;
    static const char damage[] = "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'NOT "
                                 "NULL', '') WHERE name = 'device';"
                                 "PRAGMA writable_schema = RESET; UPDATE device SET name = NULL";
    assert_int_equal(sqlite3_open(path_in(*state, "tune.db"), &sqlite), SQLITE_OK);
    assert_int_equal(sqlite3_exec(sqlite, damage, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(sqlite);
    store = open_store(*state);
    write_report(store, *state);
    store_close(store);
    assert_int_equal(access(path_in(*state, "report/device-1-.html"), R_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(a_device_without_a_name_has_a_page),
        unit(an_empty_database_has_an_index),
        unit(each_device_has_a_page_that_the_index_names),
        unit(a_page_holds_the_document_and_escapes_text),
        unit(a_long_name_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
