/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps over several sizes, by an objective that depends on sizes and parameters alone. */
#include "tests/unit/engine/sweep_fixture.h"
#include "tuner/engine/set_sweep.h"

#include <math.h>

enum { SIZES = 5, SPACE = 12 };

struct set_fixture {
    struct sweep_fixture own;
    struct size_set set;
    struct problem *problems[SIZES];
    struct objective objective;
    struct set_options options;
    struct set_summary summary;
    size_t begun[4];     /* sweeps of each stage */
    size_t interrupt_at; /* sweep; 0: never */
};

/* The best block is a tenth of n: 64, 128, 256, 512 and 1024 elements. */
static const char text[] = "n=640\nn=1280\nn=2560 2\nn=5120\nn=10240\n";

static void begin(enum set_stage stage, size_t number, size_t count, const struct problem *problem, void *context)
{
    struct set_fixture *f = context;
    assert_in_range(number, 1, count);
    assert_non_null(problem);
    f->begun[stage]++;
    f->own.last_done = 0; /* the observer's, of each sweep */
    if (f->begun[0] + f->begun[1] + f->begun[2] + f->begun[3] == f->interrupt_at)
        f->own.interrupted = 1;
}

static void observe_nothing(const struct sweep_progress *progress, const struct evaluation *latest,
                            const char *configuration, void *context)
{
    (void)progress, (void)latest, (void)configuration, (void)context;
}

static void open_set(struct set_fixture *f)
{
    *f = (struct set_fixture){0};
    sweep_fixture_open(&f->own, "sized", "sized");
    struct error *error = &f->own.error;
    if (!size_set_parse("sizes", text, strlen(text), f->own.template, &cpu, &f->set, error) ||
        !objective_choose(f->own.template, NULL, &f->objective, error))
        print_and_fail(error);
    assert_int_equal(f->set.count, SIZES);
    for (size_t i = 0; i < SIZES; i++) {
        if (!problem_create(f->own.template, f->own.space, &cpu, &f->set.values[i], 1, &f->problems[i], error))
            print_and_fail(error);
    }
    f->own.options.strategy = strategy_find("auto");
    f->own.options.objective = &f->objective;
    f->options = (struct set_options){
        .sweep = f->own.options, .configurations = 3, .begin = begin, .observe = observe_nothing, .context = f};
    f->options.sweep.interrupted = &f->own.interrupted;
}

static void close_set(struct set_fixture *f)
{
    dispatch_free(f->summary.dispatch);
    for (size_t i = 0; i < SIZES; i++)
        problem_free(f->problems[i]);
    size_set_clear(&f->set);
    sweep_fixture_close(&f->own);
}

static void run(struct set_fixture *f)
{
    dispatch_free(f->summary.dispatch);
    memset(f->begun, 0, sizeof f->begun);
    if (!set_sweep_run(f->problems, &f->set, f->own.store, &f->options, &f->summary, &f->own.error))
        print_and_fail(&f->own.error);
}

/* What is chosen of all that could be is what is best by the definition of the objective. */
static void the_dispatch_is_stored_and_good(void **state)
{
    (void)state;
    struct set_fixture f;
    open_set(&f);
    f.options.sweep.budget_evaluations = SIZES * SPACE * 2;
    f.options.configurations = 5;
    run(&f);
    assert_int_equal(f.summary.missing, 0);
    assert_int_equal(f.summary.without, 0);
    assert_int_equal(f.summary.known, 0);
    assert_non_null(f.summary.dispatch);
    assert_int_equal(f.summary.dispatch->case_count, SIZES);
    assert_true(f.summary.dispatch->cases[2].weight == 2);
    for (size_t i = 0; i < SIZES; i++)
        assert_true(f.summary.dispatch->cases[i].best == 1);
    assert_true(dispatch_quality(f.summary.dispatch).mean == 1);
    assert_int_equal(count_rows(&f.own, "outcome = 'ok'"), f.summary.evaluations);
    assert_int_equal(number(&f.own, "SELECT count(*) FROM problem"), SIZES);
    assert_int_equal(number(&f.own, "SELECT count(*) FROM dispatch WHERE objective = 'misfit'"), 1);

    size_t made = f.summary.evaluations;
    run(&f); /* all is known */
    assert_int_equal(f.summary.evaluations, 0);
    assert_int_equal(f.summary.known, made);
    assert_true(dispatch_quality(f.summary.dispatch).mean == 1);
    assert_int_equal(number(&f.own, "SELECT count(*) FROM dispatch"), 1);
    close_set(&f);
}

/* Where BLOCK * ITEMS is the same, so is the objective: of two or three each, but at n=10240 for the largest alone.
 */
static void finals_are_held_once(void **state)
{
    (void)state;
    struct set_fixture f;
    open_set(&f);
    f.options.sweep.finals = true;
    f.options.sweep.budget_evaluations = SIZES * SPACE * 2;
    f.options.configurations = 5;
    run(&f);
    size_t held = f.summary.finals;
    assert_in_range(held, 1, SIZES - 1); /* on a busy machine 2 s are not enough for all */
    assert_true(f.begun[SET_FINALS] >= held);
    assert_true(dispatch_quality(f.summary.dispatch).mean == 1);
    assert_true(number(&f.own, "SELECT max(place) FROM final") >= 2);
    run(&f);
    held += f.summary.finals;
    assert_in_range(held, 1, SIZES - 1);
    assert_true(number(&f.own, "SELECT count(DISTINCT run) FROM final") == (double)held);
    close_set(&f);
}

/* A fraction of the evaluations of all sizes alone; the default is among them at each. */
static void a_budget_is_of_all_sizes_together(void **state)
{
    (void)state;
    struct set_fixture f;
    open_set(&f);
    f.options.sweep.budget_evaluations = 30;
    run(&f);
    assert_in_range(f.summary.evaluations, 15, 30);
    assert_int_equal(count_rows(&f.own, "1"), f.summary.evaluations);
    assert_int_equal(count_rows(&f.own, "configuration = '{\"BLOCK\":64,\"ITEMS\":1}'"), SIZES);
    assert_in_range(f.summary.dispatch->configuration_count, 1, 3);
    assert_int_equal(f.begun[SET_ANCHORS], 4);
    assert_int_equal(f.begun[SET_OTHERS], 1);
    assert_true(dispatch_quality(f.summary.dispatch).mean > 0.3); /* the default alone: 0.25 */
    assert_true(remains_children(getpid(), "", NULL, 0) == f.own.before.children);
    close_set(&f);
}

/* Its shares round to nothing. */
static void a_budget_of_one_is_spent(void **state)
{
    (void)state;
    struct set_fixture f;
    open_set(&f);
    f.options.sweep.budget_evaluations = 1;
    run(&f);
    assert_int_equal(f.summary.evaluations, 1);
    assert_int_equal(f.summary.without, SIZES - 1);
    assert_non_null(f.summary.dispatch);
    close_set(&f);
}

static void an_interrupted_sweep_goes_on(void **state)
{
    (void)state;
    struct set_fixture f;
    open_set(&f);
    f.options.sweep.budget_evaluations = 30;
    f.interrupt_at = 3;
    run(&f);
    assert_true(f.summary.stopped);
    assert_null(f.summary.dispatch);
    size_t before = f.summary.evaluations;
    assert_true(before > 0 && count_rows(&f.own, "1") == before);
    f.own.interrupted = 0;
    f.interrupt_at = 0;
    run(&f);
    assert_int_equal(f.summary.known, before);
    assert_non_null(f.summary.dispatch);
    assert_in_range(before + f.summary.evaluations, 15, 30);
    close_set(&f);
}

/* Five of six configurations are known elsewhere: the first is measured, the other four are not. */
static void what_is_predicted_is_not_tried(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    struct sweep_prediction predictions[5];
    size_t first[] = {3};
    sweep_fixture_open(&fixture, "scale", "blocks");
    for (size_t i = 0; i < 5; i++)
        predictions[i] = (struct sweep_prediction){(3 + i) % 6, 1 + (double)i};
    fixture.options.first = first;
    fixture.options.first_count = 1;
    fixture.options.predictions = predictions;
    fixture.options.prediction_count = 5;
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.done, 2);
    char *other = problem_configuration_text(fixture.problem, 2);
    char query[200];
    snprintf(query, sizeof query, "configuration = '%s'", other);
    assert_int_equal(count_rows(&fixture, query), 1);
    free(other);
    sweep_fixture_close(&fixture);
}

/* Time, too: at the latest each sweep ends with its share. */
static void a_budget_may_be_time(void **state)
{
    (void)state;
    struct set_fixture f;
    open_set(&f);
    f.options.sweep.budget_seconds = 0.5;
    run(&f);
    assert_false(f.summary.stopped);
    assert_in_range(f.summary.evaluations, 0, SIZES * SPACE);
    close_set(&f);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dispatch_is_stored_and_good),
        cmocka_unit_test(a_budget_is_of_all_sizes_together),
        cmocka_unit_test(an_interrupted_sweep_goes_on),
        cmocka_unit_test(a_budget_may_be_time),
        cmocka_unit_test(what_is_predicted_is_not_tried),
        cmocka_unit_test(a_budget_of_one_is_spent),
        cmocka_unit_test(finals_are_held_once),
    };
    return sweep_tests_main(count, arguments, "set_sweep", tests, sizeof tests / sizeof *tests);
}
