/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/further_sizes.h"

#include "tuner/check/size_list.h"
#include "tuner/job/source_folders.h"
#include "tuner/workers/crew.h"

#include <stdlib.h>
#include <string.h>

struct further {
    const struct problem *problem;
    int ordinal; /* of the device */
    const struct check_plan *plan;
    struct check_report *report;
    struct source_folders folders;
    const struct problem *at; /* the problem at the size in question */
};

/* ---- one size ---- */

static bool find_kind(enum outcome outcome, enum diagnostic_kind *kind)
{
    static const struct {
        enum outcome outcome;
        enum diagnostic_kind kind;
    } kinds[] = {
        {OUTCOME_WRONG_RESULT, DIAGNOSTIC_RESULT},
        {OUTCOME_NOT_FINITE, DIAGNOSTIC_RESULT},
        {OUTCOME_OUT_OF_BOUNDS, DIAGNOSTIC_OUT_OF_BOUNDS},
        {OUTCOME_FAULT, DIAGNOSTIC_FAULT},
        {OUTCOME_CRASH, DIAGNOSTIC_FAULT},
        {OUTCOME_TIMEOUT, DIAGNOSTIC_TIMEOUT},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].outcome != outcome)
            continue;
        *kind = kinds[i].kind;
        return true;
    }
    return false;
}

static bool add(const struct further *further, const char *path, const char *text, enum diagnostic_kind kind,
                size_t number, const char *configuration, struct error *error)
{
    struct diagnostic diagnostic = {.kind = kind, .tool = "validation"};
    snprintf(diagnostic.file, sizeof diagnostic.file, "%s", path);
    snprintf(diagnostic.text, sizeof diagnostic.text, "%s", text);
    return diagnostics_add(&further->report->diagnostics, &diagnostic, number, configuration,
                           problem_size_text(further->at), error);
}

/* What does not compile, or needs more than the device has, is no matter of sizes. */
static bool judge(const struct further *further, const struct candidate *candidate, struct error *error)
{
    enum diagnostic_kind kind;
    const char *message = candidate->evaluation.message ? candidate->evaluation.message : "";
    size_t number = 0;
    if (!find_kind(candidate->evaluation.outcome, &kind))
        return true;
    while (number < further->plan->count && further->plan->list[number] != candidate->index)
        number++;
    return add(further, candidate->job->program.path, message, kind, number, candidate->text, error);
}

static bool is_interrupted(const struct check_plan *plan)
{
    return plan->interrupted && *plan->interrupted;
}

/* Submit the next configuration that is valid at this size, until the plan is exhausted. */
static bool submit(const struct further *further, struct crew *crew, size_t *next, struct error *error)
{
    struct candidate *candidate;
    size_t index, number = (*next)++;
    char *text = problem_configuration_text(further->problem, further->plan->list[number]);
    if (!text)
        return error_out_of_memory(error);
    bool valid = problem_configuration_find(further->at, text, &index);
    free(text);
    if (!valid)
        return true;
    if (!candidate_create(further->at, index, further->plan->seed, &candidate, error))
        return false;
    candidate->index = further->plan->list[number];
    candidate->effort.samples = 1;
    crew_submit(crew, candidate);
    return true;
}

static bool validate_all(const struct further *further, struct crew *crew, struct error *error)
{
    size_t next = 0;
    while (next < further->plan->count || crew_inside(crew) > 0) {
        if (is_interrupted(further->plan))
            return error_set(error, ERROR_WORK, "interrupted");
        while (next < further->plan->count && crew_room(crew) > 0) {
            if (!submit(further, crew, &next, error))
                return false;
        }
        if (next == further->plan->count)
            crew_close(crew);
        if (!crew_step(crew, CREW_STEP_MILLISECONDS, error))
            return false;
        for (struct candidate *candidate; (candidate = crew_finished(crew));) {
            bool judged = judge(further, candidate, error);
            candidate_free(candidate);
            if (!judged)
                return false;
        }
    }
    return true;
}

/* A reference that is wrong at this size is a finding as well. */
static bool blame_reference(const struct further *further, struct error *error)
{
    const struct error cause = *error;
    if (cause.code != ERROR_INPUT || is_interrupted(further->plan))
        return false;
    *error = (struct error){0};
    char *text = problem_configuration_text(further->problem, further->plan->list[0]);
    bool done =
        text ? add(further, problem_template(further->problem)->path, cause.text, DIAGNOSTIC_RESULT, 0, text, error)
             : error_out_of_memory(error);
    free(text);
    return done;
}

static bool run_size(struct further *further, const struct size_setting *size, size_t dimensions, struct error *error)
{
    struct error failure = {0};
    struct problem *at = NULL;
    struct crew *crew = NULL;
    const struct problem_request request = {
        .template = problem_template(further->problem),
        .space = problem_space(further->problem),
        .device = problem_device(further->problem),
        .sizes = size,
        .size_count = dimensions,
        .inputs = problem_inputs(further->problem),
    };
    if (!problem_make(&request, &at, &failure)) {
        if (failure.code == ERROR_INPUT)
            return true; /* the template does not take this size */
        *error = failure;
        return false;
    }
    further->at = at;
    const struct crew_plan wanted = {.ordinals = &further->ordinal,
                                     .ordinal_count = 1,
                                     .unconfined = further->plan->unconfined,
                                     .source_folders = (const char *const *)further->folders.paths,
                                     .source_folder_count = further->folders.count,
                                     .compile_jobs = further->plan->jobs,
                                     .compile_deadline = further->plan->deadline,
                                     .measure_deadline = further->plan->deadline};
    const struct crew_plan plan = crew_plan_complete(&wanted, problem_device(at));
    bool done =
        crew_create(&plan, &crew, error) && (validate_all(further, crew, error) || blame_reference(further, error));
    crew_free(crew);
    problem_free(at);
    further->at = NULL;
    return done;
}

bool further_sizes_run(const struct problem *problem, int ordinal, const struct check_plan *plan,
                       struct check_report *report, struct error *error)
{
    struct further further = {.problem = problem, .ordinal = ordinal, .plan = plan, .report = report};
    struct size_list sizes;
    bool done = size_list_create(problem_template(problem), problem_device(problem), problem_inputs(problem), &sizes,
                                 error) &&
                source_folders_find(problem_template(problem), problem_inputs(problem), &further.folders, error);
    for (size_t i = 0; done && plan->count > 0 && i < sizes.count; i++)
        done = run_size(&further, &sizes.values[i * sizes.dimensions], sizes.dimensions, error);
    size_list_clear(&sizes);
    source_folders_clear(&further.folders);
    diagnostics_sort(&report->diagnostics);
    return done;
}
