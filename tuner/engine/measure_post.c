#include "tuner/engine/measure_worker.h"
#include "tuner/engine/post.h"

#include <signal.h>
#include <string.h>

static json_t *measurer_open_request(const struct workshop *shop, struct error *error)
{
    return measure_open_request(shop->plan.device->kind, workshop_ordinal(shop), error);
}

/* The rows are to be stored under the device that the problem was made for: is it still this one? */
static bool measurer_opened(const struct workshop *shop, struct message *answer, struct error *error)
{
    struct device_description description;
    const struct device_description *expected = shop->plan.device;
    if (!measure_open_answer(answer, &description, error))
        return false;
    if (strcmp(description.name, expected->name) != 0 || strcmp(description.uuid, expected->uuid) != 0)
        return error_set(error, ERROR_WORK, "device %s:%d is now %s, and was %s", expected->kind,
                         workshop_ordinal(shop), description.name, expected->name);
    return true;
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
        candidate_push(&shop->finished, candidate);
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
    candidate_fail(candidate, OUTCOME_CRASH, "%s", reason->text);
    candidate_push(&shop->finished, candidate);
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
    if (!done)
        return not_evaluated(shop, post, candidate, &reason, error);
    shop->template_works = shop->template_works || shows_that_template_works(candidate->evaluation.outcome);
    candidate->evaluation.compile_seconds = candidate->compile_seconds;
    candidate->evaluation.spill_bytes = candidate->spill_bytes;
    candidate_push(&shop->finished, candidate);
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
    candidate_push(&shop->finished, candidate);
    return true;
}

static bool measurer_late(struct workshop *shop, struct post *post, struct error *error)
{
    struct candidate *candidate = post_take_candidate(post);
    const char *sequence = worker_note(post->worker);
    if (sequence[0]) {
        struct error reason = {0};
        error_set(&reason, ERROR_INPUT, "the template's %s does not end within %g s", sequence,
                  shop->plan.measure_deadline);
        error_hint(&reason, "give it more time with --deadline, or less work with --size");
        return template_failed(shop, post, candidate, OUTCOME_TIMEOUT, &reason, error);
    }
    candidate_fail(candidate, OUTCOME_TIMEOUT, "not validated and timed within %g s", shop->plan.measure_deadline);
    candidate->evaluation.measure_seconds = shop->plan.measure_deadline;
    candidate_push(&shop->finished, candidate);
    return true;
}

static bool give_measurement(struct workshop *shop, struct post *post, double incumbent_ns, struct error *error)
{
    struct candidate *candidate = candidate_pop(&shop->compiled);
    post->candidate = candidate;
    post->state = POST_BUSY;
    if (candidate->effort.samples == 0)
        candidate->effort.incumbent_ns = incumbent_ns;
    json_t *request = measure_evaluate_request(candidate->job, &candidate->effort, error);
    bool given = request && worker_ask(post->worker, request, candidate->image, candidate->image_bytes,
                                       shop->plan.measure_deadline, error);
    json_decref(request);
    return given;
}

const struct trade measure_trade = {
    "measure", measurer_open_request, measurer_opened, give_measurement, evaluated, measurer_died, measurer_late,
};
