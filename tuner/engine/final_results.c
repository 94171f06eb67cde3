/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/final_results.h"

#include <math.h>
#include <stdlib.h>

bool final_sources_same(const struct sweep *sweep, struct error *error)
{
    bool touched;
    if (!sweep_check_sources(sweep, &touched, error))
        return false;
    if (!touched)
        return true;
    error_set(error, ERROR_WORK, "the sources of template %s were written to during the finals",
              problem_template(sweep->problem)->name);
    return error_hint(error, "run the same command again: only the finals are repeated");
}

static bool took_part(const struct finals *finals, size_t who)
{
    return finals->of[who].round_count > 0 && finals->of[who].state != FINALIST_DISQUALIFIED;
}

static struct store_final final_of(const struct event *event, size_t who, size_t winner)
{
    const struct finalist *finalist = &event->finals.of[who];
    const struct entrant *entrant = &event->entrants[who];
    struct median time = median_of(entrant->times, finalist->round_count);
    struct median energy = median_of(entrant->energies, finalist->round_count);
    struct median ratio = finals_ratio(&event->finals, who, winner);
    bool knows_energy = energy.low > 0;
    return (struct store_final){
        .evaluation_id = findings_of(&event->sweep->findings, entrant->index)->evaluation_id,
        .tied = who != winner && finalist->state != FINALIST_LOST,
        .time_ns = time.value,
        .time_low_ns = time.low,
        .time_high_ns = time.high,
        .energy_j = knows_energy ? energy.value : -1,
        .energy_error_j = knows_energy ? (energy.high - energy.low) / 2 : -1,
        .device_ns = median_of(entrant->device_times, finalist->round_count).value,
        .ratio = ratio.value,
        .ratio_low = ratio.low,
        .ratio_high = ratio.high,
        .rounds_ns = entrant->times,
        .round_count = finalist->round_count,
    };
}

/* The entrant's last evaluation with the figures of the finals: what the finding and the stored row have from now on.
 * If these did not meter energy, the row keeps what it had. */
static bool settle(const struct event *event, struct entrant *entrant, struct store_final *final, struct error *error)
{
    const struct finding *before = findings_of(&event->sweep->findings, entrant->index);
    struct evaluation *latest = &entrant->latest;
    bool metered = final->energy_j > 0;
    latest->time_ns = final->time_ns;
    latest->time_low_ns = final->time_low_ns;
    latest->time_high_ns = final->time_high_ns;
    latest->device_ns = final->device_ns;
    latest->energy_j = metered ? final->energy_j : before->energy_j;
    latest->energy_error_j = metered ? final->energy_error_j : before->energy_error_j;
    bool set = sweep_set_metrics(event->sweep, entrant->text, latest, error);
    final->metrics = latest->metrics;
    return set;
}

static void note(struct sweep *sweep, const struct entrant *entrant, bool beaten)
{
    struct finding *finding = findings_of(&sweep->findings, entrant->index);
    findings_make(&sweep->findings, finding, &entrant->latest, entrant->text);
    finding->has_won = !beaten;
    finding->beaten = beaten;
}

/* Worth mentioning if all that tied need more of the same resource. */
static void sum_up(const struct event *event, const struct finalist_needs *needs, size_t winner)
{
    const struct finals *finals = &event->finals;
    struct sweep_finals *summary = &event->sweep->summary->finals;
    bool same = true;
    *summary = (struct sweep_finals){.finalists = finals->count, .rounds = finals->rounds};
    for (size_t i = 0; i < finals->count; i++) {
        const char *resource;
        if (i == winner || !took_part(finals, i))
            continue;
        if (finals->of[i].state == FINALIST_LOST) {
            summary->lost++;
            continue;
        }
        bool less = finals_compare_needs(&needs[winner], &needs[i], &resource) < 0 && resource;
        same = same && less && (summary->tied == 0 || summary->needs_less_of == resource);
        summary->needs_less_of = less ? resource : NULL;
        summary->tied++;
    }
    if (!same)
        summary->needs_less_of = NULL;
}

/* ---- one objective ---- */

bool final_results_without(struct sweep *sweep, struct error *error)
{
    const struct findings *findings = &sweep->findings;
    size_t best = findings->count;
    for (size_t i = 0; i < findings->known; i++) {
        const struct finding *finding = findings_number(findings, i);
        if (finding_has_value(finding) &&
            (best == findings->count || findings_better(findings, finding->index, best)))
            best = finding->index;
    }
    if (best < findings->count)
        return sweep_keep_best(sweep, best, error);
    sweep->summary->progress.best_ns = sweep->summary->progress.best_value = 0;
    sweep->summary->progress.best_configuration = NULL;
    return true;
}

static bool keep_winner(struct event *event, struct error *error)
{
    struct sweep *sweep = event->sweep;
    const struct finals *finals = &event->finals;
    struct finalist_needs needs[FINALISTS_MOST];
    struct store_final rows[FINALISTS_MOST];
    size_t winner, count = 1;
    bool settled = true;
    for (size_t i = 0; i < finals->count; i++)
        needs[i] = (struct finalist_needs){&event->entrants[i].latest, event->entrants[i].text};
    if (!finals_winner(finals, needs, &winner))
        return final_results_without(sweep, error);
    rows[0] = final_of(event, winner, winner);
    settled = settle(event, &event->entrants[winner], &rows[0], error);
    for (size_t i = 0; settled && i < finals->count; i++) {
        if (i == winner || !took_part(finals, i))
            continue;
        rows[count] = final_of(event, i, winner);
        settled = settle(event, &event->entrants[i], &rows[count++], error);
    }
    const struct entrant *best = &event->entrants[winner];
    if (!settled || !final_sources_same(sweep, error) ||
        !store_finals_put(sweep->store, sweep->summary->run_id, rows, count, error))
        return false;
    for (size_t i = 0; i < finals->count; i++) {
        if (i == winner || took_part(finals, i))
            note(sweep, &event->entrants[i], i != winner);
    }
    sum_up(event, needs, winner);
    return sweep_keep_best(sweep, best->index, error);
}

/* ---- the front of several objectives ---- */

struct front {
    struct event *event;
    size_t order[FINALISTS_MOST]; /* numbers of entrants: the members of the front by the first objective, the rest */
    size_t members, count;        /* of these: on the front, all that took part */
    struct store_beaten *beaten;  /* what is not on the front, and by what of it */
    size_t beaten_count;
};

static struct finding *finding_of(const struct event *event, size_t who)
{
    return findings_of(&event->sweep->findings, event->entrants[who].index);
}

/* Who took part, ordered by who is on the front by the figures that the findings have now. */
static void find_front(struct front *front)
{
    const struct event *event = front->event;
    size_t objectives = event->sweep->aims->count, who[FINALISTS_MOST], members[FINALISTS_MOST], count = 0;
    double costs[FINALISTS_MOST * FRONT_OBJECTIVES];
    bool placed[FINALISTS_MOST] = {false};
    for (size_t i = 0; i < event->finals.count; i++) {
        const struct finding *finding = finding_of(event, i);
        if (!took_part(&event->finals, i) || !finding_has_value(finding))
            continue;
        for (size_t k = 0; k < objectives; k++)
            costs[count * objectives + k] = finding->costs[k];
        who[count++] = i;
    }
    front->members = front_find(costs, count, objectives, members);
    for (size_t i = 0; i < front->members; i++) {
        front->order[front->count++] = who[members[i]];
        placed[members[i]] = true;
    }
    for (size_t i = 0; i < count; i++) {
        if (!placed[i])
            front->order[front->count++] = who[i];
    }
}

/* A member that dominates these costs; else, if `any`, the first, which may be equal. False: none does. */
static bool find_better(const struct front *front, const double *costs, bool any, int64_t *better)
{
    const struct event *event = front->event;
    *better = finding_of(event, front->order[0])->evaluation_id;
    for (size_t i = 0; i < front->members; i++) {
        const struct finding *member = finding_of(event, front->order[i]);
        if (front_dominates(member->costs, costs, event->sweep->aims->count)) {
            *better = member->evaluation_id;
            return true;
        }
    }
    return any;
}

static void add_beaten(struct front *front, struct finding *finding, int64_t by, bool took_part)
{
    finding->beaten = true;
    finding->has_won = false;
    front->beaten[front->beaten_count++] = (struct store_beaten){finding->evaluation_id, by, took_part};
}

static bool is_among(const struct front *front, size_t index)
{
    bool among = false;
    for (size_t i = 0; i < front->count; i++)
        among = among || front->event->entrants[front->order[i]].index == index;
    return among;
}

/* It took no part, but would be on the front now that the finalists' values have changed; `*by`: what is on it. */
static bool is_outside(const struct front *front, const struct finding *finding, int64_t *by)
{
    return finding_has_value(finding) && !finding->beaten && !finding->has_won && !is_among(front, finding->index) &&
           !find_better(front, finding->costs, false, by);
}

static bool may_repeat(const struct front *front)
{
    const struct findings *findings = &front->event->sweep->findings;
    size_t outside = 0;
    int64_t by;
    for (size_t i = 0; i < findings->known; i++)
        outside += is_outside(front, findings_number(findings, i), &by);
    return outside > 0 && front->members + outside <= front->event->repeat_most;
}

/*
 * The finalists that are not on the front; and what is outside: its single measurement does not compare with theirs,
 * so it is measured again with them, or it is beaten.
 */
static void find_beaten(struct front *front)
{
    const struct findings *findings = &front->event->sweep->findings;
    int64_t by;
    for (size_t i = 0; i < front->count; i++) {
        struct finding *finding = finding_of(front->event, front->order[i]);
        finding->has_won = i < front->members;
        if (i >= front->members && find_better(front, finding->costs, true, &by))
            add_beaten(front, finding, by, true);
    }
    front->event->repeat = may_repeat(front);
    for (size_t i = 0; i < findings->known && !front->event->repeat; i++) {
        struct finding *finding = findings_number(findings, i);
        if (is_outside(front, finding, &by))
            add_beaten(front, finding, by, false);
    }
}

/* In the front's order. */
static bool put_front(const struct front *front, const struct store_final *finals, struct error *error)
{
    const struct event *event = front->event;
    struct store_final rows[FINALISTS_MOST];
    for (size_t i = 0; i < front->count; i++) {
        struct median ratio = finals_ratio(&event->finals, front->order[i], front->order[0]);
        rows[i] = finals[front->order[i]];
        rows[i].tied = i > 0 && i < front->members;
        rows[i].ratio = ratio.value;
        rows[i].ratio_low = ratio.low;
        rows[i].ratio_high = ratio.high;
    }
    return final_sources_same(event->sweep, error) &&
           store_front_put(event->sweep->store, event->sweep->summary->run_id, rows, front->count, front->beaten,
                           front->beaten_count, error);
}

static bool keep_front(struct event *event, struct error *error)
{
    struct sweep *sweep = event->sweep;
    struct store_final finals[FINALISTS_MOST];
    struct front front = {.event = event};
    for (size_t i = 0; i < event->finals.count; i++) {
        if (!took_part(&event->finals, i))
            continue;
        finals[i] = final_of(event, i, i);
        if (!settle(event, &event->entrants[i], &finals[i], error))
            return false;
        note(sweep, &event->entrants[i], false);
    }
    find_front(&front);
    if (front.members == 0)
        return final_results_without(sweep, error);
    front.beaten = calloc(sweep->findings.known, sizeof *front.beaten);
    if (!front.beaten)
        return error_out_of_memory(error);
    find_beaten(&front);
    bool done = put_front(&front, finals, error);
    free(front.beaten);
    sweep->summary->finals = (struct sweep_finals){
        .finalists = event->finals.count, .rounds = event->finals.rounds, .lost = front.count - front.members};
    return done && sweep_keep_best(sweep, event->entrants[front.order[0]].index, error);
}

bool final_results_keep(struct event *event, struct error *error)
{
    return event->sweep->aims ? keep_front(event, error) : keep_winner(event, error);
}
