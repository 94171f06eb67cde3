/* SPDX-License-Identifier: Apache-2.0 */
/* Successful sweeps: every row is stored, budgets are kept, known results are not measured again. */
#include "tests/unit/engine/sweep_fixture.h"

static void test_every_configuration_is_stored(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    fixture.options.crew.no_cache = true;
    sweep_well(&fixture, "done");
    const struct sweep_progress *progress = &fixture.summary.progress;
    assert_int_equal(progress->done, 6);
    assert_int_equal(progress->total, 6);
    assert_int_equal(progress->reused, 0);
    assert_int_equal(count_rows(&fixture, "outcome = 'ok' AND time_ns > 0 AND error_ratio <= 1"), 6);
    assert_int_equal(count_rows(&fixture, "compile_seconds > 0 AND json_array_length(samples_ns) > 0"), 6);
    assert_true(number(&fixture, "SELECT min(time_ns) FROM evaluation") == progress->best_ns);
    assert_true(progress->best_ns < 1e8); /* 4000 products */
    assert_true(fixture.summary.compile_seconds > 0 && fixture.summary.measure_seconds > 0);
    assert_true(progress->seconds > 0 && progress->seconds_left == 0);
    assert_int_equal(count_runs(&fixture, "done"), 1);

    char *best = problem_configuration_text(fixture.problem, fixture.summary.best_index);
    char query[512];
    snprintf(query, sizeof query, "configuration = '%s' AND time_ns = (SELECT min(time_ns) FROM evaluation)", best);
    assert_int_equal(count_rows(&fixture, query), 1);
    free(best);
    sweep_fixture_close(&fixture);
}

static void test_a_second_sweep_measures_nothing(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    sweep_well(&fixture, "done");
    double best_ns = fixture.summary.progress.best_ns;
    size_t best_index = fixture.summary.best_index;
    open_store(&fixture, false);
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.reused, 6);
    assert_int_equal(fixture.summary.progress.done, 6);
    assert_true(fixture.summary.progress.best_ns == best_ns);
    assert_int_equal(fixture.summary.best_index, best_index);
    assert_int_equal(number(&fixture, "SELECT count(*) FROM run_evaluation WHERE run = 2 AND reused"), 6);

    /* Another space of the same template reuses the configurations they share. */
    open_space(&fixture, "scale", "some_too_large");
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.reused, 2);
    assert_int_equal(fixture.summary.progress.done, 4);
    assert_int_equal(fixture.summary.progress.failed[OUTCOME_RESOURCES], 2);
    assert_int_equal(count_rows(&fixture, "outcome = 'resources' AND message LIKE '%65536%'"), 1);
    assert_int_equal(count_rows(&fixture, "outcome = 'resources' AND message LIKE '%131072%'"), 1);

    open_space(&fixture, "scale", "blocks");
    fixture.options.fresh = true;
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.reused, 0);
    assert_int_equal(fixture.summary.progress.done, 6);
    sweep_fixture_close(&fixture);
}

static void test_budgets(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    fixture.options.budget_evaluations = 2;
    sweep_well(&fixture, "budget");
    assert_int_equal(fixture.summary.progress.done, 2);
    assert_int_equal(fixture.summary.progress.total, 2);
    assert_int_equal(count_rows(&fixture, "1"), 2);
    sweep_well(&fixture, "budget"); /* continues: only new rows count against the budget */
    assert_int_equal(fixture.summary.progress.reused, 2);
    assert_int_equal(fixture.summary.progress.done, 4);
    assert_int_equal(count_rows(&fixture, "1"), 4);
    fixture.options.budget_evaluations = 2; /* exactly the remainder */
    sweep_well(&fixture, "done");
    assert_int_equal(count_rows(&fixture, "outcome = 'ok'"), 6);

    fixture.options.fresh = true;
    fixture.options.budget_evaluations = 0;
    fixture.options.budget_seconds = 1e-3;
    double start = monotonic_seconds();
    sweep_well(&fixture, "budget");
    assert_true(monotonic_seconds() - start < 20);
    assert_true(fixture.summary.progress.done < 6);
    fixture.options.least_evaluations = 3; /* for which there is time */
    fixture.options.overtime_seconds = 1000;
    assert_true(sweep(&fixture));
    assert_in_range(fixture.summary.progress.done, 3, 6); /* those under way by then are made as well */
    sweep_fixture_close(&fixture);
}

static void test_random_order_covers_the_space(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    fixture.options.strategy = strategy_find("random");
    assert_non_null(fixture.options.strategy);
    sweep_well(&fixture, "done");
    assert_int_equal(count_rows(&fixture, "outcome = 'ok'"), 6);
    sweep_fixture_close(&fixture);
}

/* ---- a strategy that repeats its questions */

static bool stubborn_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    (void)setup, (void)error;
    *state = calloc(1, sizeof(size_t));
    return *state != NULL;
}

static enum answer stubborn_ask(void *state, size_t *index)
{
    size_t *questions = state;
    *index = (*questions)++ % 2;
    return ASK_READY;
}

static void stubborn_tell(void *state, const struct observation *observation)
{
    (void)state;
    assert_true(observation->index < 6 && observation->valid && observation->objective > 0 &&
                observation->seconds > 0);
}

/* Each configuration is still measured once, and so is the rest of the space. */
static void test_repeated_questions_cost_nothing_and_terminate(void **state)
{
    (void)state;
    static const struct strategy_driver driver = {
        .name = "stubborn",
        .create = stubborn_create,
        .ask = stubborn_ask,
        .tell = stubborn_tell,
        .destroy = free,
    };
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    fixture.options.strategy = &driver;
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.done, 6);
    assert_int_equal(count_rows(&fixture, "outcome = 'ok'"), 6);
    sweep_fixture_close(&fixture);
}

/* ---- another process doing the same work */

/* A strategy that asks for a configuration only after hearing about the previous one. */
struct sequential {
    size_t asked, told, count;
};

static bool sequential_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct sequential *sequential = calloc(1, sizeof *sequential);
    (void)error;
    assert_non_null(sequential);
    sequential->count = search_space_count(setup->space);
    *state = sequential;
    return true;
}

static enum answer sequential_ask(void *state, size_t *index)
{
    struct sequential *sequential = state;
    if (sequential->asked == sequential->count)
        return ASK_END;
    if (sequential->asked > sequential->told)
        return ASK_WAIT;
    *index = sequential->asked++;
    return ASK_READY;
}

static void sequential_tell(void *state, const struct observation *observation)
{
    struct sequential *sequential = state;
    assert_int_equal(observation->index, sequential->told);
    assert_true(observation->valid && observation->objective > 0);
    sequential->told++;
}

/* Store the other process's results for configurations 2 and 4. */
static void store_two(struct sweep_fixture *fixture)
{
    struct store *other;
    struct store_problem identity;
    struct evaluation evaluation = {
        .message = (char[]){""}, .awkward = (char[]){"n=1237"}, .time_ns = 1, .time_low_ns = 1, .time_high_ns = 1};
    const struct store_run run = {"random", "", "time", NULL, 1, 6, "0", "elsewhere", NULL};
    int64_t run_id, id;
    assert_true(store_open(fixture->database, false, &other, &fixture->error));
    assert_true(problem_identity(fixture->problem, &identity, &fixture->error));
    assert_true(store_run_begin(other, &identity, &run, &run_id, &fixture->error));
    for (size_t index = 2; index < 6; index += 2) {
        char *text = problem_configuration_text(fixture->problem, index);
        assert_true(store_put(other, run_id, text, &evaluation, &id, &fixture->error));
        free(text);
    }
    store_close(other);
}

static void test_results_of_a_concurrent_process_are_used(void **state)
{
    (void)state;
    static const struct strategy_driver driver = {
        .name = "sequential",
        .create = sequential_create,
        .ask = sequential_ask,
        .tell = sequential_tell,
        .destroy = free,
    };
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    fixture.options.strategy = &driver;
    fixture.act = store_two;
    fixture.act_at = 1;
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.done, 6);
    assert_int_equal(fixture.summary.progress.reused, 2);
    assert_true(fixture.summary.progress.best_ns == 1);
    assert_int_equal(fixture.summary.best_index, 2);
    assert_int_equal(count_rows(&fixture, "outcome = 'ok'"), 6);
    assert_int_equal(count_rows(&fixture, "time_ns = 1"), 2);
    assert_int_equal(number(&fixture, "SELECT count(*) FROM run_evaluation WHERE run = 1"), 6);
    sweep_fixture_close(&fixture);
}

/* Store the first four, faster than anything measured. */
static void store_four(struct sweep_fixture *fixture)
{
    struct store *other;
    struct store_problem identity;
    const struct store_run run = {"random", "", "time", NULL, 1, 6, "0", "elsewhere", NULL};
    int64_t run_id, id;
    assert_true(store_open(fixture->database, false, &other, &fixture->error));
    assert_true(problem_identity(fixture->problem, &identity, &fixture->error));
    assert_true(store_run_begin(other, &identity, &run, &run_id, &fixture->error));
    for (size_t index = 0; index < 4; index++) {
        struct evaluation evaluation = {.message = (char[]){""},
                                        .awkward = (char[]){"n=1237"},
                                        .time_ns = 1,
                                        .time_low_ns = 1,
                                        .time_high_ns = 1};
        char *text = problem_configuration_text(fixture->problem, index);
        assert_true(store_put(other, run_id, text, &evaluation, &id, &fixture->error));
        free(text);
    }
    store_close(other);
}

/* Stored results do not count towards the patience; everything measured is slower. */
static void test_patience(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    store_four(&fixture);
    fixture.options.patience = 1;
    sweep_well(&fixture, "budget");
    assert_int_equal(fixture.summary.progress.reused, 4);
    assert_true(fixture.summary.progress.done > 4);
    assert_true(fixture.summary.progress.best_ns == 1);
    sweep_fixture_close(&fixture);
}

/* Results of every third configuration of 256, on a bowl that leaves no doubt about the others. */
static void store_bowl(struct sweep_fixture *fixture)
{
    struct store_problem identity;
    const struct store_run run = {"random", "", "time", NULL, 1, 6, "0", "elsewhere", NULL};
    int64_t run_id, id;
    assert_true(problem_identity(fixture->problem, &identity, &fixture->error));
    assert_true(store_run_begin(fixture->store, &identity, &run, &run_id, &fixture->error));
    for (size_t index = 0; index < 256; index += 3) {
        size_t row = index / 16, column = index % 16;
        double x = ((double)column - 9) / 16, y = ((double)row - 6) / 16;
        double time_ns = 1e6 * (1 + x * x + y * y);
        struct evaluation evaluation = {.message = (char[]){""},
                                        .awkward = (char[]){"n=1237"},
                                        .time_ns = time_ns,
                                        .time_low_ns = time_ns,
                                        .time_high_ns = time_ns};
        char *text = problem_configuration_text(fixture->problem, index);
        assert_true(store_put(fixture->store, run_id, text, &evaluation, &id, &fixture->error));
        free(text);
    }
}

/* What the database has is enough to stop: nothing is measured. */
static void test_a_sweep_stops_by_itself(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "many");
    store_bowl(&fixture);
    fixture.options.until = 0.01;
    sweep_well(&fixture, "budget");
    assert_true(fixture.summary.expects_little);
    assert_int_equal(fixture.summary.progress.done, fixture.summary.progress.reused);
    assert_in_range(fixture.summary.progress.reused, 50, 86);
    assert_int_equal(number(&fixture, "SELECT count(*) FROM run WHERE budget = 'until 1%'"), 1);
    sweep_fixture_close(&fixture);
}

static size_t allowed; /* evaluations announced to the strategy */

static bool note_allowed(const struct strategy_setup *setup, void **state, struct error *error)
{
    allowed = setup->evaluations;
    return strategy_find("exhaustive")->create(setup, state, error);
}

/* A strategy's allowance is the budget plus the stored results, which it receives as well. */
static void test_the_strategy_knows_its_allowance(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    struct strategy_driver noting = *strategy_find("exhaustive");
    noting.create = note_allowed;
    sweep_fixture_open(&fixture, "scale", "blocks");
    store_four(&fixture);
    fixture.options.strategy = &noting;
    fixture.options.budget_evaluations = 1;
    sweep_well(&fixture, "budget");
    assert_int_equal(allowed, 5);
    sweep_well(&fixture, "done");
    assert_int_equal(allowed, 6);
    fixture.options.patience = 1;
    sweep_well(&fixture, "done");
    assert_int_equal(allowed, 0);
    sweep_fixture_close(&fixture);
}

/* The best configuration at another size is measured first. */
static void test_a_sweep_starts_with_the_best_at_another_size(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    struct store_problem elsewhere;
    const struct store_run run = {"random", "", "time", NULL, 1, 6, "0", "here", NULL};
    struct evaluation evaluation = {
        .message = (char[]){""}, .awkward = (char[]){"n=1237"}, .time_ns = 1, .time_low_ns = 1, .time_high_ns = 1};
    int64_t run_id, id;
    sweep_fixture_open(&fixture, "scale", "blocks");
    assert_true(problem_identity(fixture.problem, &elsewhere, &fixture.error));
    elsewhere.size = "n=7";
    char *text = problem_configuration_text(fixture.problem, 4);
    assert_true(store_run_begin(fixture.store, &elsewhere, &run, &run_id, &fixture.error));
    assert_true(store_put(fixture.store, run_id, text, &evaluation, &id, &fixture.error));
    free(text);
    fixture.options.budget_evaluations = 1;
    sweep_well(&fixture, "budget");
    assert_int_equal(fixture.summary.progress.reused, 0);
    assert_int_equal(fixture.summary.best_index, 4);
    sweep_fixture_close(&fixture);
}

/* ---- progress */

struct idle_view {
    size_t ticks, rows;
    bool busy; /* a tick saw a busy worker */
};

static void observe_idle(const struct sweep_progress *progress, const struct evaluation *latest,
                         const char *configuration, void *context)
{
    struct idle_view *view = context;
    const struct crew_load *load = &progress->load;
    view->rows += latest != NULL;
    if (latest)
        return;
    assert_null(configuration);
    assert_int_equal(progress->final_round, 0);
    assert_int_equal(progress->done, view->rows);
    assert_in_range(load->compiling, 0, load->compilers);
    assert_in_range(load->measuring, 0, load->measurers);
    assert_in_range(load->compiling + load->measuring + load->queued, 1, 6 - progress->done);
    view->ticks++;
    view->busy = view->busy || load->compiling + load->measuring > 0;
}

static void test_the_observer_sees_busy_workers_between_results(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    struct idle_view view = {0};
    sweep_fixture_open(&fixture, "scale", "blocks");
    fixture.options.observe_idle = true;
    fixture.options.crew.no_cache = true; /* compiling takes longer than a tick */
    if (!sweep_run(fixture.problem, fixture.store, &fixture.options, observe_idle, &view, &fixture.summary,
                   &fixture.error))
        print_and_fail(&fixture.error);
    assert_int_equal(view.rows, 6);
    assert_true(view.ticks > 0 && view.busy);
    sweep_fixture_close(&fixture);
}

/* ---- objectives */

/* Whether the CPU device reports energy depends on the machine. */
static void test_energy_is_measured_or_reported_as_unavailable(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    fixture.options.objective = objective_find("energy");
    if (sweep(&fixture)) {
        assert_in_range(count_rows(&fixture, "outcome = 'ok' AND energy_j > 0"), 1, 6);
        assert_true(fixture.summary.progress.best_value == number(&fixture, "SELECT min(energy_j) FROM evaluation"));
    } else {
        assert_int_equal(fixture.error.code, ERROR_INPUT);
        assert_non_null(strstr(fixture.error.text, "energy"));
        assert_true(fixture.error.hint[0] != '\0');
        assert_in_range(fixture.rows, 0, 1); /* at the latest the first row shows that energy is unavailable */
    }
    sweep_fixture_close(&fixture);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_configuration_is_stored),
        cmocka_unit_test(test_a_second_sweep_measures_nothing),
        cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_random_order_covers_the_space),
        cmocka_unit_test(test_repeated_questions_cost_nothing_and_terminate),
        cmocka_unit_test(test_results_of_a_concurrent_process_are_used),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_a_sweep_stops_by_itself),
        cmocka_unit_test(test_the_strategy_knows_its_allowance),
        cmocka_unit_test(test_a_sweep_starts_with_the_best_at_another_size),
        cmocka_unit_test(test_the_observer_sees_busy_workers_between_results),
        cmocka_unit_test(test_energy_is_measured_or_reported_as_unavailable),
    };
    return sweep_tests_main(count, arguments, "sweep", tests, sizeof tests / sizeof *tests);
}
