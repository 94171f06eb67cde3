/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/simulate/score.h"

#include "tuner/search/generator.h"

#include <stdlib.h>
#include <string.h>

/* P at each time, from the changes of the sum of ranks. Ranks are integers, so sums are exact in any order. */
static double curve_of(const struct simulated_space *space, const double *changes, size_t count, double *curve)
{
    double total = 0, sum = 0;
    for (size_t i = 0; i < SCORE_TIMES; i++) {
        sum += changes[i];
        double found = simulated_space_objective(space, sum / (double)count);
        double baseline = space->baseline[i];
        double p = (found - baseline) / (space->objectives[0] - baseline);
        if (curve)
            curve[i] = p;
        total += p;
    }
    return total / SCORE_TIMES;
}

/* A trace compressed: its rank rarely changes. */
struct step {
    size_t time;
    double change;
};

struct steps {
    struct step *of; /* of all traces, one after the other */
    size_t *begin;   /* of each trace, and the end of the last */
};

static double change_at(const struct replay_trace *trace, size_t time)
{
    return (double)trace->ranks[time] - (time > 0 ? (double)trace->ranks[time - 1] : 0);
}

static size_t count_steps(const struct replay_trace *traces, size_t count)
{
    size_t steps = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t time = 0; time < SCORE_TIMES; time++)
            steps += change_at(&traces[i], time) != 0;
    }
    return steps;
}

static void free_steps(struct steps *steps)
{
    free(steps->of);
    free(steps->begin);
}

static bool find_steps(const struct replay_trace *traces, size_t count, struct steps *steps)
{
    size_t next = 0;
    steps->of = calloc(count_steps(traces, count) + 1, sizeof *steps->of);
    steps->begin = calloc(count + 1, sizeof *steps->begin);
    if (!steps->of || !steps->begin)
        return false;
    for (size_t i = 0; i < count; i++) {
        for (size_t time = 0; time < SCORE_TIMES; time++) {
            double change = change_at(&traces[i], time);
            if (change != 0)
                steps->of[next++] = (struct step){time, change};
        }
        steps->begin[i + 1] = next;
    }
    return true;
}

static void add_trace(double *changes, const struct steps *steps, size_t trace)
{
    for (size_t i = steps->begin[trace]; i < steps->begin[trace + 1]; i++)
        changes[steps->of[i].time] += steps->of[i].change;
}

static int by_size(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* The middle 95 % of the resamples. */
static void set_interval(struct score *score)
{
    enum { LOW = SCORE_RESAMPLES / 40, HIGH = SCORE_RESAMPLES - 1 - SCORE_RESAMPLES / 40 };
    double sorted[SCORE_RESAMPLES];
    memcpy(sorted, score->resamples, sizeof sorted);
    qsort(sorted, SCORE_RESAMPLES, sizeof *sorted, by_size);
    score->low = sorted[LOW];
    score->high = sorted[HIGH];
}

/* A mean of `count` takes shape. */
static void add_until(struct score_until *mean, const struct score_until *one, size_t count)
{
    mean->stopped += one->stopped / (double)count;
    mean->right += one->right / (double)count;
    mean->saved += one->saved / (double)count;
    mean->evaluations += one->evaluations / (double)count;
}

static double quantile(const double *sorted, size_t count, double share)
{
    double place = share * (double)(count - 1);
    size_t below = (size_t)place, above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

/* None if a search did not come near the optimum, as those of others, of which only the window is known. False when
 * out of memory. */
static bool find_within(const struct replay_trace *traces, size_t count, struct score_within *within)
{
    double *sorted = calloc(count, sizeof *sorted);
    size_t early = 0;
    if (!sorted)
        return false;
    for (size_t i = 0; i < count; i++) {
        sorted[i] = (double)traces[i].within_after;
        early += traces[i].within_after <= SCORE_EARLY;
    }
    qsort(sorted, count, sizeof *sorted, by_size);
    if (sorted[0] > 0)
        *within = (struct score_within){quantile(sorted, count, 0.5), quantile(sorted, count, 0.9),
                                        (double)early / (double)count};
    free(sorted);
    return true;
}

bool score_traces(const struct simulated_space *space, const struct replay_trace *traces, size_t count, uint64_t seed,
                  struct score *score, struct error *error)
{
    struct steps steps = {0};
    double *changes = calloc(SCORE_TIMES, sizeof *changes);
    bool done = find_steps(traces, count, &steps) && changes;
    if (!done) {
        error_out_of_memory(error);
        goto end;
    }
    *score = (struct score){0};
    done = find_within(traces, count, &score->within) || error_out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        add_trace(changes, &steps, i);
        score->evaluations += (double)traces[i].evaluations / (double)count;
        const struct score_until one = {
            .stopped = traces[i].stopped,
            .right = traces[i].right,
            .saved = 1 - (double)traces[i].stopped_after / (double)space->count,
            .evaluations = (double)traces[i].stopped_after,
        };
        add_until(&score->until, &one, count);
    }
    score->p = curve_of(space, changes, count, score->curve);

    struct generator generator = {seed};
    for (size_t i = 0; i < SCORE_RESAMPLES; i++) {
        memset(changes, 0, SCORE_TIMES * sizeof *changes);
        for (size_t j = 0; j < count; j++)
            add_trace(changes, &steps, generator_below(&generator, count));
        score->resamples[i] = curve_of(space, changes, count, NULL);
    }
    set_interval(score);
end:
    free(changes);
    free_steps(&steps);
    return done;
}

void score_mean(const struct score *scores, size_t count, struct score *mean)
{
    *mean = (struct score){0};
    for (size_t i = 0; i < count; i++) {
        mean->p += scores[i].p / (double)count;
        mean->evaluations += scores[i].evaluations / (double)count;
        add_until(&mean->until, &scores[i].until, count);
        mean->within.median += scores[i].within.median / (double)count;
        mean->within.most += scores[i].within.most / (double)count;
        mean->within.early += scores[i].within.early / (double)count;
        for (size_t j = 0; j < SCORE_TIMES; j++)
            mean->curve[j] += scores[i].curve[j] / (double)count;
        for (size_t j = 0; j < SCORE_RESAMPLES; j++)
            mean->resamples[j] += scores[i].resamples[j] / (double)count;
    }
    set_interval(mean);
}
