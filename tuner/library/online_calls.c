/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of a program that try something. */
#include "tuner/library/online_state.h"

/* The marks of a call; the copies of a rehearsal are made before the incumbent's launch and after it. */
enum lap { LAP_COPIES, LAP_INCUMBENT, LAP_INCUMBENT_DONE, LAP_CANDIDATE, LAP_CANDIDATE_DONE };
_Static_assert(LAP_CANDIDATE_DONE + 1 == LAPS, "one mark each");

/* ---- what came of a call ---- */

static bool read_laps(struct online *online, double *incumbent_ns, double *candidate_ns, double *cost_ns)
{
    struct laps *laps = &online->laps;
    double before = 0, between = 0;
    *incumbent_ns = *candidate_ns = 0;
    bool done =
        (online->kind == TRIAL_CANDIDATE ||
         laps_between(laps, LAP_INCUMBENT, LAP_INCUMBENT_DONE, incumbent_ns, NULL)) &&
        (online->kind == TRIAL_INCUMBENT ||
         laps_between(laps, LAP_CANDIDATE, LAP_CANDIDATE_DONE, candidate_ns, NULL)) &&
        (online->kind != TRIAL_REHEARSAL || (laps_between(laps, LAP_COPIES, LAP_INCUMBENT, &before, NULL) &&
                                             laps_between(laps, LAP_INCUMBENT_DONE, LAP_CANDIDATE, &between, NULL)));
    *cost_ns = before + between + (laps_are_marks(laps) ? online->host_ns : 0);
    return done;
}

/* Read what the call that is being tried took, if it is through. */
static void collect(struct online *online)
{
    bool reached;
    double incumbent_ns, candidate_ns, cost_ns;
    const size_t contending = online->trials.at;
    const enum lap last = online->kind == TRIAL_INCUMBENT ? LAP_INCUMBENT_DONE : LAP_CANDIDATE_DONE;
    if (!laps_reached(&online->laps, last, &reached, NULL) ||
        (reached && !read_laps(online, &incumbent_ns, &candidate_ns, &cost_ns))) {
        online_stop(online, "the device fails");
        return;
    }
    if (!reached)
        return;
    trials_tell(&online->trials, online->kind, incumbent_ns, candidate_ns, cost_ns);
    online->slot = online->kind == TRIAL_REHEARSAL ? SLOT_JUDGED : SLOT_FREE;
    if (online->slot == SLOT_JUDGED)
        pthread_cond_signal(&online->work);
    online_follow(online, contending);
}

/* ---- calls that try ---- */

struct call {
    struct variant *incumbent, *candidate;
    void *stream;
    const struct tune_buffer *buffers;
};

static enum tune_code launch_incumbent(const struct call *call, struct tune_error *error)
{
    return variant_run(call->incumbent, VARIANT_LAUNCH, call->stream, call->buffers, error);
}

/* Between this lap and the next. */
static enum tune_code launch_timed(struct online *online, const struct call *call, struct variant *variant,
                                   enum lap lap, struct tune_error *error)
{
    struct laps *laps = &online->laps;
    const double began = laps_now(laps);
    bool timed = laps_set(laps, call->stream, lap, NULL);
    online->host_ns = laps_now(laps) - began;
    enum tune_code code = variant_run(variant, VARIANT_LAUNCH, call->stream, call->buffers, error);
    if (code != TUNE_OK)
        return code;
    const double launched = laps_now(laps);
    timed = timed && laps_set(laps, call->stream, lap + 1, NULL);
    online->host_ns += laps_now(laps) - launched;
    online->slot = timed ? SLOT_QUEUED : SLOT_FREE;
    return TUNE_OK;
}

static enum tune_code time_incumbent(struct online *online, const struct call *call, struct tune_error *error)
{
    return launch_timed(online, call, call->incumbent, LAP_INCUMBENT, error);
}

static bool keeps_inputs(const struct variant *variant)
{
    for (size_t i = 0; i < variant->passed.count; i++) {
        if (variant->passed.list[i].role == TUNE_INOUT)
            return false;
    }
    return true;
}

/* A launch that fails though it went well before may have begun: the incumbent can only make good for it where it
 * still finds its inputs. */
static enum tune_code time_candidate(struct online *online, const struct call *call, struct tune_error *error)
{
    enum tune_code code = launch_timed(online, call, call->candidate, LAP_CANDIDATE, error);
    if (code == TUNE_OK)
        return code;
    online_reject(online, TRIALS_UNFIT);
    return keeps_inputs(call->candidate) ? launch_incumbent(call, error) : code;
}

static enum tune_code rehearse(struct online *online, const struct call *call, struct tune_error *error)
{
    struct laps *laps = &online->laps;
    struct rehearsal *rehearsal = online->rehearsal;
    void *stream = call->stream;
    const double began = laps_now(laps);
    bool done = laps_set(laps, stream, LAP_COPIES, NULL) &&
                rehearsal_before(rehearsal, stream, call->buffers, NULL) &&
                laps_set(laps, stream, LAP_INCUMBENT, NULL);
    const double ready = laps_now(laps);
    enum tune_code code = launch_incumbent(call, error);
    if (code != TUNE_OK)
        return code;
    const double launched = laps_now(laps);
    done = done && laps_set(laps, stream, LAP_INCUMBENT_DONE, NULL) &&
           rehearsal_after(rehearsal, stream, call->buffers, NULL) && laps_set(laps, stream, LAP_CANDIDATE, NULL) &&
           variant_run(call->candidate, VARIANT_LAUNCH, stream, rehearsal_buffers(rehearsal), NULL) == TUNE_OK &&
           laps_set(laps, stream, LAP_CANDIDATE_DONE, NULL);
    online->host_ns = ready - began + laps_now(laps) - launched;
    if (done)
        online->slot = SLOT_QUEUED;
    else
        online_reject(online, TRIALS_UNFIT);
    return TUNE_OK;
}

/* Where something is written: the copies would not overlap, so that they say nothing about such calls. */
static bool overlap(const struct passed *passed, const struct tune_buffer *buffers)
{
    for (size_t i = 0; i < passed->count; i++) {
        for (size_t j = 0; j < i; j++) {
            const uintptr_t one = (uintptr_t)buffers[i].address, other = (uintptr_t)buffers[j].address;
            const bool written = passed->list[i].role != TUNE_IN || passed->list[j].role != TUNE_IN;
            if (written && one < other + passed->list[j].bytes && other < one + passed->list[i].bytes)
                return true;
        }
    }
    return false;
}

/* What the call is to be; the lock is held. */
static enum trial_kind choose(struct online *online, const struct tune_buffer *buffers)
{
    trials_passed(&online->trials, atomic_exchange(&online->passed, 0));
    if (online->slot == SLOT_QUEUED)
        collect(online);
    if (online->slot != SLOT_FREE || online->why)
        return TRIAL_NONE;
    const enum trial_kind kind = trials_next(&online->trials);
    return overlap(&online->incumbent->variant->passed, buffers) ? TRIAL_NONE : kind;
}

static enum tune_code launch(struct online *online, enum trial_kind kind, const struct call *call,
                             struct tune_error *error)
{
    static enum tune_code (*const kinds[])(struct online *, const struct call *, struct tune_error *) = {
        [TRIAL_INCUMBENT] = time_incumbent, [TRIAL_CANDIDATE] = time_candidate, [TRIAL_REHEARSAL] = rehearse};
    if (kind == TRIAL_NONE) {
        trials_passed(&online->trials, 1);
        return launch_incumbent(call, error);
    }
    online->kind = kind;
    enum tune_code code = kinds[kind](online, call, error);
    if (online->slot == SLOT_QUEUED && !laps_are_marks(&online->laps))
        collect(online);
    return code;
}

/* A version that stands in for the incumbent, until the program prepares again, is nothing to compare with. */
static enum tune_code launch_locked(struct online *online, void *stream, const struct tune_buffer *buffers,
                                    struct tune_error *error)
{
    const struct attached *attached = online->attached;
    const struct version *present = kernel_version(online->kernel);
    struct call call = {.incumbent = present->variant, .stream = stream, .buffers = buffers};
    enum trial_kind kind = TRIAL_NONE;
    bool entered, capturing = true;
    if (online->why || present != online->incumbent || !attached_enter(attached, false, &entered, NULL))
        return launch_incumbent(&call, error);
    if (attached->driver->guest->capturing(attached->device, stream, &capturing, NULL) && !capturing) {
        kind = choose(online, buffers);
        call.incumbent = online->incumbent->variant; /* which may have changed */
        if (kind >= TRIAL_REHEARSAL)                 /* it is there */
            call.candidate = online_version(online, online->trials.at)->variant;
    }
    enum tune_code code = capturing ? launch_incumbent(&call, error) : launch(online, kind, &call, error);
    attached_leave(attached, entered);
    return code;
}

enum tune_code online_launch(struct online *online, void *stream, const struct tune_buffer *buffers,
                             struct tune_error *error)
{
    if (pthread_mutex_trylock(&online->lock) != 0) {
        atomic_fetch_add_explicit(&online->passed, 1, memory_order_relaxed);
        return variant_run(kernel_version(online->kernel)->variant, VARIANT_LAUNCH, stream, buffers, error);
    }
    enum tune_code code = launch_locked(online, stream, buffers, error);
    pthread_mutex_unlock(&online->lock);
    return code;
}
