/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/sweep.h"

#include "tuner/device/monotonic.h"
#include "tuner/engine/final_rounds.h"
#include "tuner/engine/identity.h"
#include "tuner/engine/rejudge.h"
#include "tuner/engine/sweep_state.h"
#include "tuner/engine/warm_start.h"
#include "tuner/job/source_folders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_new_best(const struct sweep *sweep, size_t index)
{
    const struct finding *finding = findings_of(&sweep->findings, index);
    const struct sweep_summary *summary = sweep->summary;
    return finding->outcome == OUTCOME_OK && isfinite(finding->value) &&
           (summary->progress.best_ns <= 0 || findings_better(&sweep->findings, index, summary->best_index));
}

/* The time by which slow candidates get fewer samples, if they do; only where time is what matters: one that is
 * slower may need less energy, or do more. */
static double incumbent_ns(const struct sweep *sweep)
{
    bool matters = !sweep->options->every_sample && !sweep->objective->needs_energy && !sweep->objective->is_metric;
    return matters ? sweep->summary->progress.best_ns : 0;
}

/* ---- progress */

/* Configurations in total: the space, or what the budget allows of it. */
static size_t total(const struct sweep *sweep)
{
    size_t all = sweep->findings.count;
    uint64_t budget = sweep->options->budget_evaluations;
    size_t reused = sweep->summary->progress.reused;
    return budget > 0 && budget < all - reused ? reused + (size_t)budget : all;
}

/* Of the budget: without the time in which another process had the device. */
static double seconds_spent(const struct sweep *sweep)
{
    return monotonic_seconds() - sweep->started - sweep->held_up -
           (sweep->crew ? crew_seconds_held_up(sweep->crew) : 0);
}

/* From the rate of evaluations so far; rows that the database has cost nothing. */
static double seconds_left(const struct sweep *sweep, double elapsed)
{
    const struct sweep_progress *progress = &sweep->summary->progress;
    size_t left = progress->total - progress->done;
    if (sweep->options->budget_evaluations == 0)
        left = left > sweep->findings.stored ? left - sweep->findings.stored : 0;
    double seconds = left == 0 ? 0 : sweep->made > 0 ? elapsed / (double)sweep->made * (double)left : -1;
    double budget = sweep->options->budget_seconds, unspent = fmax(0, budget - seconds_spent(sweep));
    return budget > 0 && (seconds < 0 || seconds > unspent) ? unspent : seconds;
}

static void report(struct sweep *sweep, const struct evaluation *evaluation, const char *configuration)
{
    struct sweep_progress *progress = &sweep->summary->progress;
    progress->total = total(sweep);
    progress->seconds = monotonic_seconds() - sweep->started;
    progress->seconds_left = seconds_left(sweep, progress->seconds);
    progress->load = crew_load(sweep->crew);
    if (sweep->observe)
        sweep->observe(progress, evaluation, configuration, sweep->context);
}

static void report_row(struct sweep *sweep, const struct evaluation *evaluation, const char *configuration)
{
    struct sweep_progress *progress = &sweep->summary->progress;
    progress->done++;
    if (evaluation->outcome != OUTCOME_OK)
        progress->failed[evaluation->outcome]++;
    report(sweep, evaluation, configuration);
}

/* The user is told how many valid configurations the objective says nothing of. */
static void count_undefined(struct sweep *sweep, const struct finding *finding)
{
    sweep->summary->progress.undefined += finding->outcome == OUTCOME_OK && !isfinite(finding->value);
}

/* ---- questions */

static bool tell(const struct sweep *sweep, size_t index, struct error *error)
{
    const struct finding *finding = findings_of(&sweep->findings, index);
    if (finding->transient)
        return search_tell_nothing(sweep->search, index) || error_out_of_memory(error);
    bool valid = finding->outcome == OUTCOME_OK && isfinite(finding->value);
    const struct observation observation = {
        .index = index, .valid = valid, .objective = valid ? finding->value : 0, .seconds = (double)finding->seconds};
    return search_tell(sweep->search, &observation) || error_out_of_memory(error);
}

/* Reused rows are linked to the run many at a time: a commit for each would dominate everything else. */
static bool link_reused(struct sweep *sweep, struct error *error)
{
    size_t count = sweep->reused_count;
    sweep->reused_count = 0;
    return count == 0 || store_reuse(sweep->store, sweep->summary->run_id, sweep->reused, count, error);
}

static bool note_reused(struct sweep *sweep, int64_t evaluation, struct error *error)
{
    if (sweep->reused_count == sweep->reused_capacity) {
        size_t capacity = sweep->reused_capacity ? 2 * sweep->reused_capacity : 256;
        int64_t *reused = realloc(sweep->reused, capacity * sizeof *reused);
        if (!reused)
            return error_out_of_memory(error);
        sweep->reused = reused;
        sweep->reused_capacity = capacity;
    }
    sweep->reused[sweep->reused_count++] = evaluation;
    return true;
}

static bool reuse(struct sweep *sweep, size_t index, struct error *error)
{
    struct finding *finding = findings_of(&sweep->findings, index);
    char message[] = "";
    const struct evaluation evaluation = {.outcome = finding->outcome,
                                          .message = message,
                                          .time_ns = finding->time_ns,
                                          .error_ratio = -1,
                                          .energy_j = -1};
    char *text = problem_configuration_text(sweep->problem, index);
    if (!text)
        return error_out_of_memory(error);
    finding->state = FINDING_MADE;
    sweep->findings.stored--;
    sweep->summary->progress.reused++;
    count_undefined(sweep, finding);
    bool done = note_reused(sweep, finding->evaluation_id, error) &&
                (!is_new_best(sweep, index) || sweep_keep_best(sweep, index, error));
    if (done)
        report_row(sweep, &evaluation, text);
    free(text);
    return done && tell(sweep, index, error);
}

struct lookup {
    struct sweep *sweep;
    size_t index;
    bool failed;
    struct error *error;
};

/* Another process may have finished it since this sweep began. */
static bool take_row(const struct store_row *row, void *context)
{
    struct lookup *lookup = context;
    lookup->failed = !findings_load(&lookup->sweep->findings, lookup->index, row, lookup->error);
    return false;
}

static bool look_up(struct sweep *sweep, const struct candidate *candidate, struct error *error)
{
    struct lookup lookup = {.sweep = sweep, .index = candidate->index, .error = error};
    return sweep->options->fresh ||
           (store_lookup(sweep->store, sweep->summary->run_id, candidate->text, take_row, &lookup, error) &&
            !lookup.failed);
}

static bool submit(struct sweep *sweep, size_t index, struct error *error)
{
    struct candidate *candidate;
    struct finding *finding = findings_of(&sweep->findings, index);
    if (!candidate_create(sweep->problem, index, sweep->options->seed, &candidate, error))
        return false;
    bool looked = look_up(sweep, candidate, error);
    if (!looked || finding->state == FINDING_STORED) {
        candidate_free(candidate);
        return looked && reuse(sweep, index, error);
    }
    finding->state = FINDING_OPEN;
    sweep->submitted++;
    candidate->effort.energy = sweep->objective->needs_energy;
    candidate->expected_seconds = expectation_of(sweep->expectation, index);
    crew_submit(sweep->crew, candidate);
    return true;
}

static bool answer_question(struct sweep *sweep, size_t index, struct error *error)
{
    const struct finding *finding = findings_ensure(&sweep->findings, index, error);
    if (!finding)
        return false;
    return finding->state == FINDING_STORED ? reuse(sweep, index, error) : submit(sweep, index, error);
}

static bool is_interrupted(const struct sweep *sweep)
{
    return sweep->options->interrupted && *sweep->options->interrupted;
}

/* Must the run stop, and with which status? */
static void look_around(struct sweep *sweep)
{
    const struct sweep_options *options = sweep->options;
    if (sweep->stopping)
        return;
    bool late = options->budget_seconds > 0 && seconds_spent(sweep) >= options->budget_seconds;
    bool in_vain = options->patience > 0 && sweep->fruitless >= options->patience;
    if (is_interrupted(sweep))
        sweep->stopping = "interrupted";
    else if (late || in_vain)
        sweep->stopping = "budget";
    if (sweep->stopping)
        crew_drop_waiting(sweep->crew);
}

static bool is_impatient(const struct sweep *sweep)
{
    return sweep->options->interrupted && *sweep->options->interrupted > 1;
}

static bool all_made(const struct sweep *sweep)
{
    return sweep->made + sweep->summary->progress.reused >= sweep->findings.count;
}

static bool all_asked(const struct sweep *sweep)
{
    return sweep->submitted + sweep->summary->progress.reused >= sweep->findings.count;
}

static bool budget_spent(const struct sweep *sweep)
{
    uint64_t budget = sweep->options->budget_evaluations;
    return budget > 0 && sweep->submitted >= budget;
}

static bool may_ask(const struct sweep *sweep)
{
    return !sweep->stopping && crew_room(sweep->crew) > 0 && !budget_spent(sweep) && !all_made(sweep);
}

/* Ask the strategy until the crew has enough to do or the strategy waits for answers. */
static bool ask(struct sweep *sweep, struct error *error)
{
    size_t index;
    enum answer answer = ASK_READY;
    for (; may_ask(sweep); look_around(sweep)) {
        answer = search_ask(sweep->search, &index);
        if (answer != ASK_READY)
            break;
        if (!answer_question(sweep, index, error))
            return false;
    }
    if (answer == ASK_FAILED)
        return error_out_of_memory(error);
    if (answer == ASK_END || budget_spent(sweep) || all_asked(sweep))
        crew_close(sweep->crew);
    return link_reused(sweep, error);
}

/* ---- answers */

static bool refuse_objective(const struct sweep *sweep, struct error *error)
{
    error_set(error, ERROR_INPUT, "--objective %s: %s does not report energy", sweep->objective->name,
              problem_device(sweep->problem)->name);
    return error_hint(error, "every device supports --objective time");
}

static bool check_objective(const struct sweep *sweep, struct error *error)
{
    const struct device_driver *driver = device_driver_find(problem_device(sweep->problem)->kind);
    return !sweep->objective->needs_energy || !driver || driver->energy || refuse_objective(sweep, error);
}

/* The first valid row shows whether the device reports energy; without it, all rows would rank equal. */
static bool check_energy(struct sweep *sweep, const struct evaluation *evaluation, struct error *error)
{
    if (!sweep->objective->needs_energy || sweep->knows_energy || evaluation->outcome != OUTCOME_OK)
        return true;
    sweep->knows_energy = evaluation->energy_j > 0;
    return sweep->knows_energy || refuse_objective(sweep, error);
}

/* If the first few fail alike, all may: the user need not wait for the end of a large space to learn why. */
static void say_nothing_can_be_launched(const struct sweep *sweep, const struct candidate *candidate)
{
    enum { FEW = 20 };
    const struct crew_plan *crew = &sweep->options->crew;
    const struct sweep_progress *progress = &sweep->summary->progress;
    char *text;
    if (progress->failed[OUTCOME_HOST_ERROR] != FEW || progress->done != FEW || !crew->notice ||
        asprintf(&text, "none of the first %d configurations can be launched: %s, for %s; the sweep goes on", FEW,
                 candidate->evaluation.message, candidate->text) < 0)
        return;
    crew->notice(text, crew->notice_context);
    free(text);
}

/*
 * The sources were written to and are as they were, so a worker may have read others in between, for a configuration
 * or for the reference: start again with new workers and all that is open. Rows stored so far were stored before.
 */
static bool start_again(struct sweep *sweep, struct error *error)
{
    sweep->held_up += crew_seconds_held_up(sweep->crew);
    crew_free(sweep->crew);
    sweep->crew = NULL;
    if (!crew_create(sweep->plan, &sweep->crew, error))
        return false;
    for (size_t i = 0; i < sweep->findings.known && !sweep->stopping; i++) {
        const struct finding *finding = findings_number(&sweep->findings, i);
        if (finding->state != FINDING_OPEN)
            continue;
        sweep->submitted--;
        if (!submit(sweep, finding->index, error))
            return false;
    }
    return true;
}

static bool record(struct sweep *sweep, struct candidate *candidate, struct error *error)
{
    struct evaluation *evaluation = &candidate->evaluation;
    size_t index = candidate->index;
    struct finding *finding = findings_of(&sweep->findings, index);
    bool touched;
    if (!sweep_check_sources(sweep, &touched, error))
        return false;
    if (touched)
        return start_again(sweep, error);
    if (!sweep_set_metrics(sweep, candidate->text, evaluation, error))
        return false;
    if (!store_put(sweep->store, sweep->summary->run_id, candidate->text, evaluation, &finding->evaluation_id, error))
        return false;
    finding->state = FINDING_MADE;
    finding->is_new = true;
    finding->has_won = finding->beaten = false;
    findings_make(&sweep->findings, finding, evaluation, candidate->text);
    count_undefined(sweep, finding);
    sweep->made++;
    if (sweep->options->effects && !effects_note(sweep->options->effects, candidate))
        return error_out_of_memory(error);
    if (!candidate->from_cache && !evaluation->transient)
        expectation_learn(sweep->expectation, index, evaluation->compile_seconds);
    sweep->summary->from_cache += candidate->from_cache;
    sweep->summary->compile_seconds += evaluation->compile_seconds;
    sweep->summary->validate_seconds += evaluation->validate_seconds;
    sweep->summary->measure_seconds += evaluation->measure_seconds;
    sweep->fruitless++;
    if (is_new_best(sweep, index)) {
        sweep->fruitless = 0;
        if (!sweep_keep_best(sweep, index, error))
            return false;
    }
    report_row(sweep, evaluation, candidate->text);
    say_nothing_can_be_launched(sweep, candidate);
    return tell(sweep, index, error) && check_energy(sweep, evaluation, error);
}

static bool record_finished(struct sweep *sweep, struct error *error)
{
    bool done = true;
    for (struct candidate *candidate; done && (candidate = crew_finished(sweep->crew));) {
        done = record(sweep, candidate, error);
        candidate_free(candidate);
    }
    return done;
}

static bool search(struct sweep *sweep, struct error *error)
{
    for (;;) {
        look_around(sweep);
        if (is_impatient(sweep))
            return true;
        size_t before = sweep->made + sweep->summary->progress.reused;
        if (!sweep_give_sign(sweep, error) || !ask(sweep, error) || !record_finished(sweep, error))
            return false;
        if (crew_inside(sweep->crew) > 0) {
            if (!crew_step(sweep->crew, incumbent_ns(sweep), CREW_STEP_MILLISECONDS, error) ||
                !record_finished(sweep, error))
                return false;
            bool quiet = before == sweep->made + sweep->summary->progress.reused;
            if (quiet && sweep->options->observe_idle)
                report(sweep, NULL, NULL);
            /* A quiet moment to make what was stored survive a power cut. */
            if (quiet && !store_flush(sweep->store, error))
                return false;
        } else if (sweep->stopping || before == sweep->made + sweep->summary->progress.reused) {
            return true; /* nothing is open, and no question led to anything new */
        }
    }
}

/* ---- the run */

static char *budget_text(const struct sweep_options *options)
{
    char *text = NULL;
    int length;
    if (options->budget_text && options->budget_text[0])
        return strdup(options->budget_text);
    if (options->budget_evaluations > 0)
        length = asprintf(&text, "%llu", (unsigned long long)options->budget_evaluations);
    else if (options->budget_seconds > 0)
        length = asprintf(&text, "%gs", options->budget_seconds);
    else
        return strdup("");
    return length < 0 ? NULL : text;
}

static bool begin(struct sweep *sweep, struct error *error)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    char *budget = budget_text(sweep->options);
    if (!budget)
        return error_out_of_memory(error);
    const struct store_run run = {
        .strategy = sweep->options->strategy_text,
        .budget = budget,
        .objective = sweep->objective->name,
        .seed = sweep->options->seed,
        .configurations = (double)sweep->findings.count,
        .tune_version = TUNE_VERSION,
        .host = host,
    };
    bool begun = store_run_begin(sweep->store, &sweep->identity, &run, &sweep->summary->run_id, error);
    free(budget);
    return begun;
}

static const char *final_status(const struct sweep *sweep)
{
    if (sweep->stopping)
        return sweep->stopping;
    return budget_spent(sweep) && !all_made(sweep) ? "budget" : "done";
}

/* The strategy starts with what the database has: a sweep continues where an earlier one stopped. */
static bool reuse_stored(struct sweep *sweep, struct error *error)
{
    for (size_t i = 0; i < sweep->findings.known && !sweep->stopping; i++) {
        const struct finding *finding = findings_number(&sweep->findings, i);
        if (finding->state == FINDING_STORED && !reuse(sweep, finding->index, error))
            return false;
        look_around(sweep);
    }
    return link_reused(sweep, error);
}

static bool run(struct sweep *sweep, struct error *error)
{
    if (!begin(sweep, error))
        return false;
    bool searched = reuse_stored(sweep, error) && search(sweep, error);
    if (searched && !is_interrupted(sweep))
        searched = final_rounds_hold(sweep, error);
    sweep->summary->status = searched ? final_status(sweep) : "failed";
    /* After a failure, its error counts, not that of recording it. */
    bool ended = store_run_end(sweep->store, sweep->summary->run_id, sweep->summary->status, searched ? error : NULL);
    return searched && ended;
}

/* How many evaluations the strategy will be told of, including those of the database: all of the space if nothing is
 * limited; 0, unknown, if time or patience is. */
static size_t evaluations_allowed(const struct sweep_options *options, const struct findings *findings)
{
    uint64_t budget = options->budget_evaluations;
    if (options->budget_seconds > 0 || options->patience > 0)
        return 0;
    bool limited = budget > 0 && budget < findings->count - findings->stored;
    return limited ? findings->stored + (size_t)budget : findings->count;
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

/* `setup` and `priors` must outlive the search. */
static bool create_search(struct sweep *sweep, struct strategy_setup *setup, size_t priors[WARM_START_MOST],
                          struct error *error)
{
    if (!warm_start(sweep->problem, sweep->store, &sweep->identity, sweep->objective->name, priors,
                    &setup->prior_count, error))
        return false;
    setup->priors = priors;
    setup->evaluations = evaluations_allowed(sweep->options, &sweep->findings);
    return search_create(sweep->options->strategy, setup, &sweep->search, error);
}

bool sweep_run(const struct problem *problem, struct store *store, const struct sweep_options *options,
               sweep_observer *observe, void *context, struct sweep_summary *summary, struct error *error)
{
    struct sweep sweep = {
        .problem = problem,
        .store = store,
        .options = options,
        .objective = options->objective ? options->objective : &objectives[0],
        .observe = observe,
        .context = context,
        .summary = summary,
        .started = monotonic_seconds(),
        .gave_sign = monotonic_seconds(),
    };
    struct source_folders folders = {0};
    struct crew_plan plan = crew_plan_complete(&options->crew, problem_device(problem));
    sweep.plan = &plan;
    struct answer_demand demand = {
        .objective = sweep.objective,
        .compile_deadline = plan.compile_deadline,
        .measure_deadline = plan.measure_deadline,
        .why = &summary->undefined,
    };
    size_t priors[WARM_START_MOST];
    struct strategy_setup setup = {
        .space = problem_search_space(problem),
        .seed = options->seed,
        .parameters = options->strategy_parameters,
    };
    char *definitions = NULL;
    *summary = (struct sweep_summary){.status = "failed", .progress.seconds_left = -1};
    sweep.expectation = expectation_create(problem_search_space(problem));
    bool done =
        (sweep.expectation || error_out_of_memory(error)) && check_objective(&sweep, error) &&
        problem_identity(problem, &sweep.identity, error) && prepare_metrics(&sweep, &demand, &definitions, error) &&
        findings_create(problem, options->fresh ? NULL : store, &sweep.identity, &demand, &sweep.findings, error) &&
        create_search(&sweep, &setup, priors, error) &&
        source_folders_find(problem_template(problem), problem_inputs(problem), &folders, error);
    plan.source_folders = (const char *const *)folders.paths;
    plan.source_folder_count = folders.count;
    done = done && crew_create(&plan, &sweep.crew, error);
    if (done) {
        summary->progress.total = total(&sweep);
        done = run(&sweep, error);
    }
    crew_free(sweep.crew);
    source_folders_clear(&folders);
    search_free(sweep.search);
    expectation_free(sweep.expectation);
    findings_clear(&sweep.findings);
    metrics_free(sweep.metrics);
    free(definitions);
    free(sweep.best_text);
    free(sweep.reused);
    summary->progress.best_configuration = NULL;
    summary->progress.seconds = monotonic_seconds() - sweep.started;
    return done;
}
