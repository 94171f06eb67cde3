/* SPDX-License-Identifier: Apache-2.0 */
/* tune simulate: replay strategies on recorded results and score them. */
#include "tuner/cli/command.h"
#include "tuner/cli/simulate_result.h"

#include "reports/simulation_page.h"
#include "tuner/formats/recording_file.h"
#include "tuner/search/choice.h"
#include "tuner/simulate/simulation.h"
#include "tuner/simulate/traces.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Everything that the command holds. */
struct simulating {
    const struct options *options;
    struct recordings recordings;
    struct simulated_space **spaces;
    struct replay_plan *plans;
    size_t plan_count;
    const char **plan_names;
    double **parameters;  /* of each plan */
    struct score *scores; /* of the plans */
    struct traced_strategies traced;
    struct simulate_result result;
    double shown_at; /* seconds of the clock; progress */
    bool drawn;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool read_recordings(struct simulating *simulating, struct error *error)
{
    const struct texts *paths = &simulating->options->recordings;
    if (paths->count == 0) {
        error_set(error, ERROR_INPUT, "'tune simulate' needs recorded results to replay strategies on");
        return error_hint(error,
                          "tune simulate --recorded FILE..., each a T4 or Kernel Tuner cache file or a database");
    }
    for (size_t i = 0; i < paths->count; i++) {
        if (!recordings_read(paths->items[i], &simulating->recordings, error))
            return false;
    }
    return true;
}

/* Names that several recordings share get numbers. */
static bool name_spaces(struct simulate_result *result, struct error *error)
{
    char **names = calloc(result->space_count, sizeof *names);
    result->space_names = names;
    if (!names)
        return error_out_of_memory(error);
    for (size_t i = 0; i < result->space_count; i++) {
        const char *name = result->spaces[i]->recording->name;
        size_t before = 0;
        for (size_t j = 0; j < i; j++)
            before += strcmp(result->spaces[j]->recording->name, name) == 0;
        int length = before ? asprintf(&names[i], "%s (%zu)", name, before + 1) : asprintf(&names[i], "%s", name);
        if (length < 0) {
            names[i] = NULL;
            return error_out_of_memory(error);
        }
    }
    return true;
}

/* A recording that is no search space is an error only if it is the only one: a database has whatever was tried. */
static bool make_spaces(struct simulating *simulating, struct error *error)
{
    const struct recordings *recordings = &simulating->recordings;
    struct simulate_result *result = &simulating->result;
    simulating->spaces = calloc(recordings->count, sizeof(struct simulated_space *));
    result->spaces = (const struct simulated_space *const *)simulating->spaces;
    if (!simulating->spaces)
        return error_out_of_memory(error);
    for (size_t i = 0; i < recordings->count; i++) {
        struct simulated_space **space = &simulating->spaces[result->space_count];
        if (simulated_space_create(recordings->items[i], simulating->options->parallel, space, error)) {
            result->space_count++;
            continue;
        }
        if (recordings->count == 1 || error->code != ERROR_INPUT)
            return false;
        fprintf(stderr, "tune: left out: %s\n", error->text);
    }
    if (result->space_count == 0)
        return error_set(error, ERROR_INPUT, "none of the %zu recordings is a search space", recordings->count);
    return name_spaces(result, error);
}

/* The strategies that were named; all that there are if nothing is to be compared otherwise. */
static bool choose_strategies(struct simulating *simulating, struct error *error)
{
    const struct options *options = simulating->options;
    bool all = options->strategies.count == 0 && options->traces.count == 0;
    size_t count = all ? strategy_driver_count : options->strategies.count;
    simulating->plans = calloc(count + 1, sizeof *simulating->plans);
    simulating->parameters = calloc(count + 1, sizeof(double *));
    simulating->plan_names = calloc(count + 1, sizeof(char *));
    if (!simulating->plans || !simulating->parameters || !simulating->plan_names)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        struct replay_plan *plan = &simulating->plans[i];
        simulating->plan_names[i] = all ? strategy_drivers[i]->name : options->strategies.items[i];
        if (!strategy_choose(simulating->plan_names[i], &plan->driver, &simulating->parameters[i], error))
            return false;
        plan->parameters = simulating->parameters[i];
        simulating->plan_count++;
    }
    return true;
}

static void show_progress(size_t done, size_t total, void *context)
{
    const double interval = 0.1;
    struct simulating *simulating = context;
    double time = now();
    if (time - simulating->shown_at < interval)
        return;
    simulating->shown_at = time;
    simulating->drawn = true;
    fprintf(stderr, "\r%zu/%zu replays\033[K", done, total);
}

static bool simulate(struct simulating *simulating, struct error *error)
{
    const struct options *options = simulating->options;
    size_t spaces = simulating->result.space_count;
    bool show = !options->quiet && isatty(STDERR_FILENO) == 1;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct simulation simulation = {
        .spaces = simulating->result.spaces,
        .space_count = spaces,
        .plans = simulating->plans,
        .plan_count = simulating->plan_count,
        .repeats = options->repeats,
        .seed = options->seed,
        .jobs = options->jobs ? options->jobs
                : cores > 0   ? (unsigned)cores
                              : 1,
        .tell_budget = options->tell_budget,
        .observe = show ? show_progress : NULL,
        .context = simulating,
    };
    simulating->scores = calloc(simulating->plan_count * spaces + 1, sizeof *simulating->scores);
    if (!simulating->scores)
        return error_out_of_memory(error);
    double began = now();
    bool done = simulation_run(&simulation, simulating->scores, error);
    if (simulating->drawn)
        fputs("\r\033[K", stderr);
    double seconds = now() - began;
    size_t replays = simulating->plan_count * spaces * options->repeats;
    if (done && replays && !options->quiet)
        fprintf(stderr, "%zu replays in %.2f s, %.0f a second\n", replays, seconds, (double)replays / seconds);
    return done;
}

static bool score_traced(struct simulating *simulating, struct error *error)
{
    const struct texts *paths = &simulating->options->traces;
    for (size_t i = 0; i < paths->count; i++) {
        if (!traces_score(paths->items[i], simulating->result.spaces, simulating->result.space_count,
                          simulating->options->seed, &simulating->traced, error))
            return false;
    }
    return true;
}

/* Put a strategy in its place among those that are there, the best first. */
static void insert(struct simulate_result *result, const char *name, const struct score *scores)
{
    struct score mean;
    score_mean(scores, result->space_count, &mean);
    size_t at = result->strategy_count++;
    for (; at > 0 && result->means[at - 1].p < mean.p; at--) {
        result->means[at] = result->means[at - 1];
        result->names[at] = result->names[at - 1];
        result->scores[at] = result->scores[at - 1];
    }
    result->means[at] = mean;
    result->names[at] = name;
    result->scores[at] = scores;
}

static bool gather(struct simulating *simulating, struct error *error)
{
    struct simulate_result *result = &simulating->result;
    const struct traced_strategies *traced = &simulating->traced;
    size_t count = simulating->plan_count + traced->count;
    result->names = calloc(count + 1, sizeof(char *));
    result->scores = calloc(count + 1, sizeof(struct score *));
    result->means = calloc(count + 1, sizeof *result->means);
    if (!result->names || !result->scores || !result->means)
        return error_out_of_memory(error);
    for (size_t i = 0; i < simulating->plan_count; i++)
        insert(result, simulating->plan_names[i], &simulating->scores[i * result->space_count]);
    for (size_t i = 0; i < traced->count; i++)
        insert(result, traced->items[i].name, traced->items[i].scores);
    return true;
}

static bool show(struct simulating *simulating, struct error *error)
{
    const struct options *options = simulating->options;
    json_t *document = simulate_document(&simulating->result, options);
    if (!document)
        return error_out_of_memory(error);
    bool done = true;
    if (options->json)
        done = json_dumpf(document, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) == 0 && puts("") >= 0;
    else
        simulate_table(&simulating->result, stdout);
    char *page = NULL;
    if (!done)
        error_set(error, ERROR_SYSTEM, "the scores cannot be written to standard output");
    if (done && options->output) {
        done = simulation_page_write(document, options->output, &page, error);
        if (done)
            fprintf(options->json ? stderr : stdout, "\n%s\n", page);
    }
    free(page);
    json_decref(document);
    return done;
}

static void clear(struct simulating *simulating)
{
    struct simulate_result *result = &simulating->result;
    free(result->means);
    free(result->scores);
    free(result->names);
    for (size_t i = 0; i < result->space_count; i++) {
        if (result->space_names)
            free(result->space_names[i]);
        simulated_space_free(simulating->spaces[i]);
    }
    free(result->space_names);
    free(simulating->spaces);
    for (size_t i = 0; i < simulating->plan_count; i++)
        free(simulating->parameters[i]);
    free(simulating->parameters);
    free(simulating->plan_names);
    free(simulating->plans);
    free(simulating->scores);
    traced_strategies_clear(&simulating->traced);
    recordings_clear(&simulating->recordings);
}

bool command_simulate(const struct options *options, int *status, struct error *error)
{
    (void)status;
    struct simulating simulating = {.options = options};
    bool done = read_recordings(&simulating, error) && choose_strategies(&simulating, error) &&
                make_spaces(&simulating, error) && simulate(&simulating, error) && score_traced(&simulating, error) &&
                gather(&simulating, error) && show(&simulating, error);
    clear(&simulating);
    return done;
}
