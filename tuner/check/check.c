/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/check.h"

#include "tuner/check/check_worker.h"
#include "tuner/check/collect.h"
#include "tuner/check/runtime.h"
#include "tuner/job/source_folders.h"
#include "tuner/measure/instance.h"
#include "tuner/workers/image_offer.h"
#include "tuner/workers/scratch.h"
#include "tuner/workers/validation_image.h"
#include "tuner/workers/worker_process.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLOTS_MOST = WORKERS_MOST, MILLISECONDS = 200 };

static const double default_deadline = 300;
static const uint64_t shadow_factor = 32; /* bytes of a tool beside each of a buffer: see shadow.h */
static const char *const tool_names[] = {[CHECK_BOUNDS] = "AddressSanitizer", [CHECK_RACES] = "the race check"};
static const char *const tool_subjects[] = {
    [CHECK_BOUNDS] = "out-of-bounds accesses", [CHECK_RACES] = "races and uninitialised reads"};

/* Checks one configuration at a time, first with one tool, then with the other. */
struct slot {
    struct worker *workers[CHECK_TOOLS];
    struct job *job;     /* NULL: idle */
    size_t number;       /* of the configuration in the plan */
    char *configuration; /* its canonical text */
    enum check_tool tool;
    unsigned attempts; /* that failed for reasons not the configuration's */
    char folder[600];
};

struct checking {
    const struct problem *problem;
    const struct check_plan *plan;
    struct check_report *report;
    struct scratch scratch;
    struct source_folders folders;
    struct compile_cache *images; /* where what workers offer is stored */
    bool usable[CHECK_TOOLS];
    struct slot *slots;
    size_t slot_count, next, done;
};

static uint64_t tool_bytes(const struct job *job)
{
    uint64_t bytes = instance_job_bytes(job);
    return bytes < UINT64_MAX / shadow_factor ? shadow_factor * bytes : UINT64_MAX;
}

static size_t case_of(const struct checking *checking, const struct slot *slot)
{
    return checking->plan->awkward && slot->job->has_awkward ? JOB_AWKWARD : JOB_TUNED;
}

static struct check_origin origin_of(const struct checking *checking, const struct slot *slot)
{
    const char *size = slot->job->cases[case_of(checking, slot)].size_text;
    return (struct check_origin){
        .tool = tool_names[slot->tool],
        .path = slot->job->program.path,
        .size = size ? size : "",
        .configuration = slot->configuration,
        .number = slot->number,
        .folder = slot->folder,
    };
}

static bool collect(struct checking *checking, const struct slot *slot, size_t *count, struct error *error)
{
    const struct check_origin origin = origin_of(checking, slot);
    return collect_diagnostics(&origin, checking->report, count, error);
}

/* ---- slots ---- */

static void slot_finish(struct checking *checking, struct slot *slot)
{
    job_free(slot->job);
    free(slot->configuration);
    slot->job = NULL;
    slot->configuration = NULL;
    checking->done++;
    if (checking->plan->progress)
        checking->plan->progress(checking->done, checking->plan->count, checking->report, checking->plan->context);
}

/* Send the job to the worker of the slot's tool; start the worker if necessary. */
static bool slot_ask(struct checking *checking, struct slot *slot, struct error *error)
{
    struct worker **worker = &slot->workers[slot->tool];
    double seconds = checking->plan->deadline > 0 ? checking->plan->deadline : default_deadline;
    snprintf(slot->folder, sizeof slot->folder, "%s/check-%zu-%d", checking->scratch.path, slot->number,
             (int)slot->tool);
    if (mkdir(slot->folder, 0700) != 0)
        return error_set(error, ERROR_SYSTEM, "cannot create the folder %s: %s", slot->folder, strerror(errno));
    const struct check_task task = {slot->job, case_of(checking, slot), slot->folder};
    json_t *request = check_request(&task, error);
    const struct confinement confinement = {false, (const char *const *)checking->folders.paths,
                                            checking->folders.count};
    bool asked = request &&
                 (*worker || worker_start(check_roles[slot->tool], checking->plan->unconfined ? NULL : &confinement,
                                          checking->scratch.path, worker, error)) &&
                 worker_ask(*worker, request, NULL, 0, seconds, error);
    json_decref(request);
    if (asked && !checking->plan->unconfined)
        worker_bound_memory(*worker, confinement_memory(tool_bytes(slot->job)));
    return asked;
}

static bool can_check(const struct checking *checking, struct error *error)
{
    return checking->usable[CHECK_BOUNDS] || checking->usable[CHECK_RACES] ||
           error_set(error, ERROR_WORK, "nothing can be checked: %s", checking->report->notes[0]);
}

static bool exceeds_device(const struct error *failure)
{
    return failure->code == ERROR_RESOURCES || failure->code == ERROR_DOES_NOT_FIT;
}

/* An expression of the template fails for the configuration: a finding like others. */
static bool cannot_be_launched(struct checking *checking, size_t number, const struct error *failure,
                               struct error *error)
{
    if (failure->code != ERROR_INPUT) {
        *error = *failure;
        return false;
    }
    char *text = problem_configuration_text(checking->problem, checking->plan->list[number]);
    const struct check_origin origin = {
        .path = problem_template(checking->problem)->path,
        .size = problem_size_text(checking->problem),
        .configuration = text,
        .number = number,
    };
    checking->report->configurations++;
    bool done = text ? collect_host_error(&origin, failure, checking->report, error) : error_out_of_memory(error);
    free(text);
    return done;
}

/* Give an idle slot the next configuration that fits the device. */
static bool slot_begin(struct checking *checking, struct slot *slot, struct error *error)
{
    const struct check_plan *plan = checking->plan;
    if (!can_check(checking, error))
        return false;
    while (!slot->job && checking->next < plan->count) {
        struct error failure = {0};
        size_t number = checking->next++, index = plan->list[number];
        if (job_lower(checking->problem, index, plan->seed, &slot->job, &failure)) {
            slot->number = number;
            slot->attempts = 0;
            slot->configuration = problem_configuration_text(checking->problem, index);
            slot->tool = checking->usable[CHECK_BOUNDS] ? CHECK_BOUNDS : CHECK_RACES;
            checking->report->configurations++;
            if (!slot->configuration)
                return error_out_of_memory(error);
            return slot_ask(checking, slot, error);
        }
        slot->job = NULL;
        if (exceeds_device(&failure))
            checking->report->refused++;
        else if (!cannot_be_launched(checking, number, &failure, error))
            return false;
        slot_finish(checking, slot);
    }
    return true;
}

/* The tool is done with the configuration: on to the second tool if the first was clean, else the configuration is
 * finished. */
static bool slot_advance(struct checking *checking, struct slot *slot, bool clean, struct error *error)
{
    folder_remove(slot->folder);
    slot->attempts = 0;
    if (clean && slot->tool == CHECK_BOUNDS && checking->usable[CHECK_RACES]) {
        slot->tool = CHECK_RACES;
        return slot_ask(checking, slot, error);
    }
    slot_finish(checking, slot);
    return true;
}

static void slot_end_worker(struct slot *slot)
{
    worker_end(slot->workers[slot->tool]);
    slot->workers[slot->tool] = NULL;
}

/* ---- what a worker came back with ---- */

/* The tool does not work here, which says nothing about the kernel. */
static bool on_unusable(struct checking *checking, struct slot *slot, const char *reason, struct error *error)
{
    if (checking->usable[slot->tool])
        check_note(checking->report, "%s: %s", tool_subjects[slot->tool], reason);
    checking->usable[slot->tool] = false;
    slot_end_worker(slot);
    return slot_advance(checking, slot, true, error);
}

/*
 * The worker was killed, or talks nonsense: once more, on a fresh one. Then a note says that this tool has not
 * checked the configuration.
 */
static bool try_again(struct checking *checking, struct slot *slot, const char *reason, struct error *error)
{
    slot_end_worker(slot);
    folder_remove(slot->folder);
    if (slot->attempts++ == 0)
        return slot_ask(checking, slot, error);
    check_note(checking->report, "%s for %s: %s", tool_subjects[slot->tool], slot->configuration, reason);
    return slot_advance(checking, slot, true, error);
}

/* Nor is the kernel to blame for what the machine lacks, but if it still does the second time, all is over. */
static bool may_pass(const struct slot *slot, const struct error *failure)
{
    return failure->code == ERROR_MESSAGE || (slot->attempts == 0 && error_is_of_machine(failure));
}

static bool on_answer(struct checking *checking, struct slot *slot, const struct message *answer, struct error *error)
{
    struct error failure = {0};
    bool last = false, unusable = false;
    size_t found = 0;
    bool done = check_answer(answer, &last, &unusable, &failure);
    if (unusable) {
        char reason[CHECK_NOTE_TEXT];
        snprintf(reason, sizeof reason, "%.200s; %.150s", failure.text, failure.hint);
        return on_unusable(checking, slot, reason, error);
    }
    if (last)
        slot_end_worker(slot);
    if (!collect(checking, slot, &found, error))
        return false;
    if (!done && exceeds_device(&failure)) {
        checking->report->refused++;
        checking->report->configurations--;
    } else if (!done && found == 0 && may_pass(slot, &failure)) {
        return try_again(checking, slot, failure.text, error);
    } else if (!done && found == 0) { /* not the kernel's fault: the template's setup, the compiler */
        *error = failure;
        return false;
    }
    return slot_advance(checking, slot, done && found == 0, error);
}

/* Did the worker get as far as opening the diagnostics? */
static bool has_begun(const struct slot *slot)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" CHECK_DIAGNOSTICS_FILE, slot->folder);
    return access(path, F_OK) == 0;
}

static bool on_timeout(struct checking *checking, struct slot *slot, struct error *error)
{
    const struct check_origin origin = origin_of(checking, slot);
    size_t found = 0;
    if (!collect_diagnostics(&origin, checking->report, &found, error))
        return false;
    slot_end_worker(slot);
    return collect_text(&origin, DIAGNOSTIC_TIMEOUT, "did not finish before the deadline (see --deadline)",
                        checking->report, error) &&
           slot_advance(checking, slot, false, error);
}

static bool on_death(struct checking *checking, struct slot *slot, struct error *error)
{
    const struct check_origin origin = origin_of(checking, slot);
    char text[512];
    size_t found = 0;
    const char *obituary = worker_obituary(slot->workers[slot->tool]);
    int signal = worker_signal(slot->workers[slot->tool]);
    snprintf(text, sizeof text, "%s%s",
             worker_took_too_much(slot->workers[slot->tool]) ? "" : "the process died: ", obituary);
    if (!collect_diagnostics(&origin, checking->report, &found, error))
        return false;
    if (found == 0 &&
        (worker_is_blameless(slot->workers[slot->tool]) || worker_sent_nonsense(slot->workers[slot->tool])))
        return try_again(checking, slot, text, error);
    if (found == 0 && (signal == 0 || !has_begun(slot)))
        return on_unusable(checking, slot, obituary, error);
    slot_end_worker(slot);
    return (found > 0 || collect_text(&origin, DIAGNOSTIC_FAULT, text, checking->report, error)) &&
           slot_advance(checking, slot, false, error);
}

static bool slot_step(struct checking *checking, struct slot *slot, struct error *error)
{
    struct message answer;
    bool done = true;
    if (!slot->job)
        return slot_begin(checking, slot, error);
    switch (worker_next(slot->workers[slot->tool], &answer)) {
    case WORKER_NOTHING:
        break;
    case WORKER_ANSWER:
        done = on_answer(checking, slot, &answer, error);
        message_clear(&answer);
        break;
    case WORKER_MADE:
        image_offer_take(checking->images, slot->job, &answer);
        message_clear(&answer);
        break;
    case WORKER_LATE:
        done = on_timeout(checking, slot, error);
        break;
    case WORKER_DIED:
        done = on_death(checking, slot, error);
        break;
    }
    return done;
}

/* ---- all slots ---- */

static bool wait_for_any(struct checking *checking, struct error *error)
{
    struct worker *busy[SLOTS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < checking->slot_count; i++) {
        const struct slot *slot = &checking->slots[i];
        if (slot->job)
            busy[count++] = slot->workers[slot->tool];
    }
    return count == 0 || worker_wait(busy, count, MILLISECONDS, error);
}

static bool work(struct checking *checking, struct error *error)
{
    const volatile sig_atomic_t *interrupted = checking->plan->interrupted;
    while (checking->done < checking->plan->count) {
        if (interrupted && *interrupted)
            return error_set(error, ERROR_WORK, "interrupted");
        for (size_t i = 0; i < checking->slot_count; i++) {
            if (!slot_step(checking, &checking->slots[i], error))
                return false;
        }
        if (checking->done < checking->plan->count && !wait_for_any(checking, error))
            return false;
    }
    return can_check(checking, error);
}

static bool prepare(struct checking *checking, struct error *error)
{
    struct error failure = {0};
    char library[PATH_MAX];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t slots = checking->plan->jobs ? checking->plan->jobs : processors > 0 ? (size_t)processors : 1;
    checking->usable[CHECK_RACES] = true;
    checking->usable[CHECK_BOUNDS] = runtime_find(library, sizeof library, &failure);
    if (failure.code == ERROR_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    if (!checking->usable[CHECK_BOUNDS])
        check_note(checking->report, "%s: %s%s%s", tool_subjects[CHECK_BOUNDS], failure.text,
                   failure.hint[0] ? "; " : "", failure.hint);
    slots = slots > checking->plan->count ? checking->plan->count : slots;
    checking->slot_count = slots > SLOTS_MOST ? SLOTS_MOST : slots;
    checking->slots = calloc(checking->slot_count + 1, sizeof *checking->slots);
    if (!checking->slots)
        return error_out_of_memory(error);
    checking->images = image_offer_cache(problem_device(checking->problem), true);
    if (!checking->images)
        return error_out_of_memory(error);
    if (!source_folders_find(problem_template(checking->problem), problem_inputs(checking->problem),
                             &checking->folders, error) ||
        !scratch_create(&checking->scratch, error))
        return false;
    validation_image_prepare(problem_device(checking->problem), checking->plan->unconfined, checking->scratch.path);
    return true;
}

bool check_run(const struct problem *problem, const struct check_plan *plan, struct check_report *report,
               struct error *error)
{
    struct checking checking = {.problem = problem, .plan = plan, .report = report, .scratch = {.lock = -1}};
    report->total = problem_configuration_count(problem);
    bool done = prepare(&checking, error) && work(&checking, error);
    for (size_t i = 0; checking.slots && i < checking.slot_count; i++) {
        for (size_t tool = 0; tool < CHECK_TOOLS; tool++)
            worker_end(checking.slots[i].workers[tool]);
        job_free(checking.slots[i].job);
        free(checking.slots[i].configuration);
    }
    free(checking.slots);
    compile_cache_free(checking.images);
    source_folders_clear(&checking.folders);
    if (checking.scratch.path[0])
        scratch_remove(&checking.scratch);
    diagnostics_sort(&report->diagnostics);
    return done;
}
