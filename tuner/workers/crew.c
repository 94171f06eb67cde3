/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/crew.h"

#include "tuner/device/monotonic.h"
#include "tuner/evaluation/transient.h"
#include "tuner/workers/forerunner.h"
#include "tuner/workers/image_offer.h"
#include "tuner/workers/pacing.h"
#include "tuner/workers/placement.h"
#include "tuner/workers/scratch.h"
#include "tuner/workers/worker_slot.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
    IMAGE_BYTES_MOST = 32 << 20, /* compiled ahead: bounds what the parent holds, however large the space */
    BEGINNERS_MOST = 4,          /* compilers that start at a time while the device is opened */
};

static const double open_seconds = 30.0; /* for a worker to start and open its device */
/* The pause before a lost worker is replaced; it doubles each time, except after a transient failure. */
static const double first_pause = 0.25, longest_pause = 8.0;
/* How long to keep trying if no worker has ever opened the device, the same if that was for a transient reason, and
 * if one has: its driver may be restarting. */
static const double first_patience = 2.0, transient_patience = 20.0, default_patience = 60.0;

struct crew {
    struct worker_pool pool;
    struct worker_slot slots[COMPILE_JOBS_MOST + CREW_DEVICES_MOST]; /* measuring workers first, then compilers */
    size_t slot_count;
    struct placement placement;
    struct pacing pacing;
    struct lock_toll toll;
    struct scratch scratch;
};

static_assert(COMPILE_JOBS_MOST + CREW_DEVICES_MOST <= WORKERS_MOST, "one wait serves all workers");

static size_t busy(const struct worker_slot *slots, size_t count)
{
    size_t candidates = 0;
    for (size_t i = 0; i < count; i++)
        candidates += (size_t)(slots[i].candidate != NULL) + (size_t)(slots[i].ahead != NULL);
    return candidates;
}

static size_t compiling(const struct crew *crew)
{
    return busy(crew->pool.compilers, crew->pool.compiler_count);
}

static size_t measuring(const struct crew *crew)
{
    return busy(crew->pool.measurers, crew->pool.measurer_count);
}

struct crew_plan crew_plan_complete(const struct crew_plan *plan, const struct device_description *device)
{
    struct crew_plan complete = *plan;
    complete.device = device;
    if (plan->compile_deadline <= 0)
        complete.compile_deadline = CREW_DEADLINE;
    if (plan->measure_deadline <= 0)
        complete.measure_deadline = CREW_DEADLINE;
    if (plan->lock_patience <= 0)
        complete.lock_patience = LOCK_PATIENCE;
    if (plan->patience <= 0)
        complete.patience = default_patience;
    return complete;
}

static void set_up_slots(struct crew *crew)
{
    struct worker_pool *pool = &crew->pool;
    pool->measurer_count = pool->plan.ordinal_count > 0 ? pool->plan.ordinal_count : 1;
    if (pool->plan.compiles_only)
        pool->measurer_count = 0;
    cpu_set_t all = placement_cores();
    cpu_set_t cores = placement_part(&all, pool->plan.core_part, pool->plan.core_parts);
    crew->placement = placement_plan(&cores, crew->pacing.takes_turns, pool->measurer_count, pool->plan.compile_jobs);
    pool->compiler_count = crew->placement.compile_jobs;
    crew->pacing.compilers = pool->compiler_count;
    crew->pacing.measurers = pool->measurer_count;
    pool->measurers = crew->slots;
    pool->compilers = crew->slots + pool->measurer_count;
    crew->slot_count = pool->measurer_count + pool->compiler_count;
    for (size_t i = 0; i < pool->measurer_count; i++) {
        pool->measurers[i].kind = &measure_slot_kind;
        pool->measurers[i].ordinal = pool->plan.ordinal_count > 0 ? pool->plan.ordinals[i] : 0;
    }
    for (size_t i = 0; i < pool->compiler_count; i++)
        pool->compilers[i].kind = &compile_slot_kind;
}

bool crew_create(const struct crew_plan *plan, struct crew **result, struct error *error)
{
    const struct device_driver *driver = device_driver_find(plan->device->kind);
    if (!driver)
        return error_set(error, ERROR_INPUT, "there is no device of kind '%s'", plan->device->kind);
    if (plan->ordinal_count > CREW_DEVICES_MOST)
        return error_set(error, ERROR_INPUT, "%zu devices are too many: at most %d", plan->ordinal_count,
                         CREW_DEVICES_MOST);
    struct crew *crew = calloc(1, sizeof *crew);
    if (!crew)
        return error_out_of_memory(error);
    crew->pool.plan = crew_plan_complete(plan, plan->device);
    crew->pacing.takes_turns = driver->shares_cores;
    set_up_slots(crew);
    crew->pacing.turn_start = monotonic_seconds();
    crew->pool.images = image_offer_cache(plan->device, !plan->no_cache);
    if (!crew->pool.images || !scratch_create(&crew->scratch, error)) {
        bool starved = !crew->pool.images;
        compile_cache_free(crew->pool.images);
        free(crew);
        return starved ? error_out_of_memory(error) : false;
    }
    *result = crew;
    return true;
}

void crew_free(struct crew *crew)
{
    if (!crew)
        return;
    for (size_t i = 0; i < crew->slot_count; i++)
        worker_dismiss(crew->slots[i].worker);
    for (size_t i = 0; i < crew->slot_count; i++) {
        slot_vacate(&crew->slots[i]);
        candidate_free(crew->slots[i].candidate);
        candidate_free(crew->slots[i].ahead);
        device_lock_free(crew->slots[i].lock);
    }
    candidate_queue_clear(&crew->pool.waiting);
    candidate_queue_clear(&crew->pool.compiled);
    candidate_queue_clear(&crew->pool.finished);
    scratch_remove(&crew->scratch);
    compile_cache_free(crew->pool.images);
    free(crew);
}

static bool images_are_many(const struct crew *crew)
{
    size_t bytes = 0;
    for (const struct candidate *candidate = crew->pool.compiled.first; candidate; candidate = candidate->next)
        bytes += candidate->image_bytes;
    return bytes >= IMAGE_BYTES_MOST;
}

/* Those that have been compiled for so long that others take their place. */
static size_t compiling_slowly(const struct crew *crew)
{
    double patience = pacing_patience(&crew->pacing);
    size_t count = 0;
    for (size_t i = 0; isfinite(patience) && i < crew->pool.compiler_count; i++) {
        const struct worker_slot *slot = &crew->pool.compilers[i];
        count += slot->candidate && slot_seconds(slot) > patience;
    }
    return count;
}

static struct pacing_load load_of(const struct crew *crew)
{
    return (struct pacing_load){
        .waiting = crew->pool.waiting.count,
        .compiling = compiling(crew),
        .slow = compiling_slowly(crew),
        .compiled = crew->pool.compiled.count,
        .measuring = measuring(crew),
        .finished = crew->pool.finished.count,
        .is_full = images_are_many(crew),
    };
}

size_t crew_inside(const struct crew *crew)
{
    struct pacing_load load = load_of(crew);
    return pacing_inside(&load);
}

static size_t busy_workers(const struct worker_slot *slots, size_t count)
{
    size_t workers = 0;
    for (size_t i = 0; i < count; i++)
        workers += slots[i].candidate != NULL;
    return workers;
}

struct crew_load crew_load(const struct crew *crew)
{
    const struct worker_pool *pool = &crew->pool;
    struct crew_load load = {
        .compilers = pool->compiler_count,
        .compiling = busy_workers(pool->compilers, pool->compiler_count),
        .measurers = pool->measurer_count,
        .measuring = busy_workers(pool->measurers, pool->measurer_count),
    };
    load.queued = crew_inside(crew) - load.compiling - load.measuring;
    return load;
}

size_t crew_room(const struct crew *crew)
{
    struct pacing_load load = load_of(crew);
    return pacing_room(&crew->pacing, &load);
}

void crew_submit(struct crew *crew, struct candidate *candidate)
{
    if (!candidate->job)
        candidate_push(&crew->pool.finished, candidate);
    else if (candidate->image)
        candidate_push(&crew->pool.compiled, candidate);
    else
        candidate_push(&crew->pool.waiting, candidate);
}

void crew_close(struct crew *crew)
{
    crew->pool.closing = true;
}

void crew_reopen(struct crew *crew)
{
    crew->pool.closing = false;
}

struct candidate *crew_finished(struct crew *crew)
{
    struct candidate *candidate = candidate_pop(&crew->pool.finished);
    if (candidate)
        candidate_complete(candidate, crew->pool.plan.compile_deadline, crew->pool.plan.measure_deadline);
    return candidate;
}

struct candidate *crew_compiled(struct crew *crew)
{
    return crew->pool.plan.compiles_only ? candidate_pop(&crew->pool.compiled) : NULL;
}

static bool queue_has(const struct candidate_queue *queue, size_t index)
{
    const struct candidate *candidate = queue->first;
    while (candidate && candidate->index != index)
        candidate = candidate->next;
    return candidate != NULL;
}

bool crew_has(const struct crew *crew, size_t index)
{
    const struct worker_pool *pool = &crew->pool;
    for (size_t i = 0; i < crew->slot_count; i++) {
        const struct worker_slot *slot = &crew->slots[i];
        if ((slot->candidate && slot->candidate->index == index) || (slot->ahead && slot->ahead->index == index))
            return true;
    }
    return queue_has(&pool->waiting, index) || queue_has(&pool->compiled, index) || queue_has(&pool->finished, index);
}

void crew_drop_waiting(struct crew *crew)
{
    candidate_queue_clear(&crew->pool.waiting);
    candidate_queue_clear(&crew->pool.compiled);
    for (size_t i = 0; i < crew->pool.compiler_count; i++) {
        struct worker_slot *slot = &crew->pool.compilers[i];
        if (slot->candidate) {
            slot_vacate(slot);
            candidate_free(slot_take_candidate(slot));
        }
    }
    for (size_t i = 0; i < crew->pool.measurer_count; i++) {
        struct worker_slot *slot = &crew->pool.measurers[i];
        if (!slot->candidate)
            slot_leave_device(slot);
    }
}

/* Is a candidate measured, or compiled and waiting, that uses the host's cores beside the device? Then compilers
 * would disturb it. */
static bool host_is_in_use(const struct crew *crew)
{
    const struct worker_pool *pool = &crew->pool;
    for (const struct candidate *candidate = pool->compiled.first; candidate; candidate = candidate->next) {
        if (candidate_is_hosted(candidate))
            return true;
    }
    for (size_t i = 0; i < pool->measurer_count; i++) {
        const struct worker_slot *slot = &pool->measurers[i];
        if (candidate_is_hosted(slot->candidate) || candidate_is_hosted(slot->ahead))
            return true;
    }
    return false;
}

static bool may_compile(const struct crew *crew)
{
    struct pacing_load load = load_of(crew);
    return pacing_may_compile(&crew->pacing, &load, monotonic_seconds()) &&
           (crew->pacing.takes_turns || !host_is_in_use(crew));
}

static bool may_measure(const struct crew *crew)
{
    return pacing_may_measure(&crew->pacing) &&
           (crew->pacing.takes_turns || compiling(crew) == 0 || !host_is_in_use(crew));
}

static bool is_last_of_its_kind(const struct crew *crew, const struct worker_slot *slot)
{
    for (size_t i = 0; i < crew->slot_count; i++) {
        const struct worker_slot *other = &crew->slots[i];
        if (other != slot && other->kind == slot->kind && other->state != SLOT_GIVEN_UP)
            return false;
    }
    return true;
}

/* The others continue, and take over what only this slot was to measure. False: there are no others. */
static bool give_up(struct crew *crew, struct worker_slot *slot, const struct error *reason, struct error *error)
{
    if (is_last_of_its_kind(crew, slot)) {
        if (error)
            *error = *reason;
        return false;
    }
    slot->state = SLOT_GIVEN_UP;
    pool_notice(&crew->pool, "continuing with one %s worker fewer: %s", slot->kind->role, reason->text);
    return true;
}

static bool is_transient_loss(const struct worker_slot *slot, const struct error *reason)
{
    return transient_error(reason) || (slot->worker && worker_is_blameless(slot->worker));
}

/* A worker was lost before it did any work: wait longer each time, and eventually give up. */
static bool lost(struct crew *crew, struct worker_slot *slot, const struct error *reason, struct error *error)
{
    bool transient = is_transient_loss(slot, reason);
    double now = monotonic_seconds(), patience = crew->pool.plan.patience;
    if (!slot->has_opened)
        patience = fmin(transient ? transient_patience : first_patience, patience);
    if (slot->state == SLOT_READY && slot_seconds(slot) > patience)
        slot->losses = 0; /* it had been alive and idle for a long time */
    double pause = transient ? first_pause : ldexp(first_pause, (int)slot->losses);
    slot_vacate(slot);
    if (slot->losses++ == 0)
        slot->first_loss = now;
    slot->start_not_before = now + (pause < longest_pause ? pause : longest_pause);
    return slot->start_not_before - slot->first_loss <= patience || give_up(crew, slot, reason, error);
}

static void bound_memory(const struct crew *crew, const struct worker_slot *slot)
{
    if (!crew->pacing.takes_turns && !crew->pool.plan.unconfined)
        worker_bound_memory(slot->worker, confinement_memory(0));
}

static bool start_worker(struct crew *crew, struct worker_slot *slot, struct error *error)
{
    const struct crew_plan *plan = &crew->pool.plan;
    const struct confinement confinement = {!crew->pacing.takes_turns, plan->source_folders,
                                            plan->source_folder_count};
    if (slot == crew->pool.measurers && forerunner_is_on(plan->forerunner, plan->device->kind, slot->ordinal)) {
        slot->worker = forerunner_take(plan->forerunner);
        return true;
    }
    return worker_start(slot->kind->role, plan->unconfined ? NULL : &confinement, crew->scratch.path, &slot->worker,
                        error);
}

static bool start(struct crew *crew, struct worker_slot *slot, struct error *error)
{
    struct error reason = {0};
    if (monotonic_seconds() < slot->start_not_before)
        return true;
    json_t *request = slot->kind->open_request(&crew->pool, slot, error);
    if (!request)
        return false;
    bool started = start_worker(crew, slot, &reason);
    if (started && slot->kind == &measure_slot_kind)
        bound_memory(crew, slot);
    if (started && slot->kind == &compile_slot_kind) /* before the request: see guardian.h */
        placement_apply(&crew->placement, worker_pid(slot->worker));
    started = started && worker_ask(slot->worker, request, NULL, 0, open_seconds, &reason);
    json_decref(request);
    if (!started)
        return lost(crew, slot, &reason, error); /* the system is short of processes or memory: that may pass */
    slot->served = 0;
    slot->started = monotonic_seconds();
    slot->state = SLOT_OPENING;
    return true;
}

/* Has no measuring worker of an accelerator opened its device yet? */
static bool awaits_device(const struct crew *crew)
{
    bool waits = !crew->pacing.takes_turns && crew->pool.measurer_count > 0;
    for (size_t i = 0; i < crew->pool.measurer_count; i++) {
        const struct worker_slot *slot = &crew->pool.measurers[i];
        waits = waits && !slot->has_opened && slot->state != SLOT_GIVEN_UP;
    }
    return waits;
}

/* Compilers that have not compiled anything yet. */
static size_t beginners(const struct crew *crew)
{
    size_t count = 0;
    for (size_t i = 0; i < crew->pool.compiler_count; i++)
        count += crew->pool.compilers[i].worker && crew->pool.compilers[i].served == 0;
    return count;
}

/* Compilers that load their libraries all at once take three times as long, and delay the opening of the device. */
static bool may_begin(const struct crew *crew)
{
    return !awaits_device(crew) || beginners(crew) < BEGINNERS_MOST;
}

/* Opening a device takes a while, so it is started first, while the first candidates are being compiled. */
static bool staff(struct crew *crew, struct error *error)
{
    size_t opening = 0;
    for (size_t i = 0; i < crew->slot_count; i++) {
        struct worker_slot *slot = &crew->slots[i];
        bool needed = slot->kind == &measure_slot_kind
                          ? crew_inside(crew) > 0
                          : may_compile(crew) && opening < crew->pool.waiting.count && may_begin(crew);
        if (slot->state == SLOT_EMPTY && needed && !start(crew, slot, error))
            return false;
        opening += slot->kind == &compile_slot_kind && (slot->state == SLOT_OPENING || slot->state == SLOT_READY);
    }
    return true;
}

static bool give_work(struct crew *crew, struct worker_slot *slot, struct error *error)
{
    bool may = slot->kind == &measure_slot_kind ? may_measure(crew) : may_compile(crew);
    return slot->state != SLOT_READY || !may || slot->kind->give(&crew->pool, slot, error);
}

/* Every idle worker gets work before any gets a second candidate. */
static bool give_ahead(struct crew *crew, struct error *error)
{
    for (size_t i = 0; i < crew->slot_count; i++) {
        struct worker_slot *slot = &crew->slots[i];
        if (slot->state == SLOT_BUSY && slot->kind->give_ahead && may_measure(crew) &&
            !slot->kind->give_ahead(&crew->pool, slot, error))
            return false;
    }
    return true;
}

/* The worker now has what was sent ahead; if the worker was lost, it has not been started. */
static void settle_ahead(struct crew *crew, struct worker_slot *slot)
{
    if (!slot->ahead)
        return;
    if (slot->worker) {
        slot_go_on(slot);
    } else {
        candidate_put_back(&crew->pool.compiled, slot->ahead);
        slot->ahead = NULL;
    }
}

/* "It sent a malformed message" says nothing by itself. */
static void wrap(const struct crew *crew, const struct worker_slot *slot, struct error *reason)
{
    const struct error cause = *reason;
    error_set(reason, ERROR_WORK, "a %s worker did not open device %s:%d: %s", slot->kind->role,
              crew->pool.plan.device->kind, slot->ordinal, cause.text);
}

static bool handle_answer(struct crew *crew, struct worker_slot *slot, struct message *answer, struct error *error)
{
    struct error reason = {0};
    if (slot->state != SLOT_OPENING) {
        slot->state = SLOT_READY;
        slot->losses = 0;
        pacing_learn(slot->kind == &measure_slot_kind ? &crew->pacing.measure : &crew->pacing.compile,
                     slot_seconds(slot));
        bool go_on = slot->kind->answered(&crew->pool, slot, answer, error);
        settle_ahead(crew, slot);
        return go_on;
    }
    if (!slot->kind->opened(&crew->pool, slot, answer, &reason)) {
        if (reason.code == ERROR_MESSAGE)
            wrap(crew, slot, &reason);
        return lost(crew, slot, &reason, error);
    }
    slot->state = SLOT_READY;
    slot->has_opened = true;
    return true;
}

static bool handle_loss(struct crew *crew, struct worker_slot *slot, bool late, struct error *error)
{
    if (slot->candidate) {
        slot->losses = 0;
        bool go_on = late ? slot->kind->late(&crew->pool, slot, error) : slot->kind->died(&crew->pool, slot, error);
        slot_vacate(slot);
        settle_ahead(crew, slot);
        return go_on;
    }
    struct error reason = {0};
    if (late)
        error_set(&reason, ERROR_WORK, "a %s worker did not open device %s:%d within %g s", slot->kind->role,
                  crew->pool.plan.device->kind, slot->ordinal, open_seconds);
    else
        error_set(&reason, ERROR_WORK, "a %s worker died %s: %s", slot->kind->role,
                  slot->state == SLOT_OPENING ? "while starting" : "while idle", worker_obituary(slot->worker));
    return lost(crew, slot, &reason, error);
}

static bool handle_events(struct crew *crew, struct worker_slot *slot, struct error *error)
{
    while (slot->worker) {
        struct message answer = {0};
        switch (worker_next(slot->worker, &answer)) {
        case WORKER_NOTHING:
            return true;
        case WORKER_ANSWER: {
            bool handled = handle_answer(crew, slot, &answer, error);
            message_clear(&answer);
            if (!handled)
                return false;
            break;
        }
        case WORKER_MADE:
            if (slot->kind->made)
                slot->kind->made(&crew->pool, slot, &answer);
            message_clear(&answer);
            break;
        case WORKER_DIED:
            return handle_loss(crew, slot, false, error);
        case WORKER_LATE:
            return handle_loss(crew, slot, true, error);
        }
    }
    return true;
}

/* In how many seconds a candidate is compiled so slowly that the caller may submit another. */
static double seconds_until_slow(const struct crew *crew)
{
    double patience = pacing_patience(&crew->pacing), least = HUGE_VAL;
    for (size_t i = 0; isfinite(patience) && i < crew->pool.compiler_count; i++) {
        const struct worker_slot *slot = &crew->pool.compilers[i];
        double left = slot->candidate ? patience - slot_seconds(slot) : 0;
        least = left > 0 ? fmin(least, left) : least;
    }
    return least;
}

/* How long there is nothing to do but wait for the workers. */
static int patience_milliseconds(const struct crew *crew, int milliseconds)
{
    if (crew->pool.finished.count > 0)
        return 0;
    double now = monotonic_seconds(), left = fmin(milliseconds / 1e3, seconds_until_slow(crew));
    for (size_t i = 0; i < crew->slot_count; i++) {
        const struct worker_slot *slot = &crew->slots[i];
        /* Another process may release the device at any time; poll less often the longer it takes. */
        double next = slot->waits ? fmin(fmax((now - slot->wait.since) / 8, 0.001), 0.01) : left;
        if (slot->state == SLOT_EMPTY && slot->start_not_before > now)
            next = slot->start_not_before - now;
        left = fmin(left, next);
    }
    return (int)ceil(left * 1e3);
}

/* Nothing is measured, and something would be but for a lock. */
static void note_standstill(struct crew *crew)
{
    bool waits = false;
    for (size_t i = 0; i < crew->pool.measurer_count; i++)
        waits = waits || crew->pool.measurers[i].waits;
    lock_toll_note(&crew->toll, waits && measuring(crew) == 0, monotonic_seconds());
}

double crew_seconds_held_up(const struct crew *crew)
{
    return lock_toll_seconds(&crew->toll, monotonic_seconds());
}

bool crew_step(struct crew *crew, int milliseconds, struct error *error)
{
    struct worker *workers[COMPILE_JOBS_MOST + CREW_DEVICES_MOST];
    struct pacing_load load = load_of(crew);
    pacing_change_turns(&crew->pacing, &load, monotonic_seconds());
    for (size_t i = 0; i < crew->slot_count; i++) {
        if (!give_work(crew, &crew->slots[i], error))
            return false;
    }
    note_standstill(crew);
    if (!give_ahead(crew, error) || !staff(crew, error))
        return false;
    for (size_t i = 0; i < crew->slot_count; i++)
        workers[i] = crew->slots[i].worker;
    int wake = crew->pool.plan.wake > 0 ? crew->pool.plan.wake : -1;
    if (!worker_wait_or(workers, crew->slot_count, wake, patience_milliseconds(crew, milliseconds), error))
        return false;
    for (size_t i = 0; i < crew->slot_count; i++) {
        struct worker_slot *slot = &crew->slots[i];
        /* Keep the device busy while other answers are read and the caller stores the row. */
        if (!handle_events(crew, slot, error) || !give_work(crew, slot, error))
            return false;
    }
    note_standstill(crew);
    return give_ahead(crew, error);
}
