/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/online_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

static bool copy_text(const char *text, char **result)
{
    *result = text ? strdup(text) : NULL;
    return !text || *result;
}

struct online *online_create(struct tune_kernel *kernel, struct online_request *request, struct error *error)
{
    struct online *online = calloc(1, sizeof *online);
    if (!online) {
        contenders_clear(&request->contenders);
        error_out_of_memory(error);
        return NULL;
    }
    online->kernel = kernel;
    online->contenders = request->contenders;
    request->contenders = (struct contenders){0};
    online->answer = answer_keep(request->answer);
    online->attached = attached_share(request->attached);
    pthread_mutex_init(&online->lock, NULL);
    pthread_cond_init(&online->work, NULL);
    trials_begin(&online->trials, request->share, online->contenders.count, 1);
    if (copy_text(request->database, &online->database) && copy_text(request->cache, &online->cache))
        return online;
    online_free(online);
    error_out_of_memory(error);
    return NULL;
}

void online_free(struct online *online)
{
    if (!online)
        return;
    contenders_clear(&online->contenders);
    tune_answer_free(online->answer);
    attached_release(online->attached);
    pthread_cond_destroy(&online->work);
    pthread_mutex_destroy(&online->lock);
    free(online->database);
    free(online->cache);
    free(online);
}

void online_stop(struct online *online, const char *why)
{
    if (!online->why)
        online->why = why;
    atomic_store(&online->on, false);
    pthread_cond_signal(&online->work);
}

void online_stop_refused(struct online *online, const char *why)
{
    online->refused = true;
    online_stop(online, why);
}

/* Why nothing can be tried in the place of the incumbent; NULL: something can. */
static const char *obstacle_of(const struct online *online)
{
    return online->answer->topic->objective.value != objectives[0].value
               ? "only time can be measured while a program runs"
               : rehearsal_obstacle(online->incumbent->variant);
}

static void begin_laps(struct online *online)
{
    bool entered;
    if (!attached_enter(online->attached, true, &entered, NULL)) {
        online_stop_refused(online, "the device's context is not there");
        return;
    }
    if (laps_open(online->attached, &online->laps, NULL)) {
        atomic_store(&online->on, true);
    } else {
        laps_clear(&online->laps);
        online_stop_refused(online, "the device tells no times");
    }
    attached_leave(online->attached, entered);
}

bool online_begin(struct online *online)
{
    struct tune_kernel *kernel = online->kernel;
    pthread_mutex_lock(&online->lock);
    online->incumbent = &kernel->versions[atomic_load_explicit(&kernel->newest, memory_order_acquire)];
    const char *obstacle = obstacle_of(online);
    if (obstacle)
        online_stop_refused(online, obstacle);
    else if (online->trials.count == 0)
        online_stop(online, "nothing else that may be tried is known for this kernel and model of device");
    else if (!online->why) /* the kernel may be freed already */
        begin_laps(online);
    const bool on = !online->why;
    pthread_mutex_unlock(&online->lock);
    return on;
}

bool online_is_on(const struct online *online)
{
    return atomic_load_explicit(&online->on, memory_order_relaxed);
}

void online_refuse(struct online *online, const char *why)
{
    pthread_mutex_lock(&online->lock);
    online_stop_refused(online, why);
    pthread_mutex_unlock(&online->lock);
}

void online_end(struct online *online)
{
    pthread_mutex_lock(&online->lock);
    online_stop(online, "the kernel was freed");
    pthread_mutex_unlock(&online->lock);
}

void online_set_clock(struct online *online, double (*clock)(void *context), void *context)
{
    online->laps.clock = clock;
    online->laps.context = context;
}

/* ---- verdicts ---- */

void online_follow(struct online *online, size_t contending)
{
    const struct trials *trials = &online->trials;
    if (trials->at == contending)
        return;
    if (trials->verdicts[contending] == TRIALS_WON) {
        online->incumbent = online_version(online, contending);
        atomic_store_explicit(&online->kernel->newest, KERNEL_CANDIDATES + contending, memory_order_release);
    }
    pthread_cond_signal(&online->work);
}

void online_reject(struct online *online, enum trials_verdict verdict)
{
    const size_t contending = online->trials.at;
    bool reached;
    if (!laps_reached(&online->laps, 0, &reached, NULL)) { /* which says nothing about the candidate */
        online_stop(online, "the device fails");
        return;
    }
    trials_reject(&online->trials, verdict);
    online_follow(online, contending);
}

/* ---- what it says of itself ---- */

void online_describe(struct online *online, const struct version *present, struct tune_online_info *info)
{
    const struct trials *trials = &online->trials;
    pthread_mutex_lock(&online->lock);
    *info = (struct tune_online_info){
        .state = !online->why      ? TUNE_ONLINE_TRYING
                 : online->refused ? TUNE_ONLINE_REFUSED
                                   : TUNE_ONLINE_DONE,
        .why = online->why ? online->why : "",
        .configuration = present->answer->info.configuration,
        .candidates = trials->count,
        .tried = trials->at,
        .calls = trials->calls + atomic_load(&online->passed),
        .tries = trials->tries,
        .time_ns = trials->time_ns,
        .excess_ns = trials->excess_ns,
        .ratio = trials->ratio,
        .stored = online->stored,
    };
    for (size_t i = 0; i < trials->at; i++)
        info->wrong += trials->verdicts[i] == TRIALS_WRONG;
    pthread_mutex_unlock(&online->lock);
}
