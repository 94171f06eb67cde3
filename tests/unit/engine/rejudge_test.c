/* SPDX-License-Identifier: Apache-2.0 */
/* Stored rows by a template's metrics as they are now: at their own sizes, whatever wrote them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/h100.h"
#include "tuner/engine/rejudge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT                                                                                                         \
    "template t\nsize n = 4\nparameter P\nsource \"a.cu\"\nbuffer x : float[n] temp\nlaunch { k<<<1, 1>>>(x) }\n"

static struct template *parse(const char *text)
{
    struct template *template;
    struct error error = {0};
    if (!template_parse("t.template", ".", text, strlen(text), &template, &error))
        fail_msg("%s", error.text);
    return template;
}

struct seen {
    char texts[4][64];
    size_t count;
};

static bool see(const struct store_row *row, void *context)
{
    struct seen *seen = context;
    snprintf(seen->texts[seen->count++], sizeof seen->texts[0], "%s %s", row->size, row->metrics);
    return seen->count < 4;
}

static void put(struct store *store, const struct template *template, const char *size, struct error *error)
{
    const struct store_problem problem = {.template_name = template->name,
                                          .template_path = "",
                                          .template_hash = template->hash,
                                          .size = size,
                                          .device = &h100};
    const struct store_run run = {.strategy = "", .budget = "", .objective = "time", .tune_version = "", .host = ""};
    struct evaluation evaluation = {.outcome = OUTCOME_OK, .time_ns = 1e9, .time_low_ns = 1e9, .time_high_ns = 1e9};
    int64_t id;
    if (!store_run_begin(store, &problem, &run, &id, error) ||
        !store_put(store, id, "{\"P\":3}", &evaluation, NULL, error))
        fail_msg("%s", error->text);
}

static struct seen rows_of(struct store *store, struct error *error)
{
    struct seen seen = {0};
    if (!store_best(store, &(struct store_filter){.template_name = "t", .objective = "time"}, see, &seen, error))
        fail_msg("%s", error->text);
    return seen;
}

static void edits_reach_all_rows(void **state)
{
    (void)state;
    static const struct {
        const char *text, *first, *second;
    } cases[] = {
        {TEXT, "n=4 ", "n=8 "},
        {TEXT "metric a = n * P / time\n", "n=4 {\"a\":12.0}", "n=8 {\"a\":24.0}"},
        {TEXT "metric a = n * P / time\ndefault objective energy\n", "n=4 {\"a\":12.0}", "n=8 {\"a\":24.0}"},
        {TEXT "metric a = 1 / (n - 4)\n", "n=4 {\"a\":null}", "n=8 {\"a\":0.25}"},
        {TEXT "objective b = minimize device.warp_size * P\n", "n=4 {\"b\":96.0}", "n=8 {\"b\":96.0}"},
        {TEXT, "n=4 ", "n=8 "},
    };
    char path[] = "/tmp/tune-rejudge-XXXXXX";
    struct store *store;
    struct error error = {0};
    close(mkstemp(path));
    assert_true(store_open(path, false, &store, &error));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct template *template = parse(cases[i].text);
        if (i == 0) {
            put(store, template, "n=4", &error);
            put(store, template, "n=8", &error);
        }
        for (int again = 0; again < 2; again++) {
            if (!rejudge(template, store, &error))
                fail_msg("%s", error.text);
            const struct seen seen = rows_of(store, &error);
            assert_int_equal(seen.count, 2);
            assert_string_equal(seen.texts[0], cases[i].first);
            assert_string_equal(seen.texts[1], cases[i].second);
        }
        template_free(template);
    }
    store_close(store);
    char command[128];
    snprintf(command, sizeof command, "rm -f %s %s-wal %s-shm", path, path, path);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(edits_reach_all_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
