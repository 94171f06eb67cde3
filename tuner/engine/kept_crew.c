/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/kept_crew.h"

bool kept_crew_team(const struct problem *problem, const struct crew_plan *plan, const struct fleet_away *away,
                    struct fleet **fleet, struct error *error)
{
    const struct template *template = problem_template(problem);
    const struct fleet_subject subject = {.template_path = template->path, .template_hash = template->hash};
    return fleet_create(plan, away, &subject, fleet, error);
}

bool kept_crew_open(struct kept_crew *kept, const struct problem *problem, struct crew_plan *plan,
                    const struct fleet_away *away, struct error *error)
{
    if (!kept->folders.paths &&
        !source_folders_find(problem_template(problem), problem_inputs(problem), &kept->folders, error))
        return false;
    plan->source_folders = (const char *const *)kept->folders.paths;
    plan->source_folder_count = kept->folders.count;
    if (!kept->fleet)
        return kept_crew_team(problem, plan, away, &kept->fleet, error);
    fleet_reopen(kept->fleet);
    return true;
}

void kept_crew_close(struct kept_crew *kept)
{
    fleet_free(kept->fleet);
    source_folders_clear(&kept->folders);
    *kept = (struct kept_crew){0};
}
