/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/summary.h"

#include "tuner/cli/front.h"
#include "tuner/engine/answer.h"
#include "tuner/engine/identity.h"
#include "tuner/space/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gathering {
    const struct problem *problem;
    struct result_summary *summary;
    struct metrics *metrics;
    int64_t winner; /* evaluation; 0: none */
    double winner_value;
    bool failed; /* memory ran out */
};

static double value_of(const struct gathering *gathering, const struct store_row *row)
{
    struct evaluation evaluation;
    store_row_evaluation(row, &evaluation);
    return objective_judge(gathering->summary->objective, gathering->metrics, row->configuration, &evaluation, NULL)
        .cost;
}

static enum summary_rank rank_of(const struct gathering *gathering, const struct store_row *row)
{
    if (row->id == gathering->winner)
        return RANK_WINNER;
    return row->verdict == VERDICT_TIED ? RANK_TIED : row->verdict == VERDICT_LOST ? RANK_LOST : RANK_SINGLE;
}

/* Finalists were compared with each other; a single measurement compares with other single ones. */
static bool comes_before(const struct summary_row *a, const struct summary_row *b)
{
    const int group_a = a->rank == RANK_WINNER ? 0 : a->rank == RANK_SINGLE ? 2 : 1;
    const int group_b = b->rank == RANK_WINNER ? 0 : b->rank == RANK_SINGLE ? 2 : 1;
    return group_a != group_b ? group_a < group_b : a->value < b->value;
}

static void clear_row(struct summary_row *row)
{
    free(row->configuration);
    free(row->metrics);
}

static bool insert_best(struct gathering *gathering, const struct store_row *row)
{
    struct result_summary *summary = gathering->summary;
    struct summary_row new = {
        .id = row->id,
        .rank = rank_of(gathering, row),
        .was_final = row->was_final,
        .value = value_of(gathering, row),
        .energy_j = row->energy_j,
        .device_ns = row->device_ns,
        .energy_error_j = row->energy_error_j,
        .time_ns = row->time_ns,
        .low_ns = row->time_low_ns,
        .high_ns = row->time_high_ns,
        .work = row->work,
        .occupancy = row->occupancy,
        .registers = row->registers,
        .shared_bytes = row->shared_bytes,
        .spill_bytes = row->spill_bytes,
    };
    size_t at = summary->best_count;
    while (at > 0 && comes_before(&new, &summary->best[at - 1]))
        at--;
    if (!isfinite(new.value) || at == SUMMARY_BEST)
        return true;
    new.configuration = strdup(row->configuration);
    new.metrics = strdup(row->metrics);
    if (!new.configuration || !new.metrics) {
        clear_row(&new);
        return false;
    }
    if (summary->best_count == SUMMARY_BEST)
        clear_row(&summary->best[--summary->best_count]);
    memmove(&summary->best[at + 1], &summary->best[at], (summary->best_count - at) * sizeof *summary->best);
    summary->best[at] = new;
    summary->best_count++;
    return true;
}

/* Of another space of the same template, or validated elsewhere than this space asks: then it is another's result. */
static bool is_of_problem(struct gathering *gathering, const struct store_row *row)
{
    size_t index;
    bool stands = false;
    gathering->failed =
        gathering->failed || (problem_configuration_find(gathering->problem, row->configuration, &index) &&
                              !answer_stands(gathering->problem, index, row, &stands, NULL));
    return stands;
}

static bool find_winner(const struct store_row *row, void *context)
{
    struct gathering *gathering = context;
    if (row->outcome != OUTCOME_OK || row->verdict >= VERDICT_TIED || !is_of_problem(gathering, row))
        return !gathering->failed;
    double value = value_of(gathering, row);
    if (isfinite(value) && (!gathering->winner || value < gathering->winner_value)) {
        gathering->winner = row->id;
        gathering->winner_value = value;
    }
    return true;
}

static bool add_row(const struct store_row *row, void *context)
{
    struct gathering *gathering = context;
    struct result_summary *summary = gathering->summary;
    if (!is_of_problem(gathering, row))
        return !gathering->failed;
    if (row->outcome == OUTCOME_OK) {
        gathering->failed = !insert_best(gathering, row);
        return !gathering->failed;
    }
    summary->failed[row->outcome]++;
    struct summary_example *example = &summary->example[row->outcome];
    if (!example->message) {
        *example = (struct summary_example){strdup(row->configuration), strdup(row->message), strdup(row->awkward)};
        gathering->failed = !example->configuration || !example->message || !example->awkward;
    }
    return !gathering->failed;
}

bool summary_gather(const struct problem *problem, const struct objective *objective, struct store *store,
                    struct result_summary *summary, struct error *error)
{
    const struct template *template = problem_template(problem);
    *summary = (struct result_summary){.objective = objective, .template = template, .folder = template->folder};
    struct gathering gathering = {.problem = problem, .summary = summary};
    struct store_problem identity;
    bool done =
        problem_identity(problem, &identity, error) &&
        store_device_ceilings(store, problem_device(problem), &summary->ceilings, error) &&
        metrics_create(template, problem_device(problem), problem_size_text(problem), &gathering.metrics, error) &&
        store_finished(store, &identity, objective->name, limits_condition(objective->limits), find_winner,
                       &gathering, error) &&
        store_finished(store, &identity, objective->name, limits_condition(objective->limits), add_row, &gathering,
                       error);
    metrics_free(gathering.metrics);
    return done && (!gathering.failed || error_out_of_memory(error));
}

/* ---- the front ---- */

/* The rows of the problem, as a source of fronts. */
struct own_rows {
    const struct problem *problem;
    struct store *store;
    const struct store_problem *identity;
    const char *aims, *limits;
};

struct passing {
    struct gathering gathering;
    store_visitor *visit;
    void *context;
};

static bool pass_own(const struct store_row *row, void *context)
{
    struct passing *passing = context;
    if (row->outcome == OUTCOME_OK && is_of_problem(&passing->gathering, row))
        return passing->visit(row, passing->context);
    return !passing->gathering.failed;
}

static bool visit_own(const void *from, store_visitor *visit, void *context, struct error *error)
{
    const struct own_rows *rows = from;
    struct passing passing = {.gathering.problem = rows->problem, .visit = visit, .context = context};
    return store_finished(rows->store, rows->identity, rows->aims, rows->limits, pass_own, &passing, error) &&
           (!passing.gathering.failed || error_out_of_memory(error));
}

bool summary_gather_front(const struct problem *problem, const struct aims *aims, const struct objective *objective,
                          struct store *store, struct result_summary *summary, struct error *error)
{
    struct store_problem identity;
    const struct own_rows rows = {problem, store, &identity, aims->name, limits_condition(objective->limits)};
    if (!summary_gather(problem, objective, store, summary, error) || !problem_identity(problem, &identity, error))
        return false;
    summary->fronts = fronts_find(aims, objective->limits, visit_own, &rows, error);
    return summary->fronts != NULL;
}

static void clear_example(struct summary_example *example)
{
    free(example->configuration);
    free(example->message);
    free(example->awkward);
}

void summary_clear(struct result_summary *summary)
{
    json_decref(summary->fronts);
    for (size_t i = 0; i < summary->best_count; i++)
        clear_row(&summary->best[i]);
    for (int kind = 0; kind < OUTCOME_COUNT; kind++)
        clear_example(&summary->example[kind]);
    *summary = (struct result_summary){0};
}
