/* SPDX-License-Identifier: Apache-2.0 */
#include "first_row.h"

#include "db/migrate.h"
#include "db/process.h"

#include <sys/wait.h>

static struct evaluation with_energy(double time_ns, double energy_j)
{
    struct evaluation evaluation = fixture_success(time_ns);
    evaluation.energy_j = energy_j;
    evaluation.energy_error_j = energy_j / 100;
    return evaluation;
}

static const double rounds[] = {101, 103.5, 102};

static struct store_final place(int64_t id, bool tied, double time_ns, double ratio)
{
    return (struct store_final){
        id,    tied,         time_ns,      time_ns - 1, time_ns + 1, -1,   -1,
        ratio, ratio - 0.01, ratio + 0.01, rounds,      3,           NULL, .device_ns = time_ns / 2};
}

/* The rows of a run: A looks fastest, then B, C and D; in the finals B wins, A loses and C ties. */
struct rows {
    int64_t run, a, b, c, d;
};

static struct rows put_finals(struct fixture *f, struct store *store)
{
    struct rows rows = {.run = fixture_begin(f, store)};
    rows.a = fixture_put(f, store, rows.run, "{\"T\":\"A\"}", fixture_success(100));
    rows.b = fixture_put(f, store, rows.run, "{\"T\":\"B\"}", fixture_success(100.5));
    rows.c = fixture_put(f, store, rows.run, "{\"T\":\"C\"}", fixture_success(100.6));
    rows.d = fixture_put(f, store, rows.run, "{\"T\":\"D\"}", fixture_success(101));
    const struct store_final finals[] = {place(rows.b, true, 102, 1), place(rows.c, true, 101.9, 0.999),
                                         place(rows.a, false, 104, 1.02)};
    if (!store_finals_put(store, rows.run, finals, 3, &f->error))
        fail_msg("%s", f->error.text);
    return rows;
}

static void the_winner_of_the_finals_is_best(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct rows rows = put_finals(f, store);
    expect_best(f, store, NULL, "{\"T\":\"B\"}");
    expect_best(f, store, "time", "{\"T\":\"B\"}");
    struct store_row winner = look_up(f, store, rows.run, "{\"T\":\"B\"}");
    assert_true(winner.time_ns == 102 && winner.time_low_ns == 101 && winner.time_high_ns == 103);
    assert_true(winner.device_ns == 51);
    assert_true(winner.was_final && winner.verdict == VERDICT_WINNER);
    struct store_row tied = look_up(f, store, rows.run, "{\"T\":\"C\"}");
    assert_true(tied.time_ns == 101.9 && tied.was_final && tied.verdict == VERDICT_TIED);
    struct store_row loser = look_up(f, store, rows.run, "{\"T\":\"A\"}");
    assert_true(loser.time_ns == 104 && loser.was_final && loser.verdict == VERDICT_LOST);
    /* not a finalist: finalists measured slower in the finals, so its 101 ns do not beat the winner's 102 */
    struct store_row rest = look_up(f, store, rows.run, "{\"T\":\"D\"}");
    assert_true(rest.time_ns == 101 && !rest.was_final && rest.verdict == VERDICT_OUTSIDE);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT configuration || time_ms FROM best"), "{\"T\":\"B\"}0.000102");
    assert_string_equal(fixture_ask(f->path, "SELECT best_ms FROM runs"), "0.000102");
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT group_concat(place || result || evaluation_id || ':' || ratio || "
                                    "'/' || ratio_low || '/' || ratio_high) FROM finals"),
                        "1winner2:1.0/0.99/1.01,2tied3:0.999/0.989/1.009,3lost1:1.02/1.01/1.03");
    assert_string_equal(fixture_ask(f->path, "SELECT rounds_ns FROM final WHERE place = 3"), "[101.0,103.5,102.0]");
}

static void remeasuring_clears_a_loss(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct rows rows = put_finals(f, store);
    /* remeasuring a loser clears only its own loss */
    fixture_put(f, store, rows.run, "{\"T\":\"A\"}", fixture_success(110));
    assert_int_equal(look_up(f, store, rows.run, "{\"T\":\"A\"}").verdict, VERDICT_NONE);
    assert_int_equal(look_up(f, store, rows.run, "{\"T\":\"C\"}").verdict, VERDICT_TIED);
    expect_best(f, store, NULL, "{\"T\":\"B\"}");
    /* remeasuring the winner clears the losses of all it beat */
    char message[] = "";
    fixture_put(f, store, rows.run, "{\"T\":\"B\"}", fixture_failure(OUTCOME_WRONG_RESULT, message));
    assert_int_equal(look_up(f, store, rows.run, "{\"T\":\"C\"}").verdict, VERDICT_NONE);
    expect_best(f, store, NULL, "{\"T\":\"D\"}");
    store_close(store);
}

static void later_finals_override_earlier_ones(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct rows rows = put_finals(f, store);
    int64_t run = fixture_begin(f, store);
    const struct store_final again[] = {place(rows.c, true, 100, 1), place(rows.b, false, 103, 1.03)};
    assert_true(store_finals_put(store, run, again, 2, &f->error));
    expect_best(f, store, NULL, "{\"T\":\"C\"}");
    /* storing the same finals twice stores them once */
    assert_true(store_finals_put(store, run, again, 1, &f->error));
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(run || ':' || place) FROM (SELECT * FROM final "
                                             "ORDER BY run, place)"),
                        "1:1,1:2,1:3,2:1");
}

static void finals_are_all_or_nothing(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct rows rows = put_finals(f, store);
    f->problem.size = "M=1,N=1,K=1";
    int64_t other = fixture_begin(f, store);
    const struct store_final foreign[] = {place(rows.a, true, 50, 1)};
    assert_false(store_finals_put(store, other, foreign, 1, &f->error));
    assert_non_null(strstr(f->error.text, "no such evaluation"));
    const struct store_final half[] = {place(rows.a, true, 50, 1), place(rows.d + 7, false, 60, 1.2)};
    assert_false(store_finals_put(store, rows.run, half, 2, &f->error));
    assert_false(store_finals_put(store, other + 1, half, 1, &f->error));
    assert_non_null(strstr(f->error.text, "no such run"));
    expect_best(f, store, NULL, "{\"T\":\"B\"}");
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM final"), "3");
}

/* 2*1024^3 operations for 0.002 J are 1073.74 GFLOP per joule; 0.002 J in 50 us are 40 W. */
static void the_best_by_energy(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    expect_best(f, store, "energy", NULL);
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"T\":1}", fixture_success(10e3)); /* fastest, but energy unknown */
    fixture_put(f, store, run, "{\"T\":2}", with_energy(20e3, 0.004));
    fixture_put(f, store, run, "{\"T\":3}", with_energy(50e3, 0.002));
    fixture_put(f, store, run, "{\"T\":4}", with_energy(25e3, 0.003));
    expect_best(f, store, "time", "{\"T\":1}");
    expect_best(f, store, "energy", "{\"T\":3}");
    expect_best(f, store, "edp", "{\"T\":4}"); /* 75 uJ s against 80 and 100 */
    struct seen seen = {0};
    assert_false(store_best(store, &(struct store_filter){.objective = "beauty"}, see, &seen, &f->error));
    assert_error(f, "no objective beauty");
    assert_true(look_up(f, store, run, "{\"T\":2}").energy_j == 0.004);
    assert_true(look_up(f, store, run, "{\"T\":2}").energy_error_j == 0.00004);
    assert_true(look_up(f, store, run, "{\"T\":1}").energy_j == 0);
    store_close(store);
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT configuration || ' ' || gflops_per_watt || ' ' || watts || ' ' || "
                                    "time_ms FROM best_by_energy"),
                        "{\"T\":3} 1073.74 40.0 0.05");
}

/* A loser by energy may still be the fastest. */
static void finals_apply_only_to_their_objective(void **state)
{
    struct fixture *f = *state;
    f->run.objective = "energy";
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    int64_t fast = fixture_put(f, store, run, "{\"T\":1}", with_energy(10, 0.0020));
    int64_t thrifty = fixture_put(f, store, run, "{\"T\":2}", with_energy(20, 0.0021));
    fixture_put(f, store, run, "{\"T\":3}", with_energy(30, 0.0022)); /* not in the finals */
    struct store_final finals[] = {place(thrifty, true, 21, 1), place(fast, false, 11, 0.5)};
    finals[0].energy_j = 0.0023;
    finals[0].energy_error_j = 0.0001;
    assert_true(store_finals_put(store, run, finals, 2, &f->error));
    expect_best(f, store, "energy", "{\"T\":2}");
    expect_best(f, store, "time", "{\"T\":1}");
    assert_true(look_up(f, store, run, "{\"T\":2}").energy_j == 0.0023);
    assert_true(look_up(f, store, run, "{\"T\":1}").energy_j == 0.0020);
    store_close(store);
}

static void an_evaluation_records_device_inputs_and_throttling(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    struct evaluation evaluation = fixture_success(10);
    strcpy(evaluation.uuid, "GPU-7");
    evaluation.seed = UINT64_MAX;
    evaluation.throttled = 3;
    fixture_put(f, store, run, "{\"T\":1}", evaluation);
    char message[] = "";
    fixture_put(f, store, run, "{\"T\":2}", fixture_failure(OUTCOME_COMPILE_ERROR, message));
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT uuid || ' ' || seed || ' ' || throttled FROM evaluation"),
                        "GPU-7 18446744073709551615 3");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM evaluation WHERE uuid IS NULL AND seed IS NULL"),
                        "1");
}

static void a_lookup_sees_rows_stored_by_another_program(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f), *other = fixture_open(f);
    int64_t run = fixture_begin(f, store), its_run = fixture_begin(f, other);
    struct seen seen = {0};
    assert_true(store_lookup(store, run, "{\"T\":1}", see, &seen, &f->error));
    assert_int_equal(seen.count, 0);
    int64_t id = fixture_put(f, other, its_run, "{\"T\":1}", fixture_success(10));
    struct store_row row = look_up(f, store, run, "{\"T\":1}");
    assert_true(row.id == id && row.time_ns == 10);
    /* a different size is a different problem */
    f->problem.size = "M=1,N=1,K=1";
    assert_true(store_lookup(store, fixture_begin(f, store), "{\"T\":1}", see, &seen, &f->error));
    assert_int_equal(seen.count, 0);
    store_close(other);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(the_winner_of_the_finals_is_best),
        unit(remeasuring_clears_a_loss),
        unit(later_finals_override_earlier_ones),
        unit(finals_are_all_or_nothing),
        unit(the_best_by_energy),
        unit(finals_apply_only_to_their_objective),
        unit(an_evaluation_records_device_inputs_and_throttling),
        unit(a_lookup_sees_rows_stored_by_another_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
