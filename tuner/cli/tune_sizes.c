/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/tune_sizes.h"

#include "tuner/cli/dispatch_output.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/progress.h"
#include "tuner/cli/sweep_settings.h"
#include "tuner/cli/sweep_store.h"
#include "tuner/engine/set_sweep.h"
#include "tuner/error/visible.h"
#include "tuner/json/json_text.h"
#include "tuner/space/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- problems */

static bool check_options(const struct options *options, struct error *error)
{
    if (options->size_count) {
        error_set(error, ERROR_INPUT, "--size does not go with --sizes");
        return error_hint(error, "the file gives all sizes");
    }
    if (options->input_count)
        return error_set(error, ERROR_INPUT, "--input does not go with --sizes");
    if (options->fresh) {
        error_set(error, ERROR_INPUT, "--fresh does not go with --sizes");
        return error_hint(error, "--db names another database, in which nothing is known");
    }
    return true;
}

static bool read_sizes(const struct options *options, const struct subject *subject, struct size_set *set,
                       struct error *error)
{
    if (!size_set_read(options->size_file, subject->template, &subject->device.description, set, error))
        return false;
    if (set->is_cut_short)
        visible_printf(stderr, "tune: the last line of %s was cut short: left out\n", options->size_file);
    return true;
}

/* The data that a capture names for a size; `*inputs` is NULL if it names none. */
static bool open_data(const struct subject *subject, const struct size_set *set, size_t which, struct inputs **inputs,
                      struct error *error)
{
    struct input_setting *settings = calloc(set->data_count + 1, sizeof *settings);
    size_t count = 0;
    *inputs = NULL;
    if (!settings)
        return error_out_of_memory(error);
    for (size_t i = 0; i < set->data_count; i++) {
        if (set->data[i].size == which)
            settings[count++] = (struct input_setting){set->data[i].buffer, set->data[i].file};
    }
    bool done = count == 0 || inputs_open(subject->template, settings, count, inputs, error);
    free(settings);
    if (!done && !error->hint[0])
        error_hint(error, "the file of sizes names these data at %s; take \"inputs\" out of its lines to do without",
                   set->texts[which]);
    return done;
}

/* With its data, if they are its own. */
static void free_problem(const struct subject *subject, struct problem *problem)
{
    struct inputs *inputs = problem ? problem_inputs(problem) : NULL;
    problem_free(problem);
    if (inputs != subject->inputs)
        inputs_free(inputs);
}

/* At sizes of the set; those that follow from a matrix are of the data's. */
static bool make_with(const struct subject *subject, const struct size_set *set, size_t which, struct inputs *inputs,
                      struct problem **problem, struct error *error)
{
    struct size_setting *settable = calloc(set->dimensions + 1, sizeof *settable);
    if (!settable)
        return error_out_of_memory(error);
    const struct problem_request request = {
        .template = subject->template,
        .space = subject->space,
        .device = &subject->device.description,
        .sizes = settable,
        .size_count = sizes_settable(subject->template, set->values + which * set->dimensions, settable),
        .inputs = inputs};
    const bool made = problem_make(&request, problem, error);
    free(settable);
    return made;
}

static bool make_problem(const struct subject *subject, struct size_set *set, size_t which, struct problem **problem,
                         struct error *error)
{
    struct inputs *own;
    if (!open_data(subject, set, which, &own, error))
        return false;
    if (make_with(subject, set, which, own ? own : subject->inputs, problem, error))
        return size_set_restate(set, which, problem_sizes(*problem), error);
    inputs_free(own);
    if (!error->hint[0])
        error_hint(error, "this is at %s", set->texts[which]);
    return false;
}

/* Sizes at which the space is empty are left out, unless it is so at all of them. */
static bool leave_out_empty(const struct subject *subject, struct size_set *set, struct problem **problems,
                            struct error *error)
{
    size_t empty = 0;
    char first[80];
    for (size_t i = 0; i < set->count; i++)
        empty += problem_configuration_count(problems[i]) == 0;
    if (empty == set->count)
        return explain_empty(problems[0], error);
    for (size_t i = set->count; i-- > 0;) {
        if (problem_configuration_count(problems[i]) > 0)
            continue;
        snprintf(first, sizeof first, "%s", set->texts[i]);
        free_problem(subject, problems[i]);
        size_set_remove(set, i);
        memmove(problems + i, problems + i + 1, (set->count - i) * sizeof *problems);
    }
    if (empty > 0)
        visible_printf(stderr, "tune: left out: sizes at which the space has no configuration, %zu, such as %s\n",
                       empty, first);
    return true;
}

/* `*problems`: one a size, to be freed with free_problems. */
static bool make_problems(const struct options *options, struct subject *subject, struct size_set *set,
                          struct problem ***problems, struct error *error)
{
    *problems = calloc(set->count, sizeof **problems);
    if (!*problems)
        return error_out_of_memory(error);
    if (!subject->inputs &&
        !inputs_open(subject->template, options->inputs, options->input_count, &subject->inputs, error))
        return false;
    for (size_t i = 0; i < set->count; i++) {
        if (!make_problem(subject, set, i, &(*problems)[i], error))
            return false;
    }
    return leave_out_empty(subject, set, *problems, error);
}

static void free_problems(const struct subject *subject, struct problem **problems, size_t count)
{
    for (size_t i = 0; problems && i < count; i++)
        free_problem(subject, problems[i]);
    free(problems);
}

/* ---- progress */

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void begin_size(enum set_stage stage, size_t number, size_t count, const struct problem *problem,
                       void *context)
{
    static const char *const stages[] = {[SET_ANCHORS] = "searching",
                                         [SET_OTHERS] = "trying what is good elsewhere",
                                         [SET_MISSING] = "completing",
                                         [SET_FINALS] = "finals"};
    const struct sweep_watch *watch = context;
    struct progress *progress = watch->context;
    progress_end(progress);
    progress->shown_at = progress->shown_best_ns = 0;
    if (!progress->quiet)
        visible_printf(stderr, "%s, %zu of %zu: %s\n", stages[stage], number, count, problem_size_text(problem));
}

/* Lines for each size are enough where nothing can be drawn. */
static void observe(const struct sweep_progress *sweep, const struct evaluation *latest, const char *configuration,
                    void *context)
{
    struct progress *progress = context;
    if (live_draws(&progress->live))
        progress_observe(sweep, latest, configuration, context);
}

static bool sweep(const struct options *options, const struct subject *subject, struct problem *const *problems,
                  const struct size_set *set, const struct sweep_store *database,
                  const struct sweep_options *settings, struct set_summary *summary, struct error *error)
{
    struct store *store = database->store;
    struct progress progress = progress_begin(options->quiet);
    struct sweep_watch watch = {.database = database, .observe = observe, .context = &progress};
    progress.objective = &subject->objective;
    progress.interrupted = settings->interrupted;
    if (!options->quiet)
        visible_printf(stderr, "%s, space %s, %zu size%s on %s\n", subject->template->name, subject->space->name,
                       set->count, plural(set->count), subject->device.description.name);
    struct set_options set_options = {.sweep = *settings,
                                      .configurations = options->configurations ? options->configurations
                                                                                : TUNE_SIZES_CONFIGURATIONS,
                                      .begin = begin_size,
                                      .observe = sweep_watch,
                                      .context = &watch};
    set_options.sweep.crew.notice = progress_notice;
    set_options.sweep.crew.notice_context = &progress;
    bool swept = set_sweep_run(problems, set, store, &set_options, summary, error);
    progress_end(&progress);
    if (!swept && summary->evaluations > 0 && !store_is_lost(store))
        visible_printf(stderr, "tune: the sweep stopped; all finished results are in %s\n", store_path(store));
    return swept;
}

/* ---- results */

static json_t *dispatch_json(const struct dispatch *dispatch)
{
    char *text = dispatch ? dispatch_text(dispatch) : NULL;
    json_t *json = text ? json_of_text(text) : json_null();
    free(text);
    return json;
}

static bool print_json(const struct subject *subject, const struct size_set *set, const struct set_summary *summary,
                       struct error *error)
{
    struct dispatch_quality quality = {.mean = NAN, .worst = NAN, .held_out_mean = NAN, .held_out_worst = NAN};
    if (summary->dispatch)
        quality = dispatch_quality(summary->dispatch);
    json_t *document =
        json_pack("{s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:b, s:o, s:o, s:o, s:o, s:o}", "template",
                  json_string_of_bytes(subject->template->name), "device",
                  json_string_of_bytes(subject->device.description.name), "objective", subject->objective.name,
                  "sizes", (json_int_t)set->count, "evaluations", (json_int_t)summary->evaluations, "known",
                  (json_int_t)summary->known, "finals", (json_int_t)summary->finals, "without",
                  (json_int_t)summary->without, "missing", (json_int_t)summary->missing, "seconds", summary->seconds,
                  "interrupted", (int)summary->stopped, "mean", json_finite(quality.mean), "worst",
                  json_finite(quality.worst), "held_out_mean", json_finite(quality.held_out_mean), "held_out_worst",
                  json_finite(quality.held_out_worst), "dispatch", dispatch_json(summary->dispatch));
    return json_output(document, JSON_INDENT(2) | JSON_PRESERVE_ORDER, error);
}

static bool print_text(const struct options *options, const struct size_set *set, const struct set_summary *summary,
                       struct error *error)
{
    visible_printf(stdout, "%zu size%s, %zu evaluation%s in %.1f s (%zu from the database)\n", set->count,
                   plural(set->count), summary->evaluations, plural(summary->evaluations), summary->seconds,
                   summary->known);
    visible_printf(stdout, "workers' time: %.1f s compiling, %.1f s validating, %.1f s measuring\n",
                   summary->compile_seconds, summary->validate_seconds, summary->measure_seconds);
    visible_printf(stdout, "finals: at %zu size%s\n\n", summary->finals, plural(summary->finals));
    if (summary->dispatch && !dispatch_output(summary->dispatch, error))
        return false;
    if (summary->without > 0)
        visible_printf(stdout, "note: nothing is known to be valid at %zu of the sizes\n", summary->without);
    if (summary->missing > 0)
        visible_printf(stdout, "note: at %zu of the sizes the budget did not allow to measure the answer\n",
                       summary->missing);
    if (summary->dispatch)
        visible_printf(stdout, "'tune best %s%s%s --c FILE' writes this as C\n", options->subject,
                       options->objective ? " --objective " : "", options->objective ? options->objective : "");
    return true;
}

/* A sweep of one size has the table of what failed, and why. */
static void explain_failure(const struct options *options, const struct size_set *set,
                            const struct set_summary *summary)
{
    struct error told = {0};
    if (summary->evaluations + summary->known == 0) {
        error_set(&told, ERROR_INPUT, "the budget ended before the first configuration was measured");
    } else {
        error_set(&told, ERROR_INPUT, "no configuration gave a valid result at any size");
        error_hint(&told, "a sweep of one size says why: tune %s%s%s --size %s", options->subject,
                   options->space ? " --space " : "", options->space ? options->space : "", set->texts[0]);
    }
    error_print(&told, stderr);
}

static void explain_end(const struct options *options, const struct size_set *set, const struct set_summary *summary,
                        const struct store *store, int interrupted, int *status)
{
    if (summary->stopped) {
        visible_printf(stderr,
                       "tune: interrupted; all finished results are in %s, and the same command goes on from here\n",
                       store_path(store));
        *status = interrupted;
    } else if (!summary->dispatch) {
        explain_failure(options, set, summary);
        *status = 1;
    }
}

bool tune_sizes(const struct options *options, struct subject *subject, int interrupted, int *status,
                struct error *error)
{
    struct size_set set = {0};
    struct problem **problems = NULL;
    struct sweep_store database = {0};
    struct sweep_options settings;
    struct set_summary summary = {0};
    double *parameters = NULL;
    bool done = check_options(options, error) && device_can_run(&subject->device, error) &&
                read_sizes(options, subject, &set, error) &&
                make_problems(options, subject, &set, &problems, error) &&
                sweep_settings(options, subject, &parameters, &settings, error);
    settings.interrupted = interrupts_catch();
    done = done && sweep_store_open(options->database, options->quiet, &database, error);
    struct store *store = database.store;
    if (done) {
        done =
            sweep(options, subject, problems, &set, &database, &settings, &summary, error) &&
            (options->json ? print_json(subject, &set, &summary, error) : print_text(options, &set, &summary, error));
    }
    if (done)
        explain_end(options, &set, &summary, store, interrupted, status);
    dispatch_free(summary.dispatch);
    free(parameters);
    free_problems(subject, problems, set.count);
    size_set_clear(&set);
    return sweep_store_close(&database, done, error);
}
