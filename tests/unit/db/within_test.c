/* SPDX-License-Identifier: Apache-2.0 */
/* Limits are a question: what is best within them, and finals within them, which decide nothing else. */
#include "first_row.h"

#include <jansson.h>

static const char A[] = "{\"T\":\"A\"}", B[] = "{\"T\":\"B\"}", C[] = "{\"T\":\"C\"}", D[] = "{\"T\":\"D\"}";

static void expect_within(struct fixture *f, struct store *store, const char *limits, const char *configuration)
{
    static const char *const objectives[] = {NULL, "time"}; /* the template's default is time */
    for (size_t i = 0; i < 2; i++) {
        struct seen seen = {0};
        const struct store_filter filter = {.limits = limits, .objective = objectives[i]};
        if (!store_best(store, &filter, see, &seen, &f->error))
            fail_msg("%s", f->error.text);
        assert_int_equal(seen.count, configuration ? 1 : 0);
        assert_string_equal(seen.configuration, configuration ? configuration : "");
    }
}

struct rows {
    int64_t run, a, b, c, d;
};

static int64_t put(struct fixture *f, struct store *store, int64_t run, const char *configuration, double time_ns,
                   int64_t registers)
{
    struct evaluation evaluation = fixture_success(time_ns);
    evaluation.resources.registers = registers;
    return fixture_put(f, store, run, configuration, evaluation);
}

static struct rows put_rows(struct fixture *f, struct store *store)
{
    int64_t run = fixture_begin(f, store);
    return (struct rows){
        .run = run,
        .a = put(f, store, run, A, 100, 80),
        .b = put(f, store, run, B, 101, 60),
        .c = put(f, store, run, C, 105, 50),
        .d = put(f, store, run, D, 102, 60),
    };
}

static void put_finals(struct fixture *f, struct store *store, int64_t run, int64_t winner, double time,
                       int64_t loser, double more)
{
    static const double rounds[] = {100};
    const struct store_final finals[] = {
        {winner, false, time, time, time, -1, -1, 1, 1, 1, rounds, 1, NULL, 0},
        {loser, false, more, more, more, -1, -1, 1.02, 1.01, 1.03, rounds, 1, NULL, 0},
    };
    if (!store_finals_put(store, run, finals, 2, &f->error))
        fail_msg("%s", f->error.text);
}

struct wanted {
    const char *configuration;
    enum store_verdict verdict;
};

static bool take_verdict(const struct store_row *row, void *context)
{
    struct wanted *wanted = context;
    if (strcmp(row->configuration, wanted->configuration) == 0)
        wanted->verdict = row->verdict;
    return true;
}

static enum store_verdict verdict_of(struct fixture *f, struct store *store, const char *limits,
                                     const char *configuration)
{
    struct wanted wanted = {configuration, VERDICT_NONE};
    assert_true(store_finished(store, &f->problem, "time", limits, take_verdict, &wanted, &f->error));
    return wanted.verdict;
}

static void single_measurements(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    put_rows(f, store);
    expect_within(f, store, NULL, A);
    expect_within(f, store, "registers <= 80", A);
    expect_within(f, store, "registers <= 64", B);
    expect_within(f, store, "registers <= 50 and time < 1", C);
    expect_within(f, store, "registers <= 64 and time > 101.5e-9", D);
    expect_within(f, store, "registers < 50", NULL);
    expect_within(f, store, "energy < 1", NULL);
    expect_within(f, store, "no condition", NULL); /* of a database that anyone may have written */
    store_close(store);
}

/* Who lost to one that is outside the limits counts again; who lost to one within them does not. */
static void finals_without_limits(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    const struct rows rows = put_rows(f, store);
    put_finals(f, store, rows.run, rows.a, 103, rows.b, 104); /* so that D's 102 counts as luck */
    expect_within(f, store, NULL, A);
    expect_within(f, store, "registers <= 80", A);
    expect_within(f, store, "registers <= 64", D);
    store_close(store);
}

static void finals_within_limits(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    const struct rows rows = put_rows(f, store);
    f->run.limits = "registers <= 64";
    int64_t run = fixture_begin(f, store);
    const int64_t all[] = {rows.a, rows.b, rows.c, rows.d};
    assert_true(store_reuse(store, run, all, 4, &f->error));
    put_finals(f, store, run, rows.b, 104, rows.c, 106);
    expect_within(f, store, "registers <= 64", B);
    expect_within(f, store, "registers <= 63", D); /* another question */
    expect_within(f, store, NULL, A);
    assert_int_equal(verdict_of(f, store, "registers <= 64", B), VERDICT_WINNER);
    assert_int_equal(verdict_of(f, store, "registers <= 64", C), VERDICT_LOST);
    assert_int_equal(verdict_of(f, store, "registers <= 64", D), VERDICT_OUTSIDE);
    assert_int_equal(verdict_of(f, store, NULL, B), VERDICT_NONE);
    assert_int_equal(verdict_of(f, store, NULL, D), VERDICT_NONE);
    assert_int_equal(look_up(f, store, run, B).verdict, VERDICT_WINNER);
    assert_int_equal(look_up(f, store, rows.run, B).verdict, VERDICT_NONE);
    store_close(store);
}

static bool take_run(const struct store_run_row *row, void *context)
{
    struct store_run_row *latest = context;
    *latest = *row;
    assert_string_equal(row->limits, "registers <= 64");
    return false;
}

static void runs(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    const struct rows rows = put_rows(f, store);
    struct store_run_row latest;
    f->run.limits = "registers <= 64";
    int64_t run = fixture_begin(f, store);
    assert_true(store_reuse(store, run, &rows.a, 1, &f->error) && store_reuse(store, run, &rows.c, 1, &f->error));
    assert_true(store_runs(store, take_run, &latest, &f->error));
    assert_true(latest.best_ns == 105);

    json_t *document; /* of a device, which names the best of runs with limits */
    assert_true(store_device_json(store, 1, &document, &f->error));
    const json_t *problem = json_array_get(json_object_get(document, "problems"), 0);
    const json_t *sweeps = json_object_get(problem, "runs");
    assert_int_equal(json_array_size(sweeps), 2);
    assert_null(json_object_get(json_array_get(sweeps, 0), "best"));
    assert_int_equal(json_integer_value(json_object_get(json_array_get(sweeps, 1), "best")), rows.c);
    json_decref(document);
    store_close(store);
}

/* What was not measured because of a limit makes way for anything, and for nothing does anything make way for it. */
static void not_measured(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    char message[] = "registers <= 64 does not hold: registers is 80";
    struct evaluation outside = evaluation_unmeasured;
    outside.outcome = OUTCOME_LIMIT;
    outside.transient = 1;
    outside.message = message;
    outside.resources.registers = 80;
    fixture_put(f, store, run, A, outside);
    assert_int_equal(look_up(f, store, run, A).registers, 80);
    put(f, store, run, A, 100, 80);
    expect_within(f, store, NULL, A);
    fixture_put(f, store, run, A, outside);
    expect_within(f, store, NULL, A);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(single_measurements, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(finals_without_limits, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(finals_within_limits, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(runs, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(not_measured, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
