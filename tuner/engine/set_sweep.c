/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_sweep.h"

#include "tuner/device/monotonic.h"
#include "tuner/engine/findings.h"
#include "tuner/engine/identity.h"
#include "tuner/engine/set_plan.h"
#include "tuner/engine/set_result.h"
#include "tuner/engine/set_visits.h"

#include <math.h>
#include <stdlib.h>

struct set_sweep {
    struct problem *const *problems;
    const struct size_set *set;
    struct store *store;
    const struct set_options *options;
    struct set_summary *summary;
    const struct objective *objective;
    struct set_visits visits;
    struct cost_table table;
    double started;
};

/* ---- what the database has */

static bool take_findings(struct set_sweep *set, size_t size, const struct findings *findings, struct error *error)
{
    for (size_t i = 0; i < findings->known; i++) {
        const struct finding *finding = findings_number(findings, i);
        bool ok = finding->outcome == OUTCOME_OK && finding->value > 0;
        if (finding->transient)
            continue;
        char *text = problem_configuration_text(set->problems[size], finding->index);
        bool put = text && cost_table_put(&set->table, text, size, ok ? finding->value : HUGE_VAL, error);
        free(text);
        if (!put)
            return text ? false : error_out_of_memory(error);
    }
    return true;
}

/* Read all that is known of a size into the table. */
static bool gather(struct set_sweep *set, size_t size, struct error *error)
{
    const struct problem *problem = set->problems[size];
    const struct crew_plan plan = crew_plan_complete(&set->options->sweep.crew, problem_device(problem));
    struct answer_demand demand = {.objective = set->objective,
                                   .compile_deadline = plan.compile_deadline,
                                   .measure_deadline = plan.measure_deadline};
    struct store_problem identity;
    struct findings findings = {0};
    struct metrics *metrics = NULL;
    bool done = problem_identity(problem, &identity, error) &&
                metrics_create(problem_template(problem), problem_device(problem), problem_size_text(problem),
                               &metrics, error);
    demand.metrics = metrics;
    done = done && findings_create(problem, set->store, &identity, &demand, &findings, error) &&
           take_findings(set, size, &findings, error);
    findings_clear(&findings);
    metrics_free(metrics);
    return done;
}

/* ---- for set_stages.h */

static double seconds_spent(void *context)
{
    const struct set_sweep *set = context;
    const struct fleet *fleet = set->visits.kept.fleet;
    double held_up = fleet ? fleet_seconds_held_up(fleet) : 0;
    return monotonic_seconds() - set->started - held_up;
}

static bool is_interrupted(void *context)
{
    const struct set_sweep *set = context;
    return set->options->sweep.interrupted && *set->options->sweep.interrupted;
}

static bool must_stop(void *context)
{
    const struct set_sweep *set = context;
    const struct sweep_options *options = &set->options->sweep;
    return is_interrupted(context) ||
           (options->budget_seconds > 0 && seconds_spent(context) >= options->budget_seconds);
}

static bool visit_size(void *context, const struct set_visit *visit, struct error *error)
{
    struct set_sweep *set = context;
    return set_visits_begin(&set->visits, visit, error);
}

static bool is_under_way(void *context, size_t size)
{
    const struct set_sweep *set = context;
    return set_visits_has(&set->visits, size);
}

static bool settle(void *context, size_t size, struct error *error)
{
    struct set_sweep *set = context;
    return set_visits_settle(&set->visits, size, error);
}

static bool visit_over(size_t size, const struct sweep_summary *summary, bool done, void *context,
                       struct error *error)
{
    struct set_sweep *set = context;
    set->summary->evaluations += summary->progress.done - summary->progress.reused;
    set->summary->finals += summary->finals.finalists > 0;
    set->summary->compile_seconds += summary->compile_seconds;
    set->summary->validate_seconds += summary->validate_seconds;
    set->summary->measure_seconds += summary->measure_seconds;
    return done && gather(set, size, error);
}

/* ---- the end */

static void count_sizes_without(struct set_sweep *set)
{
    for (size_t s = 0; s < set->set->count; s++)
        set->summary->without += set->table.best[s] == 0;
}

/* A problem at which something is valid: there is one. */
static const struct problem *any_solved(const struct set_sweep *set)
{
    size_t size = 0;
    while (set->table.best[size] == 0)
        size++;
    return set->problems[size];
}

static bool conclude(struct set_sweep *set, struct error *error)
{
    struct store_problem identity;
    count_sizes_without(set);
    const struct set_known known = {set->problems, set->set, &set->table, set->options->sweep.seed};
    if (!set_result_conclude(&known, set->options->configurations, &set->summary->dispatch, &set->summary->missing,
                             error))
        return false;
    if (!set->summary->dispatch)
        return true;
    if (!problem_identity(any_solved(set), &identity, error))
        return false;
    char *document = dispatch_text(set->summary->dispatch);
    bool (*put)(struct store *, const struct store_problem *, const char *, const char *, struct error *) =
        set->set->data_count > 0 ? store_dispatch_put_without_data : store_dispatch_put;
    bool done =
        document ? put(set->store, &identity, set->objective->name, document, error) : error_out_of_memory(error);
    free(document);
    return done;
}

/* What workers may read: the data of all sizes. */
static bool find_sources(struct set_sweep *set, struct error *error)
{
    struct source_folders *folders = &set->visits.kept.folders;
    const struct problem *first = set->problems[0];
    bool done = source_folders_find(problem_template(first), problem_inputs(first), folders, error);
    for (size_t s = 1; done && s < set->set->count; s++)
        done = problem_inputs(set->problems[s]) == problem_inputs(first) ||
               source_folders_add(folders, problem_inputs(set->problems[s]), error);
    return done;
}

static bool prepare(struct set_sweep *set, struct error *error)
{
    if (!find_sources(set, error) ||
        !cost_table_create(&set->table, (const char *const *)set->set->texts, set->set->count, error))
        return false;
    for (size_t s = 0; s < set->set->count; s++) {
        if (!gather(set, s, error))
            return false;
        set->summary->known += set->table.known[s];
    }
    return true;
}

static bool run(struct set_sweep *set, struct error *error)
{
    const struct sweep_options *options = &set->options->sweep;
    bool limited = options->budget_evaluations > 0 || options->budget_seconds > 0;
    const struct set_task task = {
        .problems = set->problems,
        .set = set->set,
        .configurations = set->options->configurations,
        .seed = options->seed,
        .evaluations = limited ? options->budget_evaluations : set_plan_default_budget(set->set->count),
        .seconds = options->budget_seconds,
        .table = &set->table,
        .visit = visit_size,
        .is_under_way = is_under_way,
        .settle = settle,
        .seconds_spent = seconds_spent,
        .must_stop = must_stop,
        .is_interrupted = is_interrupted,
        .finals = options->finals,
        .context = set,
    };
    return set_stages_run(&task, error);
}

bool set_sweep_run(struct problem *const *problems, const struct size_set *set, struct store *store,
                   const struct set_options *options, struct set_summary *summary, struct error *error)
{
    struct set_sweep own = {
        .problems = problems,
        .set = set,
        .store = store,
        .options = options,
        .summary = summary,
        .objective = options->sweep.objective ? options->sweep.objective : &objectives[0],
        .started = monotonic_seconds(),
    };
    own.visits = (struct set_visits){
        .problems = problems, .store = store, .options = options, .over = visit_over, .context = &own};
    *summary = (struct set_summary){0};
    bool done = prepare(&own, error) && run(&own, error);
    summary->stopped = options->sweep.interrupted && *options->sweep.interrupted;
    set_visits_close(&own.visits);
    done = done && (summary->stopped || conclude(&own, error));
    cost_table_clear(&own.table);
    summary->seconds = monotonic_seconds() - own.started;
    return done;
}
