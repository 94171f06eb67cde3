#include "tuner/engine/crew.h"

#include "tuner/device/monotonic.h"
#include "tuner/engine/placement.h"
#include "tuner/engine/post.h"
#include "tuner/engine/scratch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
    BATCH = 32,                 /* candidates compiled in one turn where compiling and measuring take turns */
    IMAGE_BYTES_MOST = 32 << 20 /* compiled ahead: what the parent holds does not grow with the space */
};

static const double turn_seconds = 2.0;  /* of compiling before the batch so far is measured */
static const double open_seconds = 30.0; /* for a worker to start and open its device */
static const double default_deadline = 60.0;
/* Before a lost worker is replaced; doubles each time. */
static const double first_pause = 0.25, longest_pause = 8.0;
/* How long to try where no worker ever opened the device, and where one did: a driver may be on its way back. */
static const double first_patience = 2.0, default_patience = 60.0;

struct crew {
    struct workshop shop;
    struct post posts[COMPILE_JOBS_MOST + CREW_DEVICES_MOST]; /* the measuring ones, then the compilers */
    size_t post_count;
    struct placement placement;
    bool takes_turns;
    bool measuring_turn;
    double turn_start;
    struct scratch scratch;
};

static_assert(COMPILE_JOBS_MOST + CREW_DEVICES_MOST <= WORKERS_MOST, "one wait serves all workers");

static size_t busy(const struct post *posts, size_t count)
{
    size_t candidates = 0;
    for (size_t i = 0; i < count; i++)
        candidates += (size_t)(posts[i].candidate != NULL) + (size_t)(posts[i].ahead != NULL);
    return candidates;
}

static size_t compiling(const struct crew *crew)
{
    return busy(crew->shop.compilers, crew->shop.compiler_count);
}

static size_t measuring(const struct crew *crew)
{
    return busy(crew->shop.measurers, crew->shop.measurer_count);
}

static void settle_plan(struct crew_plan *plan)
{
    if (plan->compile_deadline <= 0)
        plan->compile_deadline = default_deadline;
    if (plan->measure_deadline <= 0)
        plan->measure_deadline = default_deadline;
    if (plan->patience <= 0)
        plan->patience = default_patience;
}

static void set_up_posts(struct crew *crew)
{
    struct workshop *shop = &crew->shop;
    shop->measurer_count = shop->plan.ordinal_count > 0 ? shop->plan.ordinal_count : 1;
    cpu_set_t cores = placement_cores();
    crew->placement = placement_plan(&cores, crew->takes_turns, shop->measurer_count, shop->plan.compile_jobs);
    shop->compiler_count = crew->placement.compile_jobs;
    shop->measurers = crew->posts;
    shop->compilers = crew->posts + shop->measurer_count;
    crew->post_count = shop->measurer_count + shop->compiler_count;
    for (size_t i = 0; i < shop->measurer_count; i++) {
        shop->measurers[i].trade = &measure_trade;
        shop->measurers[i].ordinal = shop->plan.ordinal_count > 0 ? shop->plan.ordinals[i] : 0;
    }
    for (size_t i = 0; i < shop->compiler_count; i++)
        shop->compilers[i].trade = &compile_trade;
}

bool crew_create(const struct crew_plan *plan, struct crew **result, struct error *error)
{
    const struct device_driver *driver = device_driver_find(plan->device->kind);
    if (!driver)
        return error_set(error, ERROR_INPUT, "there is no device of kind '%s'", plan->device->kind);
    if (plan->ordinal_count > CREW_DEVICES_MOST)
        return error_set(error, ERROR_INPUT, "%zu devices are more than %d", plan->ordinal_count, CREW_DEVICES_MOST);
    struct crew *crew = calloc(1, sizeof *crew);
    if (!crew)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    crew->shop.plan = *plan;
    crew->takes_turns = driver->shares_cores;
    settle_plan(&crew->shop.plan);
    set_up_posts(crew);
    crew->turn_start = monotonic_seconds();
    if (!scratch_create(&crew->scratch, error)) {
        free(crew);
        return false;
    }
    *result = crew;
    return true;
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
        candidate_free(crew->posts[i].ahead);
        device_lock_free(crew->posts[i].lock);
    }
    candidate_queue_clear(&crew->shop.waiting);
    candidate_queue_clear(&crew->shop.compiled);
    candidate_queue_clear(&crew->shop.finished);
    scratch_remove(&crew->scratch);
    free(crew);
}

size_t crew_inside(const struct crew *crew)
{
    return crew->shop.waiting.count + compiling(crew) + crew->shop.compiled.count + measuring(crew);
}

size_t crew_room(const struct crew *crew)
{
    /* Each compile worker has a candidate in its hands and one to go on with, each measuring worker likewise. */
    size_t most = crew->takes_turns ? BATCH : 2 * crew->post_count;
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

void crew_close(struct crew *crew)
{
    crew->shop.closing = true;
}

struct candidate *crew_finished(struct crew *crew)
{
    return candidate_pop(&crew->shop.finished);
}

void crew_drop_waiting(struct crew *crew)
{
    candidate_queue_clear(&crew->shop.waiting);
    candidate_queue_clear(&crew->shop.compiled);
    for (size_t i = 0; i < crew->shop.compiler_count; i++) {
        struct post *post = &crew->shop.compilers[i];
        if (post->candidate) {
            post_vacate(post);
            candidate_free(post_take_candidate(post));
        }
    }
    for (size_t i = 0; i < crew->shop.measurer_count; i++) {
        struct post *post = &crew->shop.measurers[i];
        if (!post->candidate)
            post_leave_device(post);
    }
}

static bool images_are_many(const struct crew *crew)
{
    size_t bytes = 0;
    for (const struct candidate *candidate = crew->shop.compiled.first; candidate; candidate = candidate->next)
        bytes += candidate->image_bytes;
    return bytes >= IMAGE_BYTES_MOST;
}

/* A turn of compiling is over after a batch, after a while, or when nothing is left to compile. */
static bool batch_closed(const struct crew *crew)
{
    if (crew->shop.compiled.count == 0)
        return false;
    return crew->shop.waiting.count == 0 || crew->shop.compiled.count + compiling(crew) >= BATCH ||
           images_are_many(crew) || monotonic_seconds() - crew->turn_start > turn_seconds;
}

static void change_turns(struct crew *crew)
{
    if (!crew->takes_turns)
        return;
    if (crew->measuring_turn && crew->shop.compiled.count == 0 && measuring(crew) == 0) {
        crew->measuring_turn = false;
        crew->turn_start = monotonic_seconds();
    } else if (!crew->measuring_turn && batch_closed(crew) && compiling(crew) == 0) {
        crew->measuring_turn = true;
    }
}

static bool may_compile(const struct crew *crew)
{
    if (crew->shop.waiting.count == 0)
        return false;
    return crew->takes_turns ? !crew->measuring_turn && !batch_closed(crew) : !images_are_many(crew);
}

static bool may_measure(const struct crew *crew)
{
    return !crew->takes_turns || crew->measuring_turn;
}

static bool is_last_of_its_trade(const struct crew *crew, const struct post *post)
{
    for (size_t i = 0; i < crew->post_count; i++) {
        const struct post *other = &crew->posts[i];
        if (other != post && other->trade == post->trade && other->state != POST_GIVEN_UP)
            return false;
    }
    return true;
}

/* The others go on; what this post alone was to measure goes to another. False if there is none. */
static bool give_up(struct crew *crew, struct post *post, const struct error *reason, struct error *error)
{
    if (is_last_of_its_trade(crew, post)) {
        if (error)
            *error = *reason;
        return false;
    }
    post->state = POST_GIVEN_UP;
    workshop_notice(&crew->shop, "going on with one %s worker less: %s", post->trade->role, reason->text);
    return true;
}

/* A worker was lost before it did anything: wait a little longer each time, and give up after a while. */
static bool lost(struct crew *crew, struct post *post, const struct error *reason, struct error *error)
{
    double now = monotonic_seconds(), patience = post->has_opened ? crew->shop.plan.patience : first_patience;
    if (post->state == POST_READY && post_seconds(post) > patience)
        post->losses = 0; /* it was idle, but alive for long */
    double pause = ldexp(first_pause, (int)post->losses);
    post_vacate(post);
    if (post->losses++ == 0)
        post->first_loss = now;
    post->start_not_before = now + (pause < longest_pause ? pause : longest_pause);
    return post->start_not_before - post->first_loss <= patience || give_up(crew, post, reason, error);
}

static bool start(struct crew *crew, struct post *post, struct error *error)
{
    struct error reason = {0};
    if (monotonic_seconds() < post->start_not_before)
        return true;
    json_t *request = post->trade->open_request(&crew->shop, post, error);
    if (!request)
        return false;
    bool started = worker_start(post->trade->role, crew->scratch.path, &post->worker, &reason) &&
                   worker_ask(post->worker, request, NULL, 0, open_seconds, &reason);
    json_decref(request);
    if (!started)
        return lost(crew, post, &reason, error); /* processes or memory are short: that may pass */
    if (post->trade == &compile_trade)
        placement_apply(&crew->placement, worker_pid(post->worker));
    post->served = 0;
    post->started = monotonic_seconds();
    post->state = POST_OPENING;
    return true;
}

/* Opening a device takes a while: it is started first of all, while the first candidates are compiled. */
static bool staff(struct crew *crew, struct error *error)
{
    size_t opening = 0;
    for (size_t i = 0; i < crew->post_count; i++) {
        struct post *post = &crew->posts[i];
        bool needed = post->trade == &measure_trade ? crew_inside(crew) > 0
                                                    : may_compile(crew) && opening < crew->shop.waiting.count;
        if (post->state == POST_EMPTY && needed && !start(crew, post, error))
            return false;
        opening += post->trade == &compile_trade && (post->state == POST_OPENING || post->state == POST_READY);
    }
    return true;
}

static bool give_work(struct crew *crew, struct post *post, double incumbent_ns, struct error *error)
{
    bool may = post->trade == &measure_trade ? may_measure(crew) : may_compile(crew);
    return post->state != POST_READY || !may || post->trade->give(&crew->shop, post, incumbent_ns, error);
}

/* All that have nothing to do are served before any gets a second candidate. */
static bool give_ahead(struct crew *crew, double incumbent_ns, struct error *error)
{
    for (size_t i = 0; i < crew->post_count; i++) {
        struct post *post = &crew->posts[i];
        if (post->state == POST_BUSY && post->trade->give_ahead &&
            !post->trade->give_ahead(&crew->shop, post, incumbent_ns, error))
            return false;
    }
    return true;
}

/* What was sent ahead is in the worker's hands now; if that was lost nobody has begun it. */
static void settle_ahead(struct crew *crew, struct post *post)
{
    if (!post->ahead)
        return;
    if (post->worker) {
        post_go_on(post);
    } else {
        candidate_put_back(&crew->shop.compiled, post->ahead);
        post->ahead = NULL;
    }
}

static bool handle_answer(struct crew *crew, struct post *post, struct message *answer, struct error *error)
{
    struct error reason = {0};
    if (post->state != POST_OPENING) {
        post->state = POST_READY;
        post->losses = 0;
        bool go_on = post->trade->answered(&crew->shop, post, answer, error);
        settle_ahead(crew, post);
        return go_on;
    }
    if (!post->trade->opened(&crew->shop, post, answer, &reason))
        return lost(crew, post, &reason, error);
    post->state = POST_READY;
    post->has_opened = true;
    return true;
}

static bool handle_loss(struct crew *crew, struct post *post, bool late, struct error *error)
{
    if (post->candidate) {
        post->losses = 0;
        bool go_on = late ? post->trade->late(&crew->shop, post, error) : post->trade->died(&crew->shop, post, error);
        post_vacate(post);
        settle_ahead(crew, post);
        return go_on;
    }
    struct error reason = {0};
    if (late)
        error_set(&reason, ERROR_WORK, "a %s worker did not open device %s:%d within %g s", post->trade->role,
                  crew->shop.plan.device->kind, post->ordinal, open_seconds);
    else
        error_set(&reason, ERROR_WORK, "a %s worker died %s: %s", post->trade->role,
                  post->state == POST_OPENING ? "before it did anything" : "with nothing to do",
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

/* Until when there is surely nothing to do but wait for the workers. */
static int patience_milliseconds(const struct crew *crew, int milliseconds)
{
    if (crew->shop.finished.count > 0)
        return 0;
    double now = monotonic_seconds(), left = milliseconds / 1e3;
    for (size_t i = 0; i < crew->post_count; i++) {
        const struct post *post = &crew->posts[i];
        /* Another process may let go of the device at any time; look less often the longer it takes. */
        double next = post->waits ? fmin(fmax((now - post->waits_since) / 8, 0.001), 0.01) : left;
        if (post->state == POST_EMPTY && post->start_not_before > now)
            next = post->start_not_before - now;
        left = fmin(left, next);
    }
    return (int)ceil(left * 1e3);
}

bool crew_step(struct crew *crew, double incumbent_ns, int milliseconds, struct error *error)
{
    struct worker *workers[COMPILE_JOBS_MOST + CREW_DEVICES_MOST];
    change_turns(crew);
    for (size_t i = 0; i < crew->post_count; i++) {
        if (!give_work(crew, &crew->posts[i], incumbent_ns, error))
            return false;
    }
    if (!give_ahead(crew, incumbent_ns, error) || !staff(crew, error))
        return false;
    for (size_t i = 0; i < crew->post_count; i++)
        workers[i] = crew->posts[i].worker;
    if (!worker_wait(workers, crew->post_count, patience_milliseconds(crew, milliseconds), error))
        return false;
    for (size_t i = 0; i < crew->post_count; i++) {
        struct post *post = &crew->posts[i];
        /* A device must not wait while other answers are read and the caller stores the row. */
        if (!handle_events(crew, post, error) || !give_work(crew, post, incumbent_ns, error))
            return false;
    }
    return give_ahead(crew, incumbent_ns, error);
}
