/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/checker.h"

#include "tuner/check/bounds.h"
#include "tuner/check/collect.h"
#include "tuner/check/compiler_error.h"
#include "tuner/check/races.h"
#include "tuner/device/cpu/cpu.h"
#include "tuner/device/cpu/inclusion.h"
#include "tuner/device/cpu/loader.h"
#include "tuner/measure/arguments.h"
#include "tuner/measure/program.h"
#include "tuner/measure/steps.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct checker {
    struct instrument instrument;
    struct validation_kernels validation;
    struct program_cache *programs;
    struct watched *watched; /* while a kernel runs */
};

bool checker_create(enum check_tool tool, struct checker **result, struct error *error)
{
    struct checker *checker = calloc(1, sizeof *checker);
    *result = NULL;
    if (!checker)
        return error_out_of_memory(error);
    struct validation_kernels *validation = &checker->validation;
    const struct compile_images images = {.open = cache_open_to_read};
    if (!validation_kernels_open(validation, &cpu_driver, 0, &images, error) ||
        !program_cache_create(&checker->programs, error)) {
        checker_free(checker);
        return false;
    }
    checker->instrument = (struct instrument){
        .tool = tool,
        .device = validation->device,
        .driver = validation->driver,
        .description = &validation->description,
    };
    *result = checker;
    return true;
}

void checker_free(struct checker *checker)
{
    if (!checker)
        return;
    program_cache_free(checker->programs, checker->validation.driver, checker->validation.device);
    validation_kernels_close(&checker->validation);
    free(checker);
}

void checker_offer_to(struct checker *checker, void (*offer)(const struct compile_offer *made, void *context),
                      void *context)
{
    compile_cache_offer_to(checker->validation.images, offer, context);
}

bool checker_is_unusable(const struct checker *checker)
{
    return checker->instrument.unusable;
}

/* ---- compiling ---- */

static bool write_file(const char *path, const void *bytes, size_t count, struct error *error)
{
    FILE *file = fopen(path, "we");
    bool written = file && fwrite(bytes, 1, count, file) == count;
    if (file && fclose(file) != 0)
        written = false;
    return written || error_set(error, ERROR_SYSTEM, "cannot write %s: %s", path, strerror(errno));
}

static bool report_compile_error(const struct check_task *task, int file, const char *log, struct error *error)
{
    struct raw_diagnostic diagnostic = {.kind = DIAGNOSTIC_COMPILE};
    const char *line, *message = instrument_first_error(log, &line);
    const char *colon = memchr(line, ':', (size_t)(message - line));
    if (colon)
        diagnostic.line = atoi(colon + 1);
    size_t length;
    const char *note = compiler_error_note(log, &length);
    snprintf(diagnostic.text, sizeof diagnostic.text, "%.*s%s%.*s%s", (int)strcspn(message, "\n"), message,
             length > 0 ? " (" : "", (int)length, note, length > 0 ? ")" : "");
    raw_diagnostic_write(file, &diagnostic);
    return error_set(error, ERROR_INPUT, "%s does not compile with instrumentation", task->job->program.path);
}

static bool has_teams(const struct job_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (steps[i].cooperative || steps[i].cluster.x || has_teams(steps[i].body, steps[i].body_count) ||
            has_teams(steps[i].otherwise, steps[i].otherwise_count))
            return true;
    }
    return false;
}

static bool compile(struct checker *checker, const struct check_task *task, int file, const char *text,
                    struct compile_result *result, struct error *error)
{
    struct instrument *instrument = &checker->instrument;
    const struct job_case *job_case = &task->job->cases[task->which];
    const struct job_program program = job_program_for(&task->job->program, task->which);
    instrument->several_blocks = has_teams(job_case->prepare.steps, job_case->prepare.count) ||
                                 has_teams(job_case->launch.steps, job_case->launch.count) ||
                                 has_teams(job_case->finish.steps, job_case->finish.count) ||
                                 strstr(text, "__cluster_dims__");
    if (!instrument_compile(instrument, &program, text, task->folder, result, error))
        return false;
    return result->compiled || (instrument_try(instrument, task->folder, error) &&
                                report_compile_error(task, file, result->log ? result->log : "", error));
}

/* ---- running ---- */

static bool run_sequences(struct checker *checker, const struct check_task *task, const struct program *program,
                          struct watched *watched, const struct block_watch *watch, struct error *error)
{
    struct validation_kernels *validation = &checker->validation;
    const struct job_case *job_case = &task->job->cases[task->which];
    checker->watched = watched;
    cpu_watch(validation->device, watch);
    bool done = steps_prepare(validation, program, job_case, watched->instance, error) &&
                steps_run(validation, program, &job_case->launch, watched->instance, error) &&
                steps_run(validation, program, &job_case->finish, watched->instance, error) &&
                validation->driver->synchronize(validation->device, error);
    cpu_watch(validation->device, NULL);
    checker->watched = NULL;
    return done;
}

static bool run_bounds(struct checker *checker, const struct check_task *task, const struct program *program,
                       struct watched *watched, struct error *error)
{
    struct bounds *bounds;
    if (!bounds_create(watched, &bounds, error))
        return false;
    checker->validation.on_allocate = bounds_on_allocate;
    checker->validation.on_allocate_context = bounds;
    bool done = run_sequences(checker, task, program, watched, bounds_watch(bounds), error);
    checker->validation.on_allocate = NULL;
    bounds_free(bounds);
    return done;
}

static bool run_races(struct checker *checker, const struct check_task *task, const struct program *program,
                      struct watched *watched, struct error *error)
{
    struct races *races;
    if (!races_create(watched, &races, error))
        return false;
    checker->validation.on_allocate = races_on_allocate;
    checker->validation.on_allocate_context = races;
    bool done = run_sequences(checker, task, program, watched, races_watch(races), error);
    checker->validation.on_allocate = NULL;
    if (done && !races_complete(races))
        done = error_out_of_memory(error);
    races_free(races);
    return done;
}

static bool check_arguments(const struct device_driver *driver, const struct program *program,
                            const struct check_task *task, struct error *error)
{
    const struct job_case *job_case = &task->job->cases[task->which];
    const struct job_program *source = &task->job->program;
    return arguments_check(driver, program, source, job_case, &job_case->prepare, error) &&
           arguments_check(driver, program, source, job_case, &job_case->launch, error) &&
           arguments_check(driver, program, source, job_case, &job_case->finish, error);
}

static bool run_module(struct checker *checker, const struct check_task *task, const struct compile_result *compiled,
                       struct instance *instance, struct watched *watched, struct error *error)
{
    struct validation_kernels *validation = &checker->validation;
    struct program program = {0};
    Dl_info module;
    bool loaded = program_load(validation->driver, validation->device, &task->job->program, compiled->image,
                               compiled->image_bytes, &program, error);
    if (!loaded)
        instrument_try(&checker->instrument, task->folder, error);
    bool done = loaded && check_arguments(validation->driver, &program, task, error) &&
                variables_read(compiled->image, compiled->image_bytes, &watched->variables, error) &&
                instance_reset(validation, instance, error);
    if (done && program.kernel_count > 0) {
        void *code;
        memcpy(&code, &program.kernels[0]->entry->run, sizeof code);
        watched->base = dladdr(code, &module) ? (uintptr_t)module.dli_fbase : 0;
        done = checker->instrument.tool == CHECK_BOUNDS ? run_bounds(checker, task, &program, watched, error)
                                                        : run_races(checker, task, &program, watched, error);
    }
    variables_clear(&watched->variables);
    program_unload(validation->driver, validation->device, &program);
    return done;
}

/* Results are validated by the sweep; with no checks left, no reference is computed. */
static bool create_instance(struct checker *checker, const struct check_task *task, struct instance **instance,
                            struct error *error)
{
    struct job job = *task->job;
    for (size_t i = 0; i < JOB_CASES; i++) {
        job.cases[i].check_count = 0;
        job.cases[i].reference = (struct job_steps){0};
    }
    return instance_create(&checker->validation, checker->programs, &job, task->which, instance, error);
}

/* What the source, or a file that it includes, calls its dynamic shared memory. */
static bool name_dynamic(const struct job_program *program, const char *text, size_t length, struct watched *watched,
                         struct error *error)
{
    const struct compile_request request = program_request(program, text, length);
    char *expanded = inclusion_expand(&request, &length, error);
    if (!expanded)
        return false;
    variables_dynamic_name(expanded, watched->dynamic_name, sizeof watched->dynamic_name);
    free(expanded);
    return true;
}

bool checker_run(struct checker *checker, const struct check_task *task, struct error *error)
{
    struct compile_result compiled = {0};
    struct instance *instance = NULL;
    struct watched *watched = calloc(1, sizeof *watched);
    char path[PATH_MAX], *text = NULL;
    size_t length;
    bool done = false;
    int file = -1;
    if (!watched) {
        error_out_of_memory(error);
        goto out;
    }
    if (!program_read(task->job->program.path, &text, &length, error))
        goto out;
    snprintf(path, sizeof path, "%s/" CHECK_DIAGNOSTICS_FILE, task->folder);
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) {
        error_set(error, ERROR_SYSTEM, "cannot write %s: %s", path, strerror(errno));
        goto out;
    }
    snprintf(path, sizeof path, "%s/" CHECK_MODULE_FILE, task->folder);
    if (!compile(checker, task, file, text, &compiled, error) ||
        !write_file(path, compiled.image, compiled.image_bytes, error) ||
        !create_instance(checker, task, &instance, error))
        goto out;
    watched->file = file;
    watched->job_case = &task->job->cases[task->which];
    watched->instance = instance;
    if (!name_dynamic(&task->job->program, text, length, watched, error))
        goto out;
    done = run_module(checker, task, &compiled, instance, watched, error);
out:
    if (instance)
        instance_free(&checker->validation, instance);
    if (file >= 0)
        close(file);
    free(compiled.image);
    free(compiled.log);
    free(text);
    free(watched);
    return done;
}

void checker_report_signal(const struct checker *checker, int signal, const void *address, uintptr_t code)
{
    struct watched *watched = checker->watched;
    if (!watched || !watched->thread)
        return;
    bool memory = signal == SIGSEGV || signal == SIGBUS;
    struct raw_diagnostic diagnostic = {.kind = memory ? DIAGNOSTIC_OUT_OF_BOUNDS : DIAGNOSTIC_FAULT};
    diagnostic.code = code > watched->base ? code + 1 - watched->base : 0;
    char thread[64];
    watched_thread_text(watched, watched_thread(watched), thread, sizeof thread);
    if (memory)
        snprintf(diagnostic.text, sizeof diagnostic.text, "%s accesses unmapped address %p", thread, address);
    else
        snprintf(diagnostic.text, sizeof diagnostic.text, "%s raises signal %d", thread, signal);
    raw_diagnostic_write(watched->file, &diagnostic);
}
