/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fleet_state.h - what the parts of a fleet share: fleet.c, fleet_sharing.c and fleet_reports.c.
 */
#ifndef TUNE_CLUSTER_FLEET_STATE_H
#define TUNE_CLUSTER_FLEET_STATE_H

#include "tuner/cluster/fleet.h"
#include "tuner/cluster/outings.h"

struct member {
    const struct hand_share *share;
    bool out;      /* lost, or it cannot go on */
    bool ready;    /* it has said how much room it has */
    uint64_t sent; /* candidates, in this session */
    size_t inside; /* of these, unfinished */
    double began;  /* when it got the first of those inside */
    struct hand_load load;
};

struct fleet {
    struct crew *crew; /* NULL: none; it may be one that only compiles */
    struct crew_plan plan;
    const struct fleet_away *away; /* NULL: nobody */
    uint64_t session;
    struct member *members;
    size_t member_count;
    size_t *by_hand; /* of each hand: its place among the members, plus one; 0: it is none */
    struct outings outings;
    struct candidate_queue again;    /* to be handed out as soon as there is room: compiled, or of a lost hand */
    struct candidate_queue finished; /* by hands */
    bool dropping;                   /* what comes back to be handed out again is not wanted */
    bool closing;                    /* as the members were told last */
    struct error failure;            /* for the next step to say */
};

/* Queue a request, which is taken over (NULL: out of memory), with the image of the candidate that it is about, if it
 * is about one. Trouble is kept for the next step. */
void fleet_ask(struct fleet *fleet, const struct member *member, json_t *request, const struct candidate *about);

/* Nothing is left to do for a candidate. */
void fleet_finish(struct fleet *fleet, struct candidate *candidate);

bool fleet_only_compiles(const struct member *member);

/* Does this process measure, too? */
bool fleet_measures_here(const struct fleet *fleet);

/* Is there still anybody to measure? */
bool fleet_has_measurer(const struct fleet *fleet);

#endif
