/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_visits.h"

#include "tuner/device/monotonic.h"
#include "tuner/engine/open_sweep.h"

#include <stdlib.h>

/* Visits under way at most: of so many problems, at two sizes each, a measuring worker keeps inputs and references.
 */
enum { VISITS_MOST = 8 };

enum { STEP_MILLISECONDS = 50 };
static const double idle_seconds = 0.05; /* without a result: those under way are being compiled */

struct under_way {
    struct under_way *next;
    struct set_visits *visits;
    size_t size;
    struct set_opening opening;
    struct sweep_options options;
    struct sweep_summary summary;
    struct sweep *sweep;
};

/* Of several only the latest is shown, of which `begin` was told last. */
static void observe(const struct sweep_progress *progress, const struct evaluation *latest, const char *configuration,
                    void *context)
{
    const struct under_way *own = context;
    const struct set_options *options = own->visits->options;
    if (!own->next && options->observe)
        options->observe(progress, latest, configuration, options->context);
}

static void set_options(struct under_way *own, const struct set_visit *visit)
{
    struct sweep_options *options = &own->options;
    own->opening = *visit->opening;
    *options = own->visits->options->sweep;
    options->budget_evaluations = visit->evaluations;
    options->budget_seconds = visit->seconds;
    options->least_evaluations = visit->least;
    options->overtime_seconds = visit->overtime;
    options->finals = visit->stage == SET_FINALS;
    options->fresh = false;
    options->effects = NULL;
    options->kept = &own->visits->kept;
    options->first = own->opening.first;
    options->first_count = own->opening.first_count;
    options->predictions = own->opening.predictions;
    options->prediction_count = own->opening.prediction_count;
    if (!options->finals)
        return;
    options->finalists = options->first;
    options->finalist_count = options->first_count;
    options->finals_seconds = visit->seconds;
    options->budget_seconds = 0;
}

static struct under_way *add(struct set_visits *visits, const struct set_visit *visit)
{
    struct under_way **end = &visits->first, *own = calloc(1, sizeof *own);
    if (!own)
        return NULL;
    own->visits = visits;
    own->size = visit->size;
    set_options(own, visit);
    while (*end)
        end = &(*end)->next;
    *end = own;
    visits->count++;
    visits->last_result = monotonic_seconds();
    return own;
}

static void take_out(struct set_visits *visits, struct under_way *own)
{
    struct under_way **place = &visits->first;
    while (*place != own)
        place = &(*place)->next;
    *place = own->next;
    visits->count--;
}

/* `done` as of its sweep. */
static bool conclude(struct set_visits *visits, struct under_way *own, bool done, struct error *error)
{
    take_out(visits, own);
    done = visits->over(own->size, &own->summary, done, visits->context, error);
    free(own);
    return done;
}

static bool close_those_over(struct set_visits *visits, struct error *error)
{
    bool done = true;
    for (struct under_way *own = visits->first, *next; done && own; own = next) {
        next = own->next;
        if (sweep_is_over(own->sweep))
            done = conclude(visits, own, sweep_close(own->sweep, true, error), error);
    }
    return done;
}

static bool go_on(struct set_visits *visits, struct error *error)
{
    bool quiet;
    if (!sweeps_go_on(&visits->kept, STEP_MILLISECONDS, &quiet, error))
        return false;
    if (!quiet)
        visits->last_result = monotonic_seconds();
    return close_those_over(visits, error);
}

/* May another visit begin beside those under way? */
static bool has_idle_workers(const struct set_visits *visits)
{
    if (visits->count >= VISITS_MOST || monotonic_seconds() - visits->last_result < idle_seconds)
        return false;
    for (const struct under_way *own = visits->first; own; own = own->next) {
        if (sweep_is_crowded(own->sweep))
            return false;
    }
    const struct crew_load load = fleet_load(visits->kept.fleet);
    return load.compiling + load.queued < load.compilers;
}

static bool hold_finals(struct set_visits *visits, struct under_way *own, struct error *error)
{
    bool done =
        sweep_run(visits->problems[own->size], visits->store, &own->options, observe, own, &own->summary, error);
    return conclude(visits, own, done, error);
}

bool set_visits_begin(struct set_visits *visits, const struct set_visit *visit, struct error *error)
{
    const struct set_options *options = visits->options;
    struct problem *problem = visits->problems[visit->size];
    struct under_way *own = add(visits, visit);
    if (!own)
        return error_out_of_memory(error);
    if (options->begin)
        options->begin(visit->stage, visit->number, visit->count, problem, options->context);
    if (own->options.finals)
        return hold_finals(visits, own, error);
    const struct sweep_request request = {problem, visits->store, &own->options, observe, own};
    if (!sweep_open(&request, &own->summary, &own->sweep, error))
        return false;
    while (visits->count > 0 && !has_idle_workers(visits)) {
        if (!go_on(visits, error))
            return false;
    }
    return true;
}

bool set_visits_has(const struct set_visits *visits, size_t size)
{
    for (const struct under_way *own = visits->first; own; own = own->next) {
        if (own->size == size)
            return true;
    }
    return false;
}

bool set_visits_settle(struct set_visits *visits, size_t size, struct error *error)
{
    while (size == SET_ALL ? visits->count > 0 : set_visits_has(visits, size)) {
        if (!go_on(visits, error))
            return false;
    }
    return true;
}

void set_visits_close(struct set_visits *visits)
{
    while (visits->first) {
        struct under_way *own = visits->first;
        (void)conclude(visits, own, sweep_close(own->sweep, false, NULL), NULL);
    }
    kept_crew_close(&visits->kept);
}
