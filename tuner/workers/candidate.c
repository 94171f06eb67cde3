/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/candidate.h"

#include "tuner/device/host_part.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* With its place in the template, and a hint if there is one. */
static void fail_at_place(struct candidate *candidate, enum outcome outcome, const struct error *reason)
{
    char place[sizeof reason->file + 32];
    error_place_text(reason, place, sizeof place);
    candidate_fail(candidate, outcome, "%s%s%s%s", place, reason->text, reason->hint[0] ? "\nhint: " : "",
                   reason->hint);
}

/* Nothing can be launched for it. */
static bool not_lowered(struct candidate *candidate, const struct error *reason, struct error *error)
{
    switch (reason->code) {
    case ERROR_RESOURCES: /* a hint says how to write the template; without one only the configuration is at fault */
        if (reason->hint[0])
            fail_at_place(candidate, OUTCOME_RESOURCES, reason);
        else
            candidate_fail(candidate, OUTCOME_RESOURCES, "%s", reason->text);
        return true;
    case ERROR_DOES_NOT_FIT:
        candidate_fail(candidate, OUTCOME_MEMORY, "%s", reason->text);
        return true;
    case ERROR_INPUT:
        fail_at_place(candidate, OUTCOME_HOST_ERROR, reason);
        return true;
    default:
        if (error)
            *error = *reason;
        return false;
    }
}

bool candidate_describe(const struct problem *problem, size_t index, uint64_t seed, struct candidate **result,
                        struct error *error)
{
    const char *awkward;
    struct candidate *candidate = calloc(1, sizeof *candidate);
    if (!candidate)
        return error_out_of_memory(error);
    candidate->index = index;
    candidate->problem = problem;
    candidate->seed = seed;
    candidate->spill_bytes = -1;
    candidate->measurer = -1;
    if (!problem_awkward_text(problem, index, &awkward, error))
        goto failed;
    candidate->text = problem_configuration_text(problem, index);
    candidate->awkward = strdup(awkward);
    if (!candidate->text || !candidate->awkward) {
        error_out_of_memory(error);
        goto failed;
    }
    *result = candidate;
    return true;
failed:
    candidate_free(candidate);
    return false;
}

bool candidate_lower(struct candidate *candidate, struct error *error)
{
    struct error reason = {0};
    const struct problem *problem = candidate->problem;
    candidate->problem = NULL;
    if (job_lower(problem, candidate->index, candidate->seed, &candidate->job, &reason))
        return true;
    candidate->job = NULL;
    return not_lowered(candidate, &reason, error);
}

bool candidate_create(const struct problem *problem, size_t index, uint64_t seed, struct candidate **result,
                      struct error *error)
{
    struct candidate *candidate;
    if (!candidate_describe(problem, index, seed, &candidate, error))
        return false;
    if (!candidate_lower(candidate, error)) {
        candidate_free(candidate);
        return false;
    }
    *result = candidate;
    return true;
}

void candidate_free(struct candidate *candidate)
{
    if (!candidate)
        return;
    free(candidate->text);
    free(candidate->awkward);
    job_free(candidate->job);
    free(candidate->image);
    free(candidate->tuned_image);
    limits_free(candidate->limits);
    evaluation_clear(&candidate->evaluation);
    free(candidate);
}

bool candidate_is_hosted(const struct candidate *candidate)
{
    const struct job_program *program = candidate && candidate->job ? &candidate->job->program : NULL;
    for (size_t i = 0; program && i < program->kernel_count; i++) {
        if (host_kernel_name(program->kernels[i]))
            return true;
    }
    return false;
}

void candidate_fail(struct candidate *candidate, enum outcome outcome, const char *format, ...)
{
    struct evaluation *evaluation = &candidate->evaluation;
    char *message = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&message, format, arguments) < 0)
        message = NULL; /* out of memory: the outcome has to do without a message */
    va_end(arguments);
    evaluation_clear(evaluation);
    *evaluation = (struct evaluation){
        .outcome = outcome,
        .message = message,
        .error_ratio = -1,
        .energy_j = -1,
        .energy_error_j = -1,
        .resources = {.registers = -1, .local_bytes = -1, .shared_bytes = -1, .max_threads = -1, .occupancy = -1},
        .spill_bytes = candidate->spill_bytes,
        .state = {-1, -1, -1, -1, -1},
        .compile_seconds = candidate->compile_seconds,
        .measure_seconds = candidate->measure_seconds,
    };
}

void candidate_complete(struct candidate *candidate, double compile_deadline, double measure_deadline)
{
    struct evaluation *evaluation = &candidate->evaluation;
    if (candidate->job)
        evaluation->work = candidate->job->cases[JOB_TUNED].work;
    evaluation->deadline_seconds = evaluation->outcome == OUTCOME_COMPILE_TIMEOUT ? compile_deadline
                                   : evaluation->outcome == OUTCOME_TIMEOUT       ? measure_deadline
                                                                                  : 0;
    free(evaluation->awkward);
    evaluation->awkward = candidate->awkward;
    candidate->awkward = NULL;
}

void candidate_push(struct candidate_queue *queue, struct candidate *candidate)
{
    candidate->next = NULL;
    if (queue->last)
        queue->last->next = candidate;
    else
        queue->first = candidate;
    queue->last = candidate;
    queue->count++;
}

void candidate_put_back(struct candidate_queue *queue, struct candidate *candidate)
{
    candidate->next = queue->first;
    queue->first = candidate;
    if (!queue->last)
        queue->last = candidate;
    queue->count++;
}

struct candidate *candidate_pop(struct candidate_queue *queue)
{
    struct candidate *candidate = queue->first;
    if (!candidate)
        return NULL;
    queue->first = candidate->next;
    if (!queue->first)
        queue->last = NULL;
    queue->count--;
    candidate->next = NULL;
    return candidate;
}

struct candidate *candidate_pop_longest(struct candidate_queue *queue)
{
    struct candidate *before_longest = NULL, *before = queue->first;
    if (!before)
        return NULL;
    double longest = before->expected_seconds;
    for (; before->next; before = before->next) {
        if (before->next->expected_seconds > longest) {
            longest = before->next->expected_seconds;
            before_longest = before;
        }
    }
    if (!before_longest)
        return candidate_pop(queue);
    struct candidate *candidate = before_longest->next;
    before_longest->next = candidate->next;
    if (queue->last == candidate)
        queue->last = before_longest;
    queue->count--;
    candidate->next = NULL;
    return candidate;
}

void candidate_queue_clear(struct candidate_queue *queue)
{
    for (struct candidate *candidate; (candidate = candidate_pop(queue));)
        candidate_free(candidate);
}
