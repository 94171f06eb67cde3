/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/compile_worker.h"
#include "tuner/workers/worker_slot.h"

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
    struct compile_result nothing;
    if (!json_object_get(answer->json, "error"))
        return true;
    return compile_answer(answer, &nothing, error);
}

static bool compiled(struct worker_pool *pool, struct worker_slot *slot, struct message *answer, struct error *error)
{
    struct compile_result result;
    struct error reason = {0};
    struct candidate *candidate = slot_take_candidate(slot);
    if (!compile_answer(answer, &result, &reason)) {
        slot_vacate(slot);
        if (try_again(candidate, &pool->waiting))
            return true;
        if (reason.code == ERROR_DOES_NOT_FIT ||
            reason.code ==
                ERROR_OUT_OF_MEMORY) { /* each worker has its own limit: no other program used the memory up */
            candidate_fail(candidate, OUTCOME_COMPILE_CRASH, "%s", reason.text);
            candidate_push(&pool->finished, candidate);
            return true;
        }
        candidate_free(candidate);
        if (error)
            *error = reason;
        return false;
    }
    candidate->compile_seconds = result.seconds;
    candidate->spill_bytes = result.spill_bytes;
    candidate->from_cache = result.cached;
    if (!result.compiled) {
        size_t length = strlen(result.log);
        enum outcome outcome = result.crashed     ? OUTCOME_COMPILE_CRASH
                               : result.too_large ? OUTCOME_RESOURCES
                                                  : OUTCOME_COMPILE_ERROR;
        const char *hint = pool->plan.unconfined ? NULL : confinement_hint(result.log);
        candidate_fail(candidate, outcome, "%.*s%s%s%s", LOG_SHOWN, result.log, length > LOG_SHOWN ? "\n..." : "",
                       hint ? "\n" : "", hint ? hint : "");
        candidate_push(&pool->finished, candidate);
    } else {
        candidate->image = result.image;
        candidate->image_bytes = result.image_bytes;
        result.image = NULL;
        candidate_push(&pool->compiled, candidate);
    }
    compile_result_clear(&result);
    return true;
}

static bool compiler_died(struct worker_pool *pool, struct worker_slot *slot, struct error *error)
{
    (void)error;
    struct candidate *candidate = slot_take_candidate(slot);
    candidate->compile_seconds += slot_seconds(slot);
    bool blameless = worker_lacked_memory(slot->worker) || slot_killed_by_stranger(slot);
    if (blameless && try_again(candidate, &pool->waiting))
        return true;
    candidate_fail(candidate, OUTCOME_COMPILE_CRASH, "%s", worker_obituary(slot->worker));
    candidate_push(&pool->finished, candidate);
    return true;
}

static bool compiler_late(struct worker_pool *pool, struct worker_slot *slot, struct error *error)
{
    (void)error;
    struct candidate *candidate = slot_take_candidate(slot);
    candidate->compile_seconds += slot_seconds(slot);
    candidate_fail(candidate, OUTCOME_COMPILE_TIMEOUT, "the compiler did not end within %g s",
                   pool->plan.compile_deadline);
    candidate_push(&pool->finished, candidate);
    return true;
}

static bool give_compile(struct worker_pool *pool, struct worker_slot *slot, double incumbent_ns, struct error *error)
{
    (void)incumbent_ns;
    struct candidate *candidate =
        pool->closing ? candidate_pop_longest(&pool->waiting) : candidate_pop(&pool->waiting);
    json_t *request = compile_request(&candidate->job->program, error);
    return slot_give(slot, candidate, request, pool->plan.compile_deadline, error);
}

const struct slot_kind compile_slot_kind = {
    "compile", compiler_open_request, compiler_opened, give_compile, NULL, compiled, compiler_died, compiler_late,
};
