/* SPDX-License-Identifier: Apache-2.0 */
/* What commands gather and print, with each allocation failing in turn: a clean error or the whole answer, and no
 * leak. */
#include "printed.h"

#include "tests/unit/failing_allocator.h"
#include "tests/unit/fixture.h"
#include "tuner/cli/listing.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/show.h"
#include "tuner/cli/table.h"

#include <jansson.h>

/* Print something to `out`. */
typedef bool scenario(void *context, const struct terminal *out, struct error *error);

static char *run(scenario *print, void *context, size_t n, bool *failed, bool *done, struct error *error)
{
    struct printed printed;
    printed_begin(&printed, 60);
    *error = (struct error){0};
    failing_allocator_begin(n);
    *done = print(context, &printed.out, error);
    *failed = failing_allocator_end();
    return printed_end(&printed);
}

/* Every `step`-th allocation fails, one at a time. */
static void fail_each(scenario *print, void *context, size_t step)
{
    struct error error;
    bool failed = true, done;
    char *right = run(print, context, 0, &failed, &done, &error);
    assert_true(done && !failed);
    size_t n = 1;
    for (failed = true; failed; n += step) {
        char *text = run(print, context, n, &failed, &done, &error);
        if (done ? strcmp(text, right) != 0 : error.code != ERROR_OUT_OF_MEMORY)
            fail_msg("allocation %zu: %s: %s", n, done ? "another text" : "another error", done ? text : error.text);
        free(text);
    }
    assert_true(n > 5);
    free(right);
}

static bool print_table(void *context, const struct terminal *out, struct error *error)
{
    static const char *const headings[] = {"name", ">value", "_details"};
    (void)context;
    struct table *table = table_create(headings, 3);
    for (int i = 0; i < 30; i++) {
        if (i == 7)
            table_mark_best(table);
        table_cell(table, "name %d", i);
        table_cell(table, "%d", i);
        table_cell(table, "details of some length, which fold");
    }
    return table_print(table, out, error);
}

static void tables(void **state)
{
    (void)state;
    fail_each(print_table, NULL, 1);
}

static bool print_parameters(void *context, const struct terminal *out, struct error *error)
{
    json_t *const *configurations = context;
    json_t *shared = parameters_shared(configurations, 2);
    bool done = shared ? parameters_print_shared(shared, out, error) : error_out_of_memory(error);
    char *text = done ? parameters_text_of("{\"A\": 1, \"B\": \"two\", \"C\": 0.1}", shared) : NULL;
    if (text)
        fputs(text, out->stream);
    else if (done)
        done = error_out_of_memory(error);
    free(text);
    json_decref(shared);
    return done;
}

static void parameters(void **state)
{
    (void)state;
    json_t *configurations[] = {json_pack("{s:i, s:s}", "A", 1, "B", "x"), json_pack("{s:i, s:s}", "A", 1, "B", "y")};
    fail_each(print_parameters, configurations, 1);
    json_decref(configurations[0]);
    json_decref(configurations[1]);
}

static bool print_space(void *context, const struct terminal *out, struct error *error)
{
    json_t *document = show_space_json(context);
    bool done = document ? show_space_text(document, out, error) : error_out_of_memory(error);
    json_decref(document);
    return done;
}

static bool print_template(void *context, const struct terminal *out, struct error *error)
{
    json_t *document = show_template_json(context);
    bool done = document ? show_template_text(document, out, error) : error_out_of_memory(error);
    json_decref(document);
    return done;
}

static void shown_spaces_and_templates(void **state)
{
    (void)state;
    struct subject subject = {.device.description = fixture_device()};
    const struct options options = {0};
    struct error error;
    assert_success(subject_template(&subject, TUNE_SOURCE_FOLDER "/templates/reduction", &error) &&
                       subject_space(&subject, NULL, &error) && subject_problem(&subject, &options, &error),
                   &error);
    fail_each(print_space, &subject, 1);
    fail_each(print_template, &subject, 1);
    subject_clear(&subject);
}

static bool print_list(void *context, const struct terminal *out, struct error *error)
{
    listing_gatherer *const *gather = context;
    const struct options options = {0};
    json_t *rows = (*gather)(&options, error);
    if (!rows)
        return false;
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row)
    {
        const char *name;
        json_t *value;
        json_object_foreach((json_t *)(uintptr_t)row, name, value)
            fprintf(out->stream, "%s=%s\n", name, json_is_string(value) ? json_string_value(value) : "");
    }
    json_decref(rows);
    return true;
}

static void lists(void **state)
{
    (void)state;
    static listing_gatherer *const gatherers[] = {list_strategies, list_templates, list_spaces};
#ifdef TUNE_SANITIZED
    static const size_t steps[] = {1, 113, 389};
#else
    static const size_t steps[] = {1, 29, 97}; /* the latter read every template */
#endif
    setenv("TUNE_HOME", TUNE_SOURCE_FOLDER, 1);
    for (size_t i = 0; i < sizeof gatherers / sizeof *gatherers; i++)
        fail_each(print_list, (void *)(uintptr_t)&gatherers[i], steps[i]);
}

int main(void)
{
    failing_allocator_take_jansson();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables),
        cmocka_unit_test(parameters),
        cmocka_unit_test(shown_spaces_and_templates),
        cmocka_unit_test(lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
