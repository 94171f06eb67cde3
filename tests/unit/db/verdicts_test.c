/* SPDX-License-Identifier: Apache-2.0 */
/* What finals by one objective decide stands, whatever those by another one do. */
#include "first_row.h"

#include "db/verdicts.h"

static const char definitions[] = "{\"rate\":{\"text\":\"1 / time\",\"sense\":\"maximize\"}}";

struct rows {
    int64_t a, b, c;
};

static int64_t put(struct fixture *f, struct store *store, int64_t run, const char *configuration, double time_ns,
                   double energy_j, double rate)
{
    char metrics[64];
    struct evaluation evaluation = fixture_success(time_ns);
    snprintf(metrics, sizeof metrics, "{\"rate\":%g}", rate);
    evaluation.energy_j = energy_j;
    evaluation.energy_error_j = energy_j / 100;
    evaluation.metrics = metrics;
    return fixture_put(f, store, run, configuration, evaluation);
}

/* A is fastest by a single measurement, B needs the least energy, and both matter to nobody else. */
static struct rows put_rows(struct fixture *f, struct store *store, int64_t *run)
{
    f->problem.template_metrics = definitions;
    *run = fixture_begin(f, store);
    return (struct rows){
        .a = put(f, store, *run, "{\"T\":\"A\"}", 100, 3, 10),
        .b = put(f, store, *run, "{\"T\":\"B\"}", 101, 2, 9),
        .c = put(f, store, *run, "{\"T\":\"C\"}", 105, 2.5, 8),
    };
}

struct measured {
    int64_t id;
    double time_ns, energy_j, rate;
};

/* Finals of a new run by an objective, in this order. */
static void put_finals(struct fixture *f, struct store *store, const char *objective, const struct measured *places,
                       size_t count)
{
    static const double rounds[] = {100};
    struct store_final finals[4];
    char metrics[4][64];
    f->run.objective = objective;
    int64_t run = fixture_begin(f, store);
    for (size_t i = 0; i < count; i++) {
        const struct measured *at = &places[i];
        snprintf(metrics[i], sizeof metrics[i], "{\"rate\":%g}", at->rate);
        finals[i] = (struct store_final){at->id, false, at->time_ns, at->time_ns, at->time_ns, at->energy_j, 0.01,
                                         1,      1,     1,           rounds,      1,           metrics[i],   0};
    }
    assert_true(store_reuse(store, run, &(int64_t){places[0].id}, 1, &f->error));
    if (!store_finals_put(store, run, finals, count, &f->error))
        fail_msg("%s", f->error.text);
}

static const char *verdicts(struct fixture *f)
{
    return fixture_ask(f->path,
                       "SELECT group_concat(substr(configuration, 7, 1) || ' ' || objective || ' ' || result, "
                       "', ') FROM (SELECT * FROM verdict JOIN evaluation ON evaluation = id "
                       "ORDER BY configuration, objective)");
}

static void a_loss_by_time_outlives_finals_by_energy(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run;
    const struct rows rows = put_rows(f, store, &run);
    put_finals(f, store, "time", (struct measured[]){{rows.b, 102, 2, 9}, {rows.a, 103, 3, 10}}, 2);
    expect_best(f, store, "time", "{\"T\":\"B\"}");
    /* the device is cooler now: A is measured faster than B was in the finals by time */
    put_finals(f, store, "energy", (struct measured[]){{rows.a, 99, 1.5, 10}, {rows.c, 106, 1.6, 8}}, 2);
    expect_best(f, store, "time", "{\"T\":\"B\"}");
    expect_best(f, store, "energy", "{\"T\":\"A\"}");
    put_finals(f, store, "energy", (struct measured[]){{rows.c, 106, 1.6, 8}, {rows.a, 98, 1.7, 10}}, 2);
    expect_best(f, store, "time", "{\"T\":\"B\"}");
    expect_best(f, store, "energy", "{\"T\":\"C\"}");
    assert_int_equal(look_up(f, store, run, "{\"T\":\"A\"}").verdict, VERDICT_LOST); /* a run by time */
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT configuration FROM best"), "{\"T\":\"B\"}");
    assert_string_equal(fixture_ask(f->path, "SELECT configuration FROM best_by_energy"), "{\"T\":\"C\"}");
    assert_string_equal(verdicts(f), "A energy lost, A time lost, B time winner, C energy winner");
}

/* A was the fastest, and is measured again in finals by energy, on a warmer device. */
static void others_do_not_overtake_the_best_of_another_objective(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run;
    const struct rows rows = put_rows(f, store, &run);
    put_finals(f, store, "energy", (struct measured[]){{rows.b, 111, 2, 8.5}, {rows.a, 110, 3, 7}}, 2);
    expect_best(f, store, "time", "{\"T\":\"A\"}"); /* 110, and not C with its 105 */
    expect_best(f, store, "rate", "{\"T\":\"B\"}"); /* both were measured again: 8.5 against 7; not C with its 8 */
    store_close(store);
    assert_string_equal(verdicts(f), "A energy lost, B energy winner, C rate outside, C time outside");
}

struct visited {
    char text[256];
};

static bool see_verdict(const struct store_row *row, void *context)
{
    static const char marks[] = {'.', 'w', 't', 'l', 'o'}; /* by enum store_verdict */
    struct visited *visited = context;
    size_t used = strlen(visited->text);
    snprintf(visited->text + used, sizeof visited->text - used, "%s %c%c%s %.0f; ", row->size, row->configuration[6],
             marks[row->verdict], row->was_final ? "!" : "", row->time_ns);
    return true;
}

static void expect_measured(struct fixture *f, struct store *store, const char *objectives, const char *expected)
{
    struct visited visited = {""};
    const struct store_filter filter = {.objective = objectives, .template_name = f->problem.template_name};
    if (!store_measured(store, &filter, see_verdict, &visited, &f->error))
        fail_msg("%s", f->error.text);
    assert_string_equal(visited.text, expected);
}

/* A and B are on it, C has lost to B, and D took no part. By each objective alone who was best stays ahead of D. */
static void a_front_has_many_winners(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    static const double rounds[] = {100};
    int64_t run;
    f->run.objective = "time,energy";
    f->problem.size = "n=1";
    const struct rows rows = put_rows(f, store, &run);
    int64_t d = put(f, store, run, "{\"T\":\"D\"}", 104, 2.1, 1);
    const struct store_final finals[] = {
        {rows.a, false, 110, 110, 110, 3, 0.01, 1, 1, 1, rounds, 1, NULL, 0},
        {rows.b, true, 120, 120, 120, 2.2, 0.01, 1.1, 1, 1.2, rounds, 1, NULL, 0},
        {rows.c, false, 121, 121, 121, 2.6, 0.01, 1.1, 1, 1.2, rounds, 1, NULL, 0},
    };
    const struct store_beaten beaten[] = {{rows.c, rows.b, true}, {d, rows.a, false}};
    expect_measured(f, store, "time,energy", "n=1 A. 100; n=1 B. 101; n=1 C. 105; n=1 D. 104; ");
    if (!store_front_put(store, run, finals, 3, beaten, 2, &f->error))
        fail_msg("%s", f->error.text);
    expect_measured(f, store, "time,energy", "n=1 Aw! 110; n=1 Bw! 120; n=1 Cl! 121; n=1 Do 104; ");
    expect_measured(f, store, "time,rate", "n=1 A.! 110; n=1 B.! 120; n=1 C.! 121; n=1 D. 104; ");
    expect_best(f, store, "time", "{\"T\":\"A\"}");
    expect_best(f, store, "energy", "{\"T\":\"B\"}");
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(place || tied, ' ') FROM final"), "10 21 30");

    /* Of another run the rows cannot be; what is measured again is open again, and so is whom it had beaten. */
    assert_false(store_front_put(store, run + 1, finals, 3, beaten, 2, &f->error));
    put(f, store, run, "{\"T\":\"B\"}", 119, 2.2, 9);
    expect_measured(f, store, "time,energy", "n=1 Aw! 110; n=1 B. 119; n=1 C. 121; n=1 Do 104; ");
    store_close(store);
}

/* B stays the best by time among those that nothing is decided of, so what it does not overtake may be best. */
static void verdicts_that_stand_are_kept(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run;
    const struct rows rows = put_rows(f, store, &run);
    put_finals(f, store, "time", (struct measured[]){{rows.b, 102, 2, 9}, {rows.c, 103, 2.5, 8}}, 2);
    put_finals(f, store, "energy", (struct measured[]){{rows.a, 120, 1, 10}, {rows.b, 104, 2, 9}}, 2);
    store_close(store);
    assert_string_equal(verdicts(f), "A energy winner, B energy lost, B time winner, C time lost");
}

static void measuring_again_forgets_by_all_objectives(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run;
    const struct rows rows = put_rows(f, store, &run);
    put_finals(f, store, "time", (struct measured[]){{rows.a, 102, 3, 9}, {rows.b, 103, 2, 10}}, 2);
    put_finals(f, store, "rate", (struct measured[]){{rows.b, 102, 2, 9}, {rows.a, 103, 3, 8}}, 2);
    put_finals(f, store, "energy", (struct measured[]){{rows.b, 102, 2, 9}, {rows.c, 103, 3, 8}}, 2);
    put(f, store, run, "{\"T\":\"A\"}", 100, 3, 10);
    assert_string_equal(verdicts(f), "B energy winner, B rate winner, C energy lost");
    /* what may not recur does not replace the row, and takes nothing back */
    char message[] = "killed";
    struct evaluation failure = fixture_failure(OUTCOME_CRASH, message);
    failure.transient = 1;
    fixture_put(f, store, run, "{\"T\":\"B\"}", failure);
    assert_string_equal(verdicts(f), "B energy winner, B rate winner, C energy lost");
    assert_true(store_metrics_put(store, "gemm", "aaaa", "", NULL, NULL, 0, &f->error));
    assert_string_equal(verdicts(f), "B energy winner, C energy lost"); /* rate is gone */
    store_close(store);
}

/* The best of each rung: who lost counts as no better than the winner, by this objective alone. */
static void rungs_go_by_their_objective(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run;
    const struct rows rows = put_rows(f, store, &run);
    static const char *const rungs[] = {"V"};
    put_finals(f, store, "time", (struct measured[]){{rows.b, 102, 2, 9}, {rows.a, 101, 3, 10}}, 2);
    for (int i = 0; i < 2; i++) {
        struct seen seen = {0};
        const struct store_filter filter = {
            .template_name = "gemm", .objective = i ? "rate" : "time", .rungs = rungs, .rung_count = 1};
        assert_true(store_best(store, &filter, see, &seen, &f->error));
        assert_string_equal(seen.configuration, i ? "{\"T\":\"A\"}" : "{\"T\":\"B\"}");
        assert_int_equal(seen.row.verdict, i ? VERDICT_NONE : VERDICT_WINNER);
    }
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(a_loss_by_time_outlives_finals_by_energy),
        unit(a_front_has_many_winners),
        unit(others_do_not_overtake_the_best_of_another_objective),
        unit(verdicts_that_stand_are_kept),
        unit(measuring_again_forgets_by_all_objectives),
        unit(rungs_go_by_their_objective),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
