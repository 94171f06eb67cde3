/* SPDX-License-Identifier: Apache-2.0 */
/* tune TEMPLATE: the sweep, its summary and its report. */
#include "tuner/cli/cluster_devices.h"
#include "tuner/cli/command.h"
#include "tuner/cli/device_list.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/probing.h"
#include "tuner/cli/progress.h"
#include "tuner/cli/subject.h"
#include "tuner/cli/summary.h"
#include "tuner/cli/sweep_settings.h"
#include "tuner/cli/sweep_store.h"
#include "tuner/cli/tune_sizes.h"
#include "tuner/error/visible.h"
#include "tuner/json/json_text.h"
#include "tuner/library/home.h"

#include "reports/report.h"
#include "tuner/job/job.h"
#include "tuner/job/source_folders.h"
#include "tuner/space/explain.h"
#include "tuner/space/limits.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

/* Template and space have been read; each device gets a problem of its own. */
static bool open_problem(const struct options *options, struct subject *subject, struct error *error)
{
    if (!device_can_run(&subject->device, error) || !subject_problem(subject, options, error))
        return false;
    if (problem_configuration_count(subject->problem) == 0)
        return explain_empty(subject->problem, error);
    return true;
}

static void announce(const struct subject *subject)
{
    const struct problem *problem = subject->problem;
    visible_printf(stderr, "%s, space %s, %s on %s: %zu valid configurations of %.0f\n", subject->template->name,
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
    else if (!report_write(store, folder, false, &index, error))
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

static json_t *idle_json(const struct idle_parameters *idle)
{
    json_t *names = json_array();
    for (size_t i = 0; i < idle->count; i++)
        json_append(&names, json_string(idle->list[i].name));
    return names;
}

static json_t *limits_json(const struct limits *limits)
{
    json_t *texts = json_array();
    for (size_t i = 0; i < limits_count(limits); i++)
        json_append(&texts, json_string(limits_text(limits, i)));
    return texts;
}

static bool print_json(const struct result_summary *results, const struct aims *aims,
                       const struct sweep_summary *sweep, const struct idle_parameters *idle, const char *report,
                       struct error *error)
{
    json_t *document = summary_json(results);
    json_put(&document, "run", json_integer(sweep->run_id));
    json_put(&document, "status", json_string(sweep->status));
    json_put(&document, "done", json_integer((json_int_t)sweep->progress.done));
    json_put(&document, "reused", json_integer((json_int_t)sweep->progress.reused));
    json_put(&document, "from_cache", json_integer((json_int_t)sweep->from_cache));
    json_put(&document, "seconds", json_finite(sweep->progress.seconds));
    if (results->fronts && json_array_size(results->fronts) > 0)
        json_put(&document, "front", json_incref(json_array_get(results->fronts, 0)));
    json_put(&document, "objective", json_string(aims->name));
    json_put(&document, "expects_little", json_boolean(sweep->expects_little));
    json_put(&document, "limits", limits_json(results->objective->limits));
    json_put(&document, "undefined", json_integer((json_int_t)sweep->progress.undefined));
    if (sweep->undefined.text[0])
        json_put(&document, "undefined_why", json_string_of_bytes(sweep->undefined.text));
    json_put(&document, "finals", finals_json(&sweep->finals));
    json_put(&document, "without_effect", idle_json(idle));
    json_put(&document, "report", report ? json_string_of_bytes(report) : json_null());
    return json_output(document, JSON_INDENT(2), error);
}

static bool print_idle(const struct idle_parameters *idle, const struct problem *problem, struct error *error)
{
    for (size_t i = 0; i < idle->count; i++) {
        char *text = idle_parameter_text(&idle->list[i], problem);
        if (!text)
            return error_out_of_memory(error);
        visible_printf(stdout, "%snote: %s\n", i == 0 ? "\n" : "", text);
        free(text);
    }
    return true;
}

/* Valid configurations that the objective says nothing of, or that are outside its limits. */
static void print_undefined(const struct sweep_summary *sweep, const struct aims *aims, bool limited)
{
    const struct error *why = &sweep->undefined;
    size_t count = sweep->progress.undefined;
    if (count == 0)
        return;
    if (limited)
        visible_printf(stdout, "%zu valid configuration%s outside the limits", count, count == 1 ? " is" : "s are");
    else
        visible_printf(stdout, "%zu valid configuration%s ha%s no value of \"%s\"", count, count == 1 ? "" : "s",
                       count == 1 ? "s" : "ve", aims->name);
    if (why->line)
        visible_printf(stdout, ": %s:%u:%u: %s\n\n", why->file, why->line, why->column, why->text);
    else
        visible_printf(stdout, "%s%s\n\n", why->text[0] ? ": " : "", why->text);
}

static bool print_text(const struct result_summary *results, const struct aims *aims,
                       const struct sweep_summary *sweep, double until, const struct idle_parameters *idle,
                       const struct problem *problem, const char *report, struct error *error)
{
    const struct terminal out = terminal_of(stdout);
    const struct sweep_progress *progress = &sweep->progress;
    visible_printf(stdout, "%zu of %zu configurations in %.1f s (%zu from the database, %zu cached images)\n",
                   progress->done, progress->total, progress->seconds, progress->reused, sweep->from_cache);
    if (sweep->expects_little)
        visible_printf(stdout, "stopped: the next evaluations are expected to gain less than %g %%\n", 100 * until);
    visible_printf(stdout, "workers' time: %.1f s compiling, %.1f s validating, %.1f s measuring\n\n",
                   sweep->compile_seconds, sweep->validate_seconds, sweep->measure_seconds);
    print_undefined(sweep, aims, results->objective->limits != NULL);
    if (!summary_print(results, &sweep->finals, &out, error) || !print_idle(idle, problem, error))
        return false;
    if (report)
        visible_printf(stdout, "report: %s\n", report);
    return true;
}

/* Once a GPU: what it can do at best. On the CPU device it would take longer than many a sweep. */
static void probe(const struct options *options, const struct subject *subject, struct store *store,
                  const struct sweep_options *settings)
{
    const struct probing probing = {
        .options = options, .device = &subject->device, .store = store, .interrupted = settings->interrupted};
    if (strcmp(subject->device.description.kind, "cpu") != 0 && *settings->interrupted == 0)
        probe_by_the_way(&probing);
}

static bool sweep(const struct options *options, const struct subject *subject, const struct sweep_store *database,
                  struct sweep_options *settings, struct sweep_summary *summary, struct error *error)
{
    struct store *store = database->store;
    json_t *fixed = parameters_fixed(subject->problem);
    if (!fixed)
        return error_out_of_memory(error);
    struct progress progress = progress_begin(options->quiet);
    struct sweep_watch watch = {.database = database, .observe = progress_observe, .context = &progress};
    progress.objective = &subject->objective;
    progress.fixed = fixed;
    progress.interrupted = settings->interrupted;
    settings->crew.notice = progress_notice;
    settings->crew.notice_context = &progress;
    if (!options->quiet)
        announce(subject);
    bool swept = sweep_run(subject->problem, store, settings, sweep_watch, &watch, summary, error);
    progress_end(&progress);
    json_decref(fixed);
    if (!swept && summary->progress.done > summary->progress.reused && !store_is_lost(store))
        visible_printf(stderr, "tune: the sweep stopped; all finished results are in %s\n", store_path(store));
    return swept;
}

/* "cpu", "cuda:1": the first of those that the sweep was on. */
static void name_device(const struct device_choice *choice, char name[80])
{
    if (strcmp(choice->description.kind, "cpu") == 0)
        snprintf(name, 80, "%s", choice->description.kind);
    else
        snprintf(name, 80, "%s:%d", choice->description.kind, choice->ordinals[0]);
}

/* Write the report, unless in a hurry, and print the results. */
static bool show_results(const struct options *options, const struct subject *subject, struct result_summary *results,
                         const struct sweep_summary *summary, struct store *store,
                         const struct sweep_options *settings, struct error *error)
{
    struct error report_error = {0};
    struct idle_parameters idle = {0};
    bool hurry = *settings->interrupted > 1;
    char device[80];
    name_device(&subject->device, device);
    const struct failure_check check = {
        .program = program_invocation_name,
        .subject = options->subject,
        .space = options->space,
        .device = options->device ? device : NULL,
        .size = problem_size_text(subject->problem),
        .inputs = options->inputs,
        .input_count = options->input_count,
    };
    results->check = &check;
    char *report = hurry ? NULL : write_report(store, &report_error);
    if (!report && !hurry)
        error_print(&report_error, stderr);
    bool shown = effects_find(settings->effects, subject->problem, &idle, error);
    shown = shown && (options->json ? print_json(results, &subject->aims, summary, &idle, report, error)
                                    : print_text(results, &subject->aims, summary, options->until, &idle,
                                                 subject->problem, report, error));
    idle_parameters_clear(&idle);
    results->check = NULL;
    free(report);
    return shown;
}

/* A configuration may have a value of the first objective, and none of another. */
static bool found_nothing(const struct result_summary *results)
{
    return results->best_count == 0 || (results->fronts && json_array_size(results->fronts) == 0);
}

/* Why nothing was valid. If no configuration could be lowered, that is the template's error or the space's. */
static bool explain_failure(const struct subject *subject, const struct result_summary *results,
                            const struct sweep_progress *progress, struct error *error)
{
    struct job *job = NULL;
    size_t failed = 0, unlowered = results->failed[OUTCOME_HOST_ERROR];
    for (int kind = OUTCOME_OK + 1; kind < OUTCOME_COUNT; kind++)
        failed += results->failed[kind];
    if (unlowered > 0 && unlowered == failed && !job_lower(subject->problem, 0, 0, &job, error)) {
        if (!error->hint[0])
            error_hint(error, "none of the configurations tried (%zu) can be launched; this is the first", failed);
        return false;
    }
    job_free(job);
    if (progress->done == 0)
        visible_printf(stderr, "tune: the budget ended before the first configuration was measured\n");
    else if (subject->limits && (progress->undefined > 0 || progress->failed[OUTCOME_LIMIT] > 0))
        visible_printf(stderr, "tune: no valid configuration is within the limits: %s\n",
                       limits_condition(subject->limits));
    else if (progress->undefined > 0)
        visible_printf(stderr, "tune: no valid configuration has a value of the objective \"%s\"\n",
                       subject->aims.name);
    else
        visible_printf(stderr, "tune: no configuration gave a valid result\n");
    return true;
}

static bool gather(const struct subject *subject, struct store *store, struct result_summary *results,
                   struct error *error)
{
    const struct objective *objective = &subject->objective;
    return subject->aims.count > 1
               ? summary_gather_front(subject->problem, &subject->aims, objective, store, results, error)
               : summary_gather(subject->problem, objective, store, results, error);
}

/* A sweep on one device, or on several that are alike. */
static bool tune_device(const struct options *options, struct subject *subject, int *status, struct error *error)
{
    struct sweep_store database = {0};
    struct result_summary results = {0};
    struct sweep_options settings;
    struct sweep_summary summary = {0};
    struct effects effects = {0};
    double *parameters = NULL;
    bool done =
        open_problem(options, subject, error) && sweep_settings(options, subject, &parameters, &settings, error);
    settings.interrupted = interrupts_catch();
    done = done && sweep_store_open(options->database, options->quiet, &database, error);
    struct store *store = database.store;
    if (done) {
        settings.effects = &effects;
        done = sweep(options, subject, &database, &settings, &summary, error);
        if (done)
            probe(options, subject, store, &settings);
        done = done && gather(subject, store, &results, error) &&
               show_results(options, subject, &results, &summary, store, &settings, error);
    }
    if (done && *settings.interrupted) {
        visible_printf(stderr,
                       "tune: interrupted; all finished results are in %s, and the same command goes on from here\n",
                       store_path(store));
        *status = STATUS_INTERRUPTED;
    } else if (done && found_nothing(&results)) {
        done = explain_failure(subject, &results, &summary.progress, error);
        *status = 1;
    }
    free(parameters);
    effects_clear(&effects);
    summary_clear(&results);
    return sweep_store_close(&database, done, error);
}

static bool choose_objectives(struct subject *subject, const struct options *options, struct error *error)
{
    if (!subject_aims(subject, options, error))
        return false;
    const char *other = options->size_file ? "--sizes" : options->until > 0 ? "--until" : NULL;
    if (subject->aims.count == 1 || !other)
        return true;
    error_set(error, ERROR_INPUT, "%s takes one objective, not several", other);
    return error_hint(error, options->size_file ? "give one --objective" : "--patience ends a search for a front");
}

/* Only a sweep that will have a single crew, on a device that takes long to open. One that cannot be started is none.
 */
static struct forerunner *send_ahead(const struct cluster *cluster, const struct options *options,
                                     const struct subject *subject)
{
    const struct device_driver *driver = device_drivers[0];
    int ordinal = 0;
    struct forerunner *forerunner = NULL;
    struct source_folders folders = {0};
    bool is_one = !options->device || device_name_parse(options->device, &driver, &ordinal);
    if (cluster->hands || options->size_file || !is_one || !driver->look ||
        !source_folders_find(subject->template, subject->inputs, &folders, NULL))
        return NULL;
    const struct confinement confinement = {true, (const char *const *)folders.paths, folders.count};
    (void)forerunner_start(driver->kind, ordinal, options->unconfined ? NULL : &confinement, !options->no_cache,
                           &forerunner, NULL);
    source_folders_clear(&folders);
    return forerunner;
}

/* Devices that differ get a sweep each, one after the other. */
static bool tune_devices(struct cluster *cluster, const void *context, int *status, struct error *error)
{
    const struct options *options = context;
    struct subject subject = {0};
    struct device_choice *devices = NULL;
    size_t count = 0;
    const volatile sig_atomic_t *interrupted = interrupts_catch();
    if (!cluster->hands)
        interrupts_end_program();
    bool done = subject_template(&subject, options->subject, error) && choose_objectives(&subject, options, error) &&
                subject_limits(&subject, options, error) && subject_space(&subject, options->space, error) &&
                subject_inputs(&subject, options, error);
    if (done) {
        subject.forerunner = send_ahead(cluster, options, &subject);
        done = cluster_devices(cluster, subject.forerunner, options->device, options->quiet, &devices, &count, error);
    }
    if (done && *interrupted) {
        interrupts_say_early();
        *status = STATUS_INTERRUPTED;
    }
    for (size_t i = 0; done && i < count && *status != STATUS_INTERRUPTED; i++) {
        subject.device = devices[i];
        problem_free(subject.problem);
        subject.problem = NULL;
        done = options->size_file ? tune_sizes(options, &subject, STATUS_INTERRUPTED, status, error)
                                  : tune_device(options, &subject, status, error);
    }
    free(devices);
    forerunner_end(subject.forerunner);
    subject_clear(&subject);
    return done;
}

bool command_tune(const struct options *options, int *status, struct error *error)
{
    struct cluster cluster;
    bool is_hand;
    if (options->configurations && !options->size_file)
        return error_set(error, ERROR_INPUT, "--configs is about --sizes, which is not given");
    if (options->limits.count > 0 && options->size_file)
        return error_set(error, ERROR_INPUT, "--limit does not go with --sizes");
    if (options->until > 0 && options->size_file)
        return error_set(error, ERROR_INPUT, "--until does not go with --sizes");
    (void)interrupts_catch(); /* a job begins and ends with all its ranks */
    if (options->agree)
        return cluster_agree(tune_devices, options, status, error);
    bool done = cluster_join(&cluster, &is_hand, error);
    if (done && !is_hand)
        done = tune_devices(&cluster, options, status, error);
    cluster_leave(&cluster);
    return done;
}
