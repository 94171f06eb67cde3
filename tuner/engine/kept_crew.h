/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kept_crew.h - a crew that serves several sweeps of one template on one device, with different sizes: workers start
 * and open their device once.
 */
#ifndef TUNE_ENGINE_KEPT_CREW_H
#define TUNE_ENGINE_KEPT_CREW_H

#include "tuner/job/source_folders.h"
#include "tuner/space/problem.h"
#include "tuner/workers/crew.h"

/* All zero: nobody has been employed yet. */
struct kept_crew {
    struct crew *crew; /* NULL: none */
    struct source_folders folders;
};

/* Employ a crew, or take the one that there is, which must be idle. `plan` gets the folders of sources. */
bool kept_crew_open(struct kept_crew *kept, const struct problem *problem, struct crew_plan *plan,
                    struct error *error);
void kept_crew_close(struct kept_crew *kept);

#endif
