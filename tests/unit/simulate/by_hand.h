/* SPDX-License-Identifier: Apache-2.0 */
/*
 * by_hand.h - the fixture for tests of simulations: recordings small enough to compute by hand, with one parameter
 * whose value is the number of the configuration, and a strategy that asks for what a script says.
 */
#ifndef TUNE_TESTS_BY_HAND_H
#define TUNE_TESTS_BY_HAND_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/simulate/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

struct by_hand {
    struct recording recording;
    struct dimension parameter;
    struct value *values;
    uint16_t *rows;
    struct recorded_result *results;
};

/* An objective of 0 is a failure; costs are seconds of compilation. */
static inline void make(struct by_hand *made, const double *objectives, const double *costs, size_t count)
{
    made->values = calloc(count, sizeof *made->values);
    made->rows = calloc(count, sizeof *made->rows);
    made->results = calloc(count, sizeof *made->results);
    assert_true(made->values && made->rows && made->results);
    for (size_t i = 0; i < count; i++) {
        made->values[i] = value_integer((int64_t)i);
        made->rows[i] = (uint16_t)i;
        made->results[i] = (struct recorded_result){
            .outcome = objectives[i] > 0 ? OUTCOME_OK : OUTCOME_FAULT,
            .time_ns = objectives[i],
            .compile_seconds = costs[i],
        };
    }
    made->parameter = (struct dimension){"x", made->values, count};
    made->recording = (struct recording){
        .name = "made",
        .parameters = &made->parameter,
        .parameter_count = 1,
        .rows = made->rows,
        .results = made->results,
        .count = count,
    };
}

static inline void unmake(struct by_hand *made)
{
    free(made->values);
    free(made->rows);
    free(made->results);
}

static inline struct simulated_space *simulated(const struct by_hand *made, unsigned compilers)
{
    struct simulated_space *space;
    struct error error;
    if (!simulated_space_create(&made->recording, NULL, compilers, &space, &error))
        fail_msg("%s", error.text);
    return space;
}

/* The questions of the scripted strategy, in order, and what it was told. */
struct script {
    const size_t *questions;
    size_t length, next;
    size_t valid, failed;
    double objective; /* that it was told last */
};
static struct script script;

static inline bool scripted_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    (void)setup, (void)error;
    script.next = script.valid = script.failed = 0;
    *state = &script;
    return true;
}

static inline enum answer scripted_ask(void *state, size_t *index)
{
    struct script *running = state;
    if (running->next == running->length)
        return ASK_WAIT; /* nothing else is asked while any evaluation is under way */
    *index = running->questions[running->next++];
    return ASK_READY;
}

static inline void scripted_tell(void *state, const struct observation *observation)
{
    struct script *running = state;
    running->valid += observation->valid;
    running->failed += !observation->valid;
    running->objective = observation->objective;
}

static inline void scripted_destroy(void *state)
{
    (void)state;
}

static const struct strategy_driver scripted = {
    .name = "scripted",
    .meaning = "for tests",
    .create = scripted_create,
    .ask = scripted_ask,
    .tell = scripted_tell,
    .destroy = scripted_destroy,
};

/* A replay of these questions. */
static inline void run_script(const struct simulated_space *space, const size_t *questions, size_t length,
                              struct replay_trace *trace)
{
    struct error error;
    script = (struct script){.questions = questions, .length = length};
    if (!replay_run(space, &(struct replay_plan){.driver = &scripted}, 1, trace, &error))
        fail_msg("%s", error.text);
}

#endif
