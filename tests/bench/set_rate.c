/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_rate - how fast one sweep for many sizes is where compiling takes long: gemm's `pipelined` by workers that
 * sleep, so that no GPU is needed. An image that is in the cache takes a millisecond, another COMPILE; to validate
 * and measure takes MEASURE, and gives what gemm_model.h says. All else is what a sweep does.
 *
 *     set_rate SIZES EVALUATIONS [COMPILERS [COMPILE [MEASURE [SEED]]]]
 *
 * SIZES is a file as for --sizes; seconds are 1.8 and 0.0013 for 15 compile workers, unless given. After 0
 * EVALUATIONS the time is limited instead, to a minute.
 */
#include "gemm_model.h"
#include "sham_worker.h"
#include "tests/unit/h100.h"
#include "tuner/device/monotonic.h"
#include "tuner/engine/set_sweep.h"
#include "tuner/job/job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { IMAGE_BYTES = 60 << 10, SAMPLES = 15 };

/* For the workers: seconds, and a folder with an entry for each image in the cache. */
static const char compiling[] = "SET_RATE_COMPILE", measuring[] = "SET_RATE_MEASURE", cache[] = "SET_RATE_CACHE";
static const double cached_seconds = 0.001;

static struct device_description device(void)
{
    struct device_description description = h100;
    strcpy(description.name, "sleeping workers");
    strcpy(description.uuid, "set-rate");
    return description;
}

/* ---- workers that sleep */

static void sleep_for(double seconds)
{
    const struct timespec time = {.tv_sec = (time_t)seconds,
                                  .tv_nsec = (long)(1e9 * (seconds - (double)(long)seconds))};
    nanosleep(&time, NULL);
}

/* It is in the cache when it has been compiled, not while another worker is at it. */
static bool compile(struct channel *channel, const json_t *request, const void *image)
{
    char path[512];
    uint64_t hash = 14695981039346656037u;
    for (const char *c = json_string_value(json_object_get(request, "defines")); *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    snprintf(path, sizeof path, "%s/%016llx", getenv(cache), (unsigned long long)hash);
    bool cached = access(path, F_OK) == 0;
    double seconds = cached ? cached_seconds : atof(getenv(compiling)) * (0.5 + (double)(hash % 1000) / 1000);
    sleep_for(seconds);
    (void)mkdir(path, 0700);
    return sham_reply(channel,
                      json_pack("{s:b, s:s, s:f, s:i, s:b}", "compiled", 1, "log", "", "seconds", seconds,
                                "spill_bytes", 0, "cached", cached),
                      image, IMAGE_BYTES);
}

/* The configuration, of the defines that the job has. */
static void write_configuration(const char *defines, char *text, size_t size)
{
    char name[64], value[64];
    size_t used = (size_t)snprintf(text, size, "{\"VARIANT\":\"pipelined\"");
    for (const char *line = defines; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (sscanf(line, "#define %63s %63s", name, value) == 2 && strncmp(name, "VARIANT", 7) != 0)
            used += (size_t)snprintf(text + used, size - used, ",\"%s\":%s", name, value);
    }
    snprintf(text + used, size - used, "}");
}

static bool measure(struct channel *channel, const json_t *request)
{
    static char message[] = "";
    char configuration[2048];
    long long m, n, k;
    double samples[SAMPLES], seconds = atof(getenv(measuring));
    struct job *job;
    if (!job_from_json(json_object_get(request, "job"), &job, NULL) ||
        sscanf(job->cases[JOB_TUNED].size_text, "M=%lld,N=%lld,K=%lld", &m, &n, &k) != 3)
        return false;
    const uint64_t seed = job->seed;
    write_configuration(job->program.defines, configuration, sizeof configuration);
    job_free(job);
    double time_ns = gemm_model_time(&h100, configuration, (const int64_t[]){m, n, k});
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = time_ns * (1 + 1e-4 * (double)i);
    const struct evaluation usual = {.message = message,
                                     .seed = seed,
                                     .time_ns = time_ns,
                                     .samples_ns = samples,
                                     .sample_count = SAMPLES,
                                     .error_ratio = 0.5,
                                     .measure_seconds = seconds};
    sleep_for(seconds);
    return sham_reply(channel, json_pack("{s:o, s:b}", "evaluation", evaluation_to_json(&usual), "last", 0), NULL, 0);
}

static bool answer(struct channel *channel, const char *role, const json_t *request, const void *image)
{
    const char *name = json_string_value(json_object_get(request, "request"));
    bool compiles = strcmp(role, "compile") == 0;
    const struct device_description found = device();
    if (name && strcmp(name, "open") == 0)
        return sham_reply(channel,
                          compiles ? json_object() : json_pack("{s:o}", "device", device_description_json(&found)),
                          NULL, 0);
    return compiles ? compile(channel, request, image) : measure(channel, request);
}

/* ---- the sweep */

struct scene {
    struct device_description device;
    struct template *template;
    struct space *space;
    struct size_set set;
    struct problem **problems;
    struct store *store;
};

static bool make(struct scene *scene, const char *sizes, const char *folder, struct error *error)
{
    char database[512];
    snprintf(database, sizeof database, "%s/tune.db", folder);
    scene->device = device();
    if (!template_read(TUNE_SOURCE_FOLDER "/templates/gemm", &scene->template, error) ||
        !space_read(TUNE_SOURCE_FOLDER "/spaces/gemm/pipelined.space", scene->template, &scene->space, error) ||
        !size_set_read(sizes, scene->template, &scene->device, &scene->set, error) ||
        !store_open(database, false, &scene->store, error))
        return false;
    scene->problems = calloc(scene->set.count + 1, sizeof(struct problem *));
    bool done = scene->problems || error_out_of_memory(error);
    for (size_t i = 0; done && i < scene->set.count;) {
        done = problem_create(scene->template, scene->space, &scene->device,
                              scene->set.values + i * scene->set.dimensions, scene->set.dimensions,
                              &scene->problems[i], error);
        if (done && problem_configuration_count(scene->problems[i]) > 0) {
            i++;
            continue;
        }
        problem_free(scene->problems[i]); /* as tune does, leave out sizes at which nothing is possible */
        scene->problems[i] = NULL;
        if (done)
            size_set_remove(&scene->set, i);
    }
    return done;
}

static void clear(struct scene *scene)
{
    store_close(scene->store);
    for (size_t i = 0; scene->problems && i < scene->set.count; i++)
        problem_free(scene->problems[i]);
    free(scene->problems);
    size_set_clear(&scene->set);
    space_free(scene->space);
    template_free(scene->template);
}

static bool sweep(const struct scene *scene, char **arguments, int count, struct error *error)
{
    struct set_summary summary = {0};
    const uint64_t evaluations = strtoull(arguments[2], NULL, 10);
    const struct set_options options = {
        .configurations = 8,
        .sweep = {.strategy = strategy_find("auto"),
                  .strategy_text = "auto",
                  .seed = count > 6 ? strtoull(arguments[6], NULL, 10) : 1,
                  .budget_evaluations = evaluations,
                  .budget_seconds = evaluations > 0 ? 0 : 60,
                  .finals = true,
                  .crew = {.compile_jobs = count > 3 ? (unsigned)atoi(arguments[3]) : 15, .unconfined = true}}};
    bool done = set_sweep_run(scene->problems, &scene->set, scene->store, &options, &summary, error);
    if (done)
        printf(
            "%zu sizes, %zu evaluations in %.1f s: %.1f per second; compile workers busy for %.1f s, the measuring "
            "worker %.1f %% of the time; finals at %zu; answers %.1f %% of the best found\n",
            scene->set.count, summary.evaluations, summary.seconds, (double)summary.evaluations / summary.seconds,
            summary.compile_seconds, 100 * summary.measure_seconds / summary.seconds, summary.finals,
            summary.dispatch ? 100 * dispatch_quality(summary.dispatch).mean : 0);
    dispatch_free(summary.dispatch);
    return done;
}

int main(int count, char **arguments)
{
    struct scene scene = {0};
    struct error error = {0};
    char folder[] = "/tmp/set-rate-XXXXXX", command[64];
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return sham_worker(arguments[2], atoi(arguments[3]), IMAGE_BYTES, answer);
    if (count < 3 || !mkdtemp(folder))
        return 2;
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("TMPDIR", folder, 1);
    setenv(cache, folder, 1);
    setenv(compiling, count > 4 ? arguments[4] : "1.8", 1);
    setenv(measuring, count > 5 ? arguments[5] : "0.0013", 1);
    bool done = make(&scene, arguments[1], folder, &error) && sweep(&scene, arguments, count, &error);
    clear(&scene);
    if (!done)
        error_print(&error, stderr);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 && done ? EXIT_SUCCESS : EXIT_FAILURE;
}
