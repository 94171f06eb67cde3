/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kept_crew.h - a fleet that serves several sweeps of one template on one device, with different sizes: workers start
 * and open their device once. It may serve several at a time.
 */
#ifndef TUNE_ENGINE_KEPT_CREW_H
#define TUNE_ENGINE_KEPT_CREW_H

#include "tuner/cluster/fleet.h"
#include "tuner/job/source_folders.h"
#include "tuner/space/problem.h"

/* All zero: nobody has been employed yet. */
struct kept_crew {
    struct fleet *fleet; /* NULL: none */
    struct source_folders folders;
    struct sweep *sweeps; /* that it works for now; see open_sweep.h */
};

/* Employ a fleet, or take the one that there is. `plan` gets the folders of sources; `away` is as in fleet_create. */
bool kept_crew_open(struct kept_crew *kept, const struct problem *problem, struct crew_plan *plan,
                    const struct fleet_away *away, struct error *error);
void kept_crew_close(struct kept_crew *kept);

/* A new fleet for the problem. */
bool kept_crew_team(const struct problem *problem, const struct crew_plan *plan, const struct fleet_away *away,
                    struct fleet **fleet, struct error *error);

#endif
