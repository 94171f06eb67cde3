/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/fleet_sharing.h"

#include "tuner/cluster/hand_request.h"
#include "tuner/device/monotonic.h"

static size_t room_of(const struct member *member)
{
    uint64_t under_way = member->sent - member->load.received;
    return member->out || member->load.room <= under_way ? 0 : member->load.room - (size_t)under_way;
}

static void send_candidate(struct fleet *fleet, size_t which, struct candidate *candidate)
{
    struct member *member = &fleet->members[which];
    uint64_t token;
    if (!outings_add(&fleet->outings, candidate, which, &token, &fleet->failure)) {
        candidate_free(candidate);
        return;
    }
    if (member->inside++ == 0)
        member->began = monotonic_seconds();
    member->sent++;
    fleet_ask(fleet, member, hand_evaluate_request(candidate, token), candidate);
}

enum { NOBODY = -2, OWN = -1 };

static bool may_have(const struct member *member, const struct candidate *candidate)
{
    return !member->out && !(candidate->image && fleet_only_compiles(member));
}

/* All of a final on one device: the first member's. */
static int first_measurer(const struct fleet *fleet)
{
    if (fleet_measures_here(fleet))
        return OWN;
    for (size_t i = 0; i < fleet->member_count; i++) {
        if (!fleet->members[i].out && !fleet_only_compiles(&fleet->members[i]))
            return (int)i;
    }
    return NOBODY;
}

/* Whoever has most room. Images to be made go to those who only compile, if there is a choice. */
static int choose(const struct fleet *fleet, const struct candidate *candidate)
{
    int best = NOBODY;
    size_t most = 0;
    if (candidate->measurer >= 0)
        return first_measurer(fleet);
    if (fleet->crew && (fleet_measures_here(fleet) || !candidate->image)) {
        most = crew_room(fleet->crew);
        best = most > 0 ? OWN : NOBODY;
    }
    if (best == OWN && !fleet_measures_here(fleet))
        return OWN;
    for (size_t i = 0; i < fleet->member_count; i++) {
        const struct member *member = &fleet->members[i];
        size_t room = may_have(member, candidate) ? room_of(member) : 0;
        if (room > 0 && fleet_only_compiles(member))
            return (int)i;
        if (room > most) {
            most = room;
            best = (int)i;
        }
    }
    return best;
}

/* One that cannot be lowered is finished by the crew. */
static void take_on(struct fleet *fleet, struct candidate *candidate)
{
    if (!candidate->problem || candidate_lower(candidate, &fleet->failure))
        crew_submit(fleet->crew, candidate);
    else
        candidate_free(candidate);
}

static void give(struct fleet *fleet, struct candidate *candidate)
{
    if (!candidate->job && !candidate->problem) {
        fleet_finish(fleet, candidate);
        return;
    }
    int who = choose(fleet, candidate);
    if (who >= 0)
        send_candidate(fleet, (size_t)who, candidate);
    else if (who == OWN)
        take_on(fleet, candidate);
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

void fleet_give_again(struct fleet *fleet)
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
