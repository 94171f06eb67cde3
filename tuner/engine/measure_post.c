#include "tuner/device/monotonic.h"
#include "tuner/engine/measure_worker.h"
#include "tuner/engine/post.h"

#include <signal.h>
#include <string.h>

static json_t *measurer_open_request(const struct workshop *shop, const struct post *post, struct error *error)
{
    return measure_open_request(shop->plan.device->kind, post->ordinal, !shop->plan.no_cache, error);
}

/*
 * The rows are to be stored under the device that the problem was made for: is it still this one, or one of its kind?
 * The first post has the device that was described; another's is whichever it found first.
 */
static bool is_expected(const struct workshop *shop, const struct post *post, const struct device_description *found)
{
    const struct device_description *expected = shop->plan.device;
    const char *uuid = post == shop->measurers ? expected->uuid : post->has_opened ? post->uuid : found->uuid;
    return device_description_alike(found, expected) && strcmp(found->uuid, uuid) == 0;
}

/* A device without a lock is measured all the same: that other processes use it is not likely. */
static void make_lock(struct workshop *shop, struct post *post)
{
    struct error error = {0};
    const char *folder = shop->plan.lock_folder ? shop->plan.lock_folder : device_lock_folder;
    if (post->lock || !post->uuid[0] || device_lock_create(folder, post->uuid, &post->lock, &error) ||
        shop->lock_missed)
        return;
    shop->lock_missed = true;
    workshop_notice(shop, "%s; if another tune works on the device, timings will suffer", error.text);
}

static bool measurer_opened(struct workshop *shop, struct post *post, struct message *answer, struct error *error)
{
    struct device_description found;
    const struct device_description *expected = shop->plan.device;
    if (!measure_open_answer(answer, &found, error))
        return false;
    if (!is_expected(shop, post, &found))
        return error_set(error, ERROR_WORK, "device %s:%d is now %s, and was %s", expected->kind, post->ordinal,
                         found.name, expected->name);
    snprintf(post->uuid, sizeof post->uuid, "%s", found.uuid);
    make_lock(shop, post);
    return true;
}

/* A finished candidate goes on with the device that it was measured on. */
static void hand_over(struct workshop *shop, const struct post *post, struct candidate *candidate)
{
    struct evaluation *evaluation = &candidate->evaluation;
    if (!evaluation->uuid[0])
        snprintf(evaluation->uuid, sizeof evaluation->uuid, "%s", post->uuid);
    candidate_push(&shop->finished, candidate);
}

/*
 * Setup or reference have failed. In a worker that had other kernels in its hands before, these may be to blame: a
 * new one decides. Where they never came to their end the template is at fault and the work ends; else it is this
 * candidate's parameters that do not suit them.
 */
static bool template_failed(struct workshop *shop, const struct post *post, struct candidate *candidate,
                            enum outcome outcome, const struct error *reason, struct error *error)
{
    bool fresh = post->served <= 1; /* this candidate alone */
    if (!fresh && try_again(candidate, &shop->compiled))
        return true;
    if (shop->template_works) {
        candidate_fail(candidate, outcome, "%s", reason->text);
        hand_over(shop, post, candidate);
        return true;
    }
    candidate_free(candidate);
    if (error)
        *error = *reason;
    return false;
}

static bool not_evaluated(struct workshop *shop, const struct post *post, struct candidate *candidate,
                          const struct error *reason, struct error *error)
{
    if (reason->code == ERROR_INPUT)
        return template_failed(shop, post, candidate, OUTCOME_LAUNCH_ERROR, reason, error);
    if (try_again(candidate, &shop->compiled))
        return true;
    if (reason->code == ERROR_SYSTEM) { /* this machine lacks something, whatever the candidate */
        candidate_free(candidate);
        if (error)
            *error = *reason;
        return false;
    }
    candidate_fail(candidate, OUTCOME_CRASH, "%s", reason->text);
    hand_over(shop, post, candidate);
    return true;
}

/* These come about only once inputs and expected outputs are there. */
static bool shows_that_template_works(enum outcome outcome)
{
    return outcome == OUTCOME_OK || outcome == OUTCOME_FAULT || outcome == OUTCOME_WRONG_RESULT ||
           outcome == OUTCOME_NOT_FINITE || outcome == OUTCOME_OUT_OF_BOUNDS;
}

static bool evaluated(struct workshop *shop, struct post *post, struct message *answer, struct error *error)
{
    struct candidate *candidate = post_take_candidate(post);
    struct error reason = {0};
    bool last = false;
    bool done = measure_evaluate_answer(answer, &candidate->evaluation, &last, &reason);
    if (last || !done)
        post_vacate(post);
    else if (!post->ahead) /* which is being evaluated already */
        post_leave_device(post);
    if (!done) {
        candidate->measure_seconds += post_seconds(post);
        return not_evaluated(shop, post, candidate, &reason, error);
    }
    shop->template_works = shop->template_works || shows_that_template_works(candidate->evaluation.outcome);
    candidate->evaluation.compile_seconds = candidate->compile_seconds;
    candidate->evaluation.spill_bytes = candidate->spill_bytes;
    hand_over(shop, post, candidate);
    return true;
}

static bool is_fault(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP ||
           signal == SIGABRT;
}

static bool measurer_died(struct workshop *shop, struct post *post, struct error *error)
{
    struct candidate *candidate = post_take_candidate(post);
    candidate->measure_seconds += post_seconds(post);
    const char *how = worker_obituary(post->worker), *sequence = worker_note(post->worker);
    if (post_killed_by_stranger(post) && try_again(candidate, &shop->compiled))
        return true;
    if (sequence[0]) {
        struct error reason = {0};
        error_set(&reason, ERROR_INPUT, "the template's %s crashes the %s device: %s", sequence,
                  shop->plan.device->kind, how);
        return template_failed(shop, post, candidate, OUTCOME_CRASH, &reason, error);
    }
    if (is_fault(worker_signal(post->worker)))
        candidate_fail(candidate, OUTCOME_FAULT, "the kernel crashed the %s device: %s", shop->plan.device->kind,
                       how);
    else
        candidate_fail(candidate, OUTCOME_CRASH, "the measuring process died: %s", how);
    hand_over(shop, post, candidate);
    return true;
}

static bool measurer_late(struct workshop *shop, struct post *post, struct error *error)
{
    struct candidate *candidate = post_take_candidate(post);
    candidate->measure_seconds += post_seconds(post);
    const char *sequence = worker_note(post->worker);
    if (sequence[0]) {
        struct error reason = {0};
        error_set(&reason, ERROR_INPUT, "the template's %s does not end within %g s", sequence,
                  shop->plan.measure_deadline);
        error_hint(&reason, "give it more time with --deadline, or less work with --size");
        return template_failed(shop, post, candidate, OUTCOME_TIMEOUT, &reason, error);
    }
    candidate_fail(candidate, OUTCOME_TIMEOUT, "not validated and timed within %g s", shop->plan.measure_deadline);
    hand_over(shop, post, candidate);
    return true;
}

/* Which post is to measure it: the one it asks for, or the first that works if that was given up; NULL: any. */
static const struct post *post_for(const struct workshop *shop, const struct candidate *candidate)
{
    if (candidate->measurer < 0)
        return NULL;
    size_t asked = (size_t)candidate->measurer;
    if (asked < shop->measurer_count && shop->measurers[asked].state != POST_GIVEN_UP)
        return &shop->measurers[asked];
    for (asked = 0; asked + 1 < shop->measurer_count && shop->measurers[asked].state == POST_GIVEN_UP;)
        asked++;
    return &shop->measurers[asked];
}

/* Take the first compiled candidate that any post or this one may measure. */
static struct candidate *take_compiled(struct workshop *shop, const struct post *post)
{
    struct candidate *taken = NULL;
    for (size_t left = shop->compiled.count; left > 0; left--) { /* once around: the order stays */
        struct candidate *candidate = candidate_pop(&shop->compiled);
        const struct post *wanted = post_for(shop, candidate);
        if (!taken && (!wanted || wanted == post))
            taken = candidate;
        else
            candidate_push(&shop->compiled, candidate);
    }
    return taken;
}

static bool has_compiled(const struct workshop *shop, const struct post *post)
{
    for (const struct candidate *candidate = shop->compiled.first; candidate; candidate = candidate->next) {
        const struct post *wanted = post_for(shop, candidate);
        if (!wanted || wanted == post)
            return true;
    }
    return false;
}

/* Is the device this process's now? If not the crew asks again soon. */
static bool lock_device(const struct workshop *shop, struct post *post)
{
    static const double patience = 10; /* seconds */
    if (!post->lock || device_lock_attempt(post->lock)) {
        post->waits = false;
        return true;
    }
    double now = monotonic_seconds();
    if (!post->waits)
        post->waits_since = now;
    post->waits = true;
    if (now - post->waits_since > patience && !post->wait_told) {
        post->wait_told = true;
        workshop_notice(shop, "waiting for another tune that measures on %s", shop->plan.device->name);
    }
    return false;
}

static json_t *request_for(struct candidate *candidate, double incumbent_ns, struct error *error)
{
    if (candidate->effort.samples == 0)
        candidate->effort.incumbent_ns = incumbent_ns;
    return measure_evaluate_request(candidate->job, &candidate->effort, error);
}

static bool give_measurement(struct workshop *shop, struct post *post, double incumbent_ns, struct error *error)
{
    if (!has_compiled(shop, post)) {
        post_leave_device(post);
        return true;
    }
    if (!lock_device(shop, post))
        return true;
    struct candidate *candidate = take_compiled(shop, post);
    json_t *request = request_for(candidate, incumbent_ns, error);
    return post_give(post, candidate, request, shop->plan.measure_deadline, error);
}

/*
 * The device need not wait for this process between two evaluations then. The lock is held and is kept for this one,
 * unless another process waits for it. Where there are several devices one must not have two candidates while another
 * goes without.
 */
static bool give_ahead(struct workshop *shop, struct post *post, double incumbent_ns, struct error *error)
{
    if (post->ahead || shop->compiled.count < shop->measurer_count || !has_compiled(shop, post) ||
        device_lock_contended(post->lock))
        return true;
    struct candidate *candidate = take_compiled(shop, post);
    json_t *request = request_for(candidate, incumbent_ns, error);
    return post_give_ahead(post, candidate, request, shop->plan.measure_deadline, error);
}

const struct trade measure_trade = {
    "measure", measurer_open_request, measurer_opened, give_measurement, give_ahead,
    evaluated, measurer_died,         measurer_late,
};
