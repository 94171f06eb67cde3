/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sweep on the CPU device, then a replay of what it recorded: a strategy is asked and told the same in both.
 *
 * The objective is a function of the configuration, and candidates are compiled by one worker, so that nothing
 * depends on timings. Of the last configuration the sweep may decide alone; the replay ends at the best, the last but
 * one.
 */
#include "tests/unit/engine/sweep_fixture.h"

#include "tuner/formats/recording_file.h"
#include "tuner/simulate/replay.h"

#include <math.h>

enum { COUNT = 12, GENERATION = 4, BLOCK = 0, ITEMS = 1 };

/* What a strategy was asked (its answers are positive) and told (negative), configurations by key. */
struct history {
    long events[4 * COUNT];
    size_t count;
};
static struct history *history;

/* Asks for a generation, waits for all of its results, and lets the best so far choose the next one. */
struct generations {
    const struct search_space *space;
    bool asked[COUNT], told[COUNT];
    size_t asked_count, told_count;
    double best;
    long best_key;
};

static long number_at(const struct generations *generations, size_t index, size_t dimension)
{
    uint16_t point[2];
    search_space_point(generations->space, index, point);
    return (long)search_space_value(generations->space, dimension, point[dimension]).integer;
}

/* Configurations have other indices in a recording. */
static long key_of(const struct generations *generations, size_t index)
{
    return number_at(generations, index, BLOCK) * 8 + number_at(generations, index, ITEMS);
}

static bool is_best(const struct generations *generations, size_t index)
{
    return number_at(generations, index, BLOCK) * number_at(generations, index, ITEMS) == 512;
}

static bool generations_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct generations *generations = calloc(1, sizeof *generations);
    (void)error;
    assert_non_null(generations);
    assert_int_equal(search_space_count(setup->space), COUNT);
    assert_string_equal(search_space_name(setup->space, BLOCK), "BLOCK");
    *generations = (struct generations){.space = setup->space, .best = HUGE_VAL};
    *state = generations;
    return true;
}

/* The default, 64 by 1, is first, as in a sweep, and the two best are last. */
static long place_of(const struct generations *generations, size_t index)
{
    long key = key_of(generations, index);
    if (key == 64 * 8 + 1)
        return -1;
    return is_best(generations, index) ? 1000 + key : key * (17 + generations->best_key) % 103;
}

static enum answer generations_ask(void *state, size_t *index)
{
    struct generations *generations = state;
    if (generations->asked_count == COUNT)
        return ASK_END;
    if (generations->told_count < generations->asked_count / GENERATION * GENERATION ||
        (generations->asked_count == COUNT - 1 && generations->told_count < COUNT - 1))
        return ASK_WAIT;
    *index = COUNT;
    for (size_t i = 0; i < COUNT; i++) {
        if (!generations->asked[i] && (*index == COUNT || place_of(generations, i) < place_of(generations, *index)))
            *index = i;
    }
    generations->asked[*index] = true;
    generations->asked_count++;
    history->events[history->count++] = key_of(generations, *index);
    return ASK_READY;
}

static void generations_tell(void *state, const struct observation *observation)
{
    struct generations *generations = state;
    if (generations->told[observation->index]) /* a sweep asks for the default by itself */
        return;
    assert_true(observation->valid);
    generations->told[observation->index] = true;
    generations->told_count++;
    long key = key_of(generations, observation->index);
    if (observation->objective < generations->best ||
        (observation->objective <= generations->best && key < generations->best_key)) {
        generations->best = observation->objective;
        generations->best_key = key;
    }
    history->events[history->count++] = -key;
}

static const struct strategy_driver driver = {
    .name = "generations",
    .create = generations_create,
    .ask = generations_ask,
    .tell = generations_tell,
    .destroy = free,
};

static void replay(const char *database, unsigned compilers)
{
    struct recordings recordings = {0};
    struct simulated_space *space;
    struct replay_trace trace;
    struct error error = {0};
    if (!recordings_read(database, &recordings, &error))
        print_and_fail(&error);
    assert_int_equal(recordings.count, 1);
    assert_string_equal(recordings.items[0]->device_kind, "cpu");
    if (!simulated_space_create(recordings.items[0], NULL, compilers, &space, &error))
        print_and_fail(&error);
    assert_true(space->machine.takes_turns);
    space->end *= 100; /* what is under way then does not count */
    if (!replay_run(space, &(struct replay_plan){.driver = &driver}, 1, &trace, &error))
        print_and_fail(&error);
    assert_int_equal(trace.evaluations, COUNT - 1);
    simulated_space_free(space);
    recordings_clear(&recordings);
}

static void test_a_replay_asks_and_tells_like_the_sweep(void **state)
{
    (void)state;
    struct history swept = {0}, replayed = {0};
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "sized", "sized");
    const struct objective misfit = {.name = "misfit", .is_metric = true};
    fixture.options.objective = &misfit;
    fixture.options.strategy = &driver;
    fixture.options.crew.compile_jobs = 1;
    fixture.options.crew.no_cache = true;
    history = &swept;
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.done, COUNT);
    assert_int_equal(swept.count, 2 * COUNT);
    history = &replayed;
    replay(fixture.database, 1);
    assert_int_equal(replayed.count, 2 * (COUNT - 1));
    assert_memory_equal(replayed.events, swept.events, replayed.count * sizeof *replayed.events);
    sweep_fixture_close(&fixture);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_replay_asks_and_tells_like_the_sweep)};
    return sweep_tests_main(count, arguments, "replays of sweeps", tests, 1);
}
