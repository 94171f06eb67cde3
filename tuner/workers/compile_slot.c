/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/evaluation/transient.h"
#include "tuner/measure/images.h"
#include "tuner/workers/compile_worker.h"
#include "tuner/workers/worker_slot.h"

#include <stdlib.h>
#include <string.h>

enum { LOG_SHOWN = 8192 }; /* bytes of a compiler's messages that are kept */

static json_t *compiler_open_request(const struct worker_pool *pool, const struct worker_slot *slot,
                                     struct error *error)
{
    (void)slot;
    return compile_open_request(pool->plan.device, !pool->plan.no_cache, error);
}

static bool compiler_opened(struct worker_pool *pool, struct worker_slot *slot, struct message *answer,
                            struct error *error)
{
    (void)pool, (void)slot;
    return compile_open_answer(answer, error);
}

static bool refuse(struct worker_pool *pool, struct candidate *candidate, enum outcome outcome, const char *message)
{
    bool whole = strlen(message) <= LOG_SHOWN;
    const char *hint = pool->plan.unconfined ? NULL : confinement_hint(message);
    candidate_fail(candidate, outcome, "%.*s%s%s%s", LOG_SHOWN, message, whole ? "" : "\n...", hint ? "\n" : "",
                   hint ? hint : "");
    pool->troubles = 0;
    candidate_push(&pool->finished, candidate);
    return true;
}

static bool trouble(struct worker_pool *pool, const struct worker_slot *slot, struct candidate *candidate,
                    const struct error *reason, struct error *error)
{
    return slot_trouble(pool, slot, candidate, &pool->waiting, OUTCOME_COMPILE_CRASH, reason, error);
}

/* There is no result: the compiler does not work, it lacked something, or its worker talks nonsense. */
static bool not_compiled(struct worker_pool *pool, struct worker_slot *slot, struct candidate *candidate,
                         struct error *reason, struct error *error)
{
    if (reason->code == ERROR_MESSAGE && slot->worker)
        worker_distrust(slot->worker);
    slot_vacate(slot);
    if (reason->code == ERROR_OUT_OF_MEMORY)
        reason->code = ERROR_DOES_NOT_FIT; /* into its worker's own limit, which says nothing about the machine */
    if (transient_error(reason))
        return trouble(pool, slot, candidate, reason, error);
    if (try_again(candidate, &pool->waiting))
        return true;
    if (reason->code == ERROR_MESSAGE)
        return refuse(pool, candidate, OUTCOME_COMPILE_CRASH, reason->text);
    candidate_free(candidate);
    if (error)
        *error = *reason;
    return false;
}

/* The compiler ran and made no image. */
static bool refused(struct worker_pool *pool, struct worker_slot *slot, struct candidate *candidate,
                    const struct compile_result *result, struct error *error)
{
    if (result->too_large)
        return refuse(pool, candidate, OUTCOME_RESOURCES, result->log);
    if (!transient_text(result->log))
        return refuse(pool, candidate, result->crashed ? OUTCOME_COMPILE_CRASH : OUTCOME_COMPILE_ERROR, result->log);
    struct error reason = {0};
    error_set(&reason, ERROR_WORK, "%s", result->log);
    slot_vacate(slot);
    return trouble(pool, slot, candidate, &reason, error);
}

/* The case that the candidate is compiled for now. */
static struct job_program program_now(const struct candidate *candidate)
{
    return job_program_for(&candidate->job->program, candidate->tuned_image ? JOB_AWKWARD : JOB_TUNED);
}

/* Take the image; it may be the first of two. */
static bool take_image(struct worker_pool *pool, struct candidate *candidate, struct compile_result *result,
                       struct error *error)
{
    bool first = !candidate->tuned_image && candidate->job->program.awkward_defines;
    pool->troubles = 0;
    if (first) {
        candidate->tuned_image = result->image;
        candidate->tuned_image_bytes = result->image_bytes;
        candidate->tuned_seconds = result->seconds;
        result->image = NULL;
        candidate_put_back(&pool->waiting, candidate);
        return true;
    }
    if (candidate->tuned_image) {
        candidate->image = images_join(candidate->tuned_image, candidate->tuned_image_bytes, result->image,
                                       result->image_bytes, &candidate->image_bytes);
        free(candidate->tuned_image);
        candidate->tuned_image = NULL;
        if (!candidate->image) {
            candidate_free(candidate);
            return error_out_of_memory(error);
        }
    } else {
        candidate->image = result->image;
        candidate->image_bytes = result->image_bytes;
        result->image = NULL;
    }
    candidate_push(&pool->compiled, candidate);
    return true;
}

static bool compiled(struct worker_pool *pool, struct worker_slot *slot, struct message *answer, struct error *error)
{
    struct compile_result result;
    struct compile_offer offer;
    struct error reason = {0};
    bool offered;
    struct candidate *candidate = slot_take_candidate(slot);
    double seconds = slot_seconds(slot);
    if (!compile_answer(answer, &result, &offer, &offered, &reason)) {
        candidate->compile_seconds += seconds;
        return not_compiled(pool, slot, candidate, &reason, error);
    }
    const struct job_program program = program_now(candidate);
    bool second = candidate->tuned_image != NULL;
    candidate->compile_seconds = candidate->tuned_seconds + result.seconds;
    candidate->from_cache = result.cached && (!second || candidate->from_cache);
    if (!second)
        candidate->spill_bytes = result.spill_bytes;
    if (offered)
        (void)image_offer_keep(pool->images, &program, &offer);
    bool go_on = result.compiled ? take_image(pool, candidate, &result, error)
                                 : refused(pool, slot, candidate, &result, error);
    compile_result_clear(&result);
    return go_on;
}

static bool compiler_died(struct worker_pool *pool, struct worker_slot *slot, struct error *error)
{
    struct candidate *candidate = slot_take_candidate(slot);
    struct error reason = {0};
    candidate->compile_seconds += slot_seconds(slot);
    error_set(&reason, ERROR_WORK, "%s", worker_obituary(slot->worker));
    if (worker_is_blameless(slot->worker))
        return trouble(pool, slot, candidate, &reason, error);
    if (worker_sent_nonsense(slot->worker) && try_again(candidate, &pool->waiting))
        return true;
    return refuse(pool, candidate, OUTCOME_COMPILE_CRASH, reason.text);
}

static bool compiler_late(struct worker_pool *pool, struct worker_slot *slot, struct error *error)
{
    struct candidate *candidate = slot_take_candidate(slot);
    struct error reason = {0};
    candidate->compile_seconds += slot_seconds(slot);
    error_set(&reason, ERROR_WORK, "the compiler did not end within %g s", pool->plan.compile_deadline);
    if (worker_is_blameless(slot->worker))
        return slot_trouble(pool, slot, candidate, &pool->waiting, OUTCOME_COMPILE_TIMEOUT, &reason, error);
    return refuse(pool, candidate, OUTCOME_COMPILE_TIMEOUT, reason.text);
}

/* Two sizes may ask for the same at a time. */
static bool is_same(const struct job_program *a, const struct job_program *b)
{
    return a->path && b->path && a->defines && b->defines && strcmp(a->path, b->path) == 0 &&
           strcmp(a->defines, b->defines) == 0;
}

/* Does a worker compile the same program? Then it will be in the cache. */
static bool is_being_compiled(const struct worker_pool *pool, const struct candidate *candidate)
{
    const struct job_program own = program_now(candidate);
    for (size_t i = 0; i < pool->compiler_count; i++) {
        const struct candidate *other = pool->compilers[i].candidate;
        const struct job_program program = other ? program_now(other) : (struct job_program){0};
        if (is_same(&own, &program))
            return true;
    }
    return false;
}

/* The next one that no other worker is compiling; NULL: none. */
static struct candidate *take_waiting(struct worker_pool *pool)
{
    struct candidate_queue passed = {0};
    struct candidate *candidate = NULL, *taken = NULL;
    while (!taken && pool->waiting.count > 0) {
        candidate = pool->closing ? candidate_pop_longest(&pool->waiting) : candidate_pop(&pool->waiting);
        if (!pool->plan.no_cache && is_being_compiled(pool, candidate))
            candidate_push(&passed, candidate);
        else
            taken = candidate;
    }
    while (passed.count > 0 && (candidate = candidate_pop(&pool->waiting)))
        candidate_push(&passed, candidate);
    if (passed.count > 0)
        pool->waiting = passed;
    return taken;
}

static bool give_compile(struct worker_pool *pool, struct worker_slot *slot, struct error *error)
{
    struct candidate *candidate = take_waiting(pool);
    if (!candidate)
        return true;
    if (slot_makes_way(slot, candidate, &pool->waiting))
        return true;
    const struct job_program program = program_now(candidate);
    json_t *request = compile_request(&program, error);
    return slot_give(slot, candidate, request, pool->plan.compile_deadline, error);
}

const struct slot_kind compile_slot_kind = {
    "compile", compiler_open_request, compiler_opened, give_compile, NULL,
    compiled,  compiler_died,         compiler_late,   NULL,
};
