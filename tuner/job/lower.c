/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/case.h"
#include "tuner/job/data.h"
#include "tuner/job/late.h"
#include "tuner/job/lowering.h"
#include "tuner/job/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static bool lower_programs(const struct lowering *lowering)
{
    const struct template *template = lowering->template;
    struct job *job = lowering->job;
    return program_lower(lowering, template->launch.file, &job->program) &&
           (!template->setup.present || program_lower(lowering, template->setup.file, &job->setup)) &&
           (!template->verify.present || program_lower(lowering, template->verify.file, &job->verify)) &&
           (!template->reference.present || program_lower(lowering, template->reference.file, &job->reference));
}

/* What sources see of the sizes may differ. */
static bool lower_awkward_programs(const struct lowering *lowering)
{
    const struct template *template = lowering->template;
    struct job *job = lowering->job;
    return program_lower_awkward(lowering, template->launch.file, &job->program) &&
           program_lower_awkward(lowering, template->setup.file, &job->setup) &&
           program_lower_awkward(lowering, template->verify.file, &job->verify) &&
           program_lower_awkward(lowering, template->reference.file, &job->reference);
}

/* It succeeded at the tuned sizes, which the user has in mind. */
static bool say_where(const struct lowering *lowering, const struct job_case *now)
{
    struct error *error = lowering->error;
    if (!error || error->code != ERROR_INPUT || !now->size_text)
        return false;
    size_t length = strlen(error->text);
    snprintf(error->text + length, sizeof error->text - length, ", at the awkward size %s", now->size_text);
    return false;
}

static void set_givens(const struct lowering *lowering)
{
    const struct template *template = lowering->template;
    for (size_t i = 0; i < template->given_count; i++) {
        const struct given_declaration *given = &template->givens[i];
        lowering->slots[given->slot] = value_boolean(inputs_give(lowering->inputs, given));
    }
}

static bool lower_cases(struct lowering *lowering, const struct problem *problem, size_t index)
{
    struct job *job = lowering->job;
    for (size_t i = 0; i < JOB_CASES; i++) {
        bool awkward = i == JOB_AWKWARD;
        if (awkward && !job->has_awkward)
            break;
        if (!problem_slots(problem, index, awkward, lowering->slots, lowering->error))
            return false;
        if (awkward && !data_reaches(lowering))
            lowering->inputs = NULL;
        set_givens(lowering);
        if (awkward ? !lower_awkward_programs(lowering) : !lower_programs(lowering))
            return false;
        if (!case_lower(lowering, &job->cases[i]))
            return awkward ? say_where(lowering, &job->cases[i]) : false;
    }
    uint64_t keys[] = {job->cases[JOB_TUNED].reference_key, job->cases[JOB_AWKWARD].reference_key};
    job->reference_key = XXH3_64bits(keys, sizeof keys);
    return true;
}

bool job_lower(const struct problem *problem, size_t index, uint64_t seed, struct job **result, struct error *error)
{
    *result = NULL;
    if (index >= problem_configuration_count(problem))
        return error_set(error, ERROR_INPUT, "no configuration %zu", index);
    const struct template *template = problem_template(problem);
    struct lowering lowering = {.template = template,
                                .space = problem_configuration_space(problem, index),
                                .device = problem_device(problem),
                                .inputs = problem_inputs(problem),
                                .error = error};
    lowering.slots = calloc(scope_count(lowering.space->scope) + 1, sizeof *lowering.slots);
    lowering.job = calloc(1, sizeof *lowering.job);
    lowering.textured = calloc(template->buffer_count + 1, sizeof *lowering.textured);
    lowering.moved = calloc(template->buffer_count + 1, sizeof *lowering.moved);
    lowering.hosted = calloc(template->buffer_count + 1, sizeof *lowering.hosted);
    bool done = lowering.slots && lowering.job && lowering.textured && lowering.moved && lowering.hosted;
    if (!done) {
        lowering_out_of_memory(&lowering);
    } else {
        const char *awkward = "";
        lowering.job->seed = seed;
        done = problem_awkward_text(problem, index, &awkward, error);
        lowering.job->has_awkward = *awkward != '\0';
        done = done && late_begin(&lowering) && lower_cases(&lowering, problem, index);
    }
    late_end(&lowering);
    free(lowering.textured);
    free(lowering.moved);
    free(lowering.hosted);
    free(lowering.slots);
    if (!done) {
        job_free(lowering.job);
        return false;
    }
    *result = lowering.job;
    return true;
}
