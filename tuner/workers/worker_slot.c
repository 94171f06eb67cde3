/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/worker_slot.h"

#include "tuner/device/monotonic.h"

#include <stdarg.h>

enum {
    ATTEMPTS_MOST = 2, /* of a candidate that is not to blame */
    TROUBLES_MOST = 3, /* candidates in a row that the machine fails before the work ends */
};

void slot_leave_device(struct worker_slot *slot)
{
    device_lock_release(slot->lock);
    slot->waits = false;
}

void slot_vacate(struct worker_slot *slot)
{
    worker_end(slot->worker);
    slot->worker = NULL;
    slot->state = SLOT_EMPTY;
    slot_leave_device(slot); /* not earlier: the worker may have been using it */
}

bool slot_give(struct worker_slot *slot, struct candidate *candidate, json_t *request, double deadline,
               struct error *error)
{
    slot->candidate = candidate;
    slot->state = SLOT_BUSY;
    slot->started = monotonic_seconds();
    bool given =
        request && worker_ask(slot->worker, request, candidate->image, candidate->image_bytes, deadline, error);
    json_decref(request);
    return given;
}

bool slot_give_ahead(struct worker_slot *slot, struct candidate *candidate, json_t *request, double deadline,
                     struct error *error)
{
    slot->ahead = candidate;
    bool given =
        request && worker_ask_ahead(slot->worker, request, candidate->image, candidate->image_bytes, deadline, error);
    json_decref(request);
    return given;
}

void slot_go_on(struct worker_slot *slot)
{
    slot->candidate = slot->ahead;
    slot->ahead = NULL;
    slot->state = SLOT_BUSY;
    slot->started = monotonic_seconds();
}

struct candidate *slot_take_candidate(struct worker_slot *slot)
{
    struct candidate *candidate = slot->candidate;
    slot->candidate = NULL;
    slot->served++;
    return candidate;
}

double slot_seconds(const struct worker_slot *slot)
{
    return monotonic_seconds() - slot->started;
}

bool slot_makes_way(struct worker_slot *slot, struct candidate *candidate, struct candidate_queue *queue)
{
    if (candidate->attempts == 0 || slot->served == 0)
        return false;
    candidate_put_back(queue, candidate);
    slot_vacate(slot);
    return true;
}

bool try_again(struct candidate *candidate, struct candidate_queue *queue)
{
    if (++candidate->attempts >= ATTEMPTS_MOST)
        return false;
    evaluation_clear(&candidate->evaluation); /* of this attempt */
    candidate_push(queue, candidate);
    return true;
}

void slot_hand_over(struct worker_pool *pool, const struct worker_slot *slot, struct candidate *candidate)
{
    struct evaluation *evaluation = &candidate->evaluation;
    if (!evaluation->uuid[0])
        snprintf(evaluation->uuid, sizeof evaluation->uuid, "%s", slot->uuid);
    candidate_push(&pool->finished, candidate);
}

bool slot_trouble(struct worker_pool *pool, const struct worker_slot *slot, struct candidate *candidate,
                  struct candidate_queue *queue, enum outcome outcome, const struct error *reason,
                  struct error *error)
{
    if (try_again(candidate, queue))
        return true;
    if (error_is_of_machine(reason) && ++pool->troubles >= TROUBLES_MOST) {
        candidate_free(candidate);
        if (error)
            *error = *reason;
        return false;
    }
    candidate_fail(candidate, outcome, "%s", reason->text);
    candidate->evaluation.transient = 1;
    slot_hand_over(pool, slot, candidate);
    return true;
}

void pool_notice(const struct worker_pool *pool, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    if (!pool->plan.notice)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pool->plan.notice(text, pool->plan.notice_context);
}
