/* SPDX-License-Identifier: Apache-2.0 */
/* Rows ranked by objectives that templates define: side by side with time, in finals, and with damaged values. */
#include "fixture.h"

#include "db/ranking.h"

static const char definitions[] = "{\"rate\":{\"text\":\"P / time\",\"sense\":\"maximize\"},"
                                  "\"cost of P\":{\"text\":\"P * time\",\"sense\":\"minimize\"},"
                                  "\"shown\":{\"text\":\"time\"}}";

struct seen {
    int64_t id;
    size_t count;
};

static bool see(const struct store_row *row, void *context)
{
    struct seen *seen = context;
    if (seen->count++ == 0)
        seen->id = row->id;
    return true;
}

static int64_t best(struct fixture *f, struct store *store, const char *objective, const char *const *rungs)
{
    struct seen seen = {0};
    const struct store_filter filter = {
        .template_name = "gemm", .objective = objective, .rungs = rungs, .rung_count = rungs ? 1 : 0};
    if (!store_best(store, &filter, see, &seen, &f->error))
        fail_msg("%s", f->error.text);
    return seen.id;
}

static int64_t put(struct fixture *f, struct store *store, int64_t run, const char *configuration, double time_ns,
                   char *metrics)
{
    struct evaluation evaluation = fixture_success(time_ns);
    evaluation.metrics = metrics;
    return fixture_put(f, store, run, configuration, evaluation);
}

static char quick[] = "{\"rate\":1.0,\"cost of P\":9.0,\"shown\":1}", much[] = "{\"rate\":2.5,\"cost of P\":8}",
            cheap[] = "{\"rate\":null,\"cost of P\":3.5}", negative[] = "{\"rate\":-7.0,\"cost of P\":0}",
            text[] = "{\"rate\":\"9e9\",\"cost of P\":[1]}", damaged[] = "{\"rate\":", empty[] = "";

struct rows {
    int64_t run, quick, much, cheap;
};

static struct rows put_rows(struct fixture *f, struct store *store)
{
    f->problem.template_metrics = definitions;
    struct rows rows = {.run = fixture_begin(f, store)};
    rows.quick = put(f, store, rows.run, "{\"P\":1}", 100, quick);
    rows.much = put(f, store, rows.run, "{\"P\":2}", 200, much);
    rows.cheap = put(f, store, rows.run, "{\"P\":3}", 300, cheap);
    put(f, store, rows.run, "{\"P\":4}", 400, negative);
    put(f, store, rows.run, "{\"P\":5}", 500, text);
    put(f, store, rows.run, "{\"P\":6}", 600, damaged);
    put(f, store, rows.run, "{\"P\":7}", 700, empty);
    return rows;
}

static void objectives_stand_side_by_side(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    const struct rows rows = put_rows(f, store);
    static const char *const rungs[] = {"V"};
    assert_int_equal(best(f, store, "time", NULL), rows.quick);
    assert_int_equal(best(f, store, NULL, NULL), rows.quick); /* no default */
    assert_int_equal(best(f, store, "rate", NULL), rows.much);
    assert_int_equal(best(f, store, "cost of P", NULL), rows.cheap);
    assert_int_equal(best(f, store, "rate", rungs), rows.much);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(objective || ' ' || value) FROM best_by_objective"),
                        "cost of P 3.5,rate 2.5");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM metrics WHERE metric = 'rate'"), "4");
}

static void unknown_objectives_are_refused(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    put_rows(f, store);
    static const char *const names[] = {"beauty", "shown", "", "rate\"", "a\"].b", "\\"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct ranking ranking;
        assert_false(ranking_find(store, names[i], &ranking, &f->error));
        assert_int_equal(f->error.code, ERROR_INPUT);
    }
    store_close(store);
}

static void the_default_is_each_templates_own(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    static const char *const names[] = {"rate", "cost of P", "time", "energy", "gone", "a\"b"};
    struct rows rows = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        f->problem.template_objective = names[i];
        rows = put_rows(f, store);
        int64_t expected = i == 0 ? rows.much : i == 1 ? rows.cheap : i == 2 ? rows.quick : 0;
        assert_int_equal(best(f, store, NULL, NULL), expected);
    }
    store_close(store);
}

/* The winner by one objective does not keep others from being best by another. */
static void finals_count_for_their_objective(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    f->run.objective = "rate";
    const struct rows rows = put_rows(f, store);
    static const double rounds[] = {150, 150};
    static const char metrics[] = "{\"rate\":0.5,\"cost of P\":5.0}";
    const struct store_final finals[] = {
        {rows.quick, false, 150, 149, 151, -1, -1, 1, 1, 1, rounds, 2, metrics, 0},
    };
    if (!store_finals_put(store, rows.run, finals, 1, &f->error))
        fail_msg("%s", f->error.text);
    assert_int_equal(best(f, store, "rate", NULL), rows.quick); /* `much` was not good enough for them */
    assert_int_equal(best(f, store, "cost of P", NULL), rows.cheap);
    assert_int_equal(best(f, store, "time", NULL), rows.quick);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(configuration) FROM evaluation "
                                             "JOIN verdict ON evaluation = id WHERE objective = 'rate' "
                                             "AND result = 'outside'"),
                        "{\"P\":2}");
    assert_string_equal(fixture_ask(f->path, "SELECT metrics FROM evaluation WHERE time_ns = 150"), metrics);
}

static void costs_in_sql(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    put_rows(f, store);
    static const struct {
        const char *objective, *cost;
    } cases[] = {{"time", "x.time_ns"}, {"energy", "x.energy_j"}, {"edp", "x.energy_j * x.time_ns"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ranking ranking;
        assert_true(ranking_find(store, cases[i].objective, &ranking, &f->error));
        char *sql = ranking_cost(&ranking, "x");
        assert_string_equal(sql, cases[i].cost);
        free(sql);
    }
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(objectives_stand_side_by_side),
        unit(unknown_objectives_are_refused),
        unit(the_default_is_each_templates_own),
        unit(finals_count_for_their_objective),
        unit(costs_in_sql),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
