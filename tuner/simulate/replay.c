/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/simulate/replay.h"

#include <math.h>
#include <stdlib.h>

struct replay {
    const struct simulated_space *space;
    struct search *search;
    struct replay_trace *trace;
    double clock;
    uint32_t best;
    size_t filled; /* times of the trace that have passed */
    bool ended;    /* nothing is left to ask */
    size_t running_count;
    struct running {
        size_t index;
        double end; /* seconds */
    } running[];
};

/* Advances the clock; until then the trace holds the best so far. */
static void advance_clock(struct replay *replay, double until)
{
    while (replay->filled < SCORE_TIMES && simulated_space_time(replay->space, replay->filled) < until)
        replay->trace->ranks[replay->filled++] = (float)replay->best;
    replay->clock = until;
}

/* As many as there is room for and the strategy asks for. */
static bool begin_evaluations(struct replay *replay, struct error *error)
{
    enum answer answer = ASK_READY;
    while (answer == ASK_READY && !replay->ended && replay->running_count < replay->space->parallel) {
        size_t index;
        answer = search_ask(replay->search, &index);
        replay->ended = answer == ASK_END;
        if (answer == ASK_READY)
            replay->running[replay->running_count++] =
                (struct running){index, replay->clock + replay->space->costs[index]};
    }
    return answer != ASK_FAILED || error_out_of_memory(error);
}

/* Removes the evaluation that ends first, of several the one that began first. */
static struct running take_first_to_end(struct replay *replay)
{
    size_t first = 0;
    for (size_t i = 1; i < replay->running_count; i++) {
        if (replay->running[i].end < replay->running[first].end)
            first = i;
    }
    struct running taken = replay->running[first];
    replay->running_count--;
    for (size_t i = first; i < replay->running_count; i++)
        replay->running[i] = replay->running[i + 1];
    return taken;
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
        .seconds = space->costs[index],
    };
    if (valid && rank < replay->best)
        replay->best = rank;
    replay->trace->evaluations++;
    return search_tell(replay->search, &observation) || error_out_of_memory(error);
}

static bool run(struct replay *replay, struct error *error)
{
    while (replay->best > 0) {
        if (!begin_evaluations(replay, error))
            return false;
        if (replay->running_count == 0)
            break;
        struct running ended = take_first_to_end(replay);
        advance_clock(replay, ended.end);
        if (replay->filled == SCORE_TIMES)
            break;
        if (!tell(replay, ended.index, error))
            return false;
    }
    advance_clock(replay, INFINITY);
    return true;
}

bool replay_run(const struct simulated_space *space, const struct replay_plan *plan, uint64_t seed,
                struct replay_trace *trace, struct error *error)
{
    struct strategy_setup setup = {
        .space = space->space,
        .seed = seed,
        .evaluations = plan->evaluations,
        .parameters = plan->parameters,
    };
    struct replay *replay = calloc(1, sizeof *replay + space->parallel * sizeof replay->running[0]);
    if (!replay)
        return error_out_of_memory(error);
    replay->space = space;
    replay->trace = trace;
    replay->best = (uint32_t)space->valid - 1;
    trace->evaluations = 0;
    bool done = search_create(plan->driver, &setup, &replay->search, error) && run(replay, error);
    search_free(replay->search);
    free(replay);
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
