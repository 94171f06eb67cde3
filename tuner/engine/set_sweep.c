/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_sweep.h"

#include "tuner/device/monotonic.h"
#include "tuner/dispatch/portfolio.h"
#include "tuner/engine/findings.h"
#include "tuner/engine/identity.h"
#include "tuner/engine/set_plan.h"
#include "tuner/engine/set_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_MOST = DISPATCH_CONFIGURATIONS_MOST, /* configurations to begin with at a size */
    FIRST_UNLIMITED = 8,                       /* where only time is limited */
    SEVERAL = 2, /* sizes at which a configuration must be bad not to be tried at others */
    PREDICTIONS_MOST = 512,
    PREDICTED_OF = 4096, /* of so many configurations of the table at most */
    ROUNDS_MOST = 8,     /* of choosing and measuring what is missing */
};

static const double first_share = 0.8;                    /* of a size's evaluations go to what is good elsewhere */
static const double loss_not_to_try = 0.4054651081081644; /* log(1.5) */
static const double loss_to_measure = 0.1397619423751587; /* log(1.15): behind the best of the choice at a size */

struct set_sweep {
    struct problem *const *problems;
    const struct size_set *set;
    struct store *store;
    const struct set_options *options;
    struct set_summary *summary;
    const struct objective *objective;
    struct kept_crew kept;
    struct cost_table table;
    size_t *order;
    size_t anchors;
    uint64_t budget; /* evaluations; 0: only time is limited */
    uint64_t shared; /* evaluations of it that went to sizes' shares, also by earlier runs */
    double started;
};

/* What a size begins with, and what its search is told; room for as much as there may be. */
struct opening {
    size_t first[FIRST_MOST + 1];
    size_t first_count;
    struct sweep_prediction predictions[FIRST_MOST + 1 + PREDICTIONS_MOST];
    size_t prediction_count;
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

/* ---- one size */

static double seconds_spent(const struct set_sweep *set)
{
    double held_up = set->kept.crew ? crew_seconds_held_up(set->kept.crew) : 0;
    return monotonic_seconds() - set->started - held_up;
}

static bool must_stop(const struct set_sweep *set)
{
    const struct sweep_options *options = &set->options->sweep;
    return (options->interrupted && *options->interrupted) ||
           (options->budget_seconds > 0 && seconds_spent(set) >= options->budget_seconds);
}

/* At most so many evaluations and seconds; 0: no limit. */
static bool sweep_size(struct set_sweep *set, size_t size, uint64_t evaluations, double seconds,
                       const struct opening *opening, struct error *error)
{
    struct sweep_options options = set->options->sweep;
    struct sweep_summary summary = {0};
    options.budget_evaluations = evaluations;
    options.budget_seconds = seconds;
    options.fresh = options.finals = false;
    options.effects = NULL;
    options.kept = &set->kept;
    options.first = opening->first;
    options.first_count = opening->first_count;
    options.predictions = opening->predictions;
    options.prediction_count = opening->prediction_count;
    bool swept = sweep_run(set->problems[size], set->store, &options, set->options->observe, set->options->context,
                           &summary, error);
    set->summary->evaluations += summary.progress.done - summary.progress.reused;
    set->summary->compile_seconds += summary.compile_seconds;
    set->summary->validate_seconds += summary.validate_seconds;
    set->summary->measure_seconds += summary.measure_seconds;
    return swept && gather(set, size, error);
}

static void announce(const struct set_sweep *set, enum set_stage stage, size_t number, size_t count, size_t size)
{
    if (set->options->begin)
        set->options->begin(stage, number, count, set->problems[size], set->options->context);
}

/* ---- what a size begins with */

static bool is_first(const struct opening *opening, size_t index)
{
    for (size_t i = 0; i < opening->first_count; i++) {
        if (opening->first[i] == index)
            return true;
    }
    return false;
}

static void add_first(struct opening *opening, size_t index, double loss)
{
    if (is_first(opening, index))
        return;
    opening->predictions[opening->prediction_count++] = (struct sweep_prediction){index, exp(loss)};
    opening->first[opening->first_count++] = index;
}

/* The default, whatever is known of it: what is stored as best must not be slower than doing nothing. */
static bool add_default(struct set_sweep *set, size_t size, struct opening *opening, struct error *error)
{
    size_t index;
    bool named;
    if (!problem_default(set->problems[size], &index, &named) || !named)
        return true;
    char *text = problem_configuration_text(set->problems[size], index);
    size_t place = 0;
    if (!text)
        return error_out_of_memory(error);
    while (place < set->table.count && strcmp(set->table.configurations[place], text) != 0)
        place++;
    add_first(opening, index, place < set->table.count ? cost_table_loss(&set->table, place, size) : 0);
    free(text);
    return true;
}

/* Sizes near this one count for more. */
static double *weights_near(const struct set_sweep *set, size_t size)
{
    double *weights = calloc(set->table.sizes + 1, sizeof *weights);
    for (size_t s = 0; weights && s < set->table.sizes; s++)
        weights[s] = set->table.nearness[size * set->table.sizes + s];
    return weights;
}

static bool add_portfolio(struct set_sweep *set, size_t size, size_t most, struct opening *opening,
                          struct error *error)
{
    size_t chosen[FIRST_MOST], count = 0, index;
    double *weights = weights_near(set, size);
    bool done = (weights || error_out_of_memory(error)) &&
                set_result_choose(&set->table, weights, true, most, chosen, &count, error);
    for (size_t i = 0; done && i < count; i++) {
        if (problem_configuration_find(set->problems[size], set->table.configurations[chosen[i]], &index))
            add_first(opening, index, cost_table_loss(&set->table, chosen[i], size));
    }
    free(weights);
    return done;
}

/* Has it been bad at several sizes, and good at none? */
static bool is_bad_elsewhere(const struct set_sweep *set, size_t configuration)
{
    size_t times = 0;
    for (size_t s = 0; s < set->table.sizes; s++) {
        if (!cost_table_knows(&set->table, configuration, s))
            continue;
        if (cost_table_loss(&set->table, configuration, s) <= loss_not_to_try)
            return false;
        times++;
    }
    return times >= SEVERAL;
}

static void add_predictions(struct set_sweep *set, size_t size, struct opening *opening)
{
    size_t index, most = opening->first_count + PREDICTIONS_MOST;
    for (size_t c = 0; c < set->table.count && c < PREDICTED_OF && opening->prediction_count < most; c++) {
        if (!cost_table_knows(&set->table, c, size) && is_bad_elsewhere(set, c) &&
            problem_configuration_find(set->problems[size], set->table.configurations[c], &index) &&
            !is_first(opening, index))
            opening->predictions[opening->prediction_count++] =
                (struct sweep_prediction){index, exp(cost_table_loss(&set->table, c, size))};
    }
}

/* Of `evaluations` (0: not limited) most go to what is good elsewhere. */
static bool open_size(struct set_sweep *set, size_t size, uint64_t evaluations, struct opening *opening,
                      struct error *error)
{
    size_t most = evaluations > 0 && evaluations < FIRST_MOST ? (size_t)ceil(first_share * (double)evaluations)
                                                              : FIRST_UNLIMITED;
    *opening = (struct opening){0};
    if (set->table.count == 0)
        return true; /* the first of all: the database may know relatives */
    if (!add_default(set, size, opening, error))
        return false;
    if (most > opening->first_count &&
        !add_portfolio(set, size,
                       most - opening->first_count < FIRST_UNLIMITED ? most - opening->first_count : FIRST_UNLIMITED,
                       opening, error))
        return false;
    if (evaluations == 0 || evaluations + set->table.known[size] < problem_configuration_count(set->problems[size]))
        add_predictions(set, size, opening);
    else
        opening->prediction_count = 0; /* everything can be tried */
    return true;
}

/* ---- the stages */

/* What remains of a stage that ends after `share` of the budget, for each of `left` sizes. */
static double seconds_each(const struct set_sweep *set, double share, size_t left)
{
    double all = set->options->sweep.budget_seconds;
    return all > 0 ? fmax((share * all - seconds_spent(set)) / (double)left, 1e-3) : 0;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* However small the budget, one evaluation is made. */
static uint64_t share_of(uint64_t budget, double share)
{
    uint64_t part = (uint64_t)(share * (double)budget);
    return part > 0 ? part : 1;
}

/* Sizes order[from] .. order[to - 1], until `share` of the budget is spent. */
static bool visit(struct set_sweep *set, enum set_stage stage, size_t from, size_t to, double share,
                  struct opening *opening, struct error *error)
{
    for (size_t i = from; i < to && !must_stop(set); i++) {
        size_t size = set->order[i], left = to - i;
        uint64_t known = set->table.known[size], target = 0;
        if (set->budget > 0) {
            uint64_t end = share_of(set->budget, share);
            target = end > set->shared ? (end - set->shared + left - 1) / left : 0;
            target = least_of(target, problem_configuration_count(set->problems[size]));
            set->shared += target;
            if (known >= target)
                continue;
        }
        announce(set, stage, i - from + 1, to - from, size);
        uint64_t evaluations = target > known ? target - known : 0;
        if (!open_size(set, size, evaluations, opening, error) ||
            !sweep_size(set, size, evaluations, seconds_each(set, share, left), opening, error))
            return false;
    }
    return true;
}

/* The least that any of these loses at a size, or is expected to. */
static double least_loss(const struct set_sweep *set, size_t size, const size_t *chosen, size_t count)
{
    double least = cost_table_loss_most;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, cost_table_loss(&set->table, chosen[i], size));
    return least;
}

/* A configuration of the choice that is not known at a size is to be measured there; one that its space has not is
 * noted as a failure. */
static bool add_missing(struct set_sweep *set, size_t size, size_t place, struct opening *opening,
                        struct error *error)
{
    const char *configuration = set->table.configurations[place];
    size_t index;
    if (cost_table_knows(&set->table, place, size))
        return true;
    if (!problem_configuration_find(set->problems[size], configuration, &index))
        return cost_table_put(&set->table, configuration, size, HUGE_VAL, error);
    opening->first[opening->first_count++] = index;
    return true;
}

/* Measure what an opening lists, as far as the budget allows; `*measured`: something was. */
static bool measure(struct set_sweep *set, size_t number, size_t size, const struct opening *opening, bool *measured,
                    struct error *error)
{
    uint64_t evaluations = opening->first_count;
    if (set->budget > 0) {
        uint64_t left = set->budget > set->shared ? set->budget - set->shared : 0;
        evaluations = least_of(evaluations, left);
        set->shared += evaluations;
    }
    if (evaluations == 0 || set->table.best[size] == 0)
        return true;
    *measured = true;
    announce(set, SET_MISSING, number, set->set->count, size);
    return sweep_size(set, size, evaluations, seconds_each(set, 1, 1), opening, error);
}

/* Measure the chosen ones wherever they may be the best of the choice. */
static bool measure_promising(struct set_sweep *set, const size_t *chosen, size_t count, struct opening *opening,
                              bool *measured, struct error *error)
{
    for (size_t i = 0; i < set->set->count && !must_stop(set); i++) {
        size_t size = set->order[i];
        double least = least_loss(set, size, chosen, count);
        *opening = (struct opening){0};
        for (size_t c = 0; c < count; c++) {
            if (cost_table_loss(&set->table, chosen[c], size) <= least + loss_to_measure &&
                !add_missing(set, size, chosen[c], opening, error))
                return false;
        }
        if (!measure(set, i + 1, size, opening, measured, error))
            return false;
    }
    return true;
}

/* The place in the table of what the dispatch answers for a size. */
static size_t answer_for(const struct set_sweep *set, const struct dispatch *dispatch, size_t size,
                         const size_t *chosen, size_t count)
{
    size_t answer = 0, place = 0;
    if (!dispatch_answer(dispatch, set->set->texts[size], &answer))
        return chosen[0];
    while (place + 1 < count &&
           strcmp(set->table.configurations[chosen[place]], dispatch->configurations[answer]) != 0)
        place++;
    return chosen[place];
}

/* Measure what the tree would answer. */
static bool measure_answers(struct set_sweep *set, const size_t *chosen, size_t count, struct opening *opening,
                            bool *measured, struct error *error)
{
    struct dispatch *dispatch = NULL;
    bool done = count == 0 || set_result_make(&set->table, set->set, true, chosen, count, &dispatch, error);
    for (size_t i = 0; done && dispatch && i < set->set->count && !must_stop(set); i++) {
        size_t size = set->order[i];
        *opening = (struct opening){0};
        done = add_missing(set, size, answer_for(set, dispatch, size, chosen, count), opening, error) &&
               measure(set, i + 1, size, opening, measured, error);
    }
    dispatch_free(dispatch);
    return done;
}

/* Choose, and measure what matters for the choice and is missing, until nothing is. */
static bool complete(struct set_sweep *set, struct opening *opening, struct error *error)
{
    size_t chosen[DISPATCH_CONFIGURATIONS_MOST], count;
    bool measured = true, done = true;
    for (int round = 0; done && measured && round < ROUNDS_MOST && !must_stop(set); round++) {
        measured = false;
        done = set_result_choose(&set->table, set->set->weights, true, set->options->configurations, chosen, &count,
                                 error) &&
               measure_promising(set, chosen, count, opening, &measured, error) &&
               (measured || measure_answers(set, chosen, count, opening, &measured, error));
    }
    return done;
}

/* ---- the end */

static void count_sizes_without(struct set_sweep *set)
{
    for (size_t s = 0; s < set->set->count; s++)
        set->summary->without += set->table.best[s] == 0;
}

/* At how many sizes is it not known what the answer costs? */
static size_t count_unknown_answers(const struct dispatch *dispatch)
{
    size_t count = 0;
    for (size_t i = 0; i < dispatch->case_count; i++) {
        const struct dispatch_case *own = &dispatch->cases[i];
        const struct tree_node *leaf = &dispatch->tree.nodes[tree_leaf(&dispatch->tree, own->sizes)];
        count += !(own->costs[leaf->configuration] > 0);
    }
    return count;
}

/* By what is known and expected, or if that has answers that nobody has measured, by what is known alone. */
static bool make_dispatch(struct set_sweep *set, bool expected, struct error *error)
{
    size_t chosen[DISPATCH_CONFIGURATIONS_MOST], count;
    dispatch_free(set->summary->dispatch);
    set->summary->dispatch = NULL;
    if (!set_result_choose(&set->table, set->set->weights, expected, set->options->configurations, chosen, &count,
                           error))
        return false;
    if (count == 0)
        return true;
    if (!set_result_make(&set->table, set->set, expected, chosen, count, &set->summary->dispatch, error))
        return false;
    set->summary->missing = count_unknown_answers(set->summary->dispatch);
    return !expected || set->summary->missing == 0 || make_dispatch(set, false, error);
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
    if (!make_dispatch(set, true, error))
        return false;
    if (!set->summary->dispatch)
        return true;
    if (!problem_identity(any_solved(set), &identity, error))
        return false;
    char *document = dispatch_text(set->summary->dispatch);
    bool done = document ? store_dispatch_put(set->store, &identity, set->objective->name, document, error)
                         : error_out_of_memory(error);
    free(document);
    return done;
}

static bool prepare(struct set_sweep *set, struct error *error)
{
    const struct sweep_options *options = &set->options->sweep;
    set->budget = options->budget_evaluations;
    if (set->budget == 0 && !(options->budget_seconds > 0))
        set->budget = set_plan_default_budget(set->set->count);
    set->anchors = set_plan_anchors(set->set->count);
    set->order = calloc(set->set->count + 1, sizeof *set->order);
    if (!cost_table_create(&set->table, (const char *const *)set->set->texts, set->set->count, error))
        return false;
    if (!set->order || !set_plan_order(set->table.nearness, set->set->count, set->order))
        return error_out_of_memory(error);
    for (size_t s = 0; s < set->set->count; s++) {
        if (!gather(set, s, error))
            return false;
        set->summary->known += set->table.known[s];
    }
    return true;
}

static bool run(struct set_sweep *set, struct error *error)
{
    const struct set_shares shares = set_plan_shares(set->set->count);
    struct opening *opening = calloc(1, sizeof *opening);
    bool done = (opening || error_out_of_memory(error)) &&
                visit(set, SET_ANCHORS, 0, set->anchors, shares.anchors, opening, error) &&
                visit(set, SET_OTHERS, set->anchors, set->set->count, shares.others, opening, error) &&
                complete(set, opening, error);
    free(opening);
    return done;
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
    *summary = (struct set_summary){0};
    bool done = prepare(&own, error) && run(&own, error);
    summary->stopped = options->sweep.interrupted && *options->sweep.interrupted;
    kept_crew_close(&own.kept);
    done = done && (summary->stopped || conclude(&own, error));
    cost_table_clear(&own.table);
    free(own.order);
    summary->seconds = monotonic_seconds() - own.started;
    return done;
}
