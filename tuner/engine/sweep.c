/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/sweep.h"

#include "tuner/device/monotonic.h"
#include "tuner/engine/final_rounds.h"
#include "tuner/engine/identity.h"
#include "tuner/engine/rejudge.h"
#include "tuner/engine/sweep_answers.h"
#include "tuner/engine/sweep_budget.h"
#include "tuner/engine/sweep_progress.h"
#include "tuner/engine/sweep_questions.h"
#include "tuner/engine/warm_start.h"
#include "tuner/search/stopping.h"
#include "tuner/space/limits.h"

#include <stdlib.h>
#include <unistd.h>

/* The time by which slow candidates get fewer samples, if they do; only where time is what matters: one that is
 * slower may need less energy, or do more. */
static double incumbent_ns(const struct sweep *sweep)
{
    bool matters = !sweep->options->every_sample && !sweep->aims && !sweep->objective->needs_energy &&
                   !sweep->objective->is_metric;
    return matters ? sweep->summary->progress.best_ns : 0;
}

static bool search(struct sweep *sweep, struct error *error)
{
    for (;;) {
        sweep_look_around(sweep);
        if (sweep_is_impatient(sweep))
            return true;
        size_t before = sweep->made + sweep->summary->progress.reused;
        if (!sweep_give_sign(sweep, error) || !sweep_ask(sweep, error) || !sweep_record_finished(sweep, error))
            return false;
        if (fleet_inside(sweep->fleet) > 0) {
            if (!fleet_step(sweep->fleet, incumbent_ns(sweep), CREW_STEP_MILLISECONDS, error) ||
                !sweep_record_finished(sweep, error))
                return false;
            bool quiet = before == sweep->made + sweep->summary->progress.reused;
            if (quiet && sweep->options->observe_idle)
                sweep_report(sweep, NULL, NULL);
            /* A quiet moment to make what was stored survive a power cut. */
            if (quiet && !store_flush(sweep->store, error))
                return false;
        } else if (sweep->stopping || before == sweep->made + sweep->summary->progress.reused) {
            return true; /* nothing is open, and no question led to anything new */
        }
    }
}

static bool begin(struct sweep *sweep, struct error *error)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    char *budget = sweep_budget_text(sweep->options);
    if (!budget)
        return error_out_of_memory(error);
    const struct store_run run = {
        .strategy = sweep->options->strategy_text,
        .budget = budget,
        .objective = sweep->aims ? sweep->aims->name : sweep->objective->name,
        .limits = limits_condition(sweep->objective->limits),
        .seed = sweep->options->seed,
        .configurations = (double)sweep->findings.count,
        .tune_version = TUNE_VERSION,
        .host = host,
    };
    bool begun = store_run_begin(sweep->store, &sweep->identity, &run, &sweep->summary->run_id, error);
    free(budget);
    return begun;
}

static bool run(struct sweep *sweep, struct error *error)
{
    if (!begin(sweep, error))
        return false;
    bool searched = sweep_reuse_stored(sweep, error) && (sweep->options->finalists || search(sweep, error));
    if (searched && !sweep_is_interrupted(sweep))
        searched = final_rounds_hold(sweep, error);
    sweep->summary->status = searched ? sweep_status(sweep) : "failed";
    /* After a failure, its error counts, not that of recording it. */
    bool ended = store_run_end(sweep->store, sweep->summary->run_id, sweep->summary->status, searched ? error : NULL);
    return searched && ended;
}

/* What the template defines of measurements, also of those that the database has. `*definitions` is to be freed after
 * the sweep. */
static bool prepare_metrics(struct sweep *sweep, struct answer_demand *demand, char **definitions,
                            struct error *error)
{
    const struct template *template = problem_template(sweep->problem);
    *definitions = metrics_definitions(template);
    if (!*definitions)
        return error_out_of_memory(error);
    sweep->identity.template_metrics = *definitions;
    sweep->identity.template_objective = template->default_objective;
    if (!metrics_create(template, problem_device(sweep->problem), problem_size_text(sweep->problem), &sweep->metrics,
                        error))
        return false;
    demand->metrics = sweep->metrics;
    return rejudge(template, sweep->store, error);
}

/* The default comes first: what is stored as best must not be slower than doing nothing. */
static size_t put_default_first(const struct sweep *sweep, size_t priors[WARM_START_MOST], size_t count)
{
    size_t index, at = 0;
    if (!sweep_default(sweep, &index))
        return count;
    while (at < count && priors[at] != index)
        at++;
    if (at == count && count < WARM_START_MOST)
        count++;
    for (at = at < count ? at : count - 1; at > 0; at--)
        priors[at] = priors[at - 1];
    priors[0] = index;
    return count;
}

/* `setup` and `priors` must outlive the search. */
static bool create_search(struct sweep *sweep, struct strategy_setup *setup, size_t priors[WARM_START_MOST],
                          struct error *error)
{
    setup->priors = sweep->options->first;
    setup->prior_count = sweep->options->first_count;
    setup->evaluations = sweep_evaluations_allowed(sweep->options, &sweep->findings);
    size_t objectives = sweep->aims ? sweep->aims->count : 1;
    if (setup->prior_count > 0)
        return tradeoff_create(sweep->options->strategy, setup, objectives, &sweep->search, error);
    if (!warm_start(sweep->problem, sweep->store, &sweep->identity, sweep->objective->name, priors,
                    &setup->prior_count, error))
        return false;
    setup->prior_count = put_default_first(sweep, priors, setup->prior_count);
    setup->priors = priors;
    return tradeoff_create(sweep->options->strategy, setup, objectives, &sweep->search, error);
}

static bool create_until(struct sweep *sweep, struct error *error)
{
    const struct sweep_options *options = sweep->options;
    return options->until <= 0 ||
           stopping_create(problem_search_space(sweep->problem), options->seed, options->until, &sweep->until, error);
}

static bool take_crew(struct sweep *sweep, struct kept_crew *kept, struct crew_plan *plan, struct error *error)
{
    if (!kept_crew_open(kept, sweep->problem, plan, sweep->options->away, error))
        return false;
    sweep->fleet = kept->fleet;
    sweep->held_up = -fleet_seconds_held_up(sweep->fleet); /* by others before this sweep */
    return true;
}

bool sweep_run(const struct problem *problem, struct store *store, const struct sweep_options *options,
               sweep_observer *observe, void *context, struct sweep_summary *summary, struct error *error)
{
    struct sweep sweep = {
        .problem = problem,
        .store = store,
        .options = options,
        .objective = options->objective ? options->objective : &objectives[0],
        .aims = options->aims,
        .observe = observe,
        .context = context,
        .summary = summary,
        .started = monotonic_seconds(),
        .gave_sign = monotonic_seconds(),
    };
    struct kept_crew own = {0}, *kept = options->kept ? options->kept : &own;
    struct crew_plan plan = crew_plan_complete(&options->crew, problem_device(problem));
    sweep.plan = &plan;
    struct answer_demand demand = {
        .objective = sweep.objective,
        .aims = sweep.aims,
        .compile_deadline = plan.compile_deadline,
        .measure_deadline = plan.measure_deadline,
        .why = &summary->undefined,
    };
    size_t priors[WARM_START_MOST];
    struct strategy_setup setup = {
        .space = problem_search_space(problem),
        .seed = options->seed,
        .parameters = options->strategy_parameters,
        .program = options->strategy_program,
    };
    char *definitions = NULL;
    *summary = (struct sweep_summary){.status = "failed", .progress.seconds_left = -1};
    sweep.expectation = expectation_create(problem_search_space(problem));
    bool done =
        (sweep.expectation || error_out_of_memory(error)) && sweep_check_objective(&sweep, error) &&
        problem_identity(problem, &sweep.identity, error) && prepare_metrics(&sweep, &demand, &definitions, error) &&
        findings_create(problem, options->fresh ? NULL : store, &sweep.identity, &demand, &sweep.findings, error) &&
        create_search(&sweep, &setup, priors, error) && create_until(&sweep, error) &&
        take_crew(&sweep, kept, &plan, error);
    if (done) {
        summary->progress.total = sweep_total(&sweep);
        done = run(&sweep, error);
        kept->fleet = sweep.fleet;
    }
    /* A crew with work inside is of no use to the next sweep. */
    if (kept == &own || !done || fleet_inside(kept->fleet) > 0)
        kept_crew_close(kept);
    tradeoff_free(sweep.search);
    stopping_free(sweep.until);
    expectation_free(sweep.expectation);
    findings_clear(&sweep.findings);
    metrics_free(sweep.metrics);
    free(definitions);
    free(sweep.best_text);
    free(sweep.reused);
    free(sweep.front);
    summary->progress.best_configuration = NULL;
    summary->progress.seconds = monotonic_seconds() - sweep.started;
    return done;
}
