/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/monotonic.h"
#include "tuner/measure/instance.h"
#include "tuner/workers/image_offer.h"
#include "tuner/workers/measure_worker.h"
#include "tuner/workers/worker_slot.h"

#include <signal.h>
#include <string.h>

static json_t *measurer_open_request(const struct worker_pool *pool, const struct worker_slot *slot,
                                     struct error *error)
{
    const struct candidate *first = pool->compiled.first ? pool->compiled.first : pool->waiting.first;
    return measure_open_request(pool->plan.device, slot->ordinal, !pool->plan.no_cache, first ? first->job : NULL,
                                error);
}

/*
 * Rows are stored under the device that the problem was made for: is this still it, or one just like it? The first
 * slot must have the very device that was described; any other keeps whichever it found first.
 */
static bool is_expected(const struct worker_pool *pool, const struct worker_slot *slot,
                        const struct device_description *found)
{
    const struct device_description *expected = pool->plan.device;
    const char *uuid = slot == pool->measurers ? expected->uuid : slot->has_opened ? slot->uuid : found->uuid;
    return device_description_alike(found, expected) && strcmp(found->uuid, uuid) == 0;
}

/* A device without a lock is measured anyway: other processes are unlikely to be using it. */
static void make_lock(struct worker_pool *pool, struct worker_slot *slot)
{
    struct error error = {0};
    const char *folder = pool->plan.lock_folder ? pool->plan.lock_folder : device_lock_folder;
    if (slot->lock || !slot->uuid[0] || device_lock_create(folder, slot->uuid, &slot->lock, &error) ||
        pool->lock_missed)
        return;
    pool->lock_missed = true;
    pool_notice(pool, "%s; if another tune works on the device, timings will suffer", error.text);
}

static bool measurer_opened(struct worker_pool *pool, struct worker_slot *slot, struct message *answer,
                            struct error *error)
{
    struct device_description found;
    const struct device_description *expected = pool->plan.device;
    if (!measure_open_answer(answer, &found, error)) {
        if (!pool->plan.unconfined && error && !error->hint[0])
            error_hint(error, "it was opened by a confined process; should --unconfined help, please report that");
        return false;
    }
    if (!is_expected(pool, slot, &found))
        return error_set(error, ERROR_WORK, "device %s:%d was %s and is now %s", expected->kind, slot->ordinal,
                         expected->name, found.name);
    snprintf(slot->uuid, sizeof slot->uuid, "%s", found.uuid);
    make_lock(pool, slot);
    return true;
}

/* Pass on a candidate with a row of its own: the machine works. */
static bool finish(struct worker_pool *pool, const struct worker_slot *slot, struct candidate *candidate)
{
    pool->troubles = 0;
    slot_hand_over(pool, slot, candidate);
    return true;
}

static bool trouble(struct worker_pool *pool, const struct worker_slot *slot, struct candidate *candidate,
                    const struct error *reason, struct error *error)
{
    return slot_trouble(pool, slot, candidate, &pool->compiled, OUTCOME_CRASH, reason, error);
}

/*
 * Setup or reference failed. If the worker had run other kernels before, these may be to blame: a fresh worker
 * decides. If setup and reference have never completed, the template is at fault and the work ends; otherwise the
 * fault lies in this candidate's parameters.
 */
static bool template_failed(struct worker_pool *pool, const struct worker_slot *slot, struct candidate *candidate,
                            enum outcome outcome, const struct error *reason, struct error *error)
{
    bool fresh = slot->served <= 1; /* it ran only this candidate */
    if (!fresh && try_again(candidate, &pool->compiled))
        return true;
    if (pool->template_works) {
        candidate_fail(candidate, outcome, "%s", reason->text);
        return finish(pool, slot, candidate);
    }
    candidate_free(candidate);
    if (error)
        *error = *reason;
    return false;
}

static bool not_evaluated(struct worker_pool *pool, const struct worker_slot *slot, struct candidate *candidate,
                          const struct error *reason, struct error *error)
{
    if (reason->code == ERROR_INPUT)
        return template_failed(pool, slot, candidate, OUTCOME_LAUNCH_ERROR, reason, error);
    if (reason->code != ERROR_MESSAGE)
        return trouble(pool, slot, candidate, reason, error);
    if (try_again(candidate, &pool->compiled)) /* another kernel may have written over the worker's memory */
        return true;
    candidate_fail(candidate, OUTCOME_CRASH, "%s", reason->text);
    return finish(pool, slot, candidate);
}

/* Outcomes that require inputs and expected outputs to exist. */
static bool shows_that_template_works(enum outcome outcome)
{
    return outcome == OUTCOME_OK || outcome == OUTCOME_FAULT || outcome == OUTCOME_WRONG_RESULT ||
           outcome == OUTCOME_NOT_FINITE || outcome == OUTCOME_OUT_OF_BOUNDS;
}

/* The evaluation of this candidate on this device? */
static bool is_about(const struct evaluation *evaluation, const struct worker_slot *slot,
                     const struct candidate *candidate)
{
    return evaluation->seed == candidate->job->seed &&
           (!evaluation->uuid[0] || strcmp(evaluation->uuid, slot->uuid) == 0);
}

static bool read_evaluation(const struct worker_slot *slot, const struct message *answer, struct candidate *candidate,
                            bool *last, struct error *error)
{
    if (!measure_evaluate_answer(answer, &candidate->evaluation, last, error))
        return false;
    return is_about(&candidate->evaluation, slot, candidate) ||
           message_malformed(error, "the evaluation of something else");
}

static bool evaluated(struct worker_pool *pool, struct worker_slot *slot, struct message *answer, struct error *error)
{
    struct candidate *candidate = slot_take_candidate(slot);
    const struct evaluation *evaluation = &candidate->evaluation;
    struct error reason = {0};
    bool last = false;
    bool done = read_evaluation(slot, answer, candidate, &last, &reason);
    if (reason.code == ERROR_MESSAGE)
        worker_distrust(slot->worker);
    if (last || !done || evaluation->transient)
        slot_vacate(slot);
    else if (!slot->ahead) /* which is already being evaluated */
        slot_leave_device(slot);
    if (!done) {
        candidate->measure_seconds += slot_seconds(slot);
        return not_evaluated(pool, slot, candidate, &reason, error);
    }
    pool->template_works = pool->template_works || shows_that_template_works(evaluation->outcome);
    if (evaluation->transient) {
        error_set(&reason, ERROR_DOES_NOT_FIT, "%s", evaluation->message);
        return slot_trouble(pool, slot, candidate, &pool->compiled, evaluation->outcome, &reason, error);
    }
    candidate->evaluation.compile_seconds = candidate->compile_seconds;
    candidate->evaluation.spill_bytes = candidate->spill_bytes;
    return finish(pool, slot, candidate);
}

static bool is_fault(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP ||
           signal == SIGABRT;
}

static bool measurer_died(struct worker_pool *pool, struct worker_slot *slot, struct error *error)
{
    struct candidate *candidate = slot_take_candidate(slot);
    candidate->measure_seconds += slot_seconds(slot);
    const char *how = worker_obituary(slot->worker), *sequence = worker_note(slot->worker);
    struct error reason = {0};
    if (worker_is_blameless(slot->worker)) {
        error_set(&reason, worker_lacked_memory(slot->worker) ? ERROR_OUT_OF_MEMORY : ERROR_WORK, "%s", how);
        return trouble(pool, slot, candidate, &reason, error);
    }
    if (worker_sent_nonsense(slot->worker)) {
        error_set(&reason, ERROR_MESSAGE, "%s", how);
        return not_evaluated(pool, slot, candidate, &reason, error);
    }
    if (sequence[0]) {
        error_set(&reason, ERROR_INPUT, "the template's %s crashes the %s device: %s", sequence,
                  pool->plan.device->kind, how);
        return template_failed(pool, slot, candidate, OUTCOME_CRASH, &reason, error);
    }
    if (is_fault(worker_signal(slot->worker)))
        candidate_fail(candidate, OUTCOME_FAULT, "the kernel crashed the %s device: %s", pool->plan.device->kind,
                       how);
    else
        candidate_fail(candidate, OUTCOME_CRASH, "%s", how);
    return finish(pool, slot, candidate);
}

static bool measurer_late(struct worker_pool *pool, struct worker_slot *slot, struct error *error)
{
    struct candidate *candidate = slot_take_candidate(slot);
    candidate->measure_seconds += slot_seconds(slot);
    const char *sequence = worker_note(slot->worker);
    struct error reason = {0};
    error_set(&reason, ERROR_WORK, "not validated and timed within %g s", pool->plan.measure_deadline);
    if (worker_is_blameless(slot->worker))
        return slot_trouble(pool, slot, candidate, &pool->compiled, OUTCOME_TIMEOUT, &reason, error);
    if (sequence[0]) {
        error_set(&reason, ERROR_INPUT, "the template's %s does not end within %g s", sequence,
                  pool->plan.measure_deadline);
        error_hint(&reason, "give it more time with --deadline, or less work with --size");
        return template_failed(pool, slot, candidate, OUTCOME_TIMEOUT, &reason, error);
    }
    candidate_fail(candidate, OUTCOME_TIMEOUT, "%s", reason.text);
    return finish(pool, slot, candidate);
}

/* The slot that must measure it: the one it asks for or, if that was given up, the first that works; NULL: any. */
static const struct worker_slot *slot_for(const struct worker_pool *pool, const struct candidate *candidate)
{
    if (candidate->measurer < 0)
        return NULL;
    size_t asked = (size_t)candidate->measurer;
    if (asked < pool->measurer_count && pool->measurers[asked].state != SLOT_GIVEN_UP)
        return &pool->measurers[asked];
    for (asked = 0; asked + 1 < pool->measurer_count && pool->measurers[asked].state == SLOT_GIVEN_UP;)
        asked++;
    return &pool->measurers[asked];
}

/* Take the first compiled candidate that this slot may measure. */
static struct candidate *take_compiled(struct worker_pool *pool, const struct worker_slot *slot)
{
    struct candidate *taken = NULL;
    for (size_t left = pool->compiled.count; left > 0; left--) { /* once around, which keeps the order */
        struct candidate *candidate = candidate_pop(&pool->compiled);
        const struct worker_slot *wanted = slot_for(pool, candidate);
        if (!taken && (!wanted || wanted == slot))
            taken = candidate;
        else
            candidate_push(&pool->compiled, candidate);
    }
    return taken;
}

static bool has_compiled(const struct worker_pool *pool, const struct worker_slot *slot)
{
    for (const struct candidate *candidate = pool->compiled.first; candidate; candidate = candidate->next) {
        const struct worker_slot *wanted = slot_for(pool, candidate);
        if (!wanted || wanted == slot)
            return true;
    }
    return false;
}

/* Do we have the device now? If not, the crew asks again soon. */
static bool lock_device(const struct worker_pool *pool, struct worker_slot *slot)
{
    char text[512];
    double now = monotonic_seconds();
    if (!slot->lock || device_lock_attempt(slot->lock)) {
        slot->waits = false;
        return true;
    }
    if (!slot->waits)
        lock_wait_begin(&slot->wait, now);
    slot->waits = true;
    if (!lock_wait_wants_look(&slot->wait, now))
        return false;
    const struct lock_holder holder = device_lock_holder(slot->lock);
    enum lock_step step = lock_wait_step(&slot->wait, &holder, pool->plan.device->name, pool->plan.lock_patience, now,
                                         text, sizeof text);
    if (text[0])
        pool_notice(pool, "%s", text);
    if (step == LOCK_GO_ON)
        slot->waits = false;
    return step == LOCK_GO_ON;
}

/* A GPU's driver keeps in the host's memory what it likes, but no more than the problem takes. */
static void bound_memory(const struct worker_pool *pool, const struct worker_slot *slot,
                         const struct candidate *candidate)
{
    const struct device_driver *driver = device_driver_find(pool->plan.device->kind);
    if (slot->worker && driver && !driver->shares_cores && !pool->plan.unconfined)
        worker_bound_memory(slot->worker, confinement_memory(instance_job_bytes(candidate->job)));
}

static json_t *request_for(struct candidate *candidate, struct error *error)
{
    candidate->effort.spill_bytes = candidate->spill_bytes;
    if (candidate->incumbent_ns)
        candidate->effort.incumbent_ns = *candidate->incumbent_ns;
    return measure_evaluate_request(candidate->job, &candidate->effort, error);
}

static bool give_measurement(struct worker_pool *pool, struct worker_slot *slot, struct error *error)
{
    if (!has_compiled(pool, slot)) {
        slot_leave_device(slot);
        return true;
    }
    if (!lock_device(pool, slot))
        return true;
    struct candidate *candidate = take_compiled(pool, slot);
    if (slot_makes_way(slot, candidate, &pool->compiled))
        return true;
    json_t *request = request_for(candidate, error);
    bound_memory(pool, slot, candidate);
    return slot_give(slot, candidate, request, pool->plan.measure_deadline, error);
}

/*
 * Send the next candidate ahead, so that the device need not wait for this process between two evaluations. The lock
 * stays held for it, unless another process is waiting. With several devices, none gets a second candidate while
 * another has none.
 */
static bool give_ahead(struct worker_pool *pool, struct worker_slot *slot, struct error *error)
{
    if (slot->ahead || pool->compiled.count < pool->measurer_count || !has_compiled(pool, slot) ||
        device_lock_contended(slot->lock))
        return true;
    struct candidate *candidate = take_compiled(pool, slot);
    if (candidate->attempts > 0) { /* it needs a fresh worker */
        candidate_put_back(&pool->compiled, candidate);
        return true;
    }
    json_t *request = request_for(candidate, error);
    return slot_give_ahead(slot, candidate, request, pool->plan.measure_deadline, error);
}

/* While it opens the device it has run no code of a template; later it has. */
static void made(const struct worker_pool *pool, const struct worker_slot *slot, struct message *message)
{
    if (slot->state == SLOT_OPENING)
        image_offer_take_validation(pool->images, message);
    else if (slot->candidate)
        image_offer_take(pool->images, slot->candidate->job, message);
}

const struct slot_kind measure_slot_kind = {
    "measure",
    measurer_open_request,
    measurer_opened,
    give_measurement,
    give_ahead,
    evaluated,
    measurer_died,
    measurer_late,
    made,
};
