/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/gpu_compile.h"

#include "tuner/check/collect.h"
#include "tuner/check/compiler_error.h"
#include "tuner/description/h100.h"
#include "tuner/job/source_folders.h"
#include "tuner/workers/compile_worker.h"
#include "tuner/workers/scratch.h"
#include "tuner/workers/worker_process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MILLISECONDS = 200, SLOTS_MOST = 32, SHARED = 3 };

static const double default_deadline = 300;
static const char tool[] = "NVRTC";

void gpu_compile_description(struct device_description *description)
{
    *description = (struct device_description){
        H100_LIMITS,
        .name = "a GPU of compute capability 9.0",
        .memory_bytes = (int64_t)80 << 30,
    };
}

/* Compiles one program at a time: of a configuration, or, once, what all configurations share. */
struct slot {
    struct worker *worker;
    bool opened;
    struct job *job; /* NULL: idle */
    char *configuration;
    size_t number, part, parts; /* of the programs of the job: the configuration's own, then the shared ones */
};

struct compiling {
    const struct problem *problem;
    const struct check_plan *plan;
    struct check_report *report;
    struct scratch scratch;
    struct source_folders folders;
    struct slot *slots;
    size_t slot_count, next, done;
    bool shared; /* somebody compiles, or has compiled, what all share */
    bool unusable;
    bool unlinked; /* noted */
};

static const struct job_program *program_of(const struct slot *slot)
{
    const struct job_program *const programs[] = {&slot->job->program, &slot->job->setup, &slot->job->reference,
                                                  &slot->job->verify};
    return programs[slot->part];
}

static bool ask(struct compiling *compiling, struct slot *slot, json_t *request, struct error *error)
{
    double seconds = compiling->plan->deadline > 0 ? compiling->plan->deadline : default_deadline;
    bool asked = request && worker_ask(slot->worker, request, NULL, 0, seconds, error);
    json_decref(request);
    return asked;
}

static bool start(struct compiling *compiling, struct slot *slot, struct error *error)
{
    const struct confinement confinement = {false, (const char *const *)compiling->folders.paths,
                                            compiling->folders.count};
    slot->opened = false;
    return worker_start("compile", compiling->plan->unconfined ? NULL : &confinement, compiling->scratch.path,
                        &slot->worker, error) &&
           ask(compiling, slot, compile_open_request(problem_device(compiling->problem), false, error), error);
}

static void finish(struct compiling *compiling, struct slot *slot)
{
    job_free(slot->job);
    free(slot->configuration);
    slot->job = NULL;
    slot->configuration = NULL;
    compiling->done++;
    if (compiling->plan->progress)
        compiling->plan->progress(compiling->done, compiling->plan->count, compiling->report,
                                  compiling->plan->context);
}

static bool add_finding(struct compiling *compiling, const struct slot *slot, const char *log, struct error *error)
{
    struct diagnostic diagnostic = {.kind = DIAGNOSTIC_COMPILE, .tool = tool};
    const char *size = problem_size_text(compiling->problem);
    snprintf(diagnostic.file, sizeof diagnostic.file, "%s", program_of(slot)->path);
    compiler_error_first(log, &diagnostic);
    return diagnostics_add(&compiling->report->diagnostics, &diagnostic, slot->number, slot->configuration,
                           size ? size : "", error);
}

/* The next program that the job has; else the configuration is finished. */
static bool advance(struct compiling *compiling, struct slot *slot, struct error *error)
{
    while (++slot->part < slot->parts) {
        if (program_of(slot)->path)
            return ask(compiling, slot, compile_request(program_of(slot), error), error);
    }
    finish(compiling, slot);
    return true;
}

/* The compiler does not work here, which says nothing about the kernels. */
static bool give_up(struct compiling *compiling, const struct error *reason)
{
    if (!compiling->unusable)
        check_note(compiling->report, "whether NVRTC compiles the sources: %s%s%s", reason->text,
                   reason->hint[0] ? "; " : "", reason->hint);
    compiling->unusable = true;
    return true;
}

/* Nor do kernels that launch kernels, where there is no linker for them. */
static bool note_unlinked(struct compiling *compiling, const char *log)
{
    if (!compiling->unlinked)
        check_note(compiling->report, "whether NVRTC compiles what launches kernels: %s", log);
    compiling->unlinked = true;
    return true;
}

static bool on_answer(struct compiling *compiling, struct slot *slot, struct message *answer, struct error *error)
{
    struct compile_result result;
    struct compile_offer offer;
    struct error failure = {0};
    bool offered;
    if (!slot->opened) {
        slot->opened = compile_open_answer(answer, &failure);
        return slot->opened ? ask(compiling, slot, compile_request(program_of(slot), error), error)
                            : give_up(compiling, &failure);
    }
    if (!compile_answer(answer, &result, &offer, &offered, &failure))
        return give_up(compiling, &failure);
    bool done =
        result.compiled || result.too_large ||
        (result.unlinked ? note_unlinked(compiling, result.log) : add_finding(compiling, slot, result.log, error));
    compile_result_clear(&result);
    return done && advance(compiling, slot, error);
}

/* The worker is gone, by the compiler's own fault or for taking too long. */
static bool on_loss(struct compiling *compiling, struct slot *slot, const char *text, struct error *error)
{
    bool done = add_finding(compiling, slot, text, error);
    worker_end(slot->worker);
    slot->worker = NULL;
    finish(compiling, slot);
    return done;
}

/* Give an idle slot the next configuration that fits the GPU; what does not is none of the compiler's business. */
static bool begin(struct compiling *compiling, struct slot *slot, struct error *error)
{
    const struct check_plan *plan = compiling->plan;
    while (compiling->next < plan->count) {
        struct error failure = {0};
        size_t number = compiling->next++, index = plan->list[number];
        if (!job_lower(compiling->problem, index, plan->seed, &slot->job, &failure)) {
            slot->job = NULL;
            if (failure.code == ERROR_OUT_OF_MEMORY)
                return error_out_of_memory(error);
            compiling->report->refused++;
            compiling->done++;
            continue;
        }
        slot->number = number;
        slot->part = 0;
        slot->parts = compiling->shared ? 1 : 1 + SHARED;
        compiling->shared = true;
        slot->configuration = problem_configuration_text(compiling->problem, index);
        compiling->report->configurations++;
        if (!slot->configuration)
            return error_out_of_memory(error);
        return slot->worker ? ask(compiling, slot, compile_request(program_of(slot), error), error)
                            : start(compiling, slot, error);
    }
    return true;
}

static bool step(struct compiling *compiling, struct slot *slot, struct error *error)
{
    struct message answer;
    bool done = true;
    if (!slot->job)
        return begin(compiling, slot, error);
    switch (worker_next(slot->worker, &answer)) {
    case WORKER_NOTHING:
        break;
    case WORKER_ANSWER:
        done = on_answer(compiling, slot, &answer, error);
        message_clear(&answer);
        break;
    case WORKER_MADE:
        message_clear(&answer);
        break;
    case WORKER_LATE:
        done = on_loss(compiling, slot, "the compiler did not end in time", error);
        break;
    case WORKER_DIED:
        done = on_loss(compiling, slot, worker_obituary(slot->worker), error);
        break;
    }
    return done;
}

static bool wait_for_any(const struct compiling *compiling, struct error *error)
{
    struct worker *busy[SLOTS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < compiling->slot_count; i++) {
        if (compiling->slots[i].job)
            busy[count++] = compiling->slots[i].worker;
    }
    return count == 0 || worker_wait(busy, count, MILLISECONDS, error);
}

static bool work(struct compiling *compiling, struct error *error)
{
    const volatile sig_atomic_t *interrupted = compiling->plan->interrupted;
    while (compiling->done < compiling->plan->count) {
        if (interrupted && *interrupted)
            return error_set(error, ERROR_WORK, "interrupted");
        for (size_t i = 0; i < compiling->slot_count; i++) {
            if (!step(compiling, &compiling->slots[i], error))
                return false;
            if (compiling->unusable)
                return true;
        }
        if (compiling->done < compiling->plan->count && !wait_for_any(compiling, error))
            return false;
    }
    return true;
}

static bool prepare(struct compiling *compiling, struct error *error)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t slots = compiling->plan->jobs ? compiling->plan->jobs : processors > 0 ? (size_t)processors : 1;
    slots = slots > compiling->plan->count ? compiling->plan->count : slots;
    compiling->slot_count = slots > SLOTS_MOST ? SLOTS_MOST : slots;
    compiling->slots = calloc(compiling->slot_count + 1, sizeof *compiling->slots);
    return (compiling->slots || error_out_of_memory(error)) &&
           source_folders_find(problem_template(compiling->problem), problem_inputs(compiling->problem),
                               &compiling->folders, error) &&
           scratch_create(&compiling->scratch, error);
}

bool gpu_compile_run(const struct problem *problem, const struct check_plan *plan, struct check_report *report,
                     struct error *error)
{
    struct compiling compiling = {.problem = problem, .plan = plan, .report = report, .scratch = {.lock = -1}};
    report->total = problem_configuration_count(problem);
    bool done = prepare(&compiling, error) && work(&compiling, error);
    if (compiling.unusable)
        report->configurations = 0;
    for (size_t i = 0; compiling.slots && i < compiling.slot_count; i++) {
        worker_end(compiling.slots[i].worker);
        job_free(compiling.slots[i].job);
        free(compiling.slots[i].configuration);
    }
    free(compiling.slots);
    source_folders_clear(&compiling.folders);
    if (compiling.scratch.path[0])
        scratch_remove(&compiling.scratch);
    diagnostics_sort(&report->diagnostics);
    return done;
}
