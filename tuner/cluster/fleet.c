/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/fleet.h"

#include "tuner/cluster/hand_request.h"
#include "tuner/device/monotonic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOSSES_MOST = 2 }; /* of hands that had a candidate */

static const double silence_most = 120.0; /* seconds that a hand with work may say nothing */
static const double open_seconds =
    10.0; /* to wait for hands to be ready, so that all get their part of a small space */

/* A candidate on a hand. */
struct outing {
    struct candidate *candidate; /* NULL: this place is free */
    size_t member;
    uint64_t token;
};

struct member {
    const struct hand_share *share;
    bool out;      /* lost, or it cannot go on */
    bool ready;    /* it has said how much room it has */
    uint64_t sent; /* candidates, in this session */
    size_t inside; /* of these, unfinished */
    struct hand_load load;
};

struct fleet {
    struct crew *crew; /* NULL: none */
    struct crew_plan plan;
    const struct fleet_away *away; /* NULL: nobody */
    uint64_t session;
    double incumbent_ns;
    struct member *members;
    size_t member_count;
    struct outing *outings; /* by the lower half of the token */
    size_t outing_count;
    size_t *free_places, free_count;
    uint64_t tokens;
    struct candidate_queue again;    /* to be handed out as soon as there is room: compiled, or of a lost hand */
    struct candidate_queue finished; /* by hands */
    bool dropping;                   /* what comes back to be handed out again is not wanted */
    bool closing;                    /* as the members were told last */
    size_t *by_hand;                 /* of each hand: its place among the members, plus one; 0: it is none */
    struct error failure;            /* for the next step to say */
};

/* Takes over `request`. */
static void ask(struct fleet *fleet, const struct member *member, json_t *request, const struct candidate *about)
{
    if (!request)
        error_out_of_memory(&fleet->failure);
    else
        (void)hands_ask(fleet->away->hands, member->share->hand, fleet->session, request, about ? about->image : NULL,
                        about ? about->image_bytes : 0, &fleet->failure);
    json_decref(request);
}

static bool only_compiles(const struct member *member)
{
    return member->share->ordinal_count == 0;
}

static size_t room_of(const struct member *member)
{
    uint64_t under_way = member->sent - member->load.received;
    return member->out || member->load.room <= under_way ? 0 : member->load.room - (size_t)under_way;
}

static void tell(const struct fleet *fleet, const struct member *member, const char *format, const char *text)
{
    char line[800];
    snprintf(line, sizeof line, format, hands_name(fleet->away->hands, member->share->hand), text);
    if (fleet->plan.notice)
        fleet->plan.notice(line, fleet->plan.notice_context);
}

/* ---- sessions */

/* A crew as this one's, on the hand's devices. */
static json_t *open_request(const struct fleet *fleet, const struct hand_share *share,
                            const struct fleet_subject *subject)
{
    struct crew_plan plan = fleet->plan;
    plan.ordinals = share->ordinals;
    plan.ordinal_count = share->ordinal_count;
    plan.compiles_only = share->ordinal_count == 0;
    plan.device = plan.compiles_only ? plan.device : &share->device;
    return hand_open_request(&plan, subject->template_path, subject->template_hash);
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
            ask(fleet, member, open_request(fleet, member->share, subject), NULL);
    }
    return true;
}

static bool has_measurer(const struct fleet *fleet)
{
    bool has = fleet->crew != NULL;
    for (size_t i = 0; i < fleet->member_count; i++)
        has = has || (!fleet->members[i].out && !only_compiles(&fleet->members[i]));
    return has;
}

void fleet_free(struct fleet *fleet)
{
    if (!fleet)
        return;
    crew_free(fleet->crew);
    for (size_t i = 0; fleet->away && i < fleet->member_count; i++)
        ask(fleet, &fleet->members[i], json_pack("{s:s}", "request", "close"), NULL);
    for (size_t i = 0; i < fleet->outing_count; i++)
        candidate_free(fleet->outings[i].candidate);
    candidate_queue_clear(&fleet->again);
    candidate_queue_clear(&fleet->finished);
    free(fleet->outings);
    free(fleet->free_places);
    free(fleet->members);
    free(fleet->by_hand);
    free(fleet);
}

/* ---- outings */

static bool grow(struct fleet *fleet)
{
    size_t count = fleet->outing_count ? 2 * fleet->outing_count : 64;
    struct outing *outings = realloc(fleet->outings, count * sizeof *outings);
    if (outings)
        fleet->outings = outings;
    size_t *places = outings ? realloc(fleet->free_places, count * sizeof *places) : NULL;
    if (!places)
        return error_out_of_memory(&fleet->failure);
    fleet->free_places = places;
    for (size_t i = fleet->outing_count; i < count; i++) {
        outings[i] = (struct outing){0};
        places[fleet->free_count++] = i;
    }
    fleet->outing_count = count;
    return true;
}

static struct outing *outing_of(const struct fleet *fleet, uint64_t token)
{
    size_t place = (size_t)(token & UINT32_MAX);
    struct outing *outing = place < fleet->outing_count ? &fleet->outings[place] : NULL;
    return outing && outing->candidate && outing->token == token ? outing : NULL;
}

static struct candidate *come_home(struct fleet *fleet, struct outing *outing)
{
    struct candidate *candidate = outing->candidate;
    fleet->members[outing->member].inside--;
    outing->candidate = NULL;
    fleet->free_places[fleet->free_count++] = (size_t)(outing - fleet->outings);
    return candidate;
}

static void send(struct fleet *fleet, size_t which, struct candidate *candidate)
{
    struct member *member = &fleet->members[which];
    if (fleet->free_count == 0 && !grow(fleet)) {
        candidate_free(candidate);
        return;
    }
    size_t place = fleet->free_places[--fleet->free_count];
    uint64_t token = (++fleet->tokens & INT32_MAX) << 32 | place;
    fleet->outings[place] = (struct outing){candidate, which, token};
    member->sent++;
    member->inside++;
    ask(fleet, member, hand_evaluate_request(candidate, token, fleet->incumbent_ns), candidate);
}

/* ---- who gets what */

enum { NOBODY = -2, OWN = -1 };

static bool may_have(const struct member *member, const struct candidate *candidate)
{
    return !member->out && !(candidate->image && only_compiles(member));
}

/* All of a final on one device: the first member's. */
static int first_measurer(const struct fleet *fleet)
{
    for (size_t i = 0; !fleet->crew && i < fleet->member_count; i++) {
        if (!fleet->members[i].out && !only_compiles(&fleet->members[i]))
            return (int)i;
    }
    return fleet->crew ? OWN : NOBODY;
}

/* Whoever has most room. Images to be made go to those who only compile, if there is a choice. */
static int choose(const struct fleet *fleet, const struct candidate *candidate)
{
    int best = NOBODY;
    size_t most = 0;
    if (candidate->measurer >= 0)
        return first_measurer(fleet);
    if (fleet->crew) {
        most = crew_room(fleet->crew);
        best = most > 0 ? OWN : NOBODY;
    }
    for (size_t i = 0; i < fleet->member_count; i++) {
        const struct member *member = &fleet->members[i];
        size_t room = may_have(member, candidate) ? room_of(member) : 0;
        if (room > 0 && only_compiles(member))
            return (int)i;
        if (room > most) {
            most = room;
            best = (int)i;
        }
    }
    return best;
}

static void give(struct fleet *fleet, struct candidate *candidate)
{
    int who = candidate->job ? choose(fleet, candidate) : OWN;
    if (!candidate->job)
        candidate_push(&fleet->finished, candidate);
    else if (who >= 0)
        send(fleet, (size_t)who, candidate);
    else if (who == OWN)
        crew_submit(fleet->crew, candidate);
    else
        candidate_push(&fleet->again, candidate);
}

void fleet_submit(struct fleet *fleet, struct candidate *candidate)
{
    fleet->dropping = false;
    if (fleet->away)
        give(fleet, candidate);
    else
        crew_submit(fleet->crew, candidate);
}

/* What waits to be handed out again, as far as there is room. */
static void give_again(struct fleet *fleet)
{
    for (size_t left = fleet->again.count; left > 0; left--)
        give(fleet, candidate_pop(&fleet->again));
}

size_t fleet_room(const struct fleet *fleet)
{
    size_t room = fleet->crew ? crew_room(fleet->crew) : 0;
    for (size_t i = 0; i < fleet->member_count; i++)
        room += room_of(&fleet->members[i]);
    return room > fleet->again.count ? room - fleet->again.count : 0;
}

size_t fleet_inside(const struct fleet *fleet)
{
    size_t inside = fleet->crew ? crew_inside(fleet->crew) : 0;
    for (size_t i = 0; i < fleet->member_count; i++)
        inside += fleet->members[i].inside;
    return inside + fleet->again.count + (fleet->failure.code != ERROR_NONE); /* which must be told */
}

struct crew_load fleet_load(const struct fleet *fleet)
{
    struct crew_load load = {0};
    if (fleet->crew)
        load = crew_load(fleet->crew);
    for (size_t i = 0; i < fleet->member_count; i++) {
        const struct member *member = &fleet->members[i];
        if (member->out)
            continue;
        load.compilers += member->load.crew.compilers;
        load.compiling += member->load.crew.compiling;
        load.measurers += member->load.crew.measurers;
        load.measuring += member->load.crew.measuring;
    }
    size_t inside = fleet_inside(fleet), busy = load.compiling + load.measuring;
    load.queued = inside > busy ? inside - busy : 0;
    return load;
}

/* ---- what hands say */

static bool is_with(const struct outing *outing, size_t which)
{
    return outing && outing->member == which;
}

static void finish(struct fleet *fleet, struct candidate *candidate)
{
    candidate_complete(candidate, fleet->plan.compile_deadline, fleet->plan.measure_deadline);
    candidate_push(&fleet->finished, candidate);
}

static void take_finished(struct fleet *fleet, struct outing *outing, struct hand_report *report)
{
    struct candidate *candidate = come_home(fleet, outing);
    evaluation_clear(&candidate->evaluation);
    candidate->evaluation = report->evaluation;
    report->evaluation = (struct evaluation){0};
    candidate->from_cache = report->from_cache || candidate->from_cache;
    candidate->image_hash = report->image_hash;
    if (report->image) {
        free(candidate->image);
        candidate->image = report->image;
        candidate->image_bytes = report->image_bytes;
        report->image = NULL;
    }
    finish(fleet, candidate);
}

static void take_compiled(struct fleet *fleet, struct outing *outing, struct hand_report *report)
{
    struct candidate *candidate = come_home(fleet, outing);
    candidate->image = report->image;
    candidate->image_bytes = report->image_bytes;
    report->image = NULL;
    candidate->from_cache = report->from_cache;
    candidate->compile_seconds = report->compile_seconds;
    candidate->spill_bytes = report->spill_bytes;
    if (fleet->dropping)
        candidate_free(candidate);
    else
        candidate_push(&fleet->again, candidate);
}

static void take_returned(struct fleet *fleet, size_t which, const struct hand_report *report)
{
    for (size_t i = 0; i < json_array_size(report->list); i++) {
        struct outing *outing = outing_of(fleet, (uint64_t)json_integer_value(json_array_get(report->list, i)));
        if (is_with(outing, which))
            candidate_free(come_home(fleet, outing));
    }
}

/* It was with a hand that is lost. */
static void hand_on(struct fleet *fleet, struct candidate *candidate)
{
    if (fleet->dropping) {
        candidate_free(candidate);
    } else if (++candidate->losses < LOSSES_MOST) {
        candidate_push(&fleet->again, candidate);
    } else {
        candidate_fail(candidate, OUTCOME_CRASH, "the rank that worked on it was lost, twice");
        candidate->evaluation.transient = 1;
        finish(fleet, candidate);
    }
}

/* The others take over its work. */
static bool leave_out(struct fleet *fleet, size_t which, const struct error *reason, struct error *error)
{
    struct member *member = &fleet->members[which];
    member->out = true;
    for (size_t i = 0; i < fleet->outing_count; i++) {
        struct outing *outing = &fleet->outings[i];
        if (outing->candidate && outing->member == which)
            hand_on(fleet, come_home(fleet, outing));
    }
    if (has_measurer(fleet) && reason->code != ERROR_INPUT) {
        tell(fleet, member, "going on without %s: %s", reason->text);
        return true;
    }
    if (error)
        *error = *reason;
    return false;
}

static void note_load(struct member *member, const struct hand_load *load)
{
    member->load = *load;
    member->ready = true;
}

static bool take(size_t hand, struct hand_report *report, const char *lost, void *context, struct error *error)
{
    struct fleet *fleet = context;
    struct error reason = {0};
    size_t place = fleet->by_hand[hand], which = place - 1;
    if (place == 0 || fleet->members[which].out)
        return true;
    struct member *member = &fleet->members[which];
    if (!report) {
        error_set(&reason, ERROR_WORK, "%s", lost);
        return leave_out(fleet, which, &reason, error);
    }
    if (report->event == HAND_FAILED)
        return leave_out(fleet, which, &report->failure, error);
    if (report->event == HAND_NOTICE) {
        tell(fleet, member, "%s: %s", report->text);
        return true;
    }
    if (report->event != HAND_HELLO && report->event != HAND_DEVICES)
        note_load(member, &report->load);
    struct outing *outing = outing_of(fleet, report->token);
    if (report->event == HAND_FINISHED && is_with(outing, which))
        take_finished(fleet, outing, report);
    else if (report->event == HAND_COMPILED && is_with(outing, which))
        take_compiled(fleet, outing, report);
    else if (report->event == HAND_RETURNED)
        take_returned(fleet, which, report);
    return true;
}

static void watch(const struct fleet *fleet)
{
    for (size_t i = 0; i < fleet->member_count; i++) {
        const struct member *member = &fleet->members[i];
        if (!member->out && member->inside > 0 &&
            hands_silence(fleet->away->hands, member->share->hand) > silence_most)
            hands_lose(fleet->away->hands, member->share->hand, "it has work and is silent");
    }
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
        if (!hands_receive(fleet->away->hands, fleet->session, CREW_STEP_MILLISECONDS, take, fleet, error))
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
    bool done = !fleet->away || open_all(fleet, subject, error);
    if (done && !(fleet->away && away->no_crew))
        done = crew_create(&fleet->plan, &fleet->crew, error);
    if (done && fleet->away)
        done = wait_until_ready(fleet, error);
    if (done && !has_measurer(fleet))
        done = error_set(error, ERROR_WORK, "all ranks with a device of this kind are lost");
    if (done)
        *result = fleet;
    else
        fleet_free(fleet);
    return done;
}

/* ---- the rest of the interface */

bool fleet_step(struct fleet *fleet, double incumbent_ns, int milliseconds, struct error *error)
{
    if (!fleet->away)
        return crew_step(fleet->crew, incumbent_ns, milliseconds, error);
    fleet->incumbent_ns = incumbent_ns;
    give_again(fleet);
    if (!hands_receive(fleet->away->hands, fleet->session, 0, take, fleet, error))
        return false;
    if (fleet->finished.count > 0)
        milliseconds = 0;
    bool works = fleet->crew && crew_inside(fleet->crew) > 0;
    if (works && !crew_step(fleet->crew, incumbent_ns, milliseconds, error))
        return false;
    watch(fleet);
    if (!hands_receive(fleet->away->hands, fleet->session, works ? 0 : milliseconds, take, fleet, error))
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
        ask(fleet, &fleet->members[i], json_pack("{s:s, s:b}", "request", "closing", "closing", closing), NULL);
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
            ask(fleet, &fleet->members[i], json_pack("{s:s}", "request", "drop"), NULL);
    }
}

double fleet_seconds_held_up(const struct fleet *fleet)
{
    double least = fleet->crew ? crew_seconds_held_up(fleet->crew) : HUGE_VAL;
    for (size_t i = 0; i < fleet->member_count; i++) {
        const struct member *member = &fleet->members[i];
        if (!member->out && !only_compiles(member))
            least = fmin(least, member->load.held_up);
    }
    return isfinite(least) ? least : 0;
}
