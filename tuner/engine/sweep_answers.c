/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/sweep_answers.h"

#include "tuner/engine/sweep_budget.h"
#include "tuner/engine/sweep_front.h"
#include "tuner/engine/sweep_progress.h"
#include "tuner/engine/sweep_questions.h"
#include "tuner/space/limits.h"

#include <stdio.h>
#include <stdlib.h>

static bool refuse_objective(const struct sweep *sweep, struct error *error)
{
    const char *device = problem_device(sweep->problem)->name;
    if (limits_need_energy(sweep->objective->limits))
        return error_set(error, ERROR_INPUT, "--limit '%s': %s does not report energy",
                         limits_condition(sweep->objective->limits), device);
    const char *name = sweep->objective->name;
    for (size_t i = 0; sweep->aims && i < sweep->aims->count; i++)
        name = sweep->aims->of[i].needs_energy ? sweep->aims->of[i].name : name;
    error_set(error, ERROR_INPUT, "--objective %s: %s does not report energy", name, device);
    return error_hint(error, "every device supports --objective time");
}

bool sweep_check_objective(const struct sweep *sweep, struct error *error)
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

static bool submit_open_again(struct sweep *sweep, struct error *error)
{
    for (size_t i = 0; i < sweep->findings.known && !sweep->stopping; i++) {
        const struct finding *finding = findings_number(&sweep->findings, i);
        if (finding->state != FINDING_OPEN)
            continue;
        sweep->submitted--;
        sweep->open--;
        if (!sweep_submit(sweep, finding->index, error))
            return false;
    }
    return true;
}

/*
 * The sources were written to and are as they were, so a worker may have read others in between, for a configuration
 * or for the reference: start again with new workers and all that is open. Rows stored so far were stored before.
 */
static bool start_again(const struct sweep *sweep, struct error *error)
{
    struct kept_crew *kept = sweep->kept;
    double held_up = fleet_seconds_held_up(kept->fleet);
    fleet_free(kept->fleet);
    kept->fleet = NULL;
    bool done = kept_crew_team(sweep->problem, &sweep->plan, sweep->options->away, &kept->fleet, error);
    for (struct sweep *other = kept->sweeps; done && other; other = other->next) {
        other->held_up += held_up;
        done = submit_open_again(other, error);
    }
    return done;
}

/* `*checked`: the problem whose sources and inputs were checked since all that is recorded now has finished. */
static bool record(struct sweep *sweep, struct candidate *candidate, const struct problem **checked,
                   struct error *error)
{
    struct evaluation *evaluation = &candidate->evaluation;
    size_t index = candidate->index;
    struct finding *finding = findings_of(&sweep->findings, index);
    bool touched = false;
    if (*checked != sweep->problem && !sweep_check_sources(sweep, &touched, error))
        return false;
    *checked = touched ? NULL : sweep->problem;
    if (touched)
        return start_again(sweep, error);
    if (!sweep_set_metrics(sweep, candidate->text, evaluation, error))
        return false;
    /* A row like any other, but one that nothing else has to make way for. */
    if (evaluation->outcome == OUTCOME_LIMIT)
        evaluation->transient = 1;
    if (!store_put(sweep->store, sweep->summary->run_id, candidate->text, evaluation, &finding->evaluation_id, error))
        return false;
    finding->state = FINDING_MADE;
    finding->is_new = true;
    finding->has_won = finding->beaten = false;
    findings_make(&sweep->findings, finding, evaluation, candidate->text);
    sweep_count_undefined(sweep, finding);
    sweep->made++;
    sweep->open--;
    if (sweep->options->effects && !effects_note(sweep->options->effects, candidate))
        return error_out_of_memory(error);
    if (!candidate->from_cache && !evaluation->transient)
        expectation_learn(sweep->expectation, index, evaluation->compile_seconds);
    sweep->summary->from_cache += candidate->from_cache;
    sweep->summary->compile_seconds += evaluation->compile_seconds;
    sweep->summary->validate_seconds += evaluation->validate_seconds;
    sweep->summary->measure_seconds += evaluation->measure_seconds;
    bool extends, better = sweep_is_new_best(sweep, index);
    if ((better && !sweep_keep_best(sweep, index, error)) || !sweep_front_add(sweep, finding, &extends, error))
        return false;
    sweep->fruitless = better || extends ? 0 : sweep->fruitless + 1;
    sweep_report_row(sweep, evaluation, candidate->text);
    say_nothing_can_be_launched(sweep, candidate);
    return sweep_tell(sweep, index, error) && check_energy(sweep, evaluation, error);
}

bool sweeps_record_finished(struct kept_crew *kept, struct error *error)
{
    bool together = fleet_finished_count(kept->fleet) > 1, done = true;
    const struct problem *checked = NULL;
    struct store *store = kept->sweeps->store;
    if (together && !store_rows_begin(store, error))
        return false;
    for (struct candidate *candidate; done && (candidate = fleet_finished(kept->fleet));) {
        done = record(candidate->asker, candidate, &checked, error);
        candidate_free(candidate);
    }
    if (together && !store_rows_end(store, done ? error : NULL)) /* after a failure, its error counts */
        return false;
    return done;
}
