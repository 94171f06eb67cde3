/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/simulate/replay.h"

#include "tuner/search/stopping.h"

#include <math.h>

struct replay {
    const struct simulated_space *space;
    struct search *search;
    struct machine *machine;
    struct stopping *until; /* NULL: the replay ends with the window */
    double share, within;
    size_t made;
    struct replay_trace *trace;
    uint32_t best;
    bool has_found; /* the optimum: what comes then is not part of the trace */
    size_t filled;  /* times of the trace that have passed */
    bool ended;     /* nothing is left to ask */
};

/* Until then the trace holds the best so far. */
static void fill_trace(struct replay *replay, double until)
{
    while (replay->filled < SCORE_TIMES && simulated_space_time(replay->space, replay->filled) < until)
        replay->trace->ranks[replay->filled++] = (float)replay->best;
}

/* As many as there is room for and the strategy asks for. */
static bool ask(struct replay *replay, struct error *error)
{
    enum answer answer = ASK_READY;
    while (answer == ASK_READY && !replay->ended && machine_room(replay->machine) > 0) {
        size_t index;
        answer = search_ask(replay->search, &index);
        replay->ended = answer == ASK_END;
        if (answer == ASK_READY)
            machine_submit(replay->machine, index);
    }
    return answer != ASK_FAILED || search_failure(replay->search, error);
}

static bool tell(struct replay *replay, size_t index, struct error *error)
{
    const struct simulated_space *space = replay->space;
    uint32_t rank = space->ranks[index];
    bool valid = rank < space->valid;
    struct observation observation = {
        .index = index,
        .valid = valid,
        .objective = valid ? simulated_space_cost(space, rank) : 0,
        .seconds = recorded_cost(&space->recording->results[index]),
    };
    if (valid && rank < replay->best)
        replay->best = rank;
    replay->made++;
    if (valid && replay->within > 0 && replay->trace->within_after == 0 &&
        observation.objective <= simulated_space_cost(space, 0) * (1 + replay->within))
        replay->trace->within_after = replay->made;
    replay->trace->evaluations += replay->filled < SCORE_TIMES && !replay->has_found;
    return (search_tell(replay->search, &observation) &&
            (!replay->until || stopping_tell(replay->until, &observation))) ||
           error_out_of_memory(error);
}

static bool tell_finished(struct replay *replay, struct error *error)
{
    size_t index;
    while (machine_finished(replay->machine, &index)) {
        if (!tell(replay, index, error))
            return false;
    }
    return true;
}

/* Whatever the window. */
static bool goes_on(const struct replay *replay)
{
    return (replay->until && !stopping_says(replay->until)) ||
           (replay->within > 0 && replay->trace->within_after == 0);
}

static bool run(struct replay *replay, struct error *error)
{
    while (goes_on(replay) || (!replay->until && !replay->has_found)) {
        if (!ask(replay, error))
            return false;
        if (!machine_step(replay->machine))
            break;
        fill_trace(replay, machine_seconds(replay->machine));
        if (replay->filled == SCORE_TIMES && !goes_on(replay))
            break;
        if (!tell_finished(replay, error))
            return false;
        replay->has_found = replay->best == 0;
    }
    fill_trace(replay, INFINITY);
    return true;
}

/* How it ended, for a search that may stop by itself. */
static void conclude(struct replay *replay)
{
    const struct simulated_space *space = replay->space;
    struct replay_trace *trace = replay->trace;
    double cost = simulated_space_cost(space, replay->best), least = simulated_space_cost(space, 0);
    trace->stopped_after = replay->until ? replay->made : 0;
    trace->stopped = replay->until && replay->made < space->count && stopping_says(replay->until);
    trace->right = trace->stopped && cost <= least * (1 + replay->share);
}

bool replay_run(const struct simulated_space *space, const struct replay_plan *plan, uint64_t seed,
                struct replay_trace *trace, struct error *error)
{
    struct strategy_setup setup = {
        .space = space->space,
        .seed = seed,
        .evaluations = plan->evaluations,
        .parameters = plan->parameters,
        .program = plan->program,
        .priors = space->priors,
        .prior_count = space->prior_count,
    };
    const struct machine_times times = {space->compile_seconds, space->measure_seconds};
    struct replay replay = {.space = space,
                            .trace = trace,
                            .best = (uint32_t)space->valid - 1,
                            .share = plan->until,
                            .within = plan->within};
    *trace = (struct replay_trace){0};
    replay.machine = machine_create(&space->machine, &times);
    bool done = (replay.machine || error_out_of_memory(error)) &&
                (plan->until <= 0 || stopping_create(space->space, seed, plan->until, &replay.until, error)) &&
                search_create(plan->driver, &setup, &replay.search, error) && run(&replay, error);
    conclude(&replay);
    stopping_free(replay.until);
    search_free(replay.search);
    machine_free(replay.machine);
    return done;
}

/* The rank of the first configuration that is no better. Figures that were rounded in the file match the recorded
 * ones they came from. */
static float rank_of(const struct simulated_space *space, double objective)
{
    const double rounding = 1e-9;
    if (!(objective > 0))
        return (float)(space->valid - 1);
    size_t low = 0, high = space->valid; /* the answer is in low .. high */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (space->objectives[middle] < objective * (1 - rounding))
            low = middle + 1;
        else
            high = middle;
    }
    return (float)(low < space->valid ? low : space->valid - 1);
}

void replay_trace_read(const struct simulated_space *space, const double *seconds, const double *best_ns,
                       size_t count, struct replay_trace *trace)
{
    *trace = (struct replay_trace){0};
    size_t next = 0;
    float rank = (float)(space->valid - 1);
    for (size_t i = 0; i < SCORE_TIMES; i++) {
        double time = simulated_space_time(space, i);
        while (next < count && seconds[next] <= time)
            rank = rank_of(space, best_ns[next++]);
        trace->ranks[i] = rank;
    }
    trace->evaluations = next;
}
