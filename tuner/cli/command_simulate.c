/* SPDX-License-Identifier: Apache-2.0 */
/* tune simulate: replay strategies on recorded results and score them. */
#include "tuner/cli/command.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/live.h"
#include "tuner/cli/simulate_result.h"

#include "reports/simulation_page.h"
#include "tuner/device/monotonic.h"
#include "tuner/error/visible.h"
#include "tuner/formats/recording_file.h"
#include "tuner/search/choice.h"
#include "tuner/simulate/simulation.h"
#include "tuner/simulate/traces.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct simulating {
    const struct options *options;
    struct recordings recordings, known;
    struct simulated_space **spaces;
    struct replay_plan *plans;
    size_t plan_count;
    const char **plan_names;
    double **parameters;  /* of each plan */
    struct score *scores; /* of the plans */
    struct traced_strategies traced;
    struct simulate_result result;
    struct folder folder; /* of -o */
    struct live live;
    double shown_at; /* seconds of the clock */
};

static bool read_recordings(struct simulating *simulating, struct error *error)
{
    const struct texts *paths = &simulating->options->recordings;
    if (paths->count == 0) {
        error_set(error, ERROR_INPUT, "'tune simulate' needs recorded results");
        return error_hint(
            error,
            "tune simulate --recorded FILE..., each a T4 file, a Kernel Tuner cache, results of KTT or a database");
    }
    for (size_t i = 0; i < paths->count; i++) {
        if (!recordings_read(paths->items[i], &simulating->recordings, error))
            return false;
    }
    return true;
}

static bool read_known(struct simulating *simulating, struct error *error)
{
    const struct texts *paths = &simulating->options->known_recordings;
    for (size_t i = 0; i < paths->count; i++) {
        if (!recordings_read(paths->items[i], &simulating->known, error))
            return false;
    }
    return true;
}

static void tell_missing(const struct options *options, const struct simulated_space *space)
{
    if (space->values.missing > 0 && !options->quiet)
        visible_printf(stderr,
                       "tune: %s: %zu of %zu valid configurations have no value of '%s' and count as failures\n",
                       space->recording->name, space->values.missing, space->valid + space->values.missing,
                       space->values.objective);
}

/* A recording that is not a search space, or not by this objective, is an error only where it is the only one: a
 * database holds whatever was tried. */
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
        if (simulated_space_create(recordings->items[i], simulating->options->objective,
                                   (unsigned)simulating->options->parallel, space, error)) {
            tell_missing(simulating->options, *space);
            result->space_count++;
            continue;
        }
        if (recordings->count == 1 || error->code != ERROR_INPUT)
            return false;
        visible_printf(stderr, "tune: skipped: %s%s%s\n", error->text, error->hint[0] ? "; " : "", error->hint);
    }
    if (result->space_count == 0)
        return error_set(error, ERROR_INPUT, "none of the %zu recordings can be replayed", recordings->count);
    return simulate_name_spaces(result, error);
}

/* Each recording that is known beforehand has to be of use for one of those that are searched. */
static bool know(struct simulating *simulating, struct error *error)
{
    const struct recordings *known = &simulating->known;
    for (size_t i = 0; i < known->count; i++) {
        bool useful = false, added;
        for (size_t j = 0; j < simulating->result.space_count; j++) {
            if (!simulated_space_know(simulating->spaces[j], known->items[i], (size_t)simulating->options->known_best,
                                      &added, error))
                return false;
            useful = useful || added;
        }
        if (useful)
            continue;
        error_set(error, ERROR_INPUT, "--known: %s has no valid configuration in common with what is recorded",
                  known->items[i]->name);
        return error_hint(error, "it has to be of the same kernel, with the same parameters");
    }
    return true;
}

/* The strategies that were named; all of them if neither strategies nor traces were. */
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
        plan->program = strategy_program(simulating->plan_names[i]);
        simulating->plan_count++;
    }
    return true;
}

static void show_progress(size_t done, size_t total, void *context)
{
    const double interval = 0.1;
    struct simulating *simulating = context;
    double time = monotonic_seconds();
    if (time - simulating->shown_at < interval)
        return;
    simulating->shown_at = time;
    char line[64];
    snprintf(line, sizeof line, "%zu/%zu replays", done, total);
    live_draw(&simulating->live, (const char *const[]){line}, 1);
}

static bool simulate(struct simulating *simulating, struct error *error)
{
    const struct options *options = simulating->options;
    size_t spaces = simulating->result.space_count;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct simulation simulation = {
        .spaces = simulating->result.spaces,
        .space_count = spaces,
        .plans = simulating->plans,
        .plan_count = simulating->plan_count,
        .repeats = (size_t)options->repeats,
        .seed = options->seed,
        .jobs = options->jobs ? (unsigned)options->jobs
                : cores > 0   ? (unsigned)cores
                              : 1,
        .tell_budget = options->tell_budget,
        .until = options->until,
        .within = options->within,
        .observe = live_draws(&simulating->live) ? show_progress : NULL,
        .context = simulating,
    };
    simulating->scores = calloc(simulating->plan_count * spaces + 1, sizeof *simulating->scores);
    if (!simulating->scores)
        return error_out_of_memory(error);
    double began = monotonic_seconds();
    bool done = simulation_run(&simulation, simulating->scores, error);
    live_clear(&simulating->live);
    double seconds = monotonic_seconds() - began;
    size_t replays = simulating->plan_count * spaces * (size_t)options->repeats;
    if (done && replays && !options->quiet)
        visible_printf(stderr, "%zu replays in %.2f s, %.0f per second\n", replays, seconds,
                       (double)replays / seconds);
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

static bool gather(struct simulating *simulating, struct error *error)
{
    struct simulate_result *result = &simulating->result;
    const struct traced_strategies *traced = &simulating->traced;
    if (!simulate_allocate(result, simulating->plan_count + traced->count, error))
        return false;
    for (size_t i = 0; i < simulating->plan_count; i++)
        simulate_insert(result, simulating->plan_names[i], &simulating->scores[i * result->space_count]);
    for (size_t i = 0; i < traced->count; i++)
        simulate_insert(result, traced->items[i].name, traced->items[i].scores);
    return true;
}

static bool show(struct simulating *simulating, struct error *error)
{
    const struct options *options = simulating->options;
    const struct terminal out = terminal_of(stdout);
    json_t *document = simulate_document(&simulating->result, options);
    if (!document)
        return error_out_of_memory(error);
    bool done = options->json ? json_output(json_incref(document), JSON_INDENT(2) | JSON_REAL_PRECISION(12), error)
                              : simulate_table(&simulating->result, options, &out, error);
    char *page = NULL;
    if (done && options->output) {
        done = simulation_page_write(document, &simulating->folder, &page, error);
        if (done)
            visible_printf(options->json ? stderr : stdout, "\n%s\n", page);
    }
    free(page);
    json_decref(document);
    return done;
}

/* At once: after a long simulation it would be too late to find out that nothing can be written there. */
static bool open_folder(struct simulating *simulating, struct error *error)
{
    const char *output = simulating->options->output;
    return !output || folder_open(output, true, &simulating->folder, error);
}

static void clear(struct simulating *simulating)
{
    folder_close(&simulating->folder);
    for (size_t i = 0; i < simulating->result.space_count; i++)
        simulated_space_free(simulating->spaces[i]);
    simulate_result_clear(&simulating->result);
    free(simulating->spaces);
    for (size_t i = 0; i < simulating->plan_count; i++)
        free(simulating->parameters[i]);
    free(simulating->parameters);
    free(simulating->plan_names);
    free(simulating->plans);
    free(simulating->scores);
    traced_strategies_clear(&simulating->traced);
    recordings_clear(&simulating->recordings);
    recordings_clear(&simulating->known);
}

bool command_simulate(const struct options *options, int *status, struct error *error)
{
    (void)status;
    if (options->until > 0 && options->within > 0)
        return error_set(error, ERROR_INPUT, "--until and --within exclude each other: choose one");
    struct simulating simulating = {
        .options = options, .folder = {.descriptor = -1}, .live = live_begin(options->quiet)};
    bool done = read_recordings(&simulating, error) && read_known(&simulating, error) &&
                choose_strategies(&simulating, error) && make_spaces(&simulating, error) &&
                know(&simulating, error) && open_folder(&simulating, error) && simulate(&simulating, error) &&
                score_traced(&simulating, error) && gather(&simulating, error) && show(&simulating, error);
    clear(&simulating);
    return done;
}
