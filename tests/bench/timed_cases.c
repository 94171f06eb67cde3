/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timed_cases - times the default configurations of several problems in one process, for timing_against_ncu.py.
 *
 *     timed_cases SAMPLES [--profiled] TEMPLATE SPACE SIZES [TEMPLATE SPACE SIZES ...]
 *
 * SIZES is NAME=N,NAME=N. Prints a line of JSON for each case, and a last one for an empty kernel. With --profiled, a
 * profiler that waits for cuProfilerStart sees SAMPLES empty launches and then the kernels of each sample, each after
 * a tune_block, and no other launches of the process.
 */
#include "tuner/device/cuda/driver.h"
#include "tuner/measure/evaluate.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZES = 16 };

/* CUDA's driver with a watch on its samples. */
static struct {
    struct device_driver driver;
    const struct device_driver *cuda;
    struct device *device;
    bool profiled, sampling;
    size_t samples, taken; /* wanted, and seen by the profiler so far in this case */
    int (*profiler_start)(void);
    int (*profiler_stop)(void);
} watched;

static int fail(const struct error *error)
{
    error_print(error, stderr);
    return 1;
}

/* ---- what a profiler sees ----------------------------------------------------------------------------------- */

/* Spins of zero duration. */
static bool show_empty_launches(struct device *device, struct error *error)
{
    struct blocking_kernel *blocking = &device->blocking;
    if (!blocking_kernel_prepare(blocking, error) || !cache_flush_queue(&device->flush, &device->context, error))
        return false;
    bool done = !blocking->unavailable || error_set(error, ERROR_WORK, "the spin does not compile");
    watched.profiler_start();
    for (size_t i = 0; done && i < watched.samples; i++)
        done = cache_flush_queue(&device->flush, &device->context, error) && blocking_kernel_block(blocking, error) &&
               blocking_kernel_spin(blocking, 0, error) && watched.cuda->synchronize(device, error);
    watched.profiler_stop();
    return done;
}

/* Under a profiler, events include the profiler's own time, so there is nothing to calibrate. */
static bool blocking_kernel(struct device *device, struct error *error)
{
    bool first = !watched.device;
    watched.device = device;
    if (watched.profiled) {
        device->timer.calibrated = true;
        if (first && !show_empty_launches(device, error))
            return false;
        watched.profiler_start();
        watched.sampling = true;
    }
    return watched.cuda->blocking_kernel(device, error);
}

static bool stop(struct device *device, double *nanoseconds, struct error *error)
{
    bool done = watched.cuda->stop(device, nanoseconds, error);
    if (watched.sampling)
        watched.profiler_stop();
    watched.taken += watched.sampling;
    watched.sampling = false;
    return done;
}

static bool watch(struct error *error)
{
    watched.cuda = device_driver_find("cuda");
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!watched.cuda || !library)
        return error_set(error, ERROR_WORK, "there is no NVIDIA driver here");
    *(void **)&watched.profiler_start = dlsym(library, "cuProfilerStart");
    *(void **)&watched.profiler_stop = dlsym(library, "cuProfilerStop");
    if (watched.profiled && (!watched.profiler_start || !watched.profiler_stop))
        return error_set(error, ERROR_WORK, "the NVIDIA driver cannot start a profiler");
    watched.driver = *watched.cuda;
    watched.driver.blocking_kernel = blocking_kernel;
    watched.driver.stop = stop;
    return true;
}

/* ---- a case ------------------------------------------------------------------------------------------------- */

static bool compile(const struct device_description *device, const struct job_program *program,
                    struct compile_result *result, struct error *error)
{
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(program->path, "rb");
    ssize_t length = file ? getdelim(&text, &capacity, EOF, file) : -1;
    if (file)
        fclose(file);
    const struct compile_request request = {
        .path = program->path,
        .text = text,
        .length = length > 0 ? (size_t)length : 0,
        .folder = program->folder,
        .defines = program->defines,
        .kernels = (const char *const *)program->kernels,
        .kernel_count = program->kernel_count,
        .symbols = (const char *const *)program->symbols,
        .symbol_count = program->symbol_count,
        .options = (const char *const *)program->options,
        .option_count = program->option_count,
        .scratch_folder = "/tmp", /* NVRTC leaves nothing there */
    };
    bool done = length > 0 ? watched.cuda->compile(device, &request, result, error)
                           : error_set(error, ERROR_INPUT, "cannot read %s", program->path);
    free(text);
    return done && (result->compiled || error_set(error, ERROR_INPUT, "%s", result->log));
}

static void print_case(const struct problem *problem, size_t index, const char *name,
                       const struct evaluation *evaluation)
{
    char *text = problem_configuration_text(problem, index);
    printf("{\"template\": \"%s\", \"size\": \"%s\", \"time_ns\": %.1f, \"taken\": %zu, \"configuration\": %s}\n",
           name, problem_size_text(problem), evaluation->time_ns, watched.taken, text ? text : "null");
    free(text);
}

static bool time_problem(struct evaluator *evaluator, const struct device_description *device,
                         const struct problem *problem, const char *name, struct error *error)
{
    size_t index;
    bool named;
    watched.taken = 0;
    struct job *job = NULL;
    struct compile_result result = {0};
    struct evaluation evaluation = {0};
    const struct evaluation_effort effort = {.samples = watched.samples};
    bool done =
        (problem_default(problem, &index, &named) || error_set(error, ERROR_INPUT, "%s: empty space", name)) &&
        job_lower(problem, index, 1, &job, error) && compile(device, &job->program, &result, error) &&
        evaluator_run(evaluator, job, result.image, result.image_bytes, &effort, &evaluation, error);
    if (done && evaluation.outcome != OUTCOME_OK)
        done = error_set(error, ERROR_INPUT, "%s: %s", name, evaluation.message);
    if (done)
        print_case(problem, index, name, &evaluation);
    evaluation_clear(&evaluation);
    free(result.image);
    free(result.log);
    job_free(job);
    return done;
}

static size_t read_sizes(char *text, struct size_setting sizes[MOST_SIZES])
{
    size_t count = 0;
    for (char *place = NULL, *word = strtok_r(text, ",", &place); word && count < MOST_SIZES;
         word = strtok_r(NULL, ",", &place)) {
        char *equals = strchr(word, '=');
        if (!equals)
            continue;
        *equals = '\0';
        sizes[count++] = (struct size_setting){.name = word, .value = strtoll(equals + 1, NULL, 10)};
    }
    return count;
}

static bool time_case(struct evaluator *evaluator, const struct device_description *device, char **arguments,
                      struct error *error)
{
    struct template *template = NULL;
    struct space *space = NULL;
    struct problem *problem = NULL;
    struct size_setting sizes[MOST_SIZES];
    size_t size_count = read_sizes(arguments[2], sizes);
    const char *slash = strrchr(arguments[0], '/');
    bool done = template_read(arguments[0], &template, error) && space_read(arguments[1], template, &space, error) &&
                problem_create(template, space, device, sizes, size_count, &problem, error) &&
                time_problem(evaluator, device, problem, slash ? slash + 1 : arguments[0], error);
    problem_free(problem);
    space_free(space);
    template_free(template);
    return done;
}

int main(int count, char **arguments)
{
    struct error error = {0};
    struct evaluator *evaluator = NULL;
    struct device_description device;
    watched.profiled = count > 2 && strcmp(arguments[2], "--profiled") == 0;
    watched.samples = count > 1 ? (size_t)strtoul(arguments[1], NULL, 10) : 0;
    int first = watched.profiled ? 3 : 2;
    if (count < first + 3 || (count - first) % 3 != 0 || watched.samples == 0) {
        fprintf(stderr, "usage: timed_cases SAMPLES [--profiled] TEMPLATE SPACE SIZES [TEMPLATE SPACE SIZES ...]\n");
        return 2;
    }
    const struct compile_images images = {.open = cache_open};
    if (!watch(&error) || !evaluator_create(&watched.driver, 0, &images, &evaluator, &error))
        return fail(&error);
    bool done = evaluator_describe(evaluator, &device, &error);
    for (int i = first; done && i < count; i += 3) {
        done = time_case(evaluator, &device, arguments + i, &error);
        fflush(stdout);
    }
    if (done)
        printf("{\"template\": \"empty\", \"time_ns\": %.1f}\n", watched.device->timer.launch_ns);
    evaluator_free(evaluator);
    return done ? 0 : fail(&error);
}
