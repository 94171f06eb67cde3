/* SPDX-License-Identifier: Apache-2.0 */
/* Whole sweeps on the CPU device: every row is there, whatever the kernels, the workers and the user do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/workers/remains.h"
#include "tuner/device/monotonic.h"
#include "tuner/engine/identity.h"
#include "tuner/engine/single.h"
#include "tuner/engine/sweep.h"
#include "tuner/workers/describe.h"
#include "tuner/workers/worker_main.h"

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const char templates[] = TUNE_SOURCE_FOLDER "/tests/unit/engine/templates/";
static struct device_description cpu;

/* ---- a problem, a database, and what is seen of a sweep */

struct desk {
    struct template *template;
    struct space *space;
    struct problem *problem;
    struct store *store;
    char database[600];
    struct remains before;
    struct sweep_options options;
    struct sweep_summary summary;
    struct error error;
    volatile sig_atomic_t interrupted;

    /* what the observer saw, and what it is to do */
    size_t rows, rounds, last_done;
    double last_best_ns;
    size_t act_at, act_in; /* row, round of the finals; 0: never */
    void (*act)(struct desk *desk);
    size_t hit; /* by the act */
};

static void print_and_fail(const struct error *error)
{
    error_print(error, stderr);
    fail();
}

static void open_store(struct desk *desk, bool read_only)
{
    store_close(desk->store);
    desk->store = NULL;
    if (!store_open(desk->database, read_only, &desk->store, &desk->error))
        print_and_fail(&desk->error);
}

static void open_space(struct desk *desk, const char *folder, const char *space)
{
    char path[600];
    problem_free(desk->problem);
    space_free(desk->space);
    desk->problem = NULL;
    desk->space = NULL;
    snprintf(path, sizeof path, "%s%s/%s.space", templates, folder, space);
    if (!space_read(path, desk->template, &desk->space, &desk->error) ||
        !problem_create(desk->template, desk->space, &cpu, NULL, 0, &desk->problem, &desk->error))
        print_and_fail(&desk->error);
}

static void open_desk(struct desk *desk, const char *folder, const char *space)
{
    char path[600];
    *desk = (struct desk){.before = remains_now()};
    snprintf(path, sizeof path, "%s%s", templates, folder);
    if (!template_read(path, &desk->template, &desk->error))
        print_and_fail(&desk->error);
    open_space(desk, folder, space);
    snprintf(desk->database, sizeof desk->database, "%s/test.db", getenv("TMPDIR"));
    open_store(desk, false);
    desk->options = (struct sweep_options){
        .strategy = strategy_find("exhaustive"),
        .strategy_text = "exhaustive",
        .seed = 1,
        .budget_text = "",
        .crew.compile_jobs = 2,
        .interrupted = &desk->interrupted,
    };
    assert_non_null(desk->options.strategy);
}

static void close_desk(struct desk *desk)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    store_close(desk->store);
    problem_free(desk->problem);
    space_free(desk->space);
    template_free(desk->template);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char path[700];
        snprintf(path, sizeof path, "%s%s", desk->database, suffixes[i]);
        unlink(path);
    }
    remains_equal(desk->before, remains_now());
}

static void observe(const struct sweep_progress *progress, const struct evaluation *latest, const char *configuration,
                    void *context)
{
    struct desk *desk = context;
    if (!latest) {
        assert_null(configuration);
        assert_int_equal(progress->final_round, ++desk->rounds);
        assert_in_range(progress->finalists, 1, 16);
        if (desk->act && desk->rounds == desk->act_in)
            desk->act(desk);
        return;
    }
    assert_int_equal(progress->final_round, 0);
    desk->rows++;
    assert_int_equal(progress->done, desk->last_done + 1);
    assert_true(progress->done <= progress->total);
    bool by_time = !desk->options.objective; /* else the best may take longer, or have no value */
    assert_true((progress->best_ns > 0) == (progress->best_configuration != NULL));
    assert_non_null(latest->message);
    assert_int_equal(configuration[0], '{');
    /* A row of the database may have won or lost a final against its time. */
    bool measured = latest->outcome == OUTCOME_OK && latest->sample_count > 0;
    if (by_time && measured)
        assert_true(progress->best_ns > 0 && progress->best_ns <= latest->time_ns);
    if (by_time && measured && desk->last_best_ns > 0)
        assert_true(progress->best_ns <= desk->last_best_ns);
    desk->last_done = progress->done;
    desk->last_best_ns = progress->best_ns;
    if (desk->act && desk->rows == desk->act_at)
        desk->act(desk);
}

static bool sweep(struct desk *desk)
{
    desk->rows = desk->rounds = desk->last_done = desk->hit = 0;
    desk->last_best_ns = 0;
    bool done = sweep_run(desk->problem, desk->store, &desk->options, observe, desk, &desk->summary, &desk->error);
    assert_int_equal(desk->rows, desk->summary.progress.done);
    assert_int_equal(remains_children(getpid(), "", NULL, 0), desk->before.children);
    return done;
}

static void sweep_well(struct desk *desk, const char *status)
{
    if (!sweep(desk))
        print_and_fail(&desk->error);
    assert_string_equal(desk->summary.status, status);
}

/* ---- the database, as another program sees it */

static double number(const struct desk *desk, const char *query)
{
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open_v2(desk->database, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(database, query, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", query, sqlite3_errmsg(database));
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    double result = sqlite3_column_double(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return result;
}

static size_t count_rows(const struct desk *desk, const char *where)
{
    char query[1024];
    snprintf(query, sizeof query, "SELECT count(*) FROM evaluation WHERE %s", where);
    return (size_t)number(desk, query);
}

static size_t count_runs(const struct desk *desk, const char *status)
{
    char query[512];
    snprintf(query, sizeof query, "SELECT count(*) FROM run WHERE status = '%s'", status);
    return (size_t)number(desk, query);
}

/* ---- sweeps that go well */

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
    assert_int_equal(number(&desk, "SELECT count(*) FROM image JOIN best ON best.evaluation_id = image.evaluation"),
                     1);
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

/* ---- finals */

/* On a busy machine one of the two may be measured as so much slower that nothing is left to decide: again then. */
static void sweep_to_finals(struct desk *desk, const char *status)
{
    desk->options.finals = true;
    desk->options.fresh = true;
    for (int turn = 0; turn < 10; turn++) {
        sweep_well(desk, status);
        if (desk->rounds > 0)
            return;
    }
    fail_msg("no finals in ten sweeps");
}

static void test_finals(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "twins", "twins");
    sweep_to_finals(&desk, "done");
    const struct sweep_finals *finals = &desk.summary.finals;
    size_t rounds = desk.rounds, winner = desk.summary.best_index;
    double best_ns = desk.summary.progress.best_ns;
    assert_int_equal(finals->finalists, 2);
    assert_in_range(rounds, 1, 20);
    assert_int_equal(finals->rounds, rounds);
    assert_int_equal(finals->lost + finals->tied, 1);
    assert_null(finals->needs_less_of); /* it is the same kernel */
    assert_int_equal(desk.summary.progress.done, 2);
    assert_int_equal(desk.summary.progress.final_round, 0);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 2);

    char *text = problem_configuration_text(desk.problem, winner), query[512];
    snprintf(query, sizeof query,
             "SELECT count(*) FROM best JOIN image ON image.evaluation = best.evaluation_id "
             "JOIN final ON final.evaluation = best.evaluation_id "
             "WHERE best.configuration = '%s' AND final.place = 1",
             text);
    assert_int_equal(number(&desk, query), 1);
    free(text);
    snprintf(query, sizeof query, "SELECT count(*) FROM final WHERE json_array_length(rounds_ns) = %zu", rounds);
    assert_int_equal(number(&desk, query), 2);
    assert_int_equal(number(&desk, "SELECT sum(tied) FROM final"), finals->tied);
    assert_true(number(&desk, "SELECT time_ns FROM final WHERE place = 1") == best_ns);

    /* They are held: the winner stays it, also where the other one was faster in the median. */
    desk.options.fresh = false;
    open_store(&desk, false);
    sweep_well(&desk, "done");
    assert_int_equal(desk.rounds, 0);
    assert_int_equal(desk.summary.progress.reused, 2);
    assert_int_equal(desk.summary.best_index, winner);
    assert_true(desk.summary.progress.best_ns == best_ns);
    close_desk(&desk);
}

static void spoil(struct desk *desk)
{
    FILE *file = fopen(getenv("TUNE_TEST_SPOIL"), "w");
    assert_non_null(file);
    fclose(file);
    desk->hit = 1;
}

static void test_a_finalist_that_fails_is_disqualified(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "twins", "twins");
    desk.act = spoil;
    desk.act_in = 2;
    sweep_to_finals(&desk, "done");
    unlink(getenv("TUNE_TEST_SPOIL"));
    assert_int_equal(desk.rounds, 3);
    assert_int_equal(desk.summary.progress.failed[OUTCOME_WRONG_RESULT], 1);
    assert_int_equal(desk.summary.progress.done, 2);
    assert_int_equal(count_rows(&desk, "outcome = 'wrong_result' AND configuration LIKE '%castor%'"), 1);
    assert_int_equal(count_rows(&desk, "outcome = 'ok' AND configuration LIKE '%pollux%'"), 1);
    assert_int_equal(number(&desk, "SELECT count(*) FROM best WHERE configuration LIKE '%pollux%'"), 1);
    assert_int_equal(number(&desk, "SELECT count(*) FROM final"), 1);
    char *text = problem_configuration_text(desk.problem, desk.summary.best_index);
    assert_non_null(strstr(text, "pollux"));
    free(text);
    close_desk(&desk);
}

static void interrupt(struct desk *desk)
{
    desk->interrupted = 1;
}

static void test_finals_can_be_interrupted(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "twins", "twins");
    desk.act = interrupt;
    desk.act_in = 2;
    for (int turn = 0; turn < 10 && !desk.interrupted; turn++) {
        desk.options.finals = desk.options.fresh = true;
        if (!sweep(&desk))
            print_and_fail(&desk.error);
    }
    assert_true(desk.interrupted);
    assert_string_equal(desk.summary.status, "interrupted");
    assert_int_equal(number(&desk, "SELECT count(*) FROM final"), 0);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 2);
    assert_true(desk.summary.progress.best_ns > 0);

    /* Nothing new is measured next time, and yet the finals are still to be held. */
    desk.act = NULL;
    desk.interrupted = 0;
    desk.options.fresh = false;
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.reused, 2);
    assert_in_range(desk.rounds, 1, 20);
    assert_int_equal(number(&desk, "SELECT count(*) FROM final"), 2);
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

/* ---- kernels that go wrong */

static void test_each_fault_is_a_row_of_its_kind(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *outcome, *message;
    } expected[] = {
        {"good", "ok", ""},
        {"compile_error", "compile_error", "%faults.cu:2%this is no kernel%"},
        {"trap", "fault", "%trap%"},
        {"null_pointer", "fault", "%_%"},
        {"good_too", "ok", ""},
        {"endless", "timeout", "%within 6 s%"},
        {"wrong", "wrong_result", "%y%"},
        {"nan", "not_finite", "%y%"},
        {"unwritten", "not_finite", "%y%"},
        {"beyond", "out_of_bounds", "%y%"},
        {"into_input", "out_of_bounds", "%x%"},
        {"good_still", "ok", ""},
    };
    enum { COUNT = sizeof expected / sizeof *expected };
    struct desk desk;
    open_desk(&desk, "faults", "faults");
    desk.options.crew.measure_deadline = 6;
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.done, COUNT);
    assert_int_equal(desk.summary.progress.failed[OUTCOME_FAULT], 2);
    assert_int_equal(desk.summary.progress.failed[OUTCOME_OK], 0);
    assert_true(desk.summary.progress.best_ns > 0);
    for (size_t i = 0; i < COUNT; i++) {
        char where[512];
        snprintf(where, sizeof where,
                 "configuration LIKE '%%\"KIND\":\"%s\"%%' AND outcome = '%s' AND message LIKE '%s'",
                 expected[i].kind, expected[i].outcome, expected[i].message);
        if (count_rows(&desk, where) != 1)
            fail_msg("not 1 row: %s", where);
    }
    assert_int_equal(count_rows(&desk, "outcome <> 'ok' AND time_ns IS NOT NULL"), 0);
    close_desk(&desk);
}

static void test_nothing_valid_is_no_failure_of_the_sweep(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "all_too_large");
    sweep_well(&desk, "done");
    assert_true(desk.summary.progress.best_ns == 0);
    assert_int_equal(desk.summary.progress.failed[OUTCOME_RESOURCES], 2);
    assert_int_equal(number(&desk, "SELECT count(*) FROM image"), 0);
    close_desk(&desk);
}

static void test_a_broken_reference_ends_the_sweep_at_once(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "broken", "broken");
    assert_false(sweep(&desk));
    assert_int_equal(desk.error.code, ERROR_INPUT);
    assert_non_null(strstr(desk.error.text, "reference"));
    assert_int_equal(count_rows(&desk, "1"), 0);
    assert_int_equal(count_runs(&desk, "failed"), 1);
    close_desk(&desk);
}

static void test_an_expression_without_a_value_ends_the_sweep_with_its_place(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "division", "division");
    assert_false(sweep(&desk));
    assert_int_equal(desk.error.code, ERROR_INPUT);
    assert_non_null(strstr(desk.error.file, "division.template"));
    assert_int_equal(desk.error.line, 14);
    assert_int_equal(count_runs(&desk, "failed"), 1);
    close_desk(&desk);
}

/* ---- workers that are killed, users that interrupt, disks that fill up */

static size_t kill_workers(const char *role)
{
    pid_t pids[8];
    size_t count = remains_children(getpid(), role, pids, 8);
    for (size_t i = 0; i < count && i < 8; i++)
        assert_int_equal(kill(pids[i], SIGKILL), 0);
    return count;
}

static void kill_measurer(struct desk *desk)
{
    desk->hit = kill_workers("--worker measure");
}

static void kill_compilers(struct desk *desk)
{
    desk->hit = kill_workers("--worker compile");
}

static void test_a_killed_measuring_worker_costs_at_most_a_row(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    desk.act = kill_measurer;
    desk.act_at = 2;
    sweep_well(&desk, "done");
    assert_int_equal(desk.hit, 1);
    assert_int_equal(count_rows(&desk, "1"), 6);
    assert_in_range(count_rows(&desk, "outcome = 'ok'"), 5, 6);
    close_desk(&desk);
}

static void test_killed_compile_workers_cost_nothing(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    desk.options.crew.no_cache = true;
    desk.act = kill_compilers;
    desk.act_at = 1;
    sweep_well(&desk, "done");
    assert_in_range(desk.hit, 1, 2);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 6);
    close_desk(&desk);
}

static void test_an_interrupted_sweep_goes_on_later(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    desk.options.crew.no_cache = true;
    desk.act = interrupt;
    desk.act_at = 2;
    sweep_well(&desk, "interrupted");
    size_t done = desk.summary.progress.done;
    /* One more may have come with the second row, and two are in the measuring worker's hands by then. */
    assert_in_range(done, 2, 5);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), done);
    assert_int_equal(count_runs(&desk, "interrupted"), 1);
    desk.act = NULL;
    desk.interrupted = 0;
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.reused, done);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 6);
    close_desk(&desk);
}

static void forbid_writing(struct desk *desk)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = 1;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    desk->hit = 1;
}

static void allow_writing(void)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_a_full_disk_ends_the_sweep_and_loses_nothing(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    signal(SIGXFSZ, SIG_IGN);
    desk.act = forbid_writing;
    desk.act_at = 3;
    bool done = sweep(&desk);
    allow_writing();
    assert_false(done);
    assert_int_equal(desk.error.code, ERROR_SYSTEM);
    assert_string_equal(desk.summary.status, "failed");
    desk.act = NULL;
    open_store(&desk, false);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 3);
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.reused, 3);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 6);
    close_desk(&desk);
}

static void test_a_database_that_cannot_be_written(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    open_store(&desk, true);
    assert_false(sweep(&desk));
    assert_int_equal(desk.error.code, ERROR_SYSTEM);
    assert_int_equal(desk.rows, 0);
    close_desk(&desk);
}

static void stand_still(struct desk *desk)
{
    (void)desk;
    for (;;)
        pause();
}

/* kill -9 of the parent: its workers go, its rows stay, and the next sweep removes its folder. */
static void test_a_killed_parent(void **state)
{
    (void)state;
    struct desk desk;
    pid_t workers[8];
    open_desk(&desk, "scale", "blocks");
    desk.options.crew.no_cache = true;
    store_close(desk.store);
    desk.store = NULL;
    pid_t child = fork();
    if (child == 0) {
        desk.act = stand_still;
        desk.act_at = 4;
        open_store(&desk, false);
        sweep(&desk);
        _exit(1);
    }
    double limit = monotonic_seconds() + 60;
    do
        assert_true(monotonic_seconds() < limit && usleep(20000) == 0);
    while (access(desk.database, F_OK) != 0 || count_rows(&desk, "1") < 4);
    size_t count = remains_children(child, "--worker", workers, 8);
    assert_in_range(count, 2, 3);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    for (size_t i = 0; i < count; i++)
        assert_true(remains_is_gone(workers[i]));
    assert_int_equal(remains_entries(getenv("TMPDIR"), "tune-scratch-"), 1);
    assert_int_equal(count_runs(&desk, "running"), 1);
    open_store(&desk, false); /* sees that no one is there any more */
    assert_int_equal(count_runs(&desk, "interrupted"), 1);
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.reused, 4);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 6);
    close_desk(&desk);
}

/* ---- a single configuration, and devices */

static void test_single(void **state)
{
    (void)state;
    struct desk desk;
    struct evaluation evaluation = {0};
    void *image = NULL;
    size_t bytes = 0;
    open_desk(&desk, "scale", "blocks");
    desk.options.crew.no_cache = true;
    if (!evaluate_single(desk.problem, 5,
                         &(struct single_options){.crew = desk.options.crew, .seed = desk.options.seed}, &image,
                         &bytes, &evaluation, &desk.error))
        print_and_fail(&desk.error);
    assert_int_equal(evaluation.outcome, OUTCOME_OK);
    assert_true(evaluation.time_ns > 0 && evaluation.compile_seconds > 0);
    assert_non_null(image);
    assert_true(bytes > 0);
    evaluation_clear(&evaluation);

    if (!evaluate_single(desk.problem, 5,
                         &(struct single_options){.crew = desk.options.crew, .seed = desk.options.seed}, &image,
                         &bytes, &evaluation, &desk.error))
        print_and_fail(&desk.error);
    assert_int_equal(evaluation.outcome, OUTCOME_OK);
    assert_true(evaluation.compile_seconds == 0); /* it had the image */
    evaluation_clear(&evaluation);
    free(image);
    close_desk(&desk);
}

static void test_single_that_does_not_compile(void **state)
{
    (void)state;
    struct desk desk;
    struct evaluation evaluation = {0};
    void *image = NULL;
    size_t bytes = 0;
    open_desk(&desk, "faults", "faults");
    if (!evaluate_single(desk.problem, 1,
                         &(struct single_options){.crew = desk.options.crew, .seed = desk.options.seed}, &image,
                         &bytes, &evaluation, &desk.error))
        print_and_fail(&desk.error);
    assert_int_equal(evaluation.outcome, OUTCOME_COMPILE_ERROR);
    assert_null(image);
    evaluation_clear(&evaluation);
    close_desk(&desk);
}

static void test_devices(void **state)
{
    (void)state;
    struct remains before = remains_now();
    struct device_description description = {0};
    struct error error = {0};
    int count = -1;
    assert_true(count_devices("cpu", &count, &error));
    assert_int_equal(count, 1);
    assert_string_equal(cpu.kind, "cpu");
    assert_true(cpu.sm_count > 0 && cpu.max_threads_per_block >= 256);

    assert_false(describe_device("cpu", 7, &description, &error));
    assert_true(error.text[0] != '\0');
    assert_false(count_devices("abacus", &count, &error));
    assert_non_null(strstr(error.text, "abacus"));
    assert_false(describe_device("abacus", 0, &description, &error));
    assert_int_equal(error.code, ERROR_INPUT);

    error = (struct error){0};
    assert_true(count_devices("cuda", &count, &error));
    assert_true(count > 0 || error.text[0] != '\0'); /* either there are some, or it is said why not */
    assert_true(count_devices("cuda", &count, NULL));

    struct found_device *found;
    size_t found_count;
    assert_true(describe_devices("cpu", &found, &found_count, &error));
    assert_int_equal(found_count, 1);
    assert_true(found[0].works && device_description_alike(&found[0].description, &cpu));
    free(found);
    assert_true(describe_devices("cuda", &found, &found_count, &error));
    assert_int_equal(found_count, count);
    free(found);
    assert_false(describe_devices("abacus", &found, &found_count, &error));
    free(found);
    remains_equal(before, remains_now());
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return worker_main(arguments[2], atoi(arguments[3]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_every_configuration_has_its_row),
        cmocka_unit_test(test_a_second_sweep_measures_nothing_again),
        cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_the_strategy_knows_what_it_will_be_told),
        cmocka_unit_test(test_a_sweep_begins_at_what_was_best_elsewhere),
        cmocka_unit_test(test_random_order_reaches_everything),
        cmocka_unit_test(test_repeated_questions_cost_nothing_and_end),
        cmocka_unit_test(test_what_another_process_finished_meanwhile_is_used),
        cmocka_unit_test(test_finals),
        cmocka_unit_test(test_a_finalist_that_fails_is_disqualified),
        cmocka_unit_test(test_finals_can_be_interrupted),
        cmocka_unit_test(test_energy_is_told_or_asked_for_in_vain),
        cmocka_unit_test(test_each_fault_is_a_row_of_its_kind),
        cmocka_unit_test(test_nothing_valid_is_no_failure_of_the_sweep),
        cmocka_unit_test(test_a_broken_reference_ends_the_sweep_at_once),
        cmocka_unit_test(test_an_expression_without_a_value_ends_the_sweep_with_its_place),
        cmocka_unit_test(test_a_killed_measuring_worker_costs_at_most_a_row),
        cmocka_unit_test(test_killed_compile_workers_cost_nothing),
        cmocka_unit_test(test_an_interrupted_sweep_goes_on_later),
        cmocka_unit_test(test_a_full_disk_ends_the_sweep_and_loses_nothing),
        cmocka_unit_test(test_a_database_that_cannot_be_written),
        cmocka_unit_test(test_a_killed_parent),
        cmocka_unit_test(test_single),
        cmocka_unit_test(test_single_that_does_not_compile),
    };
    char folder[512], spoil_path[600], cache[600], command[700];
    struct error error;
    if (remains_own_folder(folder, sizeof folder) != 0)
        return 1;
    snprintf(spoil_path, sizeof spoil_path, "%s/spoil", folder);
    setenv("TUNE_TEST_SPOIL", spoil_path, 1);
    /* One cache for all tests: what they are about is seldom the compiler. */
    snprintf(cache, sizeof cache, "%s/.cache", folder);
    snprintf(command, sizeof command, "rm -r '%s'", cache);
    setenv("XDG_CACHE_HOME", cache, 1);
    unsetenv("TUNE_CACHE_BYTES");
    if (!describe_device("cpu", 0, &cpu, &error)) {
        error_print(&error, stderr);
        return 1;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return system(command) == 0 && rmdir(folder) == 0 ? failed : 1;
}
