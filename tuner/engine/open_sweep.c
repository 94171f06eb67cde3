/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/open_sweep.h"

#include "tuner/device/monotonic.h"
#include "tuner/engine/final_rounds.h"
#include "tuner/engine/identity.h"
#include "tuner/engine/rejudge.h"
#include "tuner/engine/sweep_answers.h"
#include "tuner/engine/sweep_budget.h"
#include "tuner/engine/sweep_progress.h"
#include "tuner/engine/sweep_questions.h"
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

/* ---- a round of all that are under way */

/* Look around, and ask what there is to be asked. */
static bool take_turn(struct sweep *sweep, struct error *error)
{
    sweep_look_around(sweep);
    sweep->is_over = sweep->is_over || sweep_is_impatient(sweep);
    return sweep->is_over || (sweep_give_sign(sweep, error) && sweep_ask(sweep, error));
}

/* Has any sweep a result that it did not have when this round began? */
static bool has_new_results(const struct kept_crew *kept)
{
    for (const struct sweep *sweep = kept->sweeps; sweep; sweep = sweep->next) {
        if (sweep_results(sweep) != sweep->results_before)
            return true;
    }
    return false;
}

/* Nothing is open, and no question led to anything new: those whose turn gave nothing are over. */
static bool notice_ends(struct kept_crew *kept)
{
    bool any = false;
    for (struct sweep *sweep = kept->sweeps; sweep; sweep = sweep->next) {
        bool idle = (sweep->open == 0 && !sweep->is_crowded) || fleet_inside(kept->fleet) == 0;
        sweep->is_over =
            sweep->is_over || (idle && (sweep->stopping || sweep->results_before == sweep_results(sweep)));
        any = any || sweep->is_over;
    }
    return any;
}

/* A quiet moment to make what was stored survive a power cut. */
static bool be_quiet(const struct kept_crew *kept, struct store *store, struct error *error)
{
    for (struct sweep *sweep = kept->sweeps; sweep; sweep = sweep->next) {
        if (sweep->options->observe_idle)
            sweep_report(sweep, NULL, NULL);
    }
    return store_flush(store, error);
}

bool sweeps_go_on(struct kept_crew *kept, int milliseconds, bool *quiet, struct error *error)
{
    struct store *store = kept->sweeps->store; /* of all */
    *quiet = false;
    for (struct sweep *sweep = kept->sweeps; sweep; sweep = sweep->next) {
        sweep->results_before = sweep_results(sweep);
        if (!take_turn(sweep, error))
            return false;
    }
    if (!sweeps_record_finished(kept, error))
        return false;
    if (notice_ends(kept))
        return true;
    for (struct sweep *sweep = kept->sweeps; sweep; sweep = sweep->next)
        sweep->incumbent_ns = incumbent_ns(sweep);
    if (fleet_inside(kept->fleet) > 0 &&
        (!fleet_step(kept->fleet, milliseconds, error) || !sweeps_record_finished(kept, error)))
        return false;
    *quiet = !has_new_results(kept);
    return !*quiet || be_quiet(kept, store, error);
}

/* ---- the beginning */

static bool begin(struct sweep *sweep, struct error *error)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    size_t index;
    bool named = sweep_default(sweep, &index);
    char *budget = sweep_budget_text(sweep->options);
    char *text = named ? problem_configuration_text(sweep->problem, index) : NULL;
    if (!budget || (named && !text)) {
        free(budget);
        free(text);
        return error_out_of_memory(error);
    }
    const struct store_run run = {
        .strategy = sweep->options->strategy_text,
        .budget = budget,
        .objective = sweep->aims ? sweep->aims->name : sweep->objective->name,
        .limits = limits_condition(sweep->objective->limits),
        .seed = sweep->options->seed,
        .configurations = (double)sweep->findings.count,
        .tune_version = TUNE_VERSION,
        .host = host,
        .default_configuration = text,
    };
    bool begun = store_run_begin(sweep->store, &sweep->identity, &run, &sweep->summary->run_id, error);
    free(budget);
    free(text);
    return begun;
}

/* What the template defines of measurements, also of those that the database has. */
static bool prepare_metrics(struct sweep *sweep, struct answer_demand *demand, struct error *error)
{
    const struct template *template = problem_template(sweep->problem);
    sweep->definitions = metrics_definitions(template);
    if (!sweep->definitions)
        return error_out_of_memory(error);
    sweep->identity.template_metrics = sweep->definitions;
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

static bool create_search(struct sweep *sweep, struct error *error)
{
    struct strategy_setup *setup = &sweep->setup;
    const struct sweep_options *options = sweep->options;
    size_t objectives = sweep->aims ? sweep->aims->count : 1;
    *setup = (struct strategy_setup){
        .space = problem_search_space(sweep->problem),
        .seed = options->seed,
        .parameters = options->strategy_parameters,
        .program = options->strategy_program,
        .priors = options->first,
        .prior_count = options->first_count,
        .evaluations = sweep_evaluations_allowed(options, &sweep->findings),
    };
    if (setup->prior_count == 0) {
        if (!warm_start(sweep->problem, sweep->store, &sweep->identity, sweep->objective->name, sweep->priors,
                        &setup->prior_count, error))
            return false;
        setup->prior_count = put_default_first(sweep, sweep->priors, setup->prior_count);
        setup->priors = sweep->priors;
    }
    return tradeoff_create(options->strategy, setup, objectives, &sweep->search, error);
}

static bool create_until(struct sweep *sweep, struct error *error)
{
    const struct sweep_options *options = sweep->options;
    return options->until <= 0 ||
           stopping_create(problem_search_space(sweep->problem), options->seed, options->until, &sweep->until, error);
}

/* It works for this sweep as well now, as the last of those under way. */
static bool take_crew(struct sweep *sweep, struct error *error)
{
    struct sweep **end = &sweep->kept->sweeps;
    if (!kept_crew_open(sweep->kept, sweep->problem, &sweep->plan, sweep->options->away, error))
        return false;
    sweep->held_up = -fleet_seconds_held_up(sweep->kept->fleet); /* by others before this sweep */
    while (*end)
        end = &(*end)->next;
    *end = sweep;
    return true;
}

static bool prepare(struct sweep *sweep, struct error *error)
{
    const struct sweep_options *options = sweep->options;
    struct answer_demand demand = {
        .objective = sweep->objective,
        .aims = sweep->aims,
        .compile_deadline = sweep->plan.compile_deadline,
        .measure_deadline = sweep->plan.measure_deadline,
        .why = &sweep->summary->undefined,
    };
    sweep->expectation = expectation_create(problem_search_space(sweep->problem));
    return (sweep->expectation || error_out_of_memory(error)) && sweep_check_objective(sweep, error) &&
           problem_identity(sweep->problem, &sweep->identity, error) && prepare_metrics(sweep, &demand, error) &&
           findings_create(sweep->problem, options->fresh ? NULL : sweep->store, &sweep->identity, &demand,
                           &sweep->findings, error) &&
           create_search(sweep, error) && create_until(sweep, error) && take_crew(sweep, error);
}

bool sweep_open(const struct sweep_request *request, struct sweep_summary *summary, struct sweep **result,
                struct error *error)
{
    const struct sweep_options *options = request->options;
    struct sweep *sweep = *result = calloc(1, sizeof *sweep);
    *summary = (struct sweep_summary){.status = "failed", .progress.seconds_left = -1};
    if (!sweep)
        return error_out_of_memory(error);
    sweep->problem = request->problem;
    sweep->store = request->store;
    sweep->options = options;
    sweep->objective = options->objective ? options->objective : &objectives[0];
    sweep->aims = options->aims;
    sweep->observe = request->observe;
    sweep->context = request->context;
    sweep->summary = summary;
    sweep->started = sweep->gave_sign = monotonic_seconds();
    sweep->kept = options->kept ? options->kept : &sweep->own;
    sweep->plan = crew_plan_complete(&options->crew, problem_device(request->problem));
    if (!prepare(sweep, error))
        return false;
    summary->progress.total = sweep_total(sweep);
    if (!begin(sweep, error))
        return false;
    sweep->has_begun = true;
    return sweep_reuse_stored(sweep, error);
}

struct kept_crew *sweep_crew(const struct sweep *sweep)
{
    return sweep->kept;
}

bool sweep_is_over(const struct sweep *sweep)
{
    return sweep->is_over;
}

bool sweep_is_crowded(const struct sweep *sweep)
{
    return sweep->is_crowded;
}

/* ---- the end */

static void leave_crew(const struct sweep *sweep)
{
    struct sweep **place = &sweep->kept->sweeps;
    while (*place && *place != sweep)
        place = &(*place)->next;
    if (*place)
        *place = sweep->next;
}

/* Hold finals and end the run. After a failure, its error counts, not that of recording it. */
static bool end(struct sweep *sweep, bool searched, struct error *error)
{
    if (!sweep->has_begun)
        return false;
    if (searched && !sweep_is_interrupted(sweep))
        searched = final_rounds_hold(sweep, error);
    sweep->summary->status = searched ? sweep_status(sweep) : "failed";
    return store_run_end(sweep->store, sweep->summary->run_id, sweep->summary->status, searched ? error : NULL) &&
           searched;
}

bool sweep_close(struct sweep *sweep, bool searched, struct error *error)
{
    if (!sweep)
        return false;
    struct kept_crew *kept = sweep->kept;
    struct sweep_summary *summary = sweep->summary;
    bool done = end(sweep, searched, error);
    leave_crew(sweep);
    /* A crew with work inside is of no use to the next sweep. */
    if (kept == &sweep->own || !done || (!kept->sweeps && fleet_inside(kept->fleet) > 0))
        kept_crew_close(kept);
    tradeoff_free(sweep->search);
    stopping_free(sweep->until);
    expectation_free(sweep->expectation);
    findings_clear(&sweep->findings);
    metrics_free(sweep->metrics);
    free(sweep->definitions);
    free(sweep->best_text);
    free(sweep->reused);
    free(sweep->front);
    summary->progress.best_configuration = NULL;
    summary->progress.seconds = monotonic_seconds() - sweep->started;
    free(sweep);
    return done;
}
