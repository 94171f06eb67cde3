/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/sweep_questions.h"

#include "tuner/engine/sweep_budget.h"
#include "tuner/engine/sweep_front.h"
#include "tuner/engine/sweep_predictions.h"
#include "tuner/engine/sweep_progress.h"
#include "tuner/search/stopping.h"

#include <math.h>
#include <stdlib.h>

bool sweep_tell(const struct sweep *sweep, size_t index, struct error *error)
{
    const struct finding *finding = findings_of(&sweep->findings, index);
    if (finding->transient && finding->outcome != OUTCOME_LIMIT)
        return tradeoff_tell_nothing(sweep->search, index) || error_out_of_memory(error);
    bool valid = finding->outcome == OUTCOME_OK && isfinite(finding->value);
    const struct observation observation = {
        .index = index, .valid = valid, .objective = valid ? finding->value : 0, .seconds = (double)finding->seconds};
    return (tradeoff_tell(sweep->search, &observation, finding->costs) &&
            (!sweep->until || stopping_tell(sweep->until, &observation))) ||
           error_out_of_memory(error);
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
    sweep_count_undefined(sweep, finding);
    bool extends, done = note_reused(sweep, finding->evaluation_id, error) &&
                         (!sweep_is_new_best(sweep, index) || sweep_keep_best(sweep, index, error)) &&
                         sweep_front_add(sweep, finding, &extends, error);
    if (done)
        sweep_report_row(sweep, &evaluation, text);
    free(text);
    return done && sweep_tell(sweep, index, error);
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

static bool make_candidate(const struct sweep *sweep, size_t index, struct candidate **result, struct error *error)
{
    bool later = fleet_lowers(sweep->kept->fleet, sweep->problem);
    return (later ? candidate_describe : candidate_create)(sweep->problem, index, sweep->options->seed, result,
                                                           error);
}

bool sweep_submit(struct sweep *sweep, size_t index, struct error *error)
{
    struct candidate *candidate;
    struct finding *finding = findings_of(&sweep->findings, index);
    if (!make_candidate(sweep, index, &candidate, error))
        return false;
    bool looked = look_up(sweep, candidate, error);
    if (!looked || finding->state == FINDING_STORED) {
        candidate_free(candidate);
        return looked && reuse(sweep, index, error);
    }
    finding->state = FINDING_OPEN;
    sweep->submitted++;
    sweep->open++;
    candidate->asker = sweep;
    candidate->incumbent_ns = &sweep->incumbent_ns;
    candidate->effort.energy = sweep->objective->needs_energy;
    candidate->effort.limits = sweep->objective->limits;
    candidate->expected_seconds = expectation_of(sweep->expectation, index);
    fleet_submit(sweep->kept->fleet, candidate);
    return true;
}

static bool answer_question(struct sweep *sweep, size_t index, struct error *error)
{
    const struct finding *finding = findings_ensure(&sweep->findings, index, error);
    if (!finding)
        return false;
    return finding->state == FINDING_STORED ? reuse(sweep, index, error) : sweep_submit(sweep, index, error);
}

static bool has_questions(const struct sweep *sweep)
{
    return !sweep->stopping && !sweep_waits_for_predictions(sweep) && !sweep_budget_spent(sweep) &&
           !sweep_all_made(sweep);
}

/* Notes whether it is only for lack of room that nothing is asked. */
static bool may_ask(struct sweep *sweep)
{
    bool has = has_questions(sweep);
    sweep->is_crowded = has && fleet_room(sweep->kept->fleet) == 0;
    return has && !sweep->is_crowded;
}

bool sweep_ask(struct sweep *sweep, struct error *error)
{
    size_t index;
    enum answer answer = ASK_READY;
    if (!sweep_predict(sweep, error))
        return false;
    sweep_expect(sweep);
    for (; may_ask(sweep); sweep_look_around(sweep)) {
        answer = tradeoff_ask(sweep->search, &index);
        if (answer != ASK_READY)
            break;
        if (!answer_question(sweep, index, error))
            return false;
    }
    if (answer == ASK_FAILED)
        return tradeoff_failure(sweep->search, error);
    if (answer == ASK_END || sweep_budget_spent(sweep) || sweep_all_asked(sweep))
        fleet_close(sweep->kept->fleet);
    return link_reused(sweep, error);
}

bool sweep_reuse_stored(struct sweep *sweep, struct error *error)
{
    for (size_t i = 0; i < sweep->findings.known && !sweep->stopping; i++) {
        const struct finding *finding = findings_number(&sweep->findings, i);
        if (finding->state == FINDING_STORED && !reuse(sweep, finding->index, error))
            return false;
        sweep_look_around(sweep);
    }
    return link_reused(sweep, error);
}
