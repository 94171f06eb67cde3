/* SPDX-License-Identifier: Apache-2.0 */
/* The decisions of online tuning, with candidates whose times the test makes up: what wins, what it costs, when it
 * ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/library/trials.h"

static const double copies_ns = 400; /* that a rehearsal takes beside the launches */

/* A program: what each configuration takes, on average; 0 is the first incumbent. */
struct program {
    struct trials trials;
    struct generator noise;
    const double *times;
    double spread;            /* of the noise, relative */
    size_t incumbent;         /* 0, or 1 + the candidate */
    bool wrong[TRIALS_MOST];  /* of the candidates */
    double worst_share;       /* of the debt in all time, from the 100th call on */
    size_t in_program, calls; /* in_program: launches of candidates for the program's own data */
};

static double run(struct program *program, size_t which)
{
    return program->times[which] * (1 + program->spread * (generator_real(&program->noise) - 0.5));
}

static void begin(struct program *program, double share, const double *times, size_t count, double spread)
{
    *program = (struct program){.times = times, .spread = spread, .noise = {7}};
    trials_begin(&program->trials, share, count, 3);
}

/* One call; the thread that makes candidates and judges is at once. */
static void call(struct program *program)
{
    struct trials *trials = &program->trials;
    const size_t contending = trials->at;
    if (trials_ended(trials) == TRIALS_GO_ON && !trials->ready)
        trials_ready(trials);
    const enum trial_kind kind = trials_next(trials);
    const double own = kind == TRIAL_CANDIDATE ? 0 : run(program, program->incumbent),
                 other = kind >= TRIAL_REHEARSAL ? run(program, 1 + contending) : 0;
    program->calls++;
    program->in_program += kind == TRIAL_CANDIDATE;
    if (kind == TRIAL_CANDIDATE)
        assert_false(program->wrong[contending]);
    if (kind == TRIAL_NONE)
        trials_passed(trials, 1);
    else
        trials_tell(trials, kind, own, other, kind == TRIAL_REHEARSAL ? copies_ns : 0);
    if (kind == TRIAL_REHEARSAL && program->wrong[contending])
        trials_reject(trials, TRIALS_WRONG);
    else if (kind == TRIAL_REHEARSAL)
        trials_confirm(trials);
    if (trials->at > contending && trials->verdicts[contending] == TRIALS_WON)
        program->incumbent = 1 + contending;
    const double share = trials->excess_ns / (trials->time_ns > 0 ? trials->time_ns : 1);
    if (program->calls > 100 && share > program->worst_share)
        program->worst_share = share;
}

static void run_to_the_end(struct program *program, size_t most)
{
    while (trials_ended(&program->trials) == TRIALS_GO_ON && program->calls < most)
        call(program);
    assert_int_not_equal(trials_ended(&program->trials), TRIALS_GO_ON);
    assert_true(program->trials.calls == program->calls);
}

static void the_fast_one_takes_over(void **state)
{
    (void)state;
    static const double times[] = {1000, 1300, 700, 1000, 650};
    struct program program;
    begin(&program, 0.05, times, 4, 0.04);
    run_to_the_end(&program, 20000);
    assert_int_equal(program.incumbent, 4);
    assert_int_equal(program.trials.verdicts[0], TRIALS_LOST);
    assert_int_equal(program.trials.verdicts[1], TRIALS_WON);
    assert_int_equal(program.trials.verdicts[2], TRIALS_LOST);
    assert_int_equal(program.trials.verdicts[3], TRIALS_WON);
    assert_int_equal(trials_ended(&program.trials), TRIALS_ALL_TRIED);
    assert_true(program.trials.ratio > 0.63 && program.trials.ratio < 0.67);
    assert_true(program.trials.incumbent_ns > 600 && program.trials.incumbent_ns < 700);
}

/* With equal times the share is what rehearsals and slower candidates cost, in the test's units. */
static void the_share_is_kept(void **state)
{
    (void)state;
    static const double times[] = {1000, 1200, 1900, 1050, 1400, 1001, 1100, 1700}, shares[] = {0.01, 0.05, 0.3};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        struct program program;
        begin(&program, shares[i], times, 7, 0);
        run_to_the_end(&program, 200000);
        assert_int_equal(program.incumbent, 0);
        assert_true(program.worst_share <= shares[i]);
        assert_true(program.trials.excess_ns > 14 * (copies_ns + 1000)); /* two rehearsals each, and the races */
        assert_true(program.trials.excess_ns <= shares[i] * program.trials.time_ns);
    }
}

/* What nobody could expect is made up for: a candidate that takes 50 times as long. */
static void what_was_too_much_is_made_up_for(void **state)
{
    (void)state;
    static const double times[] = {1000, 50000, 990, 700};
    struct program program;
    begin(&program, 0.05, times, 3, 0);
    while (program.trials.tries == 0)
        call(&program);
    const double debt = program.trials.excess_ns;
    assert_true(debt > 50000 && program.trials.verdicts[0] == TRIALS_LOST); /* once was enough */
    while (program.trials.tries == 1)
        call(&program);
    assert_true(program.trials.time_ns >= debt / 0.05);
    run_to_the_end(&program, 100000);
    assert_int_equal(program.incumbent, 3);
    assert_true(program.trials.excess_ns <= 0.05 * program.trials.time_ns);
}

/* The first rehearsal of all loads what later ones find: they are not put off for long. */
static void what_was_dear_once_is_expected_less_and_less(void **state)
{
    (void)state;
    struct trials trials;
    trials_begin(&trials, 0.1, 3, 1);
    for (int i = 0; i < 3; i++)
        trials_tell(&trials, TRIAL_INCUMBENT, 100, 0, 0);
    trials_ready(&trials);
    trials_tell(&trials, TRIAL_REHEARSAL, 100, 100, 8000);
    assert_true(trials.rehearsal_ns == 8000);
    trials_tell(&trials, TRIAL_REHEARSAL, 100, 100, 0);
    assert_true(trials.rehearsal_ns == 4000);
    trials_tell(&trials, TRIAL_REHEARSAL, 100, 100, 5000);
    assert_true(trials.rehearsal_ns == 5000);
}

static void wrong_ones_never_run_for_the_program(void **state)
{
    (void)state;
    static const double times[] = {1000, 10, 20, 900};
    struct program program;
    begin(&program, 0.05, times, 3, 0.02);
    program.wrong[0] = program.wrong[1] = true; /* call() looks */
    run_to_the_end(&program, 100000);
    assert_int_equal(program.trials.verdicts[0], TRIALS_WRONG);
    assert_int_equal(program.trials.verdicts[1], TRIALS_WRONG);
    assert_int_equal(program.incumbent, 3);
}

static void it_ends_when_nothing_better_is_likely(void **state)
{
    (void)state;
    double times[1 + 20];
    struct program program;
    for (size_t i = 0; i < 21; i++)
        times[i] = 1000 + 10 * (double)i;
    times[3] = 800;
    begin(&program, 0.2, times, 20, 0.01);
    run_to_the_end(&program, 200000);
    assert_int_equal(program.incumbent, 3);
    assert_int_equal(trials_ended(&program.trials), TRIALS_NOTHING_BETTER);
    assert_int_equal(program.trials.at, 3 + TRIALS_PATIENCE);
}

/* Of configurations that are the same hardly any takes over: 3 of 400, with much noise. */
static void noise_decides_little(void **state)
{
    (void)state;
    double times[1 + TRIALS_PATIENCE];
    size_t won = 0;
    for (size_t i = 0; i <= TRIALS_PATIENCE; i++)
        times[i] = 1000;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct program program;
        begin(&program, 0.3, times, TRIALS_PATIENCE, 0.3);
        program.noise.state = seed;
        run_to_the_end(&program, 100000);
        for (size_t i = 0; i < program.trials.at; i++)
            won += program.trials.verdicts[i] == TRIALS_WON;
    }
    assert_true(won <= 3);
}

static void one_that_cannot_be_tried_is_passed_over(void **state)
{
    (void)state;
    static const double times[] = {1000, 1, 600};
    struct program program;
    begin(&program, 0.05, times, 2, 0);
    trials_reject(&program.trials, TRIALS_UNFIT);
    run_to_the_end(&program, 100000);
    assert_int_equal(program.trials.verdicts[0], TRIALS_UNFIT);
    assert_int_equal(program.incumbent, 2);
    begin(&program, 0.05, times, 0, 0);
    assert_int_equal(trials_ended(&program.trials), TRIALS_ALL_TRIED);
    assert_int_equal(trials_next(&program.trials), TRIAL_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fast_one_takes_over),
        cmocka_unit_test(the_share_is_kept),
        cmocka_unit_test(what_was_too_much_is_made_up_for),
        cmocka_unit_test(what_was_dear_once_is_expected_less_and_less),
        cmocka_unit_test(wrong_ones_never_run_for_the_program),
        cmocka_unit_test(it_ends_when_nothing_better_is_likely),
        cmocka_unit_test(noise_decides_little),
        cmocka_unit_test(one_that_cannot_be_tried_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
