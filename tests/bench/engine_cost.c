/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_cost - the engine's own cost per configuration: a sweep of gemm's full space without any device, whose
 * workers answer at once with an image of 100 KB. What remains is the strategy, lowering, messages, the parent's loop
 * and the database.
 *
 *     engine_cost [CONFIGURATIONS [DEVICES [MICROSECONDS]]]
 *
 * MICROSECONDS is how long a measuring worker sleeps on each configuration; the time per configuration beyond that is
 * the gap in which a device would be idle.
 */
#include "no_device.h"
#include "sham_worker.h"
#include "tests/unit/h100.h"
#include "tuner/device/monotonic.h"
#include "tuner/engine/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { IMAGE_BYTES = 100 << 10, DEVICES_MOST = 8 };

static const char measuring[] = "ENGINE_COST_MICROSECONDS"; /* for the workers */

static struct device_description device(int ordinal)
{
    struct device_description description = h100;
    strcpy(description.name, "no device");
    snprintf(description.uuid, sizeof description.uuid, "engine-cost-%d", ordinal);
    return description;
}

/* ---- workers that do nothing */

static json_t *evaluation(void)
{
    double samples[NO_DEVICE_SAMPLES];
    const struct evaluation usual = no_device_evaluation(samples);
    return json_pack("{s:o, s:b}", "evaluation", evaluation_to_json(&usual), "last", 0);
}

static bool answer(struct channel *channel, const char *role, const json_t *request, const void *image)
{
    const char *name = json_string_value(json_object_get(request, "request"));
    bool compiles = strcmp(role, "compile") == 0;
    if (name && strcmp(name, "open") == 0) {
        struct device_description found = device((int)json_integer_value(json_object_get(request, "ordinal")));
        return sham_reply(channel,
                          compiles ? json_object() : json_pack("{s:o}", "device", device_description_json(&found)),
                          NULL, 0);
    }
    if (!compiles) {
        nanosleep(&(struct timespec){.tv_nsec = 1000 * atol(getenv(measuring))}, NULL);
        return sham_reply(channel, evaluation(), NULL, 0);
    }
    return sham_reply(channel,
                      json_pack("{s:b, s:s, s:f, s:i}", "compiled", 1, "log", "", "seconds", 1e-3, "spill_bytes", 0),
                      image, IMAGE_BYTES);
}

/* ---- the sweep */

static void print_cost(const struct sweep_summary *summary, double seconds)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0 || summary->progress.done == 0)
        return;
    double each = 1e6 / (double)summary->progress.done;
    printf("%zu configurations in %.3f s: %.0f us each; the parent computed %.0f + %.0f us (user + system) and held "
           "%.1f MB at most\n",
           summary->progress.done, seconds, seconds * each, seconds_of(usage.ru_utime) * each,
           seconds_of(usage.ru_stime) * each, (double)usage.ru_maxrss / 1024);
}

static bool sweep(const struct problem *problem, const char *database, uint64_t budget, size_t devices,
                  struct error *error)
{
    static const int ordinals[DEVICES_MOST] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct store *store = NULL;
    struct sweep_summary summary = {0};
    const struct sweep_options options = {.strategy = strategy_find("exhaustive"),
                                          .strategy_text = "exhaustive",
                                          .budget_evaluations = budget,
                                          .crew.ordinals = ordinals,
                                          .crew.ordinal_count = devices,
                                          .crew.no_cache = true};
    if (!store_open(database, false, &store, error))
        return false;
    double start = monotonic_seconds();
    bool done = sweep_run(problem, store, &options, NULL, NULL, &summary, error);
    if (done)
        print_cost(&summary, monotonic_seconds() - start);
    store_close(store);
    return done;
}

static bool run(uint64_t budget, size_t devices, const char *folder, struct error *error)
{
    struct template *template = NULL;
    struct space *space = NULL;
    struct problem *problem = NULL;
    struct device_description described = device(0);
    char database[512];
    snprintf(database, sizeof database, "%s/tune.db", folder);
    bool done = template_read(TUNE_SOURCE_FOLDER "/templates/gemm", &template, error) &&
                space_read(TUNE_SOURCE_FOLDER "/spaces/gemm/full.space", template, &space, error) &&
                problem_create(template, space, &described, NULL, 0, &problem, error) &&
                sweep(problem, database, budget, devices, error);
    problem_free(problem);
    space_free(space);
    template_free(template);
    return done;
}

int main(int count, char **arguments)
{
    static const char *const files[] = {"tune.db", "tune.db-wal", "tune.db-shm"};
    struct error error = {0};
    char folder[] = "/tmp/engine-cost-XXXXXX", path[64];
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return sham_worker(arguments[2], atoi(arguments[3]), IMAGE_BYTES, answer);
    int devices = count > 2 ? atoi(arguments[2]) : 1;
    if (setenv(measuring, count > 3 ? arguments[3] : "0", 1) != 0 || devices < 1 || devices > DEVICES_MOST ||
        !mkdtemp(folder))
        return EXIT_FAILURE;
    bool done = run(count > 1 ? strtoull(arguments[1], NULL, 10) : 0, (size_t)devices, folder, &error);
    if (!done)
        error_print(&error, stderr);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
