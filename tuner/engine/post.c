#include "tuner/engine/post.h"

#include "tuner/device/monotonic.h"

#include <signal.h>
#include <stdarg.h>

enum { ATTEMPTS_MOST = 2 }; /* workers that one candidate may lose through no fault of its own */

void post_leave_device(struct post *post)
{
    device_lock_release(post->lock);
    post->waits = false;
}

void post_vacate(struct post *post)
{
    worker_end(post->worker);
    post->worker = NULL;
    post->state = POST_EMPTY;
    post_leave_device(post); /* not before: until then the worker may be using it */
}

bool post_give(struct post *post, struct candidate *candidate, json_t *request, double deadline, struct error *error)
{
    post->candidate = candidate;
    post->state = POST_BUSY;
    post->started = monotonic_seconds();
    bool given =
        request && worker_ask(post->worker, request, candidate->image, candidate->image_bytes, deadline, error);
    json_decref(request);
    return given;
}

bool post_give_ahead(struct post *post, struct candidate *candidate, json_t *request, double deadline,
                     struct error *error)
{
    post->ahead = candidate;
    bool given =
        request && worker_ask_ahead(post->worker, request, candidate->image, candidate->image_bytes, deadline, error);
    json_decref(request);
    return given;
}

void post_go_on(struct post *post)
{
    post->candidate = post->ahead;
    post->ahead = NULL;
    post->state = POST_BUSY;
    post->started = monotonic_seconds();
}

struct candidate *post_take_candidate(struct post *post)
{
    struct candidate *candidate = post->candidate;
    post->candidate = NULL;
    post->served++;
    return candidate;
}

double post_seconds(const struct post *post)
{
    return monotonic_seconds() - post->started;
}

bool post_killed_by_stranger(const struct post *post)
{
    int signal = worker_signal(post->worker);
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

bool try_again(struct candidate *candidate, struct candidate_queue *queue)
{
    if (++candidate->attempts >= ATTEMPTS_MOST)
        return false;
    candidate_push(queue, candidate);
    return true;
}

void workshop_notice(const struct workshop *shop, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    if (!shop->plan.notice)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    shop->plan.notice(text, shop->plan.notice_context);
}
