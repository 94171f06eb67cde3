#include "tuner/engine/compile_worker.h"
#include "tuner/engine/post.h"

#include <string.h>

enum { LOG_SHOWN = 8192 }; /* bytes of a compiler's messages that are kept */

static json_t *compiler_open_request(const struct workshop *shop, const struct post *post, struct error *error)
{
    (void)post;
    return compile_open_request(shop->plan.device, !shop->plan.no_cache, error);
}

static bool compiler_opened(struct workshop *shop, struct post *post, struct message *answer, struct error *error)
{
    (void)shop, (void)post;
    struct compile_result nothing;
    if (!json_object_get(answer->json, "error"))
        return true;
    return compile_answer(answer, &nothing, error);
}

static bool compiled(struct workshop *shop, struct post *post, struct message *answer, struct error *error)
{
    struct compile_result result;
    struct error reason = {0};
    struct candidate *candidate = post_take_candidate(post);
    if (!compile_answer(answer, &result, &reason)) {
        post_vacate(post);
        if (try_again(candidate, &shop->waiting))
            return true;
        if (reason.code == ERROR_MEMORY) { /* each worker's is bounded: nobody else has taken it */
            candidate_fail(candidate, OUTCOME_COMPILE_CRASH, "%s", reason.text);
            candidate_push(&shop->finished, candidate);
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
        candidate_fail(candidate, outcome, "%.*s%s", LOG_SHOWN, result.log, length > LOG_SHOWN ? "\n..." : "");
        candidate_push(&shop->finished, candidate);
    } else {
        candidate->image = result.image;
        candidate->image_bytes = result.image_bytes;
        result.image = NULL;
        candidate_push(&shop->compiled, candidate);
    }
    compile_result_clear(&result);
    return true;
}

static bool compiler_died(struct workshop *shop, struct post *post, struct error *error)
{
    (void)error;
    struct candidate *candidate = post_take_candidate(post);
    candidate->compile_seconds += post_seconds(post);
    if (post_killed_by_stranger(post) && try_again(candidate, &shop->waiting))
        return true;
    candidate_fail(candidate, OUTCOME_COMPILE_CRASH, "the compiler died: %s", worker_obituary(post->worker));
    candidate_push(&shop->finished, candidate);
    return true;
}

static bool compiler_late(struct workshop *shop, struct post *post, struct error *error)
{
    (void)error;
    struct candidate *candidate = post_take_candidate(post);
    candidate->compile_seconds += post_seconds(post);
    candidate_fail(candidate, OUTCOME_COMPILE_TIMEOUT, "the compiler did not end within %g s",
                   shop->plan.compile_deadline);
    candidate_push(&shop->finished, candidate);
    return true;
}

static bool give_compile(struct workshop *shop, struct post *post, double incumbent_ns, struct error *error)
{
    (void)incumbent_ns;
    struct candidate *candidate =
        shop->closing ? candidate_pop_longest(&shop->waiting) : candidate_pop(&shop->waiting);
    json_t *request = compile_request(&candidate->job->program, error);
    return post_give(post, candidate, request, shop->plan.compile_deadline, error);
}

const struct trade compile_trade = {
    "compile", compiler_open_request, compiler_opened, give_compile, NULL, compiled, compiler_died, compiler_late,
};
