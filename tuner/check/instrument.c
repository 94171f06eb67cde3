/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/instrument.h"

#include "tuner/evaluation/transient.h"
#include "tuner/measure/program.h"

#include <stdlib.h>
#include <string.h>

extern const char tune_check_words[];

/* ---- options ---- */

/* Little optimisation, so that every access stays where it was written; and allow undefined symbols. */
static const char *const common_options[] = {"-O1", "-g", "-fno-omit-frame-pointer", "-Wl,-z,undefs"};

static const char one_block[] = "-DTUNE_ONE_BLOCK";

static const char *const gcc_options[CHECK_TOOLS][8] = {
    [CHECK_BOUNDS] = {"-fsanitize=address,bounds,alignment", "-fsanitize-recover=address,bounds,alignment", "--param",
                      "asan-instrumentation-with-call-threshold=2147483647", one_block},
    [CHECK_RACES] = {"-fsanitize=thread", "--param", "tsan-distinguish-volatile=1", "--param",
                     "tsan-instrument-func-entry-exit=0", "-DTUNE_CHECK_ACCESSES"},
};
static const char *const clang_options[CHECK_TOOLS][8] = {
    [CHECK_BOUNDS] = {"-fsanitize=address,array-bounds,alignment",
                      "-fsanitize-recover=address,array-bounds,alignment", "-mllvm",
                      "-asan-instrumentation-with-call-threshold=2147483647", "-shared-libsan", one_block},
    [CHECK_RACES] = {"-fsanitize=thread", "-mllvm", "-tsan-distinguish-volatile=1", "-mllvm",
                     "-tsan-instrument-func-entry-exit=0", "-mllvm", "-tsan-instrument-read-before-write=1",
                     "-DTUNE_CHECK_ACCESSES"},
};

static const char *const tool_options[CHECK_TOOLS] = {
    [CHECK_BOUNDS] = "-fsanitize=address",
    [CHECK_RACES] = "-fsanitize=thread",
};

static const char **list_options(const struct instrument *instrument, const struct job_program *program,
                                 size_t *count)
{
    enum { COMMON = sizeof common_options / sizeof *common_options };
    bool clang = strstr(instrument->description->compiler, "clang") != NULL;
    const char *const *own = clang ? clang_options[instrument->tool] : gcc_options[instrument->tool];
    const char **options = calloc(COMMON + 8 + program->option_count + 1, sizeof *options);
    *count = 0;
    for (size_t i = 0; options && i < program->option_count; i++)
        options[(*count)++] = program->options[i];
    for (size_t i = 0; options && i < COMMON; i++)
        options[(*count)++] = common_options[i];
    for (size_t i = 0; options && i < 8 && own[i]; i++) {
        if (!instrument->several_blocks || strcmp(own[i], one_block) != 0)
            options[(*count)++] = own[i];
    }
    return options;
}

/* ---- compiling ---- */

bool instrument_compile(struct instrument *instrument, const struct job_program *program, const char *text,
                        const char *folder, struct compile_result *result, struct error *error)
{
    size_t option_count;
    const char **options = list_options(instrument, program, &option_count);
    const struct compile_request request = {
        .path = program->path,
        .text = text,
        .length = strlen(text),
        .folder = program->folder,
        .preamble = tune_check_words,
        .defines = program->defines,
        .kernels = (const char *const *)program->kernels,
        .kernel_count = program->kernel_count,
        .symbols = (const char *const *)program->symbols,
        .symbol_count = program->symbol_count,
        .options = options,
        .option_count = option_count,
        .scratch_folder = folder,
    };
    bool done = options ? instrument->driver->compile(instrument->description, &request, result, error)
                        : error_out_of_memory(error);
    free(options);
    if (!done || result->compiled || !result->log || !transient_text(result->log))
        return done;
    error_set(error, ERROR_SYSTEM, "%s was not compiled: %.500s", program->path, result->log);
    free(result->log);
    *result = (struct compile_result){0};
    return false;
}

/* That the linker returned 1 is not the reason. */
const char *instrument_first_error(const char *log, const char **line)
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

/* ---- trying the tool ---- */

static const char trial_text[] = "__global__ void trial(int *values)\n{\n    values[threadIdx.x] = 1;\n}\n";
static char *const trial_kernels[] = {(char *)"trial"};

static bool build_trial(struct instrument *instrument, const char *folder, struct error *error)
{
    const struct job_program trial = {
        .path = (char *)"trial.cu", .kernels = (char **)(uintptr_t)trial_kernels, .kernel_count = 1};
    struct compile_result result = {0};
    struct program program = {0};
    bool done = instrument_compile(instrument, &trial, trial_text, folder, &result, error);
    if (done && !result.compiled) {
        const char *line, *message = instrument_first_error(result.log ? result.log : "", &line);
        done = error_set(error, ERROR_WORK, "%.*s", (int)strcspn(message, "\n"), message);
    }
    done = done && program_load(instrument->driver, instrument->device, &trial, result.image, result.image_bytes,
                                &program, error);
    program_unload(instrument->driver, instrument->device, &program);
    free(result.image);
    free(result.log);
    return done;
}

bool instrument_try(struct instrument *instrument, const char *folder, struct error *error)
{
    struct error failure = {0};
    if (instrument->tried)
        return true;
    bool built = build_trial(instrument, folder, &failure);
    if (!built && failure.code == ERROR_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    instrument->tried = true;
    instrument->unusable = !built;
    if (built)
        return true;
    error_set(error, ERROR_WORK, "%s cannot build with %s: %s", instrument->description->compiler,
              tool_options[instrument->tool], failure.text);
    return error_hint(error, "install the compiler's sanitizers (apt-get install g++ libgcc-N-dev, N being the "
                             "compiler's version; dnf install libasan), or set TUNE_CXX to another compiler");
}
