/* SPDX-License-Identifier: Apache-2.0 */
/* tune TEMPLATE: the sweep, its closing table and its report. */
#include "tuner/cli/closing.h"
#include "tuner/cli/command.h"
#include "tuner/cli/figures.h"
#include "tuner/cli/home.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/knowledge.h"
#include "tuner/cli/progress.h"
#include "tuner/cli/subject.h"
#include "tuner/engine/identity.h"

#include "reports/report.h"
#include "tuner/search/choice.h"
#include "tuner/space/explain.h"

#include <jansson.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_INTERRUPTED = 130 };

/* Template and space are read; the problem is made anew for each device. */
static bool open_problem(const struct options *options, struct subject *subject, struct error *error)
{
    if (subject->device.recorded) {
        error_set(error, ERROR_INPUT, "--device: nothing can run on a recorded description");
        return error_hint(error, "'tune show' takes recorded descriptions");
    }
    if (!subject_problem(subject, options, error))
        return false;
    if (problem_configuration_count(subject->problem) == 0)
        return explain_empty(subject->problem, error);
    return true;
}

/* `*parameters` are the strategy's; the caller frees them. */
static bool sweep_settings(const struct options *options, const struct subject *subject, double **parameters,
                           struct sweep_options *settings, struct error *error)
{
    const struct strategy_driver *strategy;
    if (!strategy_choose(options->strategy, &strategy, parameters, error))
        return false;
    *settings = (struct sweep_options){
        .strategy = strategy,
        .strategy_parameters = *parameters,
        .strategy_text = options->strategy,
        .seed = options->seed,
        .budget_text = options->budget,
        .budget_evaluations = options->budget_evaluations,
        .budget_seconds = options->budget_seconds,
        .patience = options->patience,
        .fresh = options->fresh,
        .finals = true,
        .objective = options->objective,
        .crew = {.compile_jobs = options->jobs,
                 .compile_deadline = options->deadline,
                 .measure_deadline = options->deadline,
                 .no_cache = options->no_cache,
                 .ordinals = subject->device.ordinals,
                 .ordinal_count = subject->device.ordinal_count},
    };
    return true;
}

static void announce(const struct subject *subject)
{
    const struct problem *problem = subject->problem;
    fprintf(stderr, "%s, space %s, %s on %s: %zu valid configurations of %.0f\n", subject->template->name,
            subject->space->name, problem_size_text(problem), subject->device.description.name,
            problem_configuration_count(problem), problem_cartesian_count(problem));
}

/* The report goes beside the database. A report that cannot be written does not spoil a finished sweep. */
static char *write_report(struct store *store, struct error *error)
{
    char *database = strdup(store_path(store)), *index = NULL;
    char *folder = database ? path_join(dirname(database), "report") : NULL;
    if (!folder)
        error_out_of_memory(error);
    else if (!report_write(store, folder, &index, error))
        index = NULL;
    free(folder);
    free(database);
    return index;
}

static json_t *finals_json(const struct sweep_finals *finals)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "finalists", (json_int_t)finals->finalists, "rounds",
                     (json_int_t)finals->rounds, "lost", (json_int_t)finals->lost, "tied", (json_int_t)finals->tied);
}

/* "        won against 4 others in 9 rounds; tied with 2 that need more registers" */
static void print_finals(const struct sweep_finals *finals)
{
    if (finals->lost + finals->tied == 0)
        return;
    printf("        ");
    if (finals->lost > 0)
        printf("won against %zu other%s in %zu rounds%s", finals->lost, finals->lost == 1 ? "" : "s", finals->rounds,
               finals->tied > 0 ? "; " : "");
    if (finals->tied > 0)
        printf("tied with %zu%s", finals->tied, finals->lost > 0 ? "" : finals->tied == 1 ? " other" : " others");
    if (finals->tied > 0 && finals->needs_less_of)
        printf(" that need%s more %s", finals->tied == 1 ? "s" : "", finals->needs_less_of);
    if (finals->lost == 0)
        printf(" after %zu rounds", finals->rounds);
    putchar('\n');
}

static void print_winner(const struct closing_row *best, const struct sweep_finals *finals)
{
    char time[FIGURE_TEXT], rate[FIGURE_TEXT], energy[FIGURE_TEXT], per_watt[FIGURE_TEXT];
    figure_time(best->time_ns, time, sizeof time);
    figure_rate(best->time_ns, best->flops, best->bytes, rate, sizeof rate);
    figure_energy(best->energy_j, energy, sizeof energy);
    figure_per_watt(best->energy_j, best->flops, best->bytes, per_watt, sizeof per_watt);
    char *configuration = figure_configuration(best->configuration, NULL);
    printf("\nbest:   %s\n        %s, %s", configuration ? configuration : "?", time, rate);
    if (best->energy_j > 0)
        printf("; %s a run, %s", energy, per_watt);
    putchar('\n');
    print_finals(finals);
    free(configuration);
}

static void print_result(const struct options *options, const struct closing *closing,
                         const struct sweep_summary *summary, const char *report)
{
    if (options->json) {
        json_t *document = closing_json(closing);
        json_object_set_new(document, "run", json_integer(summary->run_id));
        json_object_set_new(document, "status", json_string(summary->status));
        json_object_set_new(document, "done", json_integer((json_int_t)summary->progress.done));
        json_object_set_new(document, "reused", json_integer((json_int_t)summary->progress.reused));
        json_object_set_new(document, "from_cache", json_integer((json_int_t)summary->from_cache));
        json_object_set_new(document, "seconds", json_real(summary->progress.seconds));
        json_object_set_new(document, "finals", finals_json(&summary->finals));
        json_object_set_new(document, "report", report ? json_string(report) : json_null());
        json_dumpf(document, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(document);
        return;
    }
    const struct sweep_progress *progress = &summary->progress;
    printf("%zu of %zu configurations in %.1f s (%zu from the database); compiling %.1f s, %zu from the cache; "
           "validating "
           "%.1f s, "
           "measuring %.1f s\n\n",
           progress->done, progress->total, progress->seconds, progress->reused, summary->compile_seconds,
           summary->from_cache, summary->validate_seconds, summary->measure_seconds);
    closing_print(closing, stdout);
    if (closing->best_count)
        print_winner(&closing->best[0], &summary->finals);
    if (report)
        printf("report: %s\n", report);
}

/* A sweep on one device, or on several that are alike. */
static bool tune_device(const struct options *options, struct subject *subject, int *status, struct error *error)
{
    bool done = false;
    struct store *store = NULL;
    struct closing closing = {0};
    struct sweep_options settings;
    double *parameters = NULL;
    struct sweep_summary summary = {0};
    struct progress progress;
    struct store_problem identity;
    char *report = NULL;

    char *path = store_default_path(options->database);
    if (!path) {
        error_out_of_memory(error);
        goto done;
    }
    if (!open_problem(options, subject, error) || !sweep_settings(options, subject, &parameters, &settings, error) ||
        !store_open(path, false, &store, error) || !problem_identity(subject->problem, &identity, error))
        goto done;

    progress_begin(&progress, options->quiet);
    progress.flops = identity.flops;
    progress.bytes = identity.bytes;
    progress.objective = options->objective;
    if (!options->quiet)
        announce(subject);
    settings.interrupted = interrupts_catch();
    settings.crew.notice = progress_notice;
    settings.crew.notice_context = &progress;
    bool swept = sweep_run(subject->problem, store, &settings, progress_observe, &progress, &summary, error);
    progress_end(&progress);
    if (!swept && summary.progress.done > summary.progress.reused)
        fprintf(stderr, "tune: the sweep cannot go on; every finished row is in %s\n", store_path(store));
    if (!swept || !closing_gather(subject->problem, options->objective, store, &closing, error))
        goto done;

    struct error report_error = {0};
    if (*settings.interrupted < 2) {
        report = write_report(store, &report_error);
        if (!report)
            error_print(&report_error, stderr);
    }
    print_result(options, &closing, &summary, report);
    done = true;
    if (*settings.interrupted) {
        fprintf(stderr, "tune: interrupted: every finished row is in %s; the same command goes on from here\n",
                store_path(store));
        *status = STATUS_INTERRUPTED;
    } else if (closing.best_count == 0) {
        fprintf(stderr, "tune: no configuration gave a valid result\n");
        *status = 1;
    }
done:
    free(parameters);
    free(report);
    closing_clear(&closing);
    store_close(store);
    free(path);
    return done;
}

/* Devices that differ have a sweep each, one after the other. */
bool command_tune(const struct options *options, int *status, struct error *error)
{
    struct subject subject = {0};
    struct device_choice *devices = NULL;
    size_t count = 0;
    bool done = subject_template(&subject, options->subject, error) &&
                subject_space(&subject, options->space, error) &&
                device_choose_several(options->device, options->quiet, &devices, &count, error);
    for (size_t i = 0; done && i < count && *status != STATUS_INTERRUPTED; i++) {
        subject.device = devices[i];
        problem_free(subject.problem);
        subject.problem = NULL;
        done = tune_device(options, &subject, status, error);
    }
    free(devices);
    subject_clear(&subject);
    return done;
}
