/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps that go well: every row is there, budgets are kept, what is known is not measured again. */
#include "tests/unit/engine/sweep_fixture.h"

static void test_every_configuration_has_its_row(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    desk.options.crew.no_cache = true;
    sweep_well(&desk, "done");
    const struct sweep_progress *progress = &desk.summary.progress;
    assert_int_equal(progress->done, 6);
    assert_int_equal(progress->total, 6);
    assert_int_equal(progress->reused, 0);
    assert_int_equal(count_rows(&desk, "outcome = 'ok' AND time_ns > 0 AND error_ratio <= 1"), 6);
    assert_int_equal(count_rows(&desk, "compile_seconds > 0 AND json_array_length(samples_ns) > 0"), 6);
    assert_true(number(&desk, "SELECT min(time_ns) FROM evaluation") == progress->best_ns);
    assert_true(progress->best_ns < 1e8); /* 4000 products */
    assert_true(desk.summary.compile_seconds > 0 && desk.summary.measure_seconds > 0);
    assert_true(progress->seconds > 0 && progress->seconds_left == 0);
    assert_int_equal(count_runs(&desk, "done"), 1);

    char *best = problem_configuration_text(desk.problem, desk.summary.best_index);
    char query[512];
    snprintf(query, sizeof query, "configuration = '%s' AND time_ns = (SELECT min(time_ns) FROM evaluation)", best);
    assert_int_equal(count_rows(&desk, query), 1);
    free(best);
    close_desk(&desk);
}

static void test_a_second_sweep_measures_nothing_again(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    sweep_well(&desk, "done");
    double best_ns = desk.summary.progress.best_ns;
    size_t best_index = desk.summary.best_index;
    open_store(&desk, false);
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.reused, 6);
    assert_int_equal(desk.summary.progress.done, 6);
    assert_true(desk.summary.progress.best_ns == best_ns);
    assert_int_equal(desk.summary.best_index, best_index);
    assert_int_equal(number(&desk, "SELECT count(*) FROM run_evaluation WHERE run = 2 AND reused"), 6);

    /* Another space of the same template shares what it has in common. */
    open_space(&desk, "scale", "some_too_large");
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.reused, 2);
    assert_int_equal(desk.summary.progress.done, 4);
    assert_int_equal(desk.summary.progress.failed[OUTCOME_RESOURCES], 2);
    assert_int_equal(count_rows(&desk, "outcome = 'resources' AND message LIKE '%65536%'"), 1);
    assert_int_equal(count_rows(&desk, "outcome = 'resources' AND message LIKE '%131072%'"), 1);

    open_space(&desk, "scale", "blocks");
    desk.options.fresh = true;
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.reused, 0);
    assert_int_equal(desk.summary.progress.done, 6);
    close_desk(&desk);
}

static void test_budgets(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    desk.options.budget_evaluations = 2;
    sweep_well(&desk, "budget");
    assert_int_equal(desk.summary.progress.done, 2);
    assert_int_equal(desk.summary.progress.total, 2);
    assert_int_equal(count_rows(&desk, "1"), 2);
    sweep_well(&desk, "budget"); /* goes on: the budget is for new rows */
    assert_int_equal(desk.summary.progress.reused, 2);
    assert_int_equal(desk.summary.progress.done, 4);
    assert_int_equal(count_rows(&desk, "1"), 4);
    desk.options.budget_evaluations = 2; /* just what is left */
    sweep_well(&desk, "done");
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 6);

    desk.options.fresh = true;
    desk.options.budget_evaluations = 0;
    desk.options.budget_seconds = 1e-3;
    double start = monotonic_seconds();
    sweep_well(&desk, "budget");
    assert_true(monotonic_seconds() - start < 20);
    assert_true(desk.summary.progress.done < 6);
    close_desk(&desk);
}

static void test_random_order_reaches_everything(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    desk.options.strategy = strategy_find("random");
    assert_non_null(desk.options.strategy);
    sweep_well(&desk, "done");
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 6);
    close_desk(&desk);
}

/* ---- a strategy that asks the same again and again */

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

/* Each is measured once all the same, and so is the rest of the space. */
static void test_repeated_questions_cost_nothing_and_end(void **state)
{
    (void)state;
    static const struct strategy_driver driver = {
        .name = "stubborn",
        .create = stubborn_create,
        .ask = stubborn_ask,
        .tell = stubborn_tell,
        .destroy = free,
    };
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    desk.options.strategy = &driver;
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.done, 6);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 6);
    close_desk(&desk);
}

/* ---- another process with the same work */

/* Asks for a configuration only once the one before is told. */
struct patient {
    size_t asked, told, count;
};

static bool patient_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct patient *patient = calloc(1, sizeof *patient);
    (void)error;
    assert_non_null(patient);
    patient->count = search_space_count(setup->space);
    *state = patient;
    return true;
}

static enum answer patient_ask(void *state, size_t *index)
{
    struct patient *patient = state;
    if (patient->asked == patient->count)
        return ASK_END;
    if (patient->asked > patient->told)
        return ASK_WAIT;
    *index = patient->asked++;
    return ASK_READY;
}

static void patient_tell(void *state, const struct observation *observation)
{
    struct patient *patient = state;
    assert_int_equal(observation->index, patient->told);
    assert_true(observation->valid && observation->objective > 0);
    patient->told++;
}

/* What the other process has made of configurations 2 and 4. */
static void finish_some(struct desk *desk)
{
    struct store *other;
    struct store_problem identity;
    struct evaluation evaluation = {.message = (char[]){""}, .time_ns = 1, .time_low_ns = 1, .time_high_ns = 1};
    const struct store_run run = {"random", "", "time", 1, 6, "0", "elsewhere"};
    int64_t run_id, id;
    assert_true(store_open(desk->database, false, &other, &desk->error));
    assert_true(problem_identity(desk->problem, &identity, &desk->error));
    assert_true(store_run_begin(other, &identity, &run, &run_id, &desk->error));
    for (size_t index = 2; index < 6; index += 2) {
        char *text = problem_configuration_text(desk->problem, index);
        assert_true(store_put(other, run_id, text, &evaluation, &id, &desk->error));
        free(text);
    }
    store_close(other);
}

static void test_what_another_process_finished_meanwhile_is_used(void **state)
{
    (void)state;
    static const struct strategy_driver driver = {
        .name = "patient",
        .create = patient_create,
        .ask = patient_ask,
        .tell = patient_tell,
        .destroy = free,
    };
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    desk.options.strategy = &driver;
    desk.act = finish_some;
    desk.act_at = 1;
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.done, 6);
    assert_int_equal(desk.summary.progress.reused, 2);
    assert_true(desk.summary.progress.best_ns == 1);
    assert_int_equal(desk.summary.best_index, 2);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 6);
    assert_int_equal(count_rows(&desk, "time_ns = 1"), 2);
    assert_int_equal(number(&desk, "SELECT count(*) FROM run_evaluation WHERE run = 1"), 6);
    close_desk(&desk);
}

/* The first four, faster than anything. */
static void finish_four(struct desk *desk)
{
    struct store *other;
    struct store_problem identity;
    const struct store_run run = {"random", "", "time", 1, 6, "0", "elsewhere"};
    int64_t run_id, id;
    assert_true(store_open(desk->database, false, &other, &desk->error));
    assert_true(problem_identity(desk->problem, &identity, &desk->error));
    assert_true(store_run_begin(other, &identity, &run, &run_id, &desk->error));
    for (size_t index = 0; index < 4; index++) {
        struct evaluation evaluation = {.message = (char[]){""}, .time_ns = 1, .time_low_ns = 1, .time_high_ns = 1};
        char *text = problem_configuration_text(desk->problem, index);
        assert_true(store_put(other, run_id, text, &evaluation, &id, &desk->error));
        free(text);
    }
    store_close(other);
}

/* What the database had counts neither for nor against; what is measured is slower. */
static void test_patience(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    finish_four(&desk);
    desk.options.patience = 1;
    sweep_well(&desk, "budget");
    assert_int_equal(desk.summary.progress.reused, 4);
    assert_true(desk.summary.progress.done > 4);
    assert_true(desk.summary.progress.best_ns == 1);
    close_desk(&desk);
}

static size_t allowed; /* evaluations that the strategy was told of */

static bool note_allowed(const struct strategy_setup *setup, void **state, struct error *error)
{
    allowed = setup->evaluations;
    return strategy_find("exhaustive")->create(setup, state, error);
}

/* A strategy is told of the budget and what the database has together; it hears of both. */
static void test_the_strategy_knows_what_it_will_be_told(void **state)
{
    (void)state;
    struct desk desk;
    struct strategy_driver noting = *strategy_find("exhaustive");
    noting.create = note_allowed;
    open_desk(&desk, "scale", "blocks");
    finish_four(&desk);
    desk.options.strategy = &noting;
    desk.options.budget_evaluations = 1;
    sweep_well(&desk, "budget");
    assert_int_equal(allowed, 5);
    sweep_well(&desk, "done");
    assert_int_equal(allowed, 6);
    desk.options.patience = 1;
    sweep_well(&desk, "done");
    assert_int_equal(allowed, 0);
    close_desk(&desk);
}

/* What was best at another size is measured first. */
static void test_a_sweep_begins_at_what_was_best_elsewhere(void **state)
{
    (void)state;
    struct desk desk;
    struct store_problem elsewhere;
    const struct store_run run = {"random", "", "time", 1, 6, "0", "here"};
    struct evaluation evaluation = {.message = (char[]){""}, .time_ns = 1, .time_low_ns = 1, .time_high_ns = 1};
    int64_t run_id, id;
    open_desk(&desk, "scale", "blocks");
    assert_true(problem_identity(desk.problem, &elsewhere, &desk.error));
    elsewhere.size = "n=7";
    char *text = problem_configuration_text(desk.problem, 4);
    assert_true(store_run_begin(desk.store, &elsewhere, &run, &run_id, &desk.error));
    assert_true(store_put(desk.store, run_id, text, &evaluation, &id, &desk.error));
    free(text);
    desk.options.budget_evaluations = 1;
    sweep_well(&desk, "budget");
    assert_int_equal(desk.summary.progress.reused, 0);
    assert_int_equal(desk.summary.best_index, 4);
    close_desk(&desk);
}

/* ---- progress */

struct idle_view {
    size_t ticks, rows;
    bool busy; /* a tick saw a worker at work */
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

static void test_the_observer_sees_the_workers_while_nothing_finishes(void **state)
{
    (void)state;
    struct desk desk;
    struct idle_view view = {0};
    open_desk(&desk, "scale", "blocks");
    desk.options.observe_idle = true;
    desk.options.crew.no_cache = true; /* compiling takes longer than a look at the workers */
    if (!sweep_run(desk.problem, desk.store, &desk.options, observe_idle, &view, &desk.summary, &desk.error))
        print_and_fail(&desk.error);
    assert_int_equal(view.rows, 6);
    assert_true(view.ticks > 0 && view.busy);
    close_desk(&desk);
}

/* ---- objectives */

/* Whether the CPU device can depends on the machine. */
static void test_energy_is_told_or_asked_for_in_vain(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    desk.options.objective = objective_find("energy");
    if (sweep(&desk)) {
        assert_in_range(count_rows(&desk, "outcome = 'ok' AND energy_j > 0"), 1, 6);
        assert_true(desk.summary.progress.best_value == number(&desk, "SELECT min(energy_j) FROM evaluation"));
    } else {
        assert_int_equal(desk.error.code, ERROR_INPUT);
        assert_non_null(strstr(desk.error.text, "energy"));
        assert_true(desk.error.hint[0] != '\0');
        assert_in_range(desk.rows, 0, 1); /* the first one tells, if nothing does before */
    }
    close_desk(&desk);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_configuration_has_its_row),
        cmocka_unit_test(test_a_second_sweep_measures_nothing_again),
        cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_random_order_reaches_everything),
        cmocka_unit_test(test_repeated_questions_cost_nothing_and_end),
        cmocka_unit_test(test_what_another_process_finished_meanwhile_is_used),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_the_strategy_knows_what_it_will_be_told),
        cmocka_unit_test(test_a_sweep_begins_at_what_was_best_elsewhere),
        cmocka_unit_test(test_the_observer_sees_the_workers_while_nothing_finishes),
        cmocka_unit_test(test_energy_is_told_or_asked_for_in_vain),
    };
    return sweep_tests_main(count, arguments, "sweep", tests, sizeof tests / sizeof *tests);
}
