/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/simulate/baseline.h"

#include "tuner/search/generator.h"

#include <math.h>
#include <stdlib.h>

/* lgamma() without the global variable signgam, which threads would share. */
static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

static double log_choose(double n, double k)
{
    return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
}

double baseline_rank(size_t configurations, size_t valid, double draws)
{
    double all = (double)configurations, good = (double)valid;
    double rank = (all - draws) / (draws + 1);
    double bad = all - good + 1; /* rank N - 1 or worse */
    if (draws + 1 <= bad)
        rank -= exp(log_choose(bad, draws + 1) - log_choose(all, draws));
    return rank > 0 ? rank : 0;
}

/* A random search, repeated. */
struct random_search {
    const struct random_searches *of;
    struct generator generator;
    uint32_t *order; /* of all configurations; each shuffle starts from the last one's result */
    double *free_at; /* when each of the running evaluations ends */
    double *found;   /* per time, the best rank among the evaluations that ended since the previous time */
};

static double *first_to_end(const struct random_search *search)
{
    double *first = search->free_at;
    for (unsigned i = 1; i < search->of->parallel; i++) {
        if (search->free_at[i] < *first)
            first = &search->free_at[i];
    }
    return first;
}

/* The first time that is not before `end`. */
static size_t time_after(const struct random_searches *of, double end)
{
    if (end <= of->begin)
        return 0;
    return (size_t)ceil((end - of->begin) / (of->end - of->begin) * (double)(of->time_count - 1));
}

static void search_once(struct random_search *search)
{
    const struct random_searches *of = search->of;
    for (size_t i = 0; i < of->time_count; i++)
        search->found[i] = (double)(of->valid - 1);
    for (unsigned i = 0; i < of->parallel; i++)
        search->free_at[i] = 0;
    for (size_t i = 0; i < of->count; i++) {
        double *lane = first_to_end(search);
        if (*lane >= of->end)
            return;
        size_t other = i + generator_below(&search->generator, of->count - i);
        uint32_t drawn = search->order[other];
        search->order[other] = search->order[i];
        search->order[i] = drawn;
        *lane += of->costs[drawn];
        size_t time = time_after(of, *lane);
        if (time < of->time_count)
            search->found[time] = fmin(search->found[time], of->ranks[drawn]);
    }
}

bool baseline_ranks(const struct random_searches *searches, double *ranks)
{
    enum { DRAWS = 4000000, SEARCHES_LEAST = 4000, SEARCHES_MOST = 20000 };
    struct random_search search = {.of = searches, .generator = {1}};
    size_t times = searches->time_count;
    double wanted = fmin(fmax(DRAWS / (searches->draws + 1), SEARCHES_LEAST), SEARCHES_MOST);
    search.order = calloc(searches->count, sizeof *search.order);
    search.free_at = calloc(searches->parallel, sizeof *search.free_at);
    search.found = calloc(times, sizeof *search.found);
    bool done = search.order && search.free_at && search.found;
    for (size_t i = 0; done && i < searches->count; i++)
        search.order[i] = (uint32_t)i;
    for (size_t i = 0; i < times; i++)
        ranks[i] = 0;
    for (size_t i = 0; done && i < (size_t)wanted; i++) {
        double best = (double)(searches->valid - 1);
        search_once(&search);
        for (size_t time = 0; time < times; time++) {
            best = fmin(best, search.found[time]);
            ranks[time] += best / (double)(size_t)wanted;
        }
    }
    free(search.found);
    free(search.free_at);
    free(search.order);
    return done;
}
