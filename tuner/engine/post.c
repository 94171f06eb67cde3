#include "tuner/engine/post.h"

#include <signal.h>

enum { ATTEMPTS_MOST = 2 }; /* workers that one candidate may lose through no fault of its own */

int workshop_ordinal(const struct workshop *shop)
{
    return shop->plan.ordinal_count > 0 ? shop->plan.ordinals[0] : 0;
}

void post_vacate(struct post *post)
{
    worker_end(post->worker);
    post->worker = NULL;
    post->state = POST_EMPTY;
}

bool try_again(struct candidate *candidate, struct candidate_queue *queue)
{
    if (++candidate->attempts >= ATTEMPTS_MOST)
        return false;
    candidate_push(queue, candidate);
    return true;
}

struct candidate *post_take_candidate(struct post *post)
{
    struct candidate *candidate = post->candidate;
    post->candidate = NULL;
    post->served++;
    return candidate;
}

bool post_killed_by_stranger(const struct post *post)
{
    int signal = worker_signal(post->worker);
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}
