/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/checker.h"

#include "tuner/check/bounds.h"
#include "tuner/check/races.h"
#include "tuner/device/cpu/cpu.h"
#include "tuner/device/cpu/loader.h"
#include "tuner/measure/steps.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char tune_check_words[];

struct checker {
    enum check_tool tool;
    struct validation_kernels kernels;
    struct program_cache *programs;
    struct watched *watched; /* while a kernel runs */
    bool tried, unusable;    /* what became of the trial */
};

bool checker_create(enum check_tool tool, struct checker **result, struct error *error)
{
    struct checker *checker = calloc(1, sizeof *checker);
    *result = NULL;
    if (!checker)
        return error_out_of_memory(error);
    checker->tool = tool;
    if (!validation_kernels_open(&checker->kernels, &cpu_driver, 0, true, error) ||
        !program_cache_create(&checker->programs, error)) {
        checker_free(checker);
        return false;
    }
    *result = checker;
    return true;
}

void checker_free(struct checker *checker)
{
    if (!checker)
        return;
    program_cache_free(checker->programs, checker->kernels.driver, checker->kernels.device);
    validation_kernels_close(&checker->kernels);
    free(checker);
}

/* ---- compiling ---- */

/* Little optimisation, so that every access stays where it was written, and no more limits on what is left to link.
 */
static const char *const common_options[] = {"-O1", "-g", "-fno-omit-frame-pointer", "-Wl,-z,undefs"};

static const char *const gcc_options[CHECK_TOOLS][8] = {
    [CHECK_BOUNDS] = {"-fsanitize=address,bounds", "-fsanitize-recover=address,bounds", "--param",
                      "asan-instrumentation-with-call-threshold=2147483647", "-DTUNE_ONE_BLOCK"},
    [CHECK_RACES] = {"-fsanitize=thread", "--param", "tsan-distinguish-volatile=1", "--param",
                     "tsan-instrument-func-entry-exit=0", "-DTUNE_CHECK_ACCESSES"},
};
static const char *const clang_options[CHECK_TOOLS][8] = {
    [CHECK_BOUNDS] = {"-fsanitize=address,array-bounds", "-fsanitize-recover=address,array-bounds", "-mllvm",
                      "-asan-instrumentation-with-call-threshold=2147483647", "-shared-libsan", "-DTUNE_ONE_BLOCK"},
    [CHECK_RACES] = {"-fsanitize=thread", "-mllvm", "-tsan-distinguish-volatile=1", "-mllvm",
                     "-tsan-instrument-func-entry-exit=0", "-mllvm", "-tsan-instrument-read-before-write=1",
                     "-DTUNE_CHECK_ACCESSES"},
};

static const char *const tool_options[CHECK_TOOLS] = {
    [CHECK_BOUNDS] = "-fsanitize=address",
    [CHECK_RACES] = "-fsanitize=thread",
};

/* A kernel that no tool has anything to say about. */
static const char trial_text[] = "__global__ void trial(int *values)\n{\n    values[threadIdx.x] = 1;\n}\n";
static char *const trial_kernels[] = {(char *)"trial"};

static const char **list_options(const struct checker *checker, const struct job_program *program, size_t *count)
{
    enum { COMMON = sizeof common_options / sizeof *common_options };
    bool clang = strstr(checker->kernels.description.compiler, "clang") != NULL;
    const char *const *own = clang ? clang_options[checker->tool] : gcc_options[checker->tool];
    const char **options = calloc(COMMON + 8 + program->option_count + 1, sizeof *options);
    *count = 0;
    for (size_t i = 0; options && i < program->option_count; i++)
        options[(*count)++] = program->options[i];
    for (size_t i = 0; options && i < COMMON; i++)
        options[(*count)++] = common_options[i];
    for (size_t i = 0; options && i < 8 && own[i]; i++)
        options[(*count)++] = own[i];
    return options;
}

static bool write_file(const char *path, const void *bytes, size_t count, struct error *error)
{
    FILE *file = fopen(path, "we");
    bool written = file && fwrite(bytes, 1, count, file) == count;
    if (file && fclose(file) != 0)
        written = false;
    return written || error_set(error, ERROR_SYSTEM, "cannot write %s: %s", path, strerror(errno));
}

/*
 * The first line that says what is wrong: FILE:LINE:COLUMN: error: TEXT, or the linker's "undefined reference to
 * ..."; that the linker has failed is no reason. `*line` is its beginning, the result what it says.
 */
static const char *first_error(const char *log, const char **line)
{
    static const char *const marks[] = {"error: ", "undefined reference", "undefined symbol", "cannot find "};
    for (*line = log; **line; *line += strcspn(*line, "\n"), *line += **line == '\n') {
        const char *end = *line + strcspn(*line, "\n");
        const char *failed = strstr(*line, "ld returned ");
        for (size_t i = 0; (!failed || failed > end) && i < sizeof marks / sizeof *marks; i++) {
            const char *message = strstr(*line, marks[i]);
            if (message && message < end)
                return message;
        }
    }
    *line = log;
    return log;
}

static bool refuse(const struct check_order *order, int file, const char *log, struct error *error)
{
    struct raw_flaw flaw = {.kind = FLAW_COMPILE};
    const char *line, *message = first_error(log, &line);
    const char *colon = memchr(line, ':', (size_t)(message - line));
    if (colon)
        flaw.line = atoi(colon + 1);
    snprintf(flaw.text, sizeof flaw.text, "%.*s", (int)strcspn(message, "\n"), message);
    raw_flaw_write(file, &flaw);
    return error_set(error, ERROR_INPUT, "%s does not compile for the check", order->job->program.path);
}

/* As the tool needs it. False only when the compiler itself cannot be used. */
static bool compile_program(struct checker *checker, const struct job_program *program, const char *text,
                            const char *folder, struct compile_result *result, struct error *error)
{
    char *defines = NULL;
    size_t option_count;
    const char **options = list_options(checker, program, &option_count);
    if (asprintf(&defines, "%s\n%s", tune_check_words, program->defines ? program->defines : "") < 0)
        defines = NULL;
    const struct compile_request request = {
        .path = program->path,
        .text = text,
        .length = strlen(text),
        .folder = program->folder,
        .defines = defines,
        .kernels = (const char *const *)program->kernels,
        .kernel_count = program->kernel_count,
        .symbols = (const char *const *)program->symbols,
        .symbol_count = program->symbol_count,
        .options = options,
        .option_count = option_count,
        .scratch_folder = folder,
    };
    bool done = options && defines
                    ? checker->kernels.driver->compile(&checker->kernels.description, &request, result, error)
                    : error_out_of_memory(error);
    free(options);
    free(defines);
    return done;
}

/* After a failure: is it the tool's? Then `error` says so; else it stays. */
static bool try_tool(struct checker *checker, const char *folder, struct error *error)
{
    if (checker->tried)
        return true;
    struct job_program trial = {.path = (char *)"trial.cu", .kernels = (char **)(uintptr_t)trial_kernels};
    struct compile_result result = {0};
    struct program program = {0};
    struct error failure = {0};
    trial.kernel_count = 1;
    bool done = compile_program(checker, &trial, trial_text, folder, &result, &failure);
    if (done && !result.compiled) {
        const char *line, *message = first_error(result.log ? result.log : "", &line);
        done = error_set(&failure, ERROR_WORK, "%.*s", (int)strcspn(message, "\n"), message);
    }
    done = done && program_load(checker->kernels.driver, checker->kernels.device, &trial, result.image,
                                result.image_bytes, &program, &failure);
    program_unload(checker->kernels.driver, checker->kernels.device, &program);
    free(result.image);
    free(result.log);
    checker->tried = true;
    checker->unusable = !done;
    if (done)
        return true;
    error_set(error, ERROR_WORK, "%s cannot build with %s: %s", checker->kernels.description.compiler,
              tool_options[checker->tool], failure.text);
    return error_hint(error, "%s",
                      "install the compiler's sanitizers (apt-get install g++ libgcc-N-dev, N being the "
                      "compiler's version; dnf install libasan), or let TUNE_CXX name another compiler");
}

bool checker_is_unusable(const struct checker *checker)
{
    return checker->unusable;
}

static bool compile(struct checker *checker, const struct check_order *order, int file, const char *text,
                    struct compile_result *result, struct error *error)
{
    if (!compile_program(checker, &order->job->program, text, order->folder, result, error))
        return false;
    return result->compiled ||
           (try_tool(checker, order->folder, error) && refuse(order, file, result->log ? result->log : "", error));
}

/* ---- running ---- */

static bool run_sequences(struct checker *checker, const struct check_order *order, const struct program *program,
                          struct watched *watched, const struct block_watch *watch, struct error *error)
{
    struct validation_kernels *kernels = &checker->kernels;
    const struct job_case *job_case = &order->job->cases[order->which];
    checker->watched = watched;
    cpu_watch(kernels->device, watch);
    bool done = steps_run(kernels, program, &job_case->prepare, watched->instance, error) &&
                steps_run(kernels, program, &job_case->launch, watched->instance, error) &&
                kernels->driver->synchronize(kernels->device, error);
    cpu_watch(kernels->device, NULL);
    checker->watched = NULL;
    return done;
}

static bool run_watched(struct checker *checker, const struct check_order *order, const struct program *program,
                        struct watched *watched, struct error *error)
{
    bool done = false;
    if (checker->tool == CHECK_BOUNDS) {
        struct bounds *bounds;
        if (bounds_create(watched, &bounds, error)) {
            done = run_sequences(checker, order, program, watched, bounds_watch(bounds), error);
            bounds_free(bounds);
        }
    } else {
        struct races *races;
        if (races_create(watched, &races, error)) {
            done = run_sequences(checker, order, program, watched, races_watch(races), error);
            if (done && !races_complete(races))
                done = error_out_of_memory(error);
            races_free(races);
        }
    }
    return done;
}

static bool run_on(struct checker *checker, const struct check_order *order, const struct compile_result *compiled,
                   struct instance *instance, struct watched *watched, struct error *error)
{
    struct validation_kernels *kernels = &checker->kernels;
    struct program program = {0};
    Dl_info module;
    bool loaded = program_load(kernels->driver, kernels->device, &order->job->program, compiled->image,
                               compiled->image_bytes, &program, error);
    if (!loaded)
        try_tool(checker, order->folder, error);
    bool done = loaded && variables_read(compiled->image, compiled->image_bytes, &watched->variables, error) &&
                instance_reset(kernels, instance, error);
    if (done && program.kernel_count > 0) {
        void *code;
        memcpy(&code, &program.kernels[0]->entry->run, sizeof code);
        watched->base = dladdr(code, &module) ? (uintptr_t)module.dli_fbase : 0;
        done = run_watched(checker, order, &program, watched, error);
    }
    variables_clear(&watched->variables);
    program_unload(kernels->driver, kernels->device, &program);
    return done;
}

/* What the outputs should be is the sweep's matter: without checks no reference is computed. */
static bool make_instance(struct checker *checker, const struct check_order *order, struct instance **instance,
                          struct error *error)
{
    struct job job = *order->job;
    for (size_t i = 0; i < JOB_CASES; i++) {
        job.cases[i].check_count = 0;
        job.cases[i].reference = (struct job_steps){0};
    }
    return instance_create(&checker->kernels, checker->programs, &job, order->which, instance, error);
}

bool checker_run(struct checker *checker, const struct check_order *order, struct error *error)
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
    if (!program_read(order->job->program.path, &text, &length, error))
        goto out;
    snprintf(path, sizeof path, "%s/" CHECK_FLAWS_FILE, order->folder);
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) {
        error_set(error, ERROR_SYSTEM, "cannot write %s: %s", path, strerror(errno));
        goto out;
    }
    snprintf(path, sizeof path, "%s/" CHECK_MODULE_FILE, order->folder);
    if (!compile(checker, order, file, text, &compiled, error) ||
        !write_file(path, compiled.image, compiled.image_bytes, error) ||
        !make_instance(checker, order, &instance, error))
        goto out;
    watched->file = file;
    watched->job_case = &order->job->cases[order->which];
    watched->instance = instance;
    variables_dynamic_name(text, watched->dynamic_name, sizeof watched->dynamic_name);
    done = run_on(checker, order, &compiled, instance, watched, error);
out:
    if (instance)
        instance_free(&checker->kernels, instance);
    if (file >= 0)
        close(file);
    free(compiled.image);
    free(compiled.log);
    free(text);
    free(watched);
    return done;
}

void checker_tell_signal(const struct checker *checker, int signal, const void *address, uintptr_t code)
{
    struct watched *watched = checker->watched;
    if (!watched || !watched->thread)
        return;
    bool memory = signal == SIGSEGV || signal == SIGBUS;
    struct raw_flaw flaw = {.kind = memory ? FLAW_OUT_OF_BOUNDS : FLAW_FAULT};
    flaw.code = code > watched->base ? code + 1 - watched->base : 0;
    char thread[64];
    watched_thread_text(watched, watched_thread(watched), thread, sizeof thread);
    if (memory)
        snprintf(flaw.text, sizeof flaw.text, "%s touches address %p, where there is no memory", thread, address);
    else
        snprintf(flaw.text, sizeof flaw.text, "%s ends the kernel by signal %d", thread, signal);
    raw_flaw_write(watched->file, &flaw);
}
