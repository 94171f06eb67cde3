/* SPDX-License-Identifier: Apache-2.0 */
/* What programs found while they ran stands beside results, and what they may try is the fastest of each problem. */
#include "db/forget.h"
#include "tests/unit/db/fixture.h"
#include "tests/unit/expect.h"

#include <stdio.h>

static const struct store_filter of_gemm = {
    .template_name = "gemm", .template_hash = "aaaa", .device_kind = "cuda", .device_name = "Imaginary 100"};

static void put(struct fixture *f, struct store *store, const char *configuration, double ratio)
{
    const struct store_online online = {.configuration = configuration,
                                        .began_with = "{\"A\":1}",
                                        .ratio = ratio,
                                        .time_ns = 1500,
                                        .calls = 900,
                                        .tries = 31,
                                        .tried = "[{\"A\":7}]"};
    assert_success(store_online_put(store, &f->problem, &online, &f->error), &f->error);
}

static bool add(const struct store_online_row *row, void *context)
{
    char *text = context;
    const struct store_online *online = &row->online;
    sprintf(text + strlen(text), "%s after %s at %s (\"%s\", %s) %g %g %d %d %s %.2s; ", online->configuration,
            online->began_with, row->size, row->inputs, row->compiler, online->ratio, online->time_ns,
            (int)online->calls, (int)online->tries, online->tried, row->found_at);
    return true;
}

static void expect(struct fixture *f, struct store *store, const struct store_filter *filter, const char *expected)
{
    char text[1000] = "";
    assert_success(store_onlines(store, filter, add, text, &f->error), &f->error);
    assert_string_equal(text, expected);
}

static void the_latest_replaces(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    expect(f, store, &of_gemm, "");
    put(f, store, "{\"A\":2}", 0.75);
    put(f, store, "{\"A\":3}", 0.5);
    expect(f, store, &of_gemm,
           "{\"A\":3} after {\"A\":1} at M=1024,N=1024,K=1024 (\"\", NVRTC 13.0) 0.5 1500 900 31 [{\"A\":7}] 20; ");
    struct store_filter other = of_gemm;
    other.template_hash = "bbbb";
    expect(f, store, &other, "");
    other = of_gemm;
    other.device_name = "Imaginary 200";
    expect(f, store, &other, "");
    store_close(store);
}

static bool never(const struct store_row *row, void *context)
{
    (void)row, (void)context;
    fail_msg("a row");
    return false;
}

static void it_is_no_result(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    bool valid = true;
    put(f, store, "{\"A\":2}", 0.75);
    assert_success(store_best(store, &of_gemm, never, NULL, &f->error), &f->error);
    assert_success(store_relatives(store, "gemm", "cuda", NULL, never, NULL, &f->error), &f->error);
    assert_success(store_was_valid(store, "gemm", "aaaa", "{\"A\":2}", &valid, &f->error), &f->error);
    assert_false(valid);
    store_close(store);
}

/* A device that the library describes in passing must not replace what a sweep has stored. */
static void what_is_known_of_the_device_stays(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    (void)fixture_begin(f, store);
    strcpy(f->device.uuid, "");
    f->problem.template_path = "/elsewhere";
    put(f, store, "{\"A\":2}", 0.75);
    assert_string_equal(fixture_ask(f->path, "SELECT uuid FROM device"), "GPU-1");
    assert_string_equal(fixture_ask(f->path, "SELECT path FROM template"), "/templates/gemm/gemm.template");
    store_close(store);
}

static bool add_contender(const struct store_contender *contender, void *context)
{
    char *text = context;
    sprintf(text + strlen(text), "%s %s %g/%g; ", contender->size, contender->configuration, contender->time_ns,
            contender->fastest_ns);
    return true;
}

static void the_fastest_of_each_problem_contend(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    char text[1000] = "", slow[] = "too slow";
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"A\":1}", fixture_success(300));
    fixture_put(f, store, run, "{\"A\":2}", fixture_success(100));
    fixture_put(f, store, run, "{\"A\":3}", fixture_success(200));
    fixture_put(f, store, run, "{\"A\":4}", fixture_failure(OUTCOME_WRONG_RESULT, slow));
    f->problem.size = "M=64,N=64,K=64";
    run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"A\":1}", fixture_success(7));
    assert_success(store_contenders(store, &of_gemm, 2, add_contender, text, &f->error), &f->error);
    assert_string_equal(text, "M=1024,N=1024,K=1024 {\"A\":2} 100/100; M=1024,N=1024,K=1024 {\"A\":3} 200/100; "
                              "M=64,N=64,K=64 {\"A\":1} 7/7; ");
    store_close(store);
}

static bool pass(const struct forget_row *row, void *context)
{
    (void)row, (void)context;
    return true;
}

static void it_is_forgotten_with_the_best(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct forget_criteria criteria = {.template_name = "gemm"};
    struct forget_rest rest;
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"A\":1}", fixture_success(300));
    assert_success(store_run_end(store, run, "done", &f->error), &f->error);
    put(f, store, "{\"A\":2}", 0.75);
    f->problem.size = "M=1,N=1,K=1"; /* which no sweep has measured */
    put(f, store, "{\"A\":2}", 0.75);
    assert_success(store_forget(store, &criteria, false, pass, NULL, &rest, &f->error), &f->error);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM online"), "2");
    criteria.best_too = true;
    assert_success(store_forget(store, &criteria, false, pass, NULL, &rest, &f->error), &f->error);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM online"), "0");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM template"), "0");
    store_close(store);
}

/* As where a program has what came with tune, and nothing was swept. */
static void it_is_forgotten_where_nothing_was_swept(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct forget_criteria criteria = {.template_name = "gemm"};
    struct forget_rest rest;
    put(f, store, "{\"A\":2}", 0.75);
    assert_false(store_forget(store, &criteria, false, pass, NULL, &rest, &f->error));
    assert_error(f, "only answers found online");
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"A\":1}", fixture_success(300));
    assert_success(store_run_end(store, run, "done", &f->error), &f->error);
    fixture_ask(f->path, "UPDATE evaluation SET origin = 'shipped'");
    criteria.best_too = true;
    for (int dry_run = 1; dry_run >= 0; dry_run--) {
        assert_success(store_forget(store, &criteria, dry_run, pass, NULL, &rest, &f->error), &f->error);
        assert_int_equal(rest.online, 1);
        assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM online"), dry_run ? "1" : "0");
    }
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM evaluation"), "1");
    store_close(store);
}

static void databases_are_merged_with_it(void **state)
{
    struct fixture *f = *state;
    char other[160], target[160];
    struct store *store = fixture_open(f);
    struct store_merge_count counts[2];
    snprintf(other, sizeof other, "%s/other.db", f->folder);
    snprintf(target, sizeof target, "%s/target.db", f->folder);
    put(f, store, "{\"A\":2}", 0.75);
    store_close(store);
    assert_success(store_open(other, false, &store, &f->error), &f->error);
    put(f, store, "{\"A\":3}", 0.5);
    store_close(store);
    const char *const sources[] = {other, f->path};
    assert_success(store_merge(sources, 2, target, NULL, counts, &f->error), &f->error);
    assert_string_equal(fixture_ask(target, "SELECT group_concat(configuration) FROM online"), "{\"A\":3}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_latest_replaces, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(it_is_no_result, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(what_is_known_of_the_device_stays, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(the_fastest_of_each_problem_contend, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(it_is_forgotten_with_the_best, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(it_is_forgotten_where_nothing_was_swept, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(databases_are_merged_with_it, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
