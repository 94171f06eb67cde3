/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/fleet.h"

#include "tuner/cluster/fleet_reports.h"
#include "tuner/cluster/fleet_sharing.h"
#include "tuner/cluster/hand_lowering.h"
#include "tuner/cluster/hand_request.h"
#include "tuner/device/monotonic.h"

#include <math.h>
#include <stdlib.h>

/* To wait for hands to be ready, so that all get their part of a small space. */
static const double open_seconds = 10.0;

void fleet_ask(struct fleet *fleet, const struct member *member, json_t *request, const struct candidate *about)
{
    if (!request)
        error_out_of_memory(&fleet->failure);
    else
        (void)hands_ask(fleet->away->hands, member->share->hand, fleet->session, request, about ? about->image : NULL,
                        about ? about->image_bytes : 0, &fleet->failure);
    json_decref(request);
}

void fleet_finish(struct fleet *fleet, struct candidate *candidate)
{
    candidate_complete(candidate, fleet->plan.compile_deadline, fleet->plan.measure_deadline);
    candidate_push(&fleet->finished, candidate);
}

bool fleet_only_compiles(const struct member *member)
{
    return member->share->ordinal_count == 0;
}

bool fleet_measures_here(const struct fleet *fleet)
{
    return fleet->crew && !fleet->plan.compiles_only;
}

/* ---- sessions */

/* A crew as this one's, on the hand's devices. */
static json_t *open_request(const struct fleet *fleet, const struct hand_share *share,
                            const struct fleet_subject *subject)
{
    struct crew_plan plan = fleet->plan;
    plan.ordinals = share->ordinals;
    plan.ordinal_count = share->ordinal_count;
    plan.core_part = share->core_part;
    plan.core_parts = share->core_parts;
    plan.compiles_only = share->ordinal_count == 0;
    plan.device = plan.compiles_only ? plan.device : &share->device;
    return hand_open_request(&plan, fleet->plan.device, subject->template_path, subject->template_hash);
}

static bool open_all(struct fleet *fleet, const struct fleet_subject *subject, struct error *error)
{
    fleet->session = hands_new_session(fleet->away->hands);
    fleet->plan.wake = hands_wake(fleet->away->hands);
    fleet->by_hand = calloc(hands_count(fleet->away->hands), sizeof *fleet->by_hand);
    fleet->members = calloc(fleet->away->share_count, sizeof *fleet->members);
    if (!fleet->members || !fleet->by_hand)
        return error_out_of_memory(error);
    for (size_t i = 0; i < fleet->away->share_count; i++) {
        struct member *member = &fleet->members[i];
        member->share = &fleet->away->shares[i];
        member->out = hands_is_lost(fleet->away->hands, member->share->hand);
        fleet->by_hand[member->share->hand] = ++fleet->member_count;
        if (!member->out)
            fleet_ask(fleet, member, open_request(fleet, member->share, subject), NULL);
    }
    return true;
}

bool fleet_has_measurer(const struct fleet *fleet)
{
    bool has = fleet_measures_here(fleet);
    for (size_t i = 0; i < fleet->member_count; i++)
        has = has || (!fleet->members[i].out && !fleet_only_compiles(&fleet->members[i]));
    return has;
}

void fleet_free(struct fleet *fleet)
{
    if (!fleet)
        return;
    crew_free(fleet->crew);
    for (size_t i = 0; fleet->away && i < fleet->member_count; i++)
        fleet_ask(fleet, &fleet->members[i], json_pack("{s:s}", "request", "close"), NULL);
    outings_clear(&fleet->outings);
    candidate_queue_clear(&fleet->again);
    candidate_queue_clear(&fleet->finished);
    free(fleet->members);
    free(fleet->by_hand);
    free(fleet);
}

/* ---- the beginning */

static bool all_ready(const struct fleet *fleet)
{
    for (size_t i = 0; i < fleet->member_count; i++) {
        if (!fleet->members[i].ready && !fleet->members[i].out)
            return false;
    }
    return true;
}

static bool wait_until_ready(struct fleet *fleet, struct error *error)
{
    double limit = monotonic_seconds() + open_seconds;
    while (!all_ready(fleet) && monotonic_seconds() < limit) {
        if (!hands_receive(fleet->away->hands, fleet->session, CREW_STEP_MILLISECONDS, fleet_take_report, fleet,
                           error))
            return false;
    }
    return true;
}

bool fleet_create(const struct crew_plan *plan, const struct fleet_away *away, const struct fleet_subject *subject,
                  struct fleet **result, struct error *error)
{
    struct fleet *fleet = calloc(1, sizeof *fleet);
    if (!fleet)
        return error_out_of_memory(error);
    fleet->plan = crew_plan_complete(plan, plan->device);
    fleet->away = away && away->share_count > 0 ? away : NULL;
    if (fleet->away) {
        fleet->plan.compiles_only = away->no_crew;
        fleet->plan.core_part = away->core_part;
        fleet->plan.core_parts = away->core_parts;
    }
    bool done = !fleet->away || open_all(fleet, subject, error);
    if (done && fleet_works_here(fleet->away))
        done = crew_create(&fleet->plan, &fleet->crew, error);
    if (done && fleet->away)
        done = wait_until_ready(fleet, error);
    if (done && !fleet_has_measurer(fleet))
        done = error_set(error, ERROR_WORK, "all ranks with a device of this kind are lost");
    if (done)
        *result = fleet;
    else
        fleet_free(fleet);
    return done;
}

/* ---- the rest of the interface */

bool fleet_lowers(const struct fleet *fleet, const struct problem *problem)
{
    return fleet->away && hand_lowering_suits(problem);
}

/* Of a crew that only compiles: they are measured elsewhere. */
static void take_own_images(struct fleet *fleet)
{
    for (struct candidate *candidate; (candidate = crew_compiled(fleet->crew));)
        candidate_push(&fleet->again, candidate);
}

bool fleet_step(struct fleet *fleet, int milliseconds, struct error *error)
{
    if (!fleet->away)
        return crew_step(fleet->crew, milliseconds, error);
    fleet_give_again(fleet);
    if (!hands_receive(fleet->away->hands, fleet->session, 0, fleet_take_report, fleet, error))
        return false;
    if (fleet->finished.count > 0)
        milliseconds = 0;
    bool works = fleet->crew && crew_inside(fleet->crew) > 0;
    if (works && !crew_step(fleet->crew, milliseconds, error))
        return false;
    if (works)
        take_own_images(fleet);
    fleet_watch(fleet);
    if (!hands_receive(fleet->away->hands, fleet->session, works ? 0 : milliseconds, fleet_take_report, fleet, error))
        return false;
    if (fleet->failure.code != ERROR_NONE && error)
        *error = fleet->failure;
    return fleet->failure.code == ERROR_NONE;
}

size_t fleet_finished_count(const struct fleet *fleet)
{
    return fleet->finished.count;
}

struct candidate *fleet_finished(struct fleet *fleet)
{
    struct candidate *candidate = fleet->crew ? crew_finished(fleet->crew) : NULL;
    return candidate ? candidate : candidate_pop(&fleet->finished);
}

static void tell_closing(struct fleet *fleet, bool closing)
{
    for (size_t i = 0; fleet->closing != closing && i < fleet->member_count; i++)
        fleet_ask(fleet, &fleet->members[i], json_pack("{s:s, s:b}", "request", "closing", "closing", closing), NULL);
    fleet->closing = closing;
}

void fleet_close(struct fleet *fleet)
{
    if (fleet->crew)
        crew_close(fleet->crew);
    tell_closing(fleet, true);
}

void fleet_reopen(struct fleet *fleet)
{
    if (fleet->crew)
        crew_reopen(fleet->crew);
    tell_closing(fleet, false);
}

void fleet_drop_waiting(struct fleet *fleet)
{
    fleet->dropping = true;
    if (fleet->crew)
        crew_drop_waiting(fleet->crew);
    candidate_queue_clear(&fleet->again);
    for (size_t i = 0; i < fleet->member_count; i++) {
        if (fleet->members[i].inside > 0)
            fleet_ask(fleet, &fleet->members[i], json_pack("{s:s}", "request", "drop"), NULL);
    }
}

double fleet_seconds_held_up(const struct fleet *fleet)
{
    double least = fleet_measures_here(fleet) ? crew_seconds_held_up(fleet->crew) : HUGE_VAL;
    for (size_t i = 0; i < fleet->member_count; i++) {
        const struct member *member = &fleet->members[i];
        if (!member->out && !fleet_only_compiles(member))
            least = fmin(least, member->load.held_up);
    }
    return isfinite(least) ? least : 0;
}
