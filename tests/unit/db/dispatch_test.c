/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatches are kept by template, device, data and objective; the latest replaces what was there. */
#include "db/dispatch.h"
#include "tests/unit/db/fixture.h"
#include "tests/unit/expect.h"

static void put_problem(struct fixture *f, struct store *store)
{
    int64_t run;
    assert_success(store_run_begin(store, &f->problem, &f->run, &run, &f->error), &f->error);
    assert_success(store_run_end(store, run, "done", &f->error), &f->error);
}

static void put(struct fixture *f, struct store *store, const char *objective, const char *document)
{
    assert_success(store_dispatch_put(store, &f->problem, objective, document, &f->error), &f->error);
}

static bool add(const struct store_dispatch_row *row, void *context)
{
    char *text = context;
    sprintf(text + strlen(text), "%s of %s on %s by %s (%s, %s, \"%s\") %.2s; ", row->document, row->template_name,
            row->device_name, row->objective, row->driver, row->compiler, row->inputs, row->made_at);
    return true;
}

static void expect(struct fixture *f, struct store *store, const struct store_filter *filter, const char *expected)
{
    char text[1000] = "";
    assert_success(store_dispatches(store, filter, add, text, &f->error), &f->error);
    assert_string_equal(text, expected);
}

static void the_latest_replaces(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    const struct store_filter time = {.template_name = "gemm",
                                      .template_hash = "aaaa",
                                      .device_kind = "cuda",
                                      .device_name = "Imaginary 100",
                                      .inputs = "",
                                      .objective = "time"};
    expect(f, store, &time, "");
    put_problem(f, store);
    put(f, store, "time", "first");
    put(f, store, "energy", "other");
    put(f, store, "time", "second");
    expect(f, store, &time, "second of gemm on Imaginary 100 by time (580.1, NVRTC 13.0, \"\") 20; ");
    struct store_filter other = time;
    other.objective = "energy";
    expect(f, store, &other, "other of gemm on Imaginary 100 by energy (580.1, NVRTC 13.0, \"\") 20; ");
    other.template_hash = "bbbb";
    expect(f, store, &other, "");
    store_close(store);
}

static void each_data_has_its_own(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    put_problem(f, store);
    put(f, store, "time", "without");
    f->problem.inputs = "x=0123";
    f->problem.input_files = "x = x.npy";
    put_problem(f, store);
    put(f, store, "time", "with");
    expect(f, store, &(struct store_filter){.template_name = "gemm", .inputs = "x=0123"},
           "with of gemm on Imaginary 100 by time (580.1, NVRTC 13.0, \"x=0123\") 20; ");
    expect(f, store, &(struct store_filter){.template_name = "gemm", .inputs = ""},
           "without of gemm on Imaginary 100 by time (580.1, NVRTC 13.0, \"\") 20; ");
    store_close(store);
}

static void the_compiler_may_be_two(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    strcpy(f->problem.compiler, "NVRTC 13.0, g++ 12.2");
    put_problem(f, store);
    put(f, store, "time", "tree");
    expect(f, store, &(struct store_filter){.template_name = "gemm"},
           "tree of gemm on Imaginary 100 by time (580.1, NVRTC 13.0, g++ 12.2, \"\") 20; ");
    store_close(store);
}

/* Behind one's own, and only a later one replaces one of the same origin. */
static void trees_of_others_stand_beside(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    static const struct {
        enum origin origin;
        const char *made_at, *document;
    } others[] = {{ORIGIN_SHIPPED, "1902", "shipped"},
                  {ORIGIN_IMPORTED, "1801", "imported"},
                  {ORIGIN_IMPORTED, "1800", "older"}};
    put_problem(f, store);
    put(f, store, "time", "own");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct dispatch_facts facts = {"time", others[i].made_at, others[i].origin};
        assert_success(transaction_begin(store, &f->error), &f->error);
        assert_success(dispatch_write(store, &f->problem, &facts, others[i].document, &f->error), &f->error);
        assert_success(transaction_end(store, true, &f->error), &f->error);
    }
    expect(f, store, &(struct store_filter){.template_name = "gemm"},
           "own of gemm on Imaginary 100 by time (580.1, NVRTC 13.0, \"\") 20; "
           "imported of gemm on Imaginary 100 by time (580.1, NVRTC 13.0, \"\") 18; "
           "shipped of gemm on Imaginary 100 by time (580.1, NVRTC 13.0, \"\") 19; ");
    store_close(store);
}

static void a_problem_is_needed(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    assert_false(store_dispatch_put(store, &f->problem, "time", "{}", &f->error));
    assert_int_equal(f->error.code, ERROR_SYSTEM);
    assert_mentions(f->error.text, "no such problem: gemm at M=1024");
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_latest_replaces, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(each_data_has_its_own, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(the_compiler_may_be_two, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(trees_of_others_stand_beside, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(a_problem_is_needed, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
