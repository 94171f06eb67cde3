/* SPDX-License-Identifier: Apache-2.0 */
/* What devices can do at best, from probes and data sheets. */
#include "counting.h"
#include "fixture.h"

#include <jansson.h>

static void put(struct fixture *f, struct store *store, const char *configuration, double time_ns, struct work work)
{
    struct evaluation evaluation = fixture_success(time_ns);
    evaluation.work = work;
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, configuration, evaluation);
}

static void become_probes(struct fixture *f)
{
    f->problem.template_name = STORE_PROBES;
    f->problem.template_hash = "cccc";
    f->problem.size = "STEPS=1";
    f->problem.work = (struct work){0};
}

/* 1 G special functions in 1 ms are 10^12 a second; 2 GB in 1 ms are 2 TB/s, less than the data sheet's 3. */
static void probes_stand_for_the_data_sheet(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct ceilings ceilings;
    assert_true(
        store_device_ceilings(store, &f->device, &ceilings, &f->error)); /* the store does not know the device */
    assert_true(ceilings.of[WORK_BYTES].rate == 3e12 && !ceilings.of[WORK_BYTES].measured);
    become_probes(f);
    put(f, store, "{\"P\":1}", 1e6, (struct work){.special_ops = 1e9});
    put(f, store, "{\"P\":2}", 1e6, (struct work){.bytes = 2e9});
    put(f, store, "{\"P\":3}", 1e6, (struct work){.bytes = 1e9});
    for (int by_number = 0; by_number < 2; by_number++) {
        if (by_number)
            assert_true(store_ceilings(store, 1, &ceilings, &f->error));
        else
            assert_true(store_device_ceilings(store, &f->device, &ceilings, &f->error));
        assert_true(ceilings.of[WORK_SPECIAL].rate == 1e12 && ceilings.of[WORK_SPECIAL].measured);
        assert_true(ceilings.of[WORK_BYTES].rate == 2e12 && ceilings.of[WORK_BYTES].measured);
        assert_true(ceilings.of[WORK_FLOPS].rate == 60e12 && !ceilings.of[WORK_FLOPS].measured);
    }
    strcpy(f->device.name, "Another");
    assert_true(store_device_ceilings(store, &f->device, &ceilings, &f->error));
    assert_true(ceilings.of[WORK_BYTES].rate == 3e12 && !ceilings.of[WORK_BYTES].measured);
    assert_true(store_ceilings(store, 99, &ceilings, &f->error));
    for (size_t i = 0; i < WORK_COUNT; i++)
        assert_true(ceilings.of[i].rate == 0);
    store_close(store);
}

static void failed_probes_do_not_count(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct ceilings ceilings;
    char message[] = "wrong";
    struct evaluation wrong = fixture_failure(OUTCOME_WRONG_RESULT, message);
    wrong.work.bytes = 1e15;
    wrong.time_ns = 1;
    become_probes(f);
    fixture_put(f, store, fixture_begin(f, store), "{\"P\":1}", wrong);
    assert_true(store_ceilings(store, 1, &ceilings, &f->error));
    assert_true(ceilings.of[WORK_BYTES].rate == 3e12 && !ceilings.of[WORK_BYTES].measured);
    store_close(store);
}

/* Which probe is the fastest says nothing: it is no result unless asked for. */
static void probes_are_no_results(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    put(f, store, "{\"T\":1}", 1e6, (struct work){.flops = 1e9});
    become_probes(f);
    put(f, store, "{\"P\":1}", 1e6, (struct work){.flops = 3e10});
    size_t rows = 0;
    assert_true(store_best(store, &(struct store_filter){0}, count_row, &rows, &f->error));
    assert_int_equal(rows, 1);
    assert_true(
        store_best(store, &(struct store_filter){.template_name = STORE_PROBES}, count_row, &rows, &f->error));
    assert_int_equal(rows, 2);
    json_t *document;
    assert_true(store_device_json(store, 1, &document, &f->error));
    assert_int_equal(json_array_size(json_object_get(document, "problems")), 1);
    json_decref(document);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(template || percent_of_peak) FROM best"),
                        "gemm3.3");
}

static const char *text_at(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void a_report_gets_every_known_ceiling(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    f->device.peak_shared = f->device.peak_integer = 0;
    become_probes(f);
    put(f, store, "{\"PIPE\":\"special\"}", 1e6, (struct work){.special_ops = 1e9});
    json_t *document;
    assert_true(store_device_json(store, 1, &document, &f->error));
    const json_t *ceilings = json_object_get(json_object_get(document, "device"), "ceilings");
    assert_int_equal(json_array_size(ceilings), 3);
    const json_t *fp32 = json_array_get(ceilings, 0), *special = json_array_get(ceilings, 2);
    assert_string_equal(text_at(fp32, "figure"), "flops");
    assert_string_equal(text_at(fp32, "source"), "data sheet");
    assert_null(json_object_get(fp32, "configuration"));
    assert_string_equal(text_at(special, "figure"), "special_ops");
    assert_string_equal(text_at(special, "limit"), "special-function");
    assert_string_equal(text_at(special, "unit"), "op/s");
    assert_string_equal(text_at(special, "source"), "measured");
    assert_true(json_number_value(json_object_get(special, "rate")) == 1e12);
    assert_true(json_number_value(json_object_get(special, "data_sheet_rate")) == h100.peak_special);
    assert_string_equal(text_at(json_object_get(special, "configuration"), "PIPE"), "special");
    json_decref(document);
    store_close(store);
}

/* The view and the table of figures agree. */
static void the_view_has_every_figure(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    fixture_begin(f, store);
    store_close(store);
    char expected[400] = "";
    for (size_t i = 0, at = 0; i < WORK_COUNT; i++)
        at += (size_t)snprintf(expected + at, sizeof expected - at, "%s%s %s %s/s %g", i ? ";" : "",
                               work_kinds[i].column, work_kinds[i].pipe, work_kinds[i].unit,
                               work_peak(&f->device, (enum work_figure)i));
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT group_concat(figure || ' ' || limit_name || ' ' || unit || ' ' || "
                                    "printf('%g', rate), ';') FROM ceilings"),
                        expected);
}

/* Rates without the rest of the view are its rates: two versions of the probes, of which the latest does not measure
 * all, on two devices; some figures are of the data sheet alone, or unknown. */
static void rates_are_those_of_the_view(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    unsigned random = 1;
    become_probes(f);
    f->device.peak_shared = 0;
    for (int i = 0; i < 64; i++) {
        struct work work = {0};
        char configuration[32];
        snprintf(configuration, sizeof configuration, "{\"P\":%d}", i);
        f->problem.template_hash = i < 40 ? "cccc" : "dddd";
        strcpy(f->device.name, i % 2 ? "Imaginary 200" : "Imaginary 100");
        random = random * 1103515245u + 12345u;
        work.of[(random >> 16) % (i < 40 ? WORK_INTEGER : WORK_SPECIAL)] = 1e9 + random % 1000003;
        put(f, store, configuration, 1e6 + i % 7, work);
    }
    char seen[1024] = "";
    for (int64_t device = 1; device <= 2; device++) {
        struct ceilings ceilings;
        assert_true(store_ceilings(store, device, &ceilings, &f->error));
        for (size_t i = 0, at = strlen(seen); i < WORK_COUNT; i++) {
            if (ceilings.of[i].rate > 0)
                at += (size_t)snprintf(seen + at, sizeof seen - at, "%s %s %.15g;", work_kinds[i].column,
                                       ceiling_source(&ceilings.of[i]), ceilings.of[i].rate);
        }
    }
    store_close(store);
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT group_concat(one, '') FROM (SELECT figure || ' ' || source || ' ' "
                                    "|| printf('%.15g', rate) || ';' AS one FROM ceilings)"),
                        seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(probes_stand_for_the_data_sheet),   unit(failed_probes_do_not_count), unit(probes_are_no_results),
        unit(a_report_gets_every_known_ceiling), unit(the_view_has_every_figure),  unit(rates_are_those_of_the_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
