/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fleet.h - all who work on a problem: the crew of this process and the hands on other nodes, behind the interface of
 * one crew.
 *
 * Work goes to whoever asks for it: each member says how many more candidates it has room for (its crew's pacing),
 * and gets them one at a time, those first that have most room. A hand compiles what it measures. One without a
 * device of the problem's kind compiles for others: the image comes back compressed, and goes to where it is
 * measured; nothing is compiled twice. A crew without such a device does so, too. A candidate that asks for the first
 * device goes to the first member, and, should that be lost, to the next one.
 *
 * Candidates may come before they are lowered (candidate_describe): hands lower them. What a hand cannot lower, or is
 * for the crew, is lowered here.
 *
 * Loss of a hand costs nothing but time: what it had goes to the others. A candidate that has been with two hands
 * when they were lost is finished as one that failed for reasons which may not be its own (transient.h). With no
 * hands, a fleet is its crew.
 */
#ifndef TUNE_CLUSTER_FLEET_H
#define TUNE_CLUSTER_FLEET_H

#include "tuner/cluster/hands.h"

/* What a hand contributes to a problem. */
struct hand_share {
    size_t hand;
    struct device_description device; /* its first; the others are alike */
    int ordinals[CREW_DEVICES_MOST];  /* none: it only compiles */
    size_t ordinal_count;
    unsigned core_part, core_parts; /* as in crew_plan: several may share the cores of a node */
};

/* The hands that work on a problem. */
struct fleet_away {
    struct hands *hands;
    struct hand_share *shares;
    size_t share_count;
    bool no_crew;                   /* this process has no device of the problem's kind */
    bool compiles;                  /* but compiles for the others */
    unsigned core_part, core_parts; /* of this process */
};

/* Does this process compile or measure? `away` may be NULL. */
static inline bool fleet_works_here(const struct fleet_away *away)
{
    return !away || !away->no_crew || away->compiles;
}

/* What they compile. */
struct fleet_subject {
    const char *template_path, *template_hash;
};

struct fleet;

/* `away` may be NULL: no hands. It and `subject` must outlive the fleet. */
bool fleet_create(const struct crew_plan *plan, const struct fleet_away *away, const struct fleet_subject *subject,
                  struct fleet **result, struct error *error);
void fleet_free(struct fleet *fleet);

/* May candidates of this problem come before they are lowered? */
bool fleet_lowers(const struct fleet *fleet, const struct problem *problem);

/* As crew_...: tuner/workers/crew.h. Should a message not be sent for lack of memory, the next fleet_step says so. */
size_t fleet_room(const struct fleet *fleet);
size_t fleet_inside(const struct fleet *fleet);
struct crew_load fleet_load(const struct fleet *fleet);
void fleet_submit(struct fleet *fleet, struct candidate *candidate);
void fleet_close(struct fleet *fleet);
void fleet_reopen(struct fleet *fleet);
bool fleet_step(struct fleet *fleet, int milliseconds, struct error *error);
double fleet_seconds_held_up(const struct fleet *fleet);
struct candidate *fleet_finished(struct fleet *fleet);
size_t fleet_finished_count(const struct fleet *fleet); /* by hands */
void fleet_drop_waiting(struct fleet *fleet);

#endif
