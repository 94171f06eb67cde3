#include "tuner/engine/crew.h"

#include "tuner/engine/compile_worker.h"
#include "tuner/engine/measure_worker.h"
#include "tuner/engine/monotonic.h"
#include "tuner/engine/scratch.h"
#include "tuner/engine/worker_process.h"

#include <assert.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 32, /* candidates compiled in one turn where compiling and measuring take turns */
    COMPILE_JOBS_MOST = 64,
    LOST_WORKERS_MOST = 4, /* in a row, without any work done: then the device or the compiler is lost */
    ATTEMPTS_MOST = 2,     /* workers that one candidate may lose through no fault of its own */
    LOG_SHOWN = 8192,      /* bytes of a compiler's messages that are kept */
};

static const double turn_seconds = 2.0;   /* of compiling before the batch so far is measured */
static const double open_seconds = 120.0; /* for a worker to start and open its device */
static const double default_deadline = 60.0;
static const double first_pause = 0.25; /* before a lost worker is replaced; doubles each time */

enum post_state { POST_EMPTY, POST_OPENING, POST_READY, POST_BUSY };

struct crew;

/* A place that a worker fills, and the candidate in its hands. */
struct post {
    const struct trade *trade;
    size_t served; /* candidates that this worker had in its hands before */
    enum post_state state;
    struct worker *worker;
    struct candidate *candidate;
};

/* What compile and measure workers do differently. */
struct trade {
    const char *role;
    json_t *(*open_request)(const struct crew *crew, struct error *error);
    bool (*opened)(const struct crew *crew, struct message *answer, struct error *error);
    /* The candidate's answer came: hand the candidate on. False ends the work. */
    bool (*answered)(struct crew *crew, struct post *post, struct message *answer, struct error *error);
    /* The worker died over the candidate, or was killed because it was late. False ends the work. */
    bool (*died)(struct crew *crew, struct post *post, struct error *error);
    bool (*late)(struct crew *crew, struct post *post, struct error *error);
};

struct crew {
    struct crew_plan plan;
    bool takes_turns;
    bool measuring_turn;
    double turn_start;
    struct scratch scratch;
    struct post *posts; /* the compile workers, then the measuring one */
    size_t post_count;
    struct candidate_queue waiting, compiled, finished;
    unsigned lost_workers; /* in a row */
    double start_not_before;
    bool template_works; /* its setup and reference have come to their end at least once */
};

static struct post *measurer(const struct crew *crew)
{
    return &crew->posts[crew->post_count - 1];
}

static int ordinal(const struct crew *crew)
{
    return crew->plan.ordinal_count > 0 ? crew->plan.ordinals[0] : 0;
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

static void vacate(struct post *post)
{
    worker_end(post->worker);
    post->worker = NULL;
    post->state = POST_EMPTY;
}

/* The candidate in the hands of a worker that failed for reasons of its own gets another chance. */
static bool try_again(struct candidate *candidate, struct candidate_queue *queue)
{
    if (++candidate->attempts >= ATTEMPTS_MOST)
        return false;
    candidate_push(queue, candidate);
    return true;
}

static struct candidate *take_candidate(struct post *post)
{
    struct candidate *candidate = post->candidate;
    post->candidate = NULL;
    post->served++;
    return candidate;
}

/* Was the worker ended by someone else: a user, a memory-pressure killer, a machine that shuts down? */
static bool killed_by_stranger(const struct post *post)
{
    int signal = worker_signal(post->worker);
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

/* ---- compiling */

static json_t *compiler_open_request(const struct crew *crew, struct error *error)
{
    return compile_open_request(crew->plan.device, error);
}

static bool compiler_opened(const struct crew *crew, struct message *answer, struct error *error)
{
    (void)crew;
    struct compile_result nothing;
    if (!json_object_get(answer->json, "error"))
        return true;
    return compile_answer(answer, &nothing, error);
}

static bool compiled(struct crew *crew, struct post *post, struct message *answer, struct error *error)
{
    struct compile_result result;
    struct error reason = {0};
    struct candidate *candidate = take_candidate(post);
    if (!compile_answer(answer, &result, &reason)) {
        vacate(post);
        if (try_again(candidate, &crew->waiting))
            return true;
        candidate_free(candidate);
        if (error)
            *error = reason;
        return false;
    }
    candidate->compile_seconds = result.seconds;
    candidate->spill_bytes = result.spill_bytes;
    if (!result.compiled) {
        size_t length = strlen(result.log);
        enum outcome outcome = result.crashed     ? OUTCOME_COMPILE_CRASH
                               : result.too_large ? OUTCOME_RESOURCES
                                                  : OUTCOME_COMPILE_ERROR;
        candidate_fail(candidate, outcome, "%.*s%s", LOG_SHOWN, result.log, length > LOG_SHOWN ? "\n..." : "");
        candidate_push(&crew->finished, candidate);
    } else {
        candidate->image = result.image;
        candidate->image_bytes = result.image_bytes;
        result.image = NULL;
        candidate_push(&crew->compiled, candidate);
    }
    compile_result_clear(&result);
    return true;
}

static bool compiler_died(struct crew *crew, struct post *post, struct error *error)
{
    (void)error;
    struct candidate *candidate = take_candidate(post);
    if (killed_by_stranger(post) && try_again(candidate, &crew->waiting))
        return true;
    candidate_fail(candidate, OUTCOME_COMPILE_CRASH, "the compiler died: %s", worker_obituary(post->worker));
    candidate_push(&crew->finished, candidate);
    return true;
}

static bool compiler_late(struct crew *crew, struct post *post, struct error *error)
{
    (void)error;
    struct candidate *candidate = take_candidate(post);
    candidate->compile_seconds = crew->plan.compile_deadline;
    candidate_fail(candidate, OUTCOME_COMPILE_TIMEOUT, "the compiler did not end within %g s",
                   crew->plan.compile_deadline);
    candidate_push(&crew->finished, candidate);
    return true;
}

static const struct trade compile_trade = {
    "compile", compiler_open_request, compiler_opened, compiled, compiler_died, compiler_late,
};

/* ---- measuring */

static json_t *measurer_open_request(const struct crew *crew, struct error *error)
{
    return measure_open_request(crew->plan.device->kind, ordinal(crew), error);
}

/* The rows are to be stored under the device that the problem was made for: is it still this one? */
static bool measurer_opened(const struct crew *crew, struct message *answer, struct error *error)
{
    struct device_description description;
    const struct device_description *expected = crew->plan.device;
    if (!measure_open_answer(answer, &description, error))
        return false;
    if (strcmp(description.name, expected->name) != 0 || strcmp(description.uuid, expected->uuid) != 0)
        return error_set(error, ERROR_WORK, "device %s:%d is now %s, and was %s", expected->kind, ordinal(crew),
                         description.name, expected->name);
    return true;
}

/*
 * Setup or reference have failed. In a worker that had other kernels in its hands before, these may be to blame: a
 * new one decides. Where they never came to their end the template is at fault and the work ends; else it is this
 * candidate's parameters that do not suit them.
 */
static bool template_failed(struct crew *crew, const struct post *post, struct candidate *candidate,
                            enum outcome outcome, const struct error *reason, struct error *error)
{
    bool fresh = post->served <= 1; /* this candidate alone */
    if (!fresh && try_again(candidate, &crew->compiled))
        return true;
    if (crew->template_works) {
        candidate_fail(candidate, outcome, "%s", reason->text);
        candidate_push(&crew->finished, candidate);
        return true;
    }
    candidate_free(candidate);
    if (error)
        *error = *reason;
    return false;
}

static bool not_evaluated(struct crew *crew, const struct post *post, struct candidate *candidate,
                          const struct error *reason, struct error *error)
{
    if (reason->code == ERROR_INPUT)
        return template_failed(crew, post, candidate, OUTCOME_LAUNCH_ERROR, reason, error);
    if (try_again(candidate, &crew->compiled))
        return true;
    candidate_fail(candidate, OUTCOME_CRASH, "%s", reason->text);
    candidate_push(&crew->finished, candidate);
    return true;
}

/* These come about only once inputs and expected outputs are there. */
static bool shows_that_template_works(enum outcome outcome)
{
    return outcome == OUTCOME_OK || outcome == OUTCOME_FAULT || outcome == OUTCOME_WRONG_RESULT ||
           outcome == OUTCOME_NOT_FINITE || outcome == OUTCOME_OUT_OF_BOUNDS;
}

static bool evaluated(struct crew *crew, struct post *post, struct message *answer, struct error *error)
{
    struct candidate *candidate = take_candidate(post);
    struct error reason = {0};
    bool last = false;
    bool done = measure_evaluate_answer(answer, &candidate->evaluation, &last, &reason);
    if (last || !done)
        vacate(post);
    if (!done)
        return not_evaluated(crew, post, candidate, &reason, error);
    crew->template_works = crew->template_works || shows_that_template_works(candidate->evaluation.outcome);
    candidate->evaluation.compile_seconds = candidate->compile_seconds;
    candidate->evaluation.spill_bytes = candidate->spill_bytes;
    candidate_push(&crew->finished, candidate);
    return true;
}

static bool is_fault(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP ||
           signal == SIGABRT;
}

static bool measurer_died(struct crew *crew, struct post *post, struct error *error)
{
    struct candidate *candidate = take_candidate(post);
    const char *how = worker_obituary(post->worker), *sequence = worker_note(post->worker);
    if (killed_by_stranger(post) && try_again(candidate, &crew->compiled))
        return true;
    if (sequence[0]) {
        struct error reason = {0};
        error_set(&reason, ERROR_INPUT, "the template's %s crashes the %s device: %s", sequence,
                  crew->plan.device->kind, how);
        return template_failed(crew, post, candidate, OUTCOME_CRASH, &reason, error);
    }
    if (is_fault(worker_signal(post->worker)))
        candidate_fail(candidate, OUTCOME_FAULT, "the kernel crashed the %s device: %s", crew->plan.device->kind,
                       how);
    else
        candidate_fail(candidate, OUTCOME_CRASH, "the measuring process died: %s", how);
    candidate_push(&crew->finished, candidate);
    return true;
}

static bool measurer_late(struct crew *crew, struct post *post, struct error *error)
{
    struct candidate *candidate = take_candidate(post);
    const char *sequence = worker_note(post->worker);
    if (sequence[0]) {
        struct error reason = {0};
        error_set(&reason, ERROR_INPUT, "the template's %s does not end within %g s", sequence,
                  crew->plan.measure_deadline);
        error_hint(&reason, "give it more time with --deadline, or less work with --size");
        return template_failed(crew, post, candidate, OUTCOME_TIMEOUT, &reason, error);
    }
    candidate_fail(candidate, OUTCOME_TIMEOUT, "not validated and timed within %g s", crew->plan.measure_deadline);
    candidate->evaluation.measure_seconds = crew->plan.measure_deadline;
    candidate_push(&crew->finished, candidate);
    return true;
}

static const struct trade measure_trade = {
    "measure", measurer_open_request, measurer_opened, evaluated, measurer_died, measurer_late,
};

/* ---- the crew */

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
    crew->plan = *plan;
    crew->takes_turns = driver->shares_cores;
    if (crew->plan.compile_deadline <= 0)
        crew->plan.compile_deadline = default_deadline;
    if (crew->plan.measure_deadline <= 0)
        crew->plan.measure_deadline = default_deadline;
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
        vacate(&crew->posts[i]);
        candidate_free(crew->posts[i].candidate);
    }
    candidate_queue_clear(&crew->waiting);
    candidate_queue_clear(&crew->compiled);
    candidate_queue_clear(&crew->finished);
    scratch_remove(&crew->scratch);
    free(crew->posts);
    free(crew);
}

size_t crew_inside(const struct crew *crew)
{
    return crew->waiting.count + compiling(crew) + crew->compiled.count + (measurer(crew)->candidate != NULL);
}

size_t crew_room(const struct crew *crew)
{
    size_t most = crew->takes_turns ? BATCH : 2 * compiler_count(crew) + 2;
    size_t inside = crew_inside(crew) + crew->finished.count;
    return inside < most ? most - inside : 0;
}

void crew_submit(struct crew *crew, struct candidate *candidate)
{
    if (!candidate->job)
        candidate_push(&crew->finished, candidate);
    else if (candidate->image)
        candidate_push(&crew->compiled, candidate);
    else
        candidate_push(&crew->waiting, candidate);
}

struct candidate *crew_finished(struct crew *crew)
{
    return candidate_pop(&crew->finished);
}

void crew_drop_waiting(struct crew *crew)
{
    candidate_queue_clear(&crew->waiting);
    candidate_queue_clear(&crew->compiled);
    for (size_t i = 0; i < compiler_count(crew); i++) {
        struct post *post = &crew->posts[i];
        if (post->candidate) {
            vacate(post);
            candidate_free(take_candidate(post));
        }
    }
}

/* A turn of compiling is over after a batch, after a while, or when nothing is left to compile. */
static bool batch_closed(const struct crew *crew)
{
    if (crew->compiled.count == 0)
        return false;
    return crew->waiting.count == 0 || crew->compiled.count + compiling(crew) >= BATCH ||
           monotonic_seconds() - crew->turn_start > turn_seconds;
}

static void change_turns(struct crew *crew)
{
    if (!crew->takes_turns)
        return;
    if (crew->measuring_turn && crew->compiled.count == 0 && !measurer(crew)->candidate) {
        crew->measuring_turn = false;
        crew->turn_start = monotonic_seconds();
    } else if (!crew->measuring_turn && batch_closed(crew) && compiling(crew) == 0) {
        crew->measuring_turn = true;
    }
}

static bool may_compile(const struct crew *crew)
{
    return crew->waiting.count > 0 && (!crew->takes_turns || (!crew->measuring_turn && !batch_closed(crew)));
}

static bool may_measure(const struct crew *crew)
{
    return crew->compiled.count > 0 && (!crew->takes_turns || crew->measuring_turn);
}

/* A worker was lost before it did anything: wait a little longer each time, and give up after a few. */
static bool lost(struct crew *crew, struct post *post, const struct error *reason, struct error *error)
{
    vacate(post);
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
    json_t *request = post->trade->open_request(crew, error);
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

static bool give_compile(struct crew *crew, struct post *post, struct error *error)
{
    struct candidate *candidate = candidate_pop(&crew->waiting);
    post->candidate = candidate;
    post->state = POST_BUSY;
    json_t *request = compile_request(&candidate->job->program, error);
    bool given = request && worker_ask(post->worker, request, NULL, 0, crew->plan.compile_deadline, error);
    json_decref(request);
    return given;
}

static bool give_measurement(struct crew *crew, struct post *post, double incumbent_ns, struct error *error)
{
    struct candidate *candidate = candidate_pop(&crew->compiled);
    post->candidate = candidate;
    post->state = POST_BUSY;
    if (candidate->effort.samples == 0)
        candidate->effort.incumbent_ns = incumbent_ns;
    json_t *request = measure_evaluate_request(candidate->job, &candidate->effort, error);
    bool given = request && worker_ask(post->worker, request, candidate->image, candidate->image_bytes,
                                       crew->plan.measure_deadline, error);
    json_decref(request);
    return given;
}

static bool give_work(struct crew *crew, double incumbent_ns, struct error *error)
{
    size_t opening = 0;
    for (size_t i = 0; i < compiler_count(crew) && may_compile(crew); i++) {
        struct post *post = &crew->posts[i];
        if (post->state == POST_READY && !give_compile(crew, post, error))
            return false;
        if (post->state == POST_EMPTY && opening < crew->waiting.count && !start(crew, post, error))
            return false;
        opening += post->state == POST_OPENING;
    }
    struct post *post = measurer(crew);
    /* Opening a device takes a while: it is started while the first candidates are compiled. */
    if (post->state == POST_EMPTY && crew_inside(crew) > 0 && !start(crew, post, error))
        return false;
    if (post->state == POST_READY && may_measure(crew) && !give_measurement(crew, post, incumbent_ns, error))
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
        return post->trade->answered(crew, post, answer, error);
    }
    if (post->trade->opened(crew, answer, &reason))
        return true;
    return lost(crew, post, &reason, error);
}

static bool handle_loss(struct crew *crew, struct post *post, bool late, struct error *error)
{
    if (post->candidate) {
        crew->lost_workers = 0;
        bool go_on = late ? post->trade->late(crew, post, error) : post->trade->died(crew, post, error);
        vacate(post);
        return go_on;
    }
    struct error reason = {0};
    if (late)
        error_set(&reason, ERROR_WORK, "a %s worker did not open device %s:%d within %g s", post->trade->role,
                  crew->plan.device->kind, ordinal(crew), open_seconds);
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
    if (crew->finished.count > 0)
        milliseconds = 0;
    if (!worker_wait(workers, crew->post_count, milliseconds, error))
        return false;
    for (size_t i = 0; i < crew->post_count; i++) {
        if (!handle_events(crew, &crew->posts[i], error))
            return false;
    }
    return true;
}
