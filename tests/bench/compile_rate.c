/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_rate - how fast compile workers are with nothing else to do: the upper bound for a sweep that compiling
 * limits.
 *
 *     compile_rate TEMPLATE SPACE DEVICE.json WORKERS [SIZE=N ...]
 *
 * Compiles every valid configuration of the space once, without a cache, in WORKERS processes of which each takes
 * every WORKERS-th configuration. Prints their number, the wall time and the rate.
 */
#include "tuner/device/device.h"
#include "tuner/device/monotonic.h"
#include "tuner/job/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SIZES = 16 };

static int fail(const struct error *error)
{
    error_print(error, stderr);
    return 1;
}

static char *read_text(const char *path, size_t *length)
{
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "rb");
    ssize_t got = file ? getdelim(&text, &capacity, EOF, file) : -1;
    if (file)
        fclose(file);
    *length = got > 0 ? (size_t)got : 0;
    return got > 0 ? text : NULL;
}

static bool compile_one(const struct device_driver *driver, const struct problem *problem, size_t index,
                        const char *scratch, struct error *error)
{
    struct job *job = NULL;
    struct compile_result result = {0};
    if (!job_lower(problem, index, 1, &job, error))
        return error->code == ERROR_RESOURCES; /* a sweep does not compile these either */
    const struct job_program *program = &job->program;
    struct compile_request request = {
        .path = program->path,
        .folder = program->folder,
        .defines = program->defines,
        .kernels = (const char *const *)program->kernels,
        .kernel_count = program->kernel_count,
        .symbols = (const char *const *)program->symbols,
        .symbol_count = program->symbol_count,
        .options = (const char *const *)program->options,
        .option_count = program->option_count,
        .scratch_folder = scratch,
    };
    char *text = read_text(program->path, &request.length);
    request.text = text;
    bool done = text ? driver->compile(problem_device(problem), &request, &result, error)
                     : error_set(error, ERROR_INPUT, "cannot read %s", program->path);
    free(text);
    free(result.image);
    free(result.log);
    job_free(job);
    return done;
}

static int work(const struct problem *problem, size_t worker, size_t workers)
{
    const struct device_driver *driver = device_driver_find(problem_device(problem)->kind);
    struct error error = {0};
    char scratch[] = "/tmp/compile-rate-XXXXXX";
    if (!driver || !mkdtemp(scratch))
        return 1;
    bool done = true;
    for (size_t i = worker; done && i < problem_configuration_count(problem); i += workers)
        done = compile_one(driver, problem, i, scratch, &error);
    char *command = NULL;
    if (asprintf(&command, "rm -rf %s", scratch) > 0 && system(command) != 0)
        fprintf(stderr, "compile_rate: cannot remove %s\n", scratch);
    free(command);
    return done ? 0 : fail(&error);
}

static int measure(const struct problem *problem, size_t workers)
{
    double began = monotonic_seconds();
    int failed = 0, status;
    for (size_t worker = 0; worker < workers; worker++) {
        pid_t child = fork();
        if (child == 0)
            _exit(work(problem, worker, workers));
        failed += child < 0;
    }
    while (wait(&status) > 0)
        failed += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    double seconds = monotonic_seconds() - began;
    size_t count = problem_configuration_count(problem);
    printf("%zu configurations compiled by %zu workers in %.2f s: %.2f per second\n", count, workers, seconds,
           (double)count / seconds);
    return failed != 0;
}

int main(int count, char **arguments)
{
    struct template *template = NULL;
    struct space *space = NULL;
    struct problem *problem = NULL;
    struct device_description device;
    struct size_setting sizes[MOST_SIZES];
    size_t size_count = 0;
    struct error error = {0};
    if (count < 5) {
        fprintf(stderr, "usage: compile_rate TEMPLATE SPACE DEVICE.json WORKERS [SIZE=N ...]\n");
        return 2;
    }
    for (int i = 5; i < count && size_count < MOST_SIZES; i++) {
        char *equals = strchr(arguments[i], '=');
        if (!equals)
            continue;
        *equals = '\0';
        sizes[size_count++] = (struct size_setting){.name = arguments[i], .value = strtoll(equals + 1, NULL, 10)};
    }
    long workers = strtol(arguments[4], NULL, 10);
    if (!template_read(arguments[1], &template, &error) || !space_read(arguments[2], template, &space, &error) ||
        !device_description_read(arguments[3], &device, &error) ||
        !problem_create(template, space, &device, sizes, size_count, &problem, &error))
        return fail(&error);
    int status = measure(problem, workers > 0 ? (size_t)workers : 1);
    problem_free(problem);
    space_free(space);
    template_free(template);
    return status;
}
