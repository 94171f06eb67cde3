/* SPDX-License-Identifier: Apache-2.0 */
/*
 * large_database - a database with very many results, to see how the program does with them:
 *
 *     large_database FILE [EVALUATIONS]
 *
 * FILE must not exist. It gets about EVALUATIONS (1000000) rows as sweeps leave them: of five shipped templates on
 * three devices (two GPUs, which need not be there, and this machine's CPU) at several sizes each, with samples,
 * failures, energy, metrics, finals and runs, of which the second reuses what the first one measured. Configurations
 * are valid ones of the template's `full` space, so that sweeps of it go on from them; times are random numbers.
 * store_cost measures what the store takes to answer about it.
 */
#include "db/connection.h"
#include "db/evaluations.h"
#include "tests/unit/h100.h"
#include "tuner/engine/identity.h"
#include "tuner/error/error.h"
#include "tuner/space/metrics.h"
#include "tuner/space/problem.h"
#include "tuner/workers/describe.h"
#include "tuner/workers/worker_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEVICES = 3, SIZES = 5, SAMPLES = 30, FINALISTS = 8 };

static const struct kernel {
    const char *name, *size; /* the latter takes these values on GPUs; on a CPU, these shifted right */
    int64_t values[SIZES];
    int shift;
} kernels[] = {
    {"bfs", "N", {1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 24}, 10},
    {"merge_sort", "n", {1 << 24, 1 << 25, 1 << 26, 1 << 27, 1 << 28}, 13},
    {"transpose", "ROWS", {2048, 4096, 8192, 16384, 32768}, 4},
    {"nearest_neighbor", "N", {16384, 32768, 65536, 131072, 262144}, 5},
    {"gemm", "M", {1024, 2048, 4096, 8192, 16384}, 5},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

struct filling {
    struct store *store;
    struct device_description devices[DEVICES];
    size_t left, problems_left;
    uint64_t random;
    struct error *error;
};

/* Splitmix64: Steele, Lea, Flood, OOPSLA 2014. */
static uint64_t random_bits(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

static double random_unit(uint64_t *state)
{
    return (double)(random_bits(state) >> 11) * 0x1p-53;
}

/* ---- rows */

static void measure(struct evaluation *evaluation, double *samples, bool has_energy, uint64_t *random)
{
    double time = 1e5 * exp(4 * random_unit(random) * random_unit(random));
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = round(time * (1 + 0.01 * random_unit(random)));
    evaluation->samples_ns = samples;
    evaluation->sample_count = SAMPLES;
    evaluation->time_ns = round(1.005 * time);
    evaluation->time_low_ns = round(1.003 * time);
    evaluation->time_high_ns = round(1.007 * time);
    evaluation->error_ratio = 0.25;
    evaluation->validate_seconds = 0.02;
    evaluation->measure_seconds = 0.1;
    evaluation->resources = (struct kernel_resources){.registers = 32 + (int64_t)(random_bits(random) % 224),
                                                      .shared_bytes = 1024 * (int64_t)(random_bits(random) % 48),
                                                      .max_threads = 1024,
                                                      .occupancy = 0.5};
    if (has_energy) {
        evaluation->energy_j = 3e-7 * time * (1 + random_unit(random));
        evaluation->energy_error_j = 0.01 * evaluation->energy_j;
        evaluation->state = (struct device_state){1980, 2619, 55, 512000, 0};
    }
}

static char message[] = "element 12345 of 'C' is 17.25, but the reference has 42.125 +- 0.003 (at the tuned size)";

/* One in ten fails. */
static void evaluate(struct evaluation *evaluation, double *samples, bool has_energy, uint64_t *random)
{
    static const enum outcome failures[] = {OUTCOME_WRONG_RESULT, OUTCOME_RESOURCES, OUTCOME_COMPILE_ERROR};
    uint64_t dice = random_bits(random) % 30;
    *evaluation = evaluation_unmeasured;
    strcpy(evaluation->uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
    evaluation->seed = 42;
    evaluation->compile_seconds = 0.4;
    if (dice < 3) {
        evaluation->outcome = failures[dice];
        evaluation->message = message;
    } else {
        measure(evaluation, samples, has_energy, random);
    }
}

static bool link_to_run(struct store *store, int64_t run, int64_t evaluation, bool reused, struct error *error)
{
    static const char sql[] = "INSERT INTO run_evaluation (run, evaluation, reused, sequence) "
                              "SELECT ?1, ?2, ?3, coalesce(max(sequence), 0) + 1 FROM run_evaluation WHERE run = ?1";
    struct query query;
    if (!query_open_kept(&query, store, sql, error))
        return false;
    query_bind_integer(&query, run);
    query_bind_integer(&query, evaluation);
    query_bind_integer(&query, reused);
    return query_run(&query, error);
}

struct part {
    const struct problem *problem;
    struct metrics *metrics;
    int64_t id, runs[2];
    struct store_final finals[FINALISTS]; /* the fastest so far, in no order */
    size_t final_count;
};

static void keep_fastest(struct part *part, int64_t id, double time_ns)
{
    size_t slowest = 0;
    if (part->final_count < FINALISTS) {
        slowest = part->final_count++;
    } else {
        for (size_t i = 1; i < FINALISTS; i++)
            slowest = part->finals[i].time_ns > part->finals[slowest].time_ns ? i : slowest;
        if (part->finals[slowest].time_ns <= time_ns)
            return;
    }
    part->finals[slowest] = (struct store_final){.evaluation_id = id, .time_ns = time_ns};
}

static bool add_row(struct filling *filling, struct part *part, size_t index, bool has_energy)
{
    struct evaluation evaluation;
    double samples[SAMPLES];
    const char *awkward;
    int64_t id = 0;
    char *configuration = problem_configuration_text(part->problem, index);
    if (!configuration)
        return error_out_of_memory(filling->error);
    evaluate(&evaluation, samples, has_energy, &filling->random);
    bool done = problem_awkward_text(part->problem, index, &awkward, filling->error);
    if (done) {
        evaluation.awkward = (char *)(uintptr_t)awkward;
        evaluation.metrics =
            evaluation.outcome == OUTCOME_OK ? metrics_text(part->metrics, configuration, &evaluation) : NULL;
        done = evaluation_write(filling->store, part->id, configuration, &evaluation, ORIGIN_MEASURED, NULL, &id,
                                filling->error) &&
               link_to_run(filling->store, part->runs[0], id, false, filling->error) &&
               (index % 2 == 0 || link_to_run(filling->store, part->runs[1], id, true, filling->error));
        free(evaluation.metrics);
    }
    if (done && evaluation.outcome == OUTCOME_OK)
        keep_fastest(part, id, evaluation.time_ns);
    free(configuration);
    return done;
}

static bool add_rows(struct filling *filling, struct part *part, bool has_energy)
{
    size_t count = problem_configuration_count(part->problem);
    size_t share = filling->left / filling->problems_left, rows = count < share ? count : share;
    bool done = transaction_begin(filling->store, filling->error);
    for (size_t i = 0; done && i < rows; i++) /* evenly from all of the space */
        done = add_row(filling, part, (size_t)((double)i * (double)count / (double)rows), has_energy);
    filling->left -= rows;
    return transaction_end(filling->store, done, filling->error);
}

/* ---- problems */

static int compare_finals(const void *a, const void *b)
{
    const struct store_final *one = a, *other = b;
    return (one->time_ns > other->time_ns) - (one->time_ns < other->time_ns);
}

static bool put_finals(struct filling *filling, struct part *part)
{
    static const double rounds[] = {1e5, 1.01e5, 1.02e5};
    qsort(part->finals, part->final_count, sizeof *part->finals, compare_finals);
    for (size_t i = 0; i < part->final_count; i++) {
        struct store_final *final = &part->finals[i];
        double ratio = final->time_ns / part->finals[0].time_ns;
        final->tied = ratio < 1.001;
        final->time_low_ns = 0.999 * final->time_ns;
        final->time_high_ns = 1.001 * final->time_ns;
        final->energy_j = final->energy_error_j = -1;
        final->ratio = ratio;
        final->ratio_low = 0.999 * ratio;
        final->ratio_high = 1.001 * ratio;
        final->rounds_ns = rounds;
        final->round_count = sizeof rounds / sizeof *rounds;
    }
    return store_finals_put(filling->store, part->runs[0], part->finals, part->final_count, filling->error);
}

static bool find_problem(struct store *store, int64_t run, int64_t *problem, struct error *error)
{
    struct query query;
    if (!query_open(&query, store, "SELECT problem FROM run WHERE id = ?", error))
        return false;
    query_bind_integer(&query, run);
    return query_integer(&query, "such run", problem, error);
}

static bool fill_problem(struct filling *filling, const struct problem *problem, const struct template *template)
{
    struct part part = {.problem = problem};
    struct store_problem identity;
    struct store *store = filling->store;
    struct error *error = filling->error;
    const struct device_description *device = problem_device(problem);
    const struct store_run run = {.strategy = "exhaustive",
                                  .budget = "",
                                  .objective = "time",
                                  .seed = 42,
                                  .configurations = (double)problem_configuration_count(problem),
                                  .tune_version = TUNE_VERSION,
                                  .host = "large_database"};
    char *definitions = metrics_definitions(template);
    bool done = definitions && problem_identity(problem, &identity, error);
    identity.template_metrics = definitions;
    identity.template_objective = template->default_objective;
    done = done && metrics_create(template, device, problem_size_text(problem), &part.metrics, error) &&
           store_run_begin(store, &identity, &run, &part.runs[0], error) &&
           store_run_begin(store, &identity, &run, &part.runs[1], error) &&
           find_problem(store, part.runs[0], &part.id, error) &&
           add_rows(filling, &part, strcmp(device->kind, "cuda") == 0) && put_finals(filling, &part) &&
           store_run_end(store, part.runs[0], "done", error) && store_run_end(store, part.runs[1], "done", error);
    filling->problems_left--;
    metrics_free(part.metrics);
    free(definitions);
    return done;
}

static bool fill_kernel(struct filling *filling, const struct kernel *kernel, size_t which)
{
    char path[512];
    struct template *template = NULL;
    struct space *space = NULL;
    snprintf(path, sizeof path, "%s/templates/%s", TUNE_SOURCE_FOLDER, kernel->name);
    bool done = template_read(path, &template, filling->error);
    snprintf(path, sizeof path, "%s/spaces/%s/full.space", TUNE_SOURCE_FOLDER, kernel->name);
    done = done && space_read(path, template, &space, filling->error);
    for (size_t i = 0; done && i < DEVICES; i++) {
        const struct device_description *device = &filling->devices[i];
        struct problem *problem = NULL;
        int shift = strcmp(device->kind, "cpu") == 0 ? kernel->shift : 0;
        const struct size_setting size = {.name = kernel->size, .value = kernel->values[which] >> shift};
        done = problem_create(template, space, device, &size, 1, &problem, filling->error) &&
               fill_problem(filling, problem, template);
        problem_free(problem);
    }
    space_free(space);
    template_free(template);
    return done;
}

static bool fill(const char *path, size_t evaluations, struct error *error)
{
    struct filling filling = {
        .left = evaluations, .problems_left = KERNELS * DEVICES * SIZES, .random = 1, .error = error};
    for (size_t i = 0; i < 2; i++) {
        filling.devices[i] = h100;
        snprintf(filling.devices[i].name, sizeof filling.devices[i].name, "Imaginary %zu", 100 * (i + 1));
    }
    bool done =
        describe_device("cpu", 0, &filling.devices[2], error) && store_open(path, false, &filling.store, error);
    for (size_t size = SIZES; done && size-- > 0;) {
        for (size_t i = KERNELS; done && i-- > 0;) { /* the smallest spaces first: the others make up for them */
            done = fill_kernel(&filling, &kernels[i], size);
            fprintf(stderr, "%zu of %zu\n", evaluations - filling.left, evaluations);
        }
    }
    store_close(filling.store);
    return done;
}

int main(int count, char **arguments)
{
    struct error error = {0};
    size_t evaluations = count > 2 ? strtoul(arguments[2], NULL, 10) : 1000000;
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return worker_main(arguments[2], atoi(arguments[3]));
    if (count < 2 || evaluations == 0 || access(arguments[1], F_OK) == 0) {
        fprintf(stderr, "usage: large_database FILE [EVALUATIONS], where FILE does not exist\n");
        return 2;
    }
    bool done = fill(arguments[1], evaluations, &error);
    if (!done)
        error_print(&error, stderr);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
