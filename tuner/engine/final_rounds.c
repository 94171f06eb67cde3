/* SPDX-License-Identifier: Apache-2.0 */
/* The finals of a sweep: the field, the rounds on the device, and what is stored. */
#include "tuner/engine/final_rounds.h"

#include "tuner/device/monotonic.h"
#include "tuner/engine/final_results.h"
#include "tuner/engine/sweep_budget.h"
#include "tuner/engine/sweep_front.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES_LEAST = 5, SAMPLES_MOST = 31 }; /* of a finalist in a round */
enum { FINALISTS_FEW = 4 };                    /* so many get their rounds, however long these take */
enum { METERED_OF_FRONT = 8 };                 /* of several objectives, where energy has to be metered */

static const double drift = 1.02;          /* between two measurements that may be far apart in time */
static const double near = 1.05;           /* the second best takes part if it is within this, */
static const double far = 1.25;            /* and the default unless it is slower than this without a doubt */
static const double sampling_ns = 20e6;    /* for the samples of one evaluation */
static const double seconds_least = 2.0;   /* finals may take this long, however short the sweep, or */
static const double share_of_sweep = 0.10; /* this share of the sweep's time, if that is more */

/* ---- who takes part */

/* Keep the lowest FINALISTS_MOST values behind the first, which stays. */
static size_t insert(const struct findings *findings, size_t field[FINALISTS_MOST], size_t count, size_t index)
{
    size_t at = count;
    while (at > 1 && findings_of(findings, index)->value < findings_of(findings, field[at - 1])->value)
        at--;
    if (at == FINALISTS_MOST)
        return count;
    size_t last = count < FINALISTS_MOST ? count++ : FINALISTS_MOST - 1;
    for (; last > at; last--)
        field[last] = field[last - 1];
    field[at] = index;
    return count;
}

static double allowed_seconds(const struct sweep *sweep)
{
    if (sweep->options->finalists)
        return sweep->options->finals_seconds;
    double elapsed = monotonic_seconds() - sweep->started;
    return fmax(share_of_sweep * elapsed, seconds_least);
}

/*
 * Too few rounds decide nothing, so the field is limited to what can have its minimum of rounds in the time allowed,
 * judging by the cost of evaluations so far. Metering energy takes a second or more each.
 */
static size_t most_finalists(const struct sweep *sweep)
{
    const struct sweep_summary *summary = sweep->summary;
    double made = (double)(summary->progress.done - summary->progress.reused);
    double spent = summary->validate_seconds + summary->measure_seconds;
    if (sweep->aims) /* all of it, since what takes no part is not on it */
        return sweep->objective->needs_energy ? METERED_OF_FRONT : FINALISTS_MOST;
    if (sweep->objective->needs_energy)
        return FINALISTS_FEW;
    if (made < 1 || !(spent > 0))
        return FINALISTS_MOST;
    double fit = allowed_seconds(sweep) * made / spent / (double)finals_default.least_rounds;
    return fit >= FINALISTS_MOST ? FINALISTS_MOST : fit > FINALISTS_FEW ? (size_t)fit : FINALISTS_FEW;
}

/* The finding of the space's default, if that was tried. */
static const struct finding *find_default(const struct sweep *sweep)
{
    size_t index;
    if (!sweep_default(sweep, &index))
        return NULL;
    for (size_t i = 0; i < sweep->findings.known; i++) {
        const struct finding *finding = findings_number(&sweep->findings, i);
        if (finding->index == index)
            return finding;
    }
    return NULL;
}

/* The default takes part, so that a winner is never slower than doing nothing; if need be the last one makes room. */
static size_t add_default(const struct sweep *sweep, size_t field[FINALISTS_MOST], size_t count, size_t most,
                          bool *undecided)
{
    const struct finding *best = findings_of(&sweep->findings, field[0]), *finding = find_default(sweep);
    size_t at = 0;
    if (!finding || !finding_has_value(finding) || (double)finding->low > far * (double)best->high)
        return count;
    while (at < count && field[at] != finding->index)
        at++;
    if (at < count)
        return count;
    field[count < most ? count++ : count - 1] = finding->index;
    *undecided = *undecided || finding->is_new;
    return count;
}

/* Those that the caller names, if they are valid; 0 if all of them were in finals before. */
static size_t take_field(const struct sweep *sweep, size_t field[FINALISTS_MOST])
{
    const struct sweep_options *options = sweep->options;
    size_t count = 0, number;
    bool undecided = false;
    for (size_t i = 0; i < options->finalist_count && count < FINALISTS_MOST; i++) {
        size_t index = options->finalists[i];
        if (!index_map_get(&sweep->findings.places, index, &number))
            continue;
        const struct finding *finding = findings_number(&sweep->findings, number);
        if (!finding_has_value(finding))
            continue;
        undecided = undecided || !(finding->has_won || finding->beaten);
        field[count++] = index;
    }
    return undecided && count > 1 ? count : 0;
}

/* Choose the field, the incumbent first; returns its size, 0 if there is nothing to decide. */
static size_t choose_field(const struct sweep *sweep, size_t field[FINALISTS_MOST])
{
    const struct findings *findings = &sweep->findings;
    if (sweep->summary->progress.best_ns <= 0)
        return 0;
    size_t best = sweep->summary->best_index, near_best = 1, count = 1;
    field[0] = best;
    for (size_t i = 0; i < findings->known; i++) {
        const struct finding *finding = findings_number(findings, i);
        if (finding->index != best && finding_has_value(finding))
            near_best = insert(findings, field, near_best, finding->index);
    }
    size_t most = most_finalists(sweep);
    bool undecided = !findings_of(findings, best)->has_won;
    for (size_t i = 1; i < near_best && count < most; i++) {
        const struct finding *finding = findings_of(findings, field[i]);
        bool second_is_near = i == 1 && finding->value <= near * findings_of(findings, best)->value;
        if (!second_is_near && (double)finding->low > drift * (double)findings_of(findings, best)->high)
            continue;
        field[count++] = field[i];
        undecided = undecided || finding->is_new;
    }
    count = add_default(sweep, field, count, most, &undecided);
    return undecided && count > 1 ? count : 0;
}

static size_t suitable_samples(double time_ns)
{
    double samples = floor(sampling_ns / time_ns);
    if (samples >= SAMPLES_MOST)
        return SAMPLES_MOST;
    return samples > SAMPLES_LEAST ? (size_t)samples : SAMPLES_LEAST;
}

/* ---- a round */

static bool send(struct event *event, size_t who, struct error *error)
{
    struct sweep *sweep = event->sweep;
    struct entrant *entrant = &event->entrants[who];
    struct candidate *candidate;
    if (!candidate_create(sweep->problem, entrant->index, sweep->options->seed, &candidate, error))
        return false;
    candidate->image = entrant->image; /* the candidate owns it until it is finished */
    candidate->image_bytes = entrant->image_bytes;
    entrant->image = NULL;
    candidate->measurer = 0; /* devices of the same model differ by more than finalists do */
    candidate->effort.samples = event->samples;
    candidate->effort.energy = sweep->objective->needs_energy || sweep->knows_energy;
    fleet_submit(sweep->kept->fleet, candidate);
    return true;
}

/* Its row becomes the failure. */
static bool disqualify(struct event *event, size_t who, const struct evaluation *evaluation, struct error *error)
{
    struct sweep *sweep = event->sweep;
    struct entrant *entrant = &event->entrants[who];
    struct finding *finding = findings_of(&sweep->findings, entrant->index);
    finals_disqualify(&event->finals, who);
    if (evaluation->outcome == OUTCOME_OK || evaluation->transient)
        return true; /* its energy could not be measured, or it was lost through no fault of its own */
    if (!final_sources_same(sweep, error) ||
        !store_put(sweep->store, sweep->summary->run_id, entrant->text, evaluation, &finding->evaluation_id, error))
        return false;
    findings_make(&sweep->findings, finding, evaluation, entrant->text);
    sweep->summary->progress.failed[evaluation->outcome]++;
    return true;
}

static size_t who_is(const struct event *event, size_t index)
{
    size_t who = 0;
    while (event->entrants[who].index != index)
        who++;
    return who;
}

static bool take(struct event *event, struct candidate *candidate, struct error *error)
{
    struct sweep *sweep = event->sweep;
    size_t who = who_is(event, candidate->index), round = event->finals.rounds;
    struct entrant *entrant = &event->entrants[who];
    entrant->image = candidate->image;
    entrant->image_bytes = candidate->image_bytes;
    candidate->image = NULL;
    struct evaluation *evaluation = &candidate->evaluation;
    sweep->summary->validate_seconds += evaluation->validate_seconds;
    sweep->summary->measure_seconds += evaluation->measure_seconds;
    double value = HUGE_VAL, costs[FRONT_OBJECTIVES];
    if (evaluation->outcome == OUTCOME_OK)
        value = objective_judge(sweep->objective, sweep->metrics, entrant->text, evaluation, NULL).cost;
    if (sweep->aims && isfinite(value) &&
        !aims_costs(sweep->aims, sweep->metrics, entrant->text, evaluation, costs, NULL))
        value = HUGE_VAL;
    if (!isfinite(value))
        return disqualify(event, who, evaluation, error);
    finals_record(&event->finals, who, value);
    entrant->times[round] = evaluation->time_ns;
    entrant->energies[round] = evaluation->energy_j;
    entrant->device_times[round] = evaluation->device_ns;
    evaluation_clear(&entrant->latest);
    entrant->latest = *evaluation;
    *evaluation = (struct evaluation){0};
    return true;
}

/* With their images made, candidates are measured in the order of submission. `*whole`: the user did not cut the
 * round short. */
static bool play_round(struct event *event, bool *whole, struct error *error)
{
    struct sweep *sweep = event->sweep;
    size_t order[FINALISTS_MOST], count = finals_order(&event->finals, order), back = 0;
    for (size_t i = 0; i < count; i++) {
        if (!send(event, order[i], error))
            return false;
    }
    while (back < count) {
        *whole = !sweep_is_interrupted(sweep);
        if (!*whole)
            return true;
        if (!sweep_give_sign(sweep, error) || !fleet_step(sweep->kept->fleet, CREW_STEP_MILLISECONDS, error))
            return false;
        for (struct candidate *candidate; (candidate = fleet_finished(sweep->kept->fleet)); back++) {
            bool taken = take(event, candidate, error);
            candidate_free(candidate);
            if (!taken)
                return false;
        }
    }
    return true;
}

static void show(const struct event *event)
{
    struct sweep *sweep = event->sweep;
    struct sweep_progress *progress = &sweep->summary->progress;
    progress->seconds = monotonic_seconds() - sweep->started;
    progress->seconds_left = -1;
    progress->final_round = event->finals.rounds;
    progress->finalists = finals_left(&event->finals);
    if (sweep->observe)
        sweep->observe(progress, NULL, NULL, sweep->context);
}

/* `*whole`: they were completed. */
static bool play(struct event *event, bool *whole, struct error *error)
{
    bool go_on = true;
    while (go_on) {
        if (!play_round(event, whole, error))
            return false;
        if (!*whole)
            return true;
        go_on = finals_go_on(&event->finals) &&
                (event->finals.rounds < event->finals.rule->least_rounds || monotonic_seconds() < event->deadline);
        show(event);
    }
    return true;
}

/* ---- the event */

static bool enter(struct event *event, const size_t *field, size_t count, struct error *error)
{
    struct sweep *sweep = event->sweep;
    finals_begin(&event->finals, sweep->aims ? &finals_of_front : &finals_default, count, sweep->options->seed);
    event->deadline = monotonic_seconds() + allowed_seconds(sweep);
    event->samples = suitable_samples(findings_of(&sweep->findings, field[0])->time_ns);
    for (size_t i = 0; i < count; i++) {
        event->entrants[i].index = field[i];
        event->entrants[i].text = problem_configuration_text(sweep->problem, field[i]);
        if (!event->entrants[i].text)
            return error_out_of_memory(error);
    }
    return true;
}

static void leave(struct event *event)
{
    for (size_t i = 0; i < FINALISTS_MOST; i++) {
        struct entrant *entrant = &event->entrants[i];
        free(entrant->text);
        free(entrant->image);
        evaluation_clear(&entrant->latest);
    }
    event->sweep->summary->progress.final_round = event->sweep->summary->progress.finalists = 0;
    free(event);
}

/* The user wants to stop: the incumbent stays, unless it has failed. */
static bool break_off(struct event *event, struct error *error)
{
    struct sweep *sweep = event->sweep;
    fleet_drop_waiting(sweep->kept->fleet);
    sweep->stopping = "interrupted";
    return finding_has_value(findings_of(&sweep->findings, sweep->summary->best_index)) ||
           final_results_without(sweep, error);
}

/* `repeat_most` and `*repeat`: as of the event. */
static bool hold(struct sweep *sweep, const size_t *field, size_t count, size_t repeat_most, bool *repeat,
                 struct error *error)
{
    bool whole = true;
    struct event *event = calloc(1, sizeof *event);
    if (!event)
        return error_out_of_memory(error);
    event->sweep = sweep;
    event->repeat_most = repeat_most;
    bool done = enter(event, field, count, error) && play(event, &whole, error) &&
                (whole ? final_results_keep(event, error) : break_off(event, error));
    *repeat = done && event->repeat;
    leave(event);
    return done;
}

/* Those of a former field that are on the front as it decided play again, whatever single measurements of others say.
 */
static size_t add_winners(const struct sweep *sweep, size_t *field, size_t count, size_t most, const size_t *former,
                          size_t former_count)
{
    for (size_t i = 0; i < former_count && count < most; i++) {
        bool among = !findings_of(&sweep->findings, former[i])->has_won;
        for (size_t j = 0; j < count; j++)
            among = among || field[j] == former[i];
        if (!among)
            field[count++] = former[i];
    }
    return count;
}

/* The first ones may show that others belong to the front; the second ones decide. */
static bool hold_of_front(struct sweep *sweep, struct error *error)
{
    size_t first[FINALISTS_MOST], second[FINALISTS_MOST], of_first, of_second, most = most_finalists(sweep);
    bool repeat = false;
    if (!sweep_front_field(sweep, most, first, &of_first, error) ||
        (of_first > 0 && !hold(sweep, first, of_first, most, &repeat, error)))
        return false;
    if (!repeat)
        return true;
    if (!sweep_front_renew(sweep, error) || !sweep_front_field(sweep, most, second, &of_second, error))
        return false;
    of_second = add_winners(sweep, second, of_second, most, first, of_first);
    return of_second < 2 || hold(sweep, second, of_second, 0, &repeat, error);
}

bool final_rounds_hold(struct sweep *sweep, struct error *error)
{
    size_t field[FINALISTS_MOST];
    bool repeat;
    if (!sweep->options->finals)
        return true;
    if (sweep->aims)
        return hold_of_front(sweep, error);
    size_t count = sweep->options->finalists ? take_field(sweep, field) : choose_field(sweep, field);
    return count == 0 || hold(sweep, field, count, 0, &repeat, error);
}
