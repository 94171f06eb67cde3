/* SPDX-License-Identifier: Apache-2.0 */
/* The thread: candidates are made, compared and freed, and what was learnt is stored. */
#include "tuner/library/learnt.h"
#include "tuner/library/loaded.h"
#include "tuner/library/online_state.h"

/* Without the lock. */
static enum trials_verdict make_candidate(struct online *online, size_t candidate, const struct variant *incumbent)
{
    struct version *version = online_version(online, candidate);
    struct tune_answer *answer;
    if (!learnt_answer(online->answer, online->contenders.list[candidate].configuration, &answer, NULL))
        return TRIALS_UNFIT;
    enum tune_code code = loaded_make(online->attached, online->cache, answer, version, NULL);
    tune_answer_free(answer);
    return code != TUNE_OK || rehearsal_mismatch(incumbent, version->variant) ? TRIALS_UNFIT : TRIALS_OPEN;
}

static bool make_next(struct online *online)
{
    const size_t candidate = online->trials.at;
    const struct variant *incumbent = online->incumbent->variant;
    bool open = online->rehearsal != NULL;
    pthread_mutex_unlock(&online->lock);
    open = open || rehearsal_open(incumbent, &online->rehearsal, NULL);
    const enum trials_verdict verdict = open ? make_candidate(online, candidate, incumbent) : TRIALS_UNFIT;
    pthread_mutex_lock(&online->lock);
    if (!open)
        online_stop_refused(online, "there is no memory for copies of its buffers");
    else if (verdict == TRIALS_OPEN)
        trials_ready(&online->trials);
    else
        online_reject(online, verdict);
    return true;
}

static bool judge(struct online *online)
{
    const size_t contending = online->trials.at;
    const struct variant *incumbent = online->incumbent->variant,
                         *candidate = online_version(online, contending)->variant;
    bool right = false;
    pthread_mutex_unlock(&online->lock);
    bool done = rehearsal_judge(online->rehearsal, incumbent, candidate, &right, NULL);
    pthread_mutex_lock(&online->lock);
    if (!done) {
        online_stop(online, "the device fails");
        return true;
    }
    online->slot = SLOT_FREE;
    if (right) {
        trials_confirm(&online->trials);
        online_follow(online, contending);
    } else {
        online_reject(online, TRIALS_WRONG);
    }
    return true;
}

/* Those that are out; what they had to do is done. */
static bool discard(struct online *online)
{
    struct version *out = NULL;
    for (size_t i = 0; i < online->trials.at && !out; i++) {
        struct version *version = online_version(online, i);
        out = version->variant && online->trials.verdicts[i] != TRIALS_WON ? version : NULL;
    }
    if (!out)
        return false;
    pthread_mutex_unlock(&online->lock);
    loaded_clear(out);
    pthread_mutex_lock(&online->lock);
    return true;
}

static const char *end_text(enum trials_end end)
{
    static const char *const texts[] = {[TRIALS_ALL_TRIED] = "all that may be tried was tried",
                                        [TRIALS_NOTHING_BETTER] =
                                            "none of the last was better, nor will the next be"};
    return texts[end];
}

/* One piece of work, under the lock, which is not held meanwhile. */
static bool work_once(struct online *online)
{
    if (online->why)
        return false;
    if (online->slot == SLOT_JUDGED)
        return judge(online);
    if (discard(online))
        return true;
    const enum trials_end end = trials_ended(&online->trials);
    if (end != TRIALS_GO_ON) {
        online_stop(online, end_text(end));
        return true;
    }
    return !online->trials.ready && make_next(online);
}

bool online_step(struct online *online)
{
    pthread_mutex_lock(&online->lock);
    bool done = work_once(online);
    pthread_mutex_unlock(&online->lock);
    return done;
}

/* Nothing changes any more, and calls wait for nobody. */
static void keep(struct online *online)
{
    if (!online->database || online->trials.at == 0)
        return;
    const struct learnt learnt = {.began_with = online->answer,
                                  .now = online->incumbent->answer,
                                  .contenders = &online->contenders,
                                  .trials = &online->trials,
                                  .compiler = online->attached->description.compiler};
    bool stored = learnt_store(online->database, &learnt, NULL);
    pthread_mutex_lock(&online->lock);
    online->stored = stored;
    pthread_mutex_unlock(&online->lock);
}

void online_work(struct online *online)
{
    bool entered;
    if (!attached_enter(online->attached, true, &entered, NULL)) {
        online_refuse(online, "the device's context is not there");
        return;
    }
    pthread_mutex_lock(&online->lock);
    while (!online->why) {
        if (!work_once(online))
            pthread_cond_wait(&online->work, &online->lock);
    }
    pthread_mutex_unlock(&online->lock);
    keep(online);
    rehearsal_close(online->rehearsal);
    online->rehearsal = NULL;
    laps_clear(&online->laps);
    attached_leave(online->attached, entered);
}
