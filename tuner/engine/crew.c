#include "tuner/engine/crew.h"

#include "tuner/engine/monotonic.h"
#include "tuner/engine/post.h"
#include "tuner/engine/scratch.h"

#include <assert.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>

enum {
    BATCH = 32, /* candidates compiled in one turn where compiling and measuring take turns */
    COMPILE_JOBS_MOST = 64,
    LOST_WORKERS_MOST = 4, /* in a row, without any work done: then the device or the compiler is lost */
};

static const double turn_seconds = 2.0;   /* of compiling before the batch so far is measured */
static const double open_seconds = 120.0; /* for a worker to start and open its device */
static const double first_pause = 0.25; /* before a lost worker is replaced; doubles each time */

struct crew {
    struct workshop shop;
    bool takes_turns;
    bool measuring_turn;
    double turn_start;
    struct scratch scratch;
    struct post *posts; /* the compile workers, then the measuring one */
    size_t post_count;
    unsigned lost_workers; /* in a row */
    double start_not_before;
};

static struct post *measurer(const struct crew *crew)
{
    return &crew->posts[crew->post_count - 1];
}

static size_t compiler_count(const struct crew *crew)
{
    return crew->post_count - 1;
}

static size_t compiling(const struct crew *crew)
{
    size_t count = 0;
    for (size_t i = 0; i < compiler_count(crew); i++)
        count += crew->posts[i].candidate != NULL;
    return count;
}

static unsigned online_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (unsigned)count : 1;
}

static unsigned suitable_jobs(bool takes_turns)
{
    unsigned cores = online_cores();
    unsigned jobs = takes_turns || cores == 1 ? cores : cores - 1; /* one core for parent and measuring worker */
    return jobs < COMPILE_JOBS_MOST ? jobs : COMPILE_JOBS_MOST;
}

bool crew_create(const struct crew_plan *plan, struct crew **result, struct error *error)
{
    const struct device_driver *driver = device_driver_find(plan->device->kind);
    if (!driver)
        return error_set(error, ERROR_INPUT, "there is no device of kind '%s'", plan->device->kind);
    struct crew *crew = calloc(1, sizeof *crew);
    if (!crew)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    crew->shop.plan = *plan;
    crew->takes_turns = driver->shares_cores;
    if (crew->shop.plan.compile_deadline <= 0)
        crew->shop.plan.compile_deadline = CREW_DEADLINE;
    if (crew->shop.plan.measure_deadline <= 0)
        crew->shop.plan.measure_deadline = CREW_DEADLINE;
    size_t jobs = plan->compile_jobs ? plan->compile_jobs : suitable_jobs(crew->takes_turns);
    crew->post_count = (jobs < COMPILE_JOBS_MOST ? jobs : COMPILE_JOBS_MOST) + 1;
    crew->posts = calloc(crew->post_count, sizeof *crew->posts);
    if (!crew->posts) {
        error_set(error, ERROR_SYSTEM, "out of memory");
        goto failed;
    }
    for (size_t i = 0; i < compiler_count(crew); i++)
        crew->posts[i].trade = &compile_trade;
    measurer(crew)->trade = &measure_trade;
    crew->turn_start = monotonic_seconds();
    if (!scratch_create(&crew->scratch, error))
        goto failed;
    *result = crew;
    return true;
failed:
    free(crew->posts);
    free(crew);
    return false;
}

void crew_free(struct crew *crew)
{
    if (!crew)
        return;
    for (size_t i = 0; i < crew->post_count; i++)
        worker_dismiss(crew->posts[i].worker);
    for (size_t i = 0; i < crew->post_count; i++) {
        post_vacate(&crew->posts[i]);
        candidate_free(crew->posts[i].candidate);
    }
    candidate_queue_clear(&crew->shop.waiting);
    candidate_queue_clear(&crew->shop.compiled);
    candidate_queue_clear(&crew->shop.finished);
    scratch_remove(&crew->scratch);
    free(crew->posts);
    free(crew);
}

size_t crew_inside(const struct crew *crew)
{
    return crew->shop.waiting.count + compiling(crew) + crew->shop.compiled.count +
           (measurer(crew)->candidate != NULL);
}

size_t crew_room(const struct crew *crew)
{
    size_t most = crew->takes_turns ? BATCH : 2 * compiler_count(crew) + 2;
    size_t inside = crew_inside(crew) + crew->shop.finished.count;
    return inside < most ? most - inside : 0;
}

void crew_submit(struct crew *crew, struct candidate *candidate)
{
    if (!candidate->job)
        candidate_push(&crew->shop.finished, candidate);
    else if (candidate->image)
        candidate_push(&crew->shop.compiled, candidate);
    else
        candidate_push(&crew->shop.waiting, candidate);
}

struct candidate *crew_finished(struct crew *crew)
{
    return candidate_pop(&crew->shop.finished);
}

void crew_drop_waiting(struct crew *crew)
{
    candidate_queue_clear(&crew->shop.waiting);
    candidate_queue_clear(&crew->shop.compiled);
    for (size_t i = 0; i < compiler_count(crew); i++) {
        struct post *post = &crew->posts[i];
        if (post->candidate) {
            post_vacate(post);
            candidate_free(post_take_candidate(post));
        }
    }
}

/* A turn of compiling is over after a batch, after a while, or when nothing is left to compile. */
static bool batch_closed(const struct crew *crew)
{
    if (crew->shop.compiled.count == 0)
        return false;
    return crew->shop.waiting.count == 0 || crew->shop.compiled.count + compiling(crew) >= BATCH ||
           monotonic_seconds() - crew->turn_start > turn_seconds;
}

static void change_turns(struct crew *crew)
{
    if (!crew->takes_turns)
        return;
    if (crew->measuring_turn && crew->shop.compiled.count == 0 && !measurer(crew)->candidate) {
        crew->measuring_turn = false;
        crew->turn_start = monotonic_seconds();
    } else if (!crew->measuring_turn && batch_closed(crew) && compiling(crew) == 0) {
        crew->measuring_turn = true;
    }
}

static bool may_compile(const struct crew *crew)
{
    return crew->shop.waiting.count > 0 && (!crew->takes_turns || (!crew->measuring_turn && !batch_closed(crew)));
}

static bool may_measure(const struct crew *crew)
{
    return crew->shop.compiled.count > 0 && (!crew->takes_turns || crew->measuring_turn);
}

/* A worker was lost before it did anything: wait a little longer each time, and give up after a few. */
static bool lost(struct crew *crew, struct post *post, const struct error *reason, struct error *error)
{
    post_vacate(post);
    if (++crew->lost_workers >= LOST_WORKERS_MOST) {
        if (error)
            *error = *reason;
        return false;
    }
    crew->start_not_before = monotonic_seconds() + ldexp(first_pause, (int)crew->lost_workers - 1);
    return true;
}

static bool start(struct crew *crew, struct post *post, struct error *error)
{
    if (monotonic_seconds() < crew->start_not_before)
        return true;
    json_t *request = post->trade->open_request(&crew->shop, error);
    if (!request)
        return false;
    bool started = worker_start(post->trade->role, crew->scratch.path, &post->worker, error);
    if (started) {
        post->served = 0;
        post->state = POST_OPENING;
        started = worker_ask(post->worker, request, NULL, 0, open_seconds, error);
    }
    json_decref(request);
    return started;
}

static bool give_work(struct crew *crew, double incumbent_ns, struct error *error)
{
    size_t opening = 0;
    for (size_t i = 0; i < compiler_count(crew) && may_compile(crew); i++) {
        struct post *post = &crew->posts[i];
        if (post->state == POST_READY && !post->trade->give(&crew->shop, post, incumbent_ns, error))
            return false;
        if (post->state == POST_EMPTY && opening < crew->shop.waiting.count && !start(crew, post, error))
            return false;
        opening += post->state == POST_OPENING;
    }
    struct post *post = measurer(crew);
    /* Opening a device takes a while: it is started while the first candidates are compiled. */
    if (post->state == POST_EMPTY && crew_inside(crew) > 0 && !start(crew, post, error))
        return false;
    if (post->state == POST_READY && may_measure(crew) && !post->trade->give(&crew->shop, post, incumbent_ns, error))
        return false;
    return true;
}

static bool handle_answer(struct crew *crew, struct post *post, struct message *answer, struct error *error)
{
    struct error reason = {0};
    bool opening = post->state == POST_OPENING;
    post->state = POST_READY;
    if (!opening) {
        crew->lost_workers = 0;
        return post->trade->answered(&crew->shop, post, answer, error);
    }
    if (post->trade->opened(&crew->shop, answer, &reason))
        return true;
    return lost(crew, post, &reason, error);
}

static bool handle_loss(struct crew *crew, struct post *post, bool late, struct error *error)
{
    if (post->candidate) {
        crew->lost_workers = 0;
        bool go_on = late ? post->trade->late(&crew->shop, post, error) : post->trade->died(&crew->shop, post, error);
        post_vacate(post);
        return go_on;
    }
    struct error reason = {0};
    if (late)
        error_set(&reason, ERROR_WORK, "a %s worker did not open device %s:%d within %g s", post->trade->role,
                  crew->shop.plan.device->kind, workshop_ordinal(&crew->shop), open_seconds);
    else
        error_set(&reason, ERROR_WORK, "a %s worker died before it did anything: %s", post->trade->role,
                  worker_obituary(post->worker));
    return lost(crew, post, &reason, error);
}

static bool handle_events(struct crew *crew, struct post *post, struct error *error)
{
    while (post->worker) {
        struct message answer = {0};
        switch (worker_next(post->worker, &answer)) {
        case WORKER_NOTHING:
            return true;
        case WORKER_ANSWER: {
            bool handled = handle_answer(crew, post, &answer, error);
            message_clear(&answer);
            if (!handled)
                return false;
            break;
        }
        case WORKER_DIED:
            return handle_loss(crew, post, false, error);
        case WORKER_LATE:
            return handle_loss(crew, post, true, error);
        }
    }
    return true;
}

bool crew_step(struct crew *crew, double incumbent_ns, int milliseconds, struct error *error)
{
    struct worker *workers[COMPILE_JOBS_MOST + 1];
    static_assert(COMPILE_JOBS_MOST + 1 <= WORKERS_MOST, "one wait serves all workers");
    change_turns(crew);
    if (!give_work(crew, incumbent_ns, error))
        return false;
    for (size_t i = 0; i < crew->post_count; i++)
        workers[i] = crew->posts[i].worker;
    if (crew->shop.finished.count > 0)
        milliseconds = 0;
    if (!worker_wait(workers, crew->post_count, milliseconds, error))
        return false;
    for (size_t i = 0; i < crew->post_count; i++) {
        if (!handle_events(crew, &crew->posts[i], error))
            return false;
    }
    return true;
}
