/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded rows: everything measured or imported, in order and with its cost, but nothing shipped. */
#include "fixture.h"

#include "db/evaluations.h"

struct recorded {
    char lines[8][256];
    size_t count, limit;
};

static bool note(const struct store_recorded_row *row, void *context)
{
    struct recorded *recorded = context;
    assert_true(recorded->count < 8);
    snprintf(recorded->lines[recorded->count++], sizeof recorded->lines[0], "%s %s %s %s %g %s %g %g %g %g %s %s %s",
             row->template_name, row->device_kind, row->configuration, outcome_name(row->outcome), row->time_ns,
             row->samples_ns, row->compile_seconds, row->validate_seconds, row->measure_seconds, row->energy_j,
             row->metrics, row->definitions, row->objective);
    return recorded->count != recorded->limit;
}

static void put_shipped(struct fixture *f, struct store *store)
{
    int64_t problem, id;
    struct evaluation evaluation = fixture_success(5);
    assert_true(transaction_begin(store, &f->error));
    bool done =
        problem_ensure(store, &f->problem, ORIGIN_SHIPPED, &problem, &f->error) &&
        evaluation_write(store, problem, "{\"T\":9}", &evaluation, ORIGIN_SHIPPED, "2026-01-01", &id, &f->error);
    assert_true(transaction_end(store, done, &f->error));
}

static void measured_rows_come_in_order(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct recorded recorded = {0};
    bool shipped = true;
    assert_true(store_has_shipped(store, &shipped, &f->error));
    assert_false(shipped);
    double samples[] = {1000, 1001.5};
    static char metrics[] = "{\"rate\":1.5}";
    struct evaluation evaluation = fixture_success(1000);
    evaluation.energy_j = 0.5;
    evaluation.metrics = metrics;
    f->problem.template_metrics = "{\"rate\":{\"text\":\"a\"}}";
    f->problem.template_objective = "energy";
    evaluation.samples_ns = samples;
    evaluation.sample_count = 2;
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"T\":1}", evaluation);
    fixture_put(f, store, run, "{\"T\":2}", fixture_failure(OUTCOME_FAULT, (char *)"trap"));
    f->problem.size = "M=1,N=1,K=1";
    fixture_put(f, store, fixture_begin(f, store), "{\"T\":3}", fixture_success(7));
    put_shipped(f, store);

    assert_true(store_recorded(store, note, &recorded, &f->error));
    assert_int_equal(recorded.count, 3);
    assert_string_equal(recorded.lines[0],
                        "gemm cuda {\"T\":1} ok 1000 [1000.0,1001.5] 0.25 0.5 0.125 0.5 {\"rate\":1.5} "
                        "{\"rate\":{\"text\":\"a\"}} energy");
    assert_string_equal(recorded.lines[1],
                        "gemm cuda {\"T\":2} fault 0 [] 0 0 0 0  {\"rate\":{\"text\":\"a\"}} energy");
    assert_string_equal(recorded.lines[2],
                        "gemm cuda {\"T\":3} ok 7 [] 0.25 0.5 0.125 0  {\"rate\":{\"text\":\"a\"}} energy");
    assert_true(store_has_shipped(store, &shipped, &f->error));
    assert_true(shipped);
    store_close(store);
}

static bool note_default(const struct store_recorded_row *row, void *context)
{
    snprintf(context, 64, "%s", row->default_configuration);
    return true;
}

/* Runs that name none leave it. */
static void the_latest_default_is_known(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    static const char *const steps[][2] = {
        {NULL, ""}, {"{\"T\":1}", "{\"T\":1}"}, {"{\"T\":2}", "{\"T\":2}"}, {NULL, "{\"T\":2}"}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        char text[64] = "";
        f->run.default_configuration = steps[i][0];
        fixture_put(f, store, fixture_begin(f, store), "{\"T\":1}", fixture_success(1));
        assert_true(store_recorded(store, note_default, text, &f->error));
        assert_string_equal(text, steps[i][1]);
    }
    store_close(store);
}

static void a_visitor_can_stop(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct recorded recorded = {.limit = 1};
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"T\":1}", fixture_success(1));
    fixture_put(f, store, run, "{\"T\":2}", fixture_success(2));
    assert_true(store_recorded(store, note, &recorded, &f->error));
    assert_int_equal(recorded.count, 1);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(measured_rows_come_in_order),
        unit(the_latest_default_is_known),
        unit(a_visitor_can_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
