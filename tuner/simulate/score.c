#include "tuner/simulate/score.h"

#include "tuner/search/generator.h"

#include <stdlib.h>
#include <string.h>

/* P at each time, from sums of places. */
static double curve_of(const struct simulated_space *space, const double *sums, size_t count, double *curve)
{
    double total = 0;
    for (size_t i = 0; i < SCORE_TIMES; i++) {
        double found = simulated_space_objective(space, sums[i] / (double)count);
        double baseline = space->baseline[i];
        double p = (found - baseline) / (space->objectives[0] - baseline);
        if (curve)
            curve[i] = p;
        total += p;
    }
    return total / SCORE_TIMES;
}

static void add_places(double *sums, const struct replay_trace *trace)
{
    for (size_t i = 0; i < SCORE_TIMES; i++)
        sums[i] += (double)trace->places[i];
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

bool score_traces(const struct simulated_space *space, const struct replay_trace *traces, size_t count, uint64_t seed,
                  struct score *score, struct error *error)
{
    double *sums = calloc(SCORE_TIMES, sizeof *sums);
    if (!sums)
        return error_set(error, ERROR_MEMORY, "out of memory for a score");
    *score = (struct score){0};
    for (size_t i = 0; i < count; i++) {
        add_places(sums, &traces[i]);
        score->evaluations += (double)traces[i].evaluations / (double)count;
    }
    score->p = curve_of(space, sums, count, score->curve);

    struct generator generator = {seed};
    for (size_t i = 0; i < SCORE_RESAMPLES; i++) {
        memset(sums, 0, SCORE_TIMES * sizeof *sums);
        for (size_t j = 0; j < count; j++)
            add_places(sums, &traces[generator_below(&generator, count)]);
        score->resamples[i] = curve_of(space, sums, count, NULL);
    }
    set_interval(score);
    free(sums);
    return true;
}

void score_mean(const struct score *scores, size_t count, struct score *mean)
{
    *mean = (struct score){0};
    for (size_t i = 0; i < count; i++) {
        mean->p += scores[i].p / (double)count;
        mean->evaluations += scores[i].evaluations / (double)count;
        for (size_t j = 0; j < SCORE_TIMES; j++)
            mean->curve[j] += scores[i].curve[j] / (double)count;
        for (size_t j = 0; j < SCORE_RESAMPLES; j++)
            mean->resamples[j] += scores[i].resamples[j] / (double)count;
    }
    set_interval(mean);
}
