/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/kept_crew.h"

bool kept_crew_open(struct kept_crew *kept, const struct problem *problem, struct crew_plan *plan,
                    struct error *error)
{
    if (!kept->folders.paths &&
        !source_folders_find(problem_template(problem), problem_inputs(problem), &kept->folders, error))
        return false;
    plan->source_folders = (const char *const *)kept->folders.paths;
    plan->source_folder_count = kept->folders.count;
    if (!kept->crew)
        return crew_create(plan, &kept->crew, error);
    crew_reopen(kept->crew);
    return true;
}

void kept_crew_close(struct kept_crew *kept)
{
    crew_free(kept->crew);
    source_folders_clear(&kept->folders);
    *kept = (struct kept_crew){0};
}
