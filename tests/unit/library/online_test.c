/* SPDX-License-Identifier: Apache-2.0 */
/* Online tuning: what calls of a program find, and what is left alone. */
#include "callers.h"
#include "online_program.h"

#include "tuner/library/learnt.h"
#include "tuner/library/load.h"
#include "tuner/library/loaded.h"

#include <math.h>

/* The first test, so that V = 7 is not in the cache of images: the thread that compiles it goes on with what else
 * there is, and calls before that launch the other one. */
static void it_begins_when_the_thread_has_loaded(void **state)
{
    (void)state;
    struct user user;
    struct tune_answer *wanted;
    struct online_request online = {.share = 0.5};
    open_program(&user, "background.db", 0);
    struct tune_kernel *first = user.kernel;
    must(learnt_answer(user.answer, "{\"V\":7}", &wanted, &error));
    must(rivals_find(user.tune, wanted, TRIALS_MOST, &online.contenders, &error));
    const struct load_request request = {
        user.tune->attachments, user.tune->cache, wanted, user.answer, NULL, &online};
    must_do(load_kernel(&request, &user.kernel, &failure));
    assert_int_equal(variant_in_use(user.kernel), INCUMBENT);
    while (variant_in_use(user.kernel) == INCUMBENT)
        launch(&user, user.kernel);
    for (int i = 0; i < 200; i++)
        launch(&user, user.kernel);
    assert_int_equal(state_of(user.kernel).candidates, VARIANTS - 1);
    tune_kernel_free(first);
    tune_answer_free(wanted);
    close_program(&user);
}

static void calls_find_what_is_faster(void **state)
{
    (void)state;
    struct user program;
    open_program(&program, "fast.db", 0);
    assert_null(program.kernel->online);
    assert_int_equal(state_of(program.kernel).state, TUNE_ONLINE_OFF);
    tune_by_steps(&program, 0.1);
    struct tune_online_info info = state_of(program.kernel);
    assert_int_equal(info.state, TUNE_ONLINE_TRYING);
    assert_int_equal(info.candidates, VARIANTS - 1);
    run(&program, 0.1, 5000);
    info = state_of(program.kernel);
    assert_int_equal(info.state, TUNE_ONLINE_DONE);
    assert_string_equal(info.why, "all that may be tried was tried");
    assert_string_equal(info.configuration, "{\"V\":6}");
    assert_int_equal(info.tried, VARIANTS - 1);
    assert_int_equal(info.wrong, 4);
    assert_true(info.ratio > 0.499 && info.ratio < 0.501);
    assert_true(info.time_ns == read_clock(NULL)); /* all calls and tries are in it */
    assert_true(info.excess_ns > 2 * 500 && info.excess_ns <= 0.1 * info.time_ns);
    assert_int_equal(info.calls, program.turn);
    launch(&program, program.kernel);
    close_program(&program);

    /* The next run begins with it, and has nothing left to try. */
    program.tune = open_home(program.database);
    program.answer = ask(program.tune);
    const struct tune_answer_info next = describe(program.answer);
    assert_string_equal(next.configuration, "{\"V\":6}");
    assert_int_equal(next.rule, TUNE_RULE_EXACT);
    assert_true(next.validated);
    assert_non_null(strstr(next.origin, "found online 20"));
    load(&program, 0.1);
    info = state_of(program.kernel);
    assert_int_equal(info.state, TUNE_ONLINE_DONE);
    assert_int_equal(info.candidates, 0);
    assert_null(program.kernel->making); /* no thread */
    launch(&program, program.kernel);
    close_program(&program);
}

/* Whatever was tried or in use before, also what had won until something better did. */
static void what_was_beaten_is_not_tried_again(void **state)
{
    (void)state;
    struct user program;
    struct contenders contenders;
    struct tune_answer *now;
    open_program(&program, "beaten.db", 0);
    must(rivals_find(program.tune, program.answer, TRIALS_MOST, &contenders, &error));
    assert_int_equal(contenders.count, VARIANTS - 1);
    must(learnt_answer(program.answer, contenders.list[2].configuration, &now, &error));
    const struct trials trials = {
        .at = 3, .verdicts = {TRIALS_WON, TRIALS_LOST, TRIALS_WON}, .ratio = 0.5, .incumbent_ns = 7};
    const struct learnt learnt = {program.answer, now, &contenders, &trials, "a compiler"};
    must(learnt_store(program.database, &learnt, &error));
    contenders_clear(&contenders);
    must(rivals_find(program.tune, now, TRIALS_MOST, &contenders, &error));
    assert_int_equal(contenders.count, VARIANTS - 1 - 3);
    contenders_clear(&contenders);
    tune_answer_free(now);
    close_program(&program);
}

static void a_fork_has_what_is_best_by_now(void **state)
{
    (void)state;
    struct user program;
    struct tune_kernel *early, *late;
    open_program(&program, "fork.db", 0);
    tune_by_steps(&program, 0.5);
    must_do(tune_kernel_fork(program.kernel, &early, &failure));
    run(&program, 1, 5000);
    must_do(tune_kernel_fork(program.kernel, &late, &failure));
    assert_int_equal(variant_in_use(early), INCUMBENT);
    assert_int_equal(variant_in_use(late), FAST);
    assert_int_equal(state_of(late).state, TUNE_ONLINE_OFF);
    close_program(&program); /* handles may be freed in any order */
    launch(&program, early);
    launch(&program, late);
    tune_kernel_free(early);
    tune_kernel_free(late);
}

/* ---- calls that are not fit for it ---- */

/* One that stays, since it has prepared something, though the one to begin with is there. */
static void one_that_stands_in_is_not_compared(void **state)
{
    (void)state;
    struct user program;
    struct tune_answer *wanted;
    open_program(&program, "stand_in.db", 0);
    struct tune_kernel *kernel = program.kernel;
    must(learnt_answer(program.answer, "{\"V\":7}", &wanted, &error));
    must_do(loaded_make(kernel->versions[0].variant->code->attached, program.tune->cache, wanted,
                        &kernel->versions[1], &failure));
    tune_answer_free(wanted);
    atomic_store(&kernel->newest, 1);
    tune_by_steps(&program, 0.5);
    int x[N] = {0}, y[N];
    const struct tune_buffer buffers[] = {{x, sizeof x}, {y, sizeof y}};
    for (int i = 0; i < 200; i++) {
        while (online_step(kernel->online))
            ;
        must_do(online_launch(kernel->online, NULL, buffers, &failure));
    }
    assert_int_equal(state_of(kernel).calls, 0);
    assert_true(read_clock(NULL) == 200 * costs[INCUMBENT]);
    launch(&program, kernel); /* takes the other one */
    assert_int_equal(variant_in_use(kernel), SLOW);
    assert_int_equal(state_of(kernel).calls, 1);
    close_program(&program);
}

/* In-place calls, whose copies would not be in place. */
static void buffers_that_overlap_are_left_alone(void **state)
{
    (void)state;
    struct user program;
    open_program(&program, "overlap.db", 0);
    tune_by_steps(&program, 0.5);
    for (int i = 0; i < 100; i++) {
        _Alignas(16) int both[N];
        const struct tune_buffer buffers[] = {{both, sizeof both}, {both, sizeof both}};
        for (int j = 0; j < N; j++)
            both[j] = i + j;
        while (online_step(program.kernel->online))
            ;
        must_do(tune_launch(program.kernel, NULL, buffers, 2, &failure));
        for (int j = 0; j < N; j++)
            assert_int_equal(both[j], 3 * (i + j) + 1);
    }
    assert_int_equal(state_of(program.kernel).tries, 0);
    close_program(&program);
}

static void wrong_shares_are_refused(void **state)
{
    (void)state;
    static const double wrong[] = {-0.1, 0.51, 5, (double)NAN};
    struct user program;
    struct tune_kernel *kernel;
    open_program(&program, "shares.db", 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct tune_load_options options = {.bytes = sizeof options, .online = wrong[i]};
        assert_int_equal(tune_load(program.tune, program.answer, &options, &kernel, &failure), TUNE_ERROR_ARGUMENT);
        assert_non_null(strstr(failure.text, "options.online"));
    }
    /* a program that was built before there was the option */
    const struct tune_load_options old = {.bytes = offsetof(struct tune_load_options, online), .online = 7};
    must_do(tune_load(program.tune, program.answer, &old, &kernel, &failure));
    assert_int_equal(state_of(kernel).state, TUNE_ONLINE_OFF);
    assert_int_equal(tune_kernel_online(kernel, NULL, &failure), TUNE_ERROR_ARGUMENT);
    assert_int_equal(tune_kernel_online(NULL, &(struct tune_online_info){0}, &failure), TUNE_ERROR_ARGUMENT);
    tune_kernel_free(kernel);
    close_program(&program);
}

/* ---- threads ---- */

/* With the thread of tune_load and by the host's clock: whatever it finds, results are right. */
static void many_threads_try_at_once(void **state)
{
    (void)state;
    static struct caller callers[8];
    const size_t count = sizeof callers / sizeof *callers;
    struct user program;
    open_program(&program, "threads.db", 0.5);
    assert_non_null(program.kernel->making);
    const struct caller caller = {.kernel = program.kernel, .numbers = N, .rounds = 400, .factor = 3, .summand = 1};
    callers_begin(callers, count, &caller);
    for (size_t i = 0; i < count; i++) {
        (void)state_of(program.kernel);
        caller_end(&callers[i]);
    }
    const struct tune_online_info info = state_of(program.kernel);
    assert_true(info.calls <= count * (size_t)caller.rounds);
    close_program(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_begins_when_the_thread_has_loaded),
        cmocka_unit_test(calls_find_what_is_faster),
        cmocka_unit_test(what_was_beaten_is_not_tried_again),
        cmocka_unit_test(a_fork_has_what_is_best_by_now),
        cmocka_unit_test(one_that_stands_in_is_not_compared),
        cmocka_unit_test(buffers_that_overlap_are_left_alone),
        cmocka_unit_test(wrong_shares_are_refused),
        cmocka_unit_test(many_threads_try_at_once),
    };
    return cmocka_run_group_tests(tests, make_home, scratch_folder_remove);
}
