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
    struct machine *machine;
    uint32_t *order; /* of all configurations; each shuffle starts from the last one's result */
    double *found;   /* per time, the best rank among the evaluations that ended since the previous time */
};

/* The first time that is not before `end`. */
static size_t time_after(const struct random_searches *of, double end)
{
    if (end <= of->begin)
        return 0;
    return (size_t)ceil((end - of->begin) / (of->end - of->begin) * (double)(of->time_count - 1));
}

/* Draw the configuration with this number in the random order. */
static uint32_t draw(struct random_search *search, size_t number)
{
    size_t other = number + generator_below(&search->generator, search->of->count - number);
    uint32_t drawn = search->order[other];
    search->order[other] = search->order[number];
    search->order[number] = drawn;
    return drawn;
}

static void search_once(struct random_search *search)
{
    const struct random_searches *of = search->of;
    size_t drawn = 0, index;
    for (size_t i = 0; i < of->time_count; i++)
        search->found[i] = (double)(of->valid - 1);
    machine_reset(search->machine);
    do {
        for (size_t room = machine_room(search->machine); room > 0 && drawn < of->count; room--)
            machine_submit(search->machine, draw(search, drawn++));
        if (!machine_step(search->machine))
            return;
        while (machine_finished(search->machine, &index)) {
            size_t time = time_after(of, machine_seconds(search->machine));
            if (time < of->time_count)
                search->found[time] = fmin(search->found[time], of->ranks[index]);
        }
    } while (machine_seconds(search->machine) <= of->end);
}

bool baseline_ranks(const struct random_searches *searches, double *ranks)
{
    enum { DRAWS = 4000000, SEARCHES_LEAST = 4000, SEARCHES_MOST = 20000 };
    struct random_search search = {.of = searches, .generator = {1}};
    size_t times = searches->time_count;
    double wanted = fmin(fmax(DRAWS / (searches->draws + 1), SEARCHES_LEAST), SEARCHES_MOST);
    search.order = calloc(searches->count, sizeof *search.order);
    search.machine = machine_create(&searches->machine, &searches->times);
    search.found = calloc(times, sizeof *search.found);
    bool done = search.order && search.machine && search.found;
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
    machine_free(search.machine);
    free(search.order);
    return done;
}
