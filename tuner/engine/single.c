/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/single.h"

#include "tuner/job/source_folders.h"

#include <stdlib.h>

static bool is_interrupted(const struct single_options *options)
{
    return options->interrupted && *options->interrupted;
}

/* Let the crew work until the one candidate inside it is finished. */
static bool wait_for(struct crew *crew, const struct single_options *options, struct candidate **candidate,
                     struct error *error)
{
    while (!(*candidate = crew_finished(crew))) {
        if (is_interrupted(options))
            return error_set(error, ERROR_WORK, "interrupted");
        if (!crew_step(crew, CREW_STEP_MILLISECONDS, error))
            return false;
    }
    return true;
}

bool evaluate_single(const struct problem *problem, size_t index, const struct single_options *options,
                     struct evaluation *evaluation, bool *from_cache, struct error *error)
{
    struct crew_plan plan = crew_plan_complete(&options->crew, problem_device(problem));
    struct source_folders folders;
    struct crew *crew = NULL;
    struct candidate *candidate = NULL;
    bool done = false;
    if (!source_folders_find(problem_template(problem), problem_inputs(problem), &folders, error))
        return false;
    plan.compile_jobs = 1;
    plan.source_folders = (const char *const *)folders.paths;
    plan.source_folder_count = folders.count;
    if (!crew_create(&plan, &crew, error) || !candidate_create(problem, index, options->seed, &candidate, error))
        goto out;
    candidate->effort.energy = options->energy;
    crew_submit(crew, candidate);
    candidate = NULL;
    if (!wait_for(crew, options, &candidate, error))
        goto out;
    *evaluation = candidate->evaluation;
    candidate->evaluation = (struct evaluation){0};
    *from_cache = candidate->from_cache;
    done = true;
out:
    candidate_free(candidate);
    crew_free(crew);
    source_folders_clear(&folders);
    return done;
}
