/* SPDX-License-Identifier: Apache-2.0 */
/* tune run TEMPLATE: the best known configuration, validated and timed; no search. */
#include "tuner/cli/command.h"
#include "tuner/cli/figures.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/knowledge.h"
#include "tuner/cli/metric_columns.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/subject.h"
#include "tuner/cli/terminal.h"
#include "tuner/engine/single.h"
#include "tuner/error/visible.h"
#include "tuner/json/json_text.h"
#include "tuner/space/explain.h"

#include <stdlib.h>
#include <string.h>

/* A configuration and its origin. */
struct choice {
    char *configuration; /* canonical JSON; NULL: none */
    char origin[160];
    int64_t evaluation;
};

static bool take_first(const struct store_row *row, void *context)
{
    struct choice *choice = context;
    choice->configuration = strdup(row->configuration);
    choice->evaluation = row->id;
    snprintf(choice->origin, sizeof choice->origin,
             strcmp(row->origin, "shipped") == 0 ? "shipped knowledge, measured %.10s with %s"
                                                 : "database, measured %.10s with %s",
             row->measured_at, row->compiler);
    return false;
}

/* The best row for this kernel, device, size and data, if any; or else for other data, which will do as well as it
 * can. */
static bool choose_known(const struct subject *subject, const char *size, struct store *store, struct choice *choice,
                         struct error *error)
{
    const char *held, *names;
    if (!inputs_identify(subject->inputs, &held, &names, error))
        return false;
    struct store_filter filter = {
        .template_name = subject->template->name,
        .template_hash = subject->template->hash,
        .device_kind = subject->device.description.kind,
        .device_name = subject->device.description.name,
        .size = size,
        .objective = subject->objective.name,
        .inputs = held,
    };
    if (!store_best(store, &filter, take_first, choice, error))
        return false;
    if (choice->evaluation || !held[0])
        return true;
    filter.inputs = NULL;
    if (!store_best(store, &filter, take_first, choice, error))
        return false;
    if (choice->evaluation)
        strncat(choice->origin, ", for other data", sizeof choice->origin - strlen(choice->origin) - 1);
    return true;
}

/* The defaults of the template's default space, or the first valid configuration of it. */
static bool choose_default(struct subject *subject, const struct options *options, struct choice *choice,
                           struct error *error)
{
    size_t index;
    bool named;
    problem_free(subject->problem);
    subject->problem = NULL;
    if (!subject_space(subject, NULL, error) || !subject_problem(subject, options, error))
        return false;
    if (problem_configuration_count(subject->problem) == 0)
        return explain_empty(subject->problem, error);
    if (!problem_default(subject->problem, &index, &named))
        return error_set(error, ERROR_WORK, "space %s has no default configuration", subject->space->name);
    choice->configuration = problem_configuration_text(subject->problem, index);
    snprintf(choice->origin, sizeof choice->origin, "nothing is known for this device and size: the %s of space %s",
             named ? "default" : "first valid configuration", subject->space->name);
    return true;
}

static bool choose(struct subject *subject, const struct options *options, struct store *store, struct choice *choice,
                   struct error *error)
{
    if (!subject_problem(subject, options, error) ||
        !choose_known(subject, problem_size_text(subject->problem), store, choice, error))
        return false;
    if (!choice->evaluation && !choose_default(subject, options, choice, error))
        return false;
    if (!choice->configuration)
        return error_out_of_memory(error);
    problem_free(subject->problem);
    subject->problem = NULL;
    struct problem_request request;
    if (!subject_request(subject, options, &request, error))
        return false;
    request.space = NULL;
    return problem_from_configuration(&request, choice->configuration, &subject->problem, error);
}

/* The outcome to print. */
struct run_result {
    const struct subject *subject;
    const char *data; /* the data files; "": none */
    const struct choice *choice;
    const struct evaluation *evaluation;
    bool from_cache; /* its image; else it was compiled now */
    struct share share;
};

static bool print_json(const struct run_result *result, struct error *error)
{
    const struct evaluation *evaluation = result->evaluation;
    double gflops = evaluation->time_ns > 0 ? evaluation->work.flops / evaluation->time_ns : 0;
    json_t *document = evaluation_to_json(evaluation);
    json_put(&document, "configuration", json_of_text(result->choice->configuration));
    json_put(&document, "origin", json_string_of_bytes(result->choice->origin));
    json_put(&document, "image", json_string(result->from_cache ? "cached" : "compiled"));
    json_put(&document, "size", json_string(problem_size_text(result->subject->problem)));
    json_put(&document, "device", json_string_of_bytes(result->subject->device.description.name));
    json_put(&document, "objective", json_string(result->subject->objective.name));
    if (result->data[0])
        json_put(&document, "data", json_string_of_bytes(result->data));
    json_put(&document, "gflops", json_finite(gflops));
    json_put(&document, "percent_of_peak", json_finite(result->share.percent));
    json_put_limit(&document, &result->share);
    if (evaluation->metrics && evaluation->metrics[0])
        json_put(&document, "metrics", json_of_text(evaluation->metrics));
    return json_output(document, JSON_INDENT(2) | JSON_PRESERVE_ORDER, error);
}

static void print_metrics(const struct evaluation *evaluation, const struct terminal *out)
{
    json_t *values = evaluation->metrics ? json_loads(evaluation->metrics, 0, NULL) : NULL, *value;
    const char *name;
    json_object_foreach(values, name, value)
    {
        char text[FIGURE_TEXT], label[METRIC_NAME_LIMIT + 2];
        metric_text(value, text);
        snprintf(label, sizeof label, "%s:", name);
        visible_printf(out->stream, "%-14s %s\n", label, text);
    }
    json_decref(values);
}

static void print_figures(const struct run_result *result, const struct terminal *out)
{
    const struct evaluation *evaluation = result->evaluation;
    char of_limit[FIGURE_SENTENCE];
    char time[FIGURE_TEXT], low[FIGURE_TEXT], high[FIGURE_TEXT], rate[FIGURE_TEXT];
    figure_time(evaluation->time_ns, time, sizeof time);
    figure_time(evaluation->time_low_ns, low, sizeof low);
    figure_time(evaluation->time_high_ns, high, sizeof high);
    figure_rate(evaluation->time_ns, evaluation->work.flops, evaluation->work.bytes, rate, sizeof rate);
    fprintf(out->stream, "valid:         largest error %.3g of the tolerance\n", evaluation->error_ratio);
    fprintf(out->stream, "time:          %s%s%s (95 %% interval %s to %s, %zu samples)\n", style_on(out, STYLE_BEST),
            time, style_off(out), low, high, evaluation->sample_count);
    if (evaluation->device_ns > 0) {
        figure_time(evaluation->device_ns, time, sizeof time);
        visible_printf(out->stream, "on the device: %s, without the host's latency\n", time);
    }
    figure_share_sentence(&result->share, of_limit, sizeof of_limit);
    visible_printf(out->stream, "rate:          %s%s%s\n", rate, of_limit[0] ? ", " : "", of_limit);
    if (evaluation->energy_j > 0) {
        char energy[FIGURE_TEXT], error[FIGURE_TEXT];
        figure_energy(evaluation->energy_j, energy, sizeof energy);
        figure_energy(evaluation->energy_error_j, error, sizeof error);
        visible_printf(out->stream, "energy:        %s +- %s\n", energy, error);
    }
    print_metrics(evaluation, out);
}

static bool print_text(const struct run_result *result, struct error *error)
{
    const struct terminal out = terminal_of(stdout);
    char *configuration = parameters_text_of(result->choice->configuration, NULL);
    if (!configuration)
        return error_out_of_memory(error);
    visible_printf(stdout, "%s at %s on %s\n", result->subject->template->name,
                   problem_size_text(result->subject->problem), result->subject->device.description.name);
    if (result->data[0])
        visible_printf(stdout, "data:          %s\n", result->data);
    terminal_print_folded("configuration: ", configuration, STYLE_PLAIN, &out);
    visible_printf(stdout, "from:          %s; %s\n", result->choice->origin,
                   result->from_cache ? "image from the cache" : "compiled now");
    if (result->evaluation->outcome == OUTCOME_OK)
        print_figures(result, &out);
    free(configuration);
    return true;
}

static bool set_metrics(const struct subject *subject, const char *configuration, struct evaluation *evaluation,
                        struct error *error)
{
    struct metrics *metrics;
    if (evaluation->outcome != OUTCOME_OK)
        return true;
    if (!metrics_create(subject->template, &subject->device.description, problem_size_text(subject->problem),
                        &metrics, error))
        return false;
    evaluation->metrics = metrics_text(metrics, configuration, evaluation);
    metrics_free(metrics);
    return evaluation->metrics || error_out_of_memory(error);
}

bool command_run(const struct options *options, int *status, struct error *error)
{
    bool done = false;
    struct subject subject = {0};
    struct store *store = NULL;
    struct choice choice = {0};
    struct evaluation evaluation = {0};
    struct ceilings ceilings;
    bool from_cache = false;

    if (!subject_template(&subject, options->subject, error) ||
        !objective_choose(subject.template, options->objective, &subject.objective, error) ||
        !device_choose(options->device, options->quiet, &subject.device, error))
        goto done;
    if (!device_can_run(&subject.device, error) ||
        !knowledge_open_for(subject.template, options->database, &store, error) ||
        !choose(&subject, options, store, &choice, error))
        goto done;
    const struct single_options settings = {
        .seed = options->seed,
        .energy = subject.objective.needs_energy,
        .crew = {.compile_deadline = options->deadline,
                 .unconfined = options->unconfined,
                 .measure_deadline = options->deadline,
                 .ordinals = subject.device.ordinals,
                 .ordinal_count = subject.device.ordinal_count},
        .interrupted = interrupts_catch(),
    };
    if (!evaluate_single(subject.problem, 0, &settings, &evaluation, &from_cache, error))
        goto done;
    if (!set_metrics(&subject, choice.configuration, &evaluation, error))
        goto done;
    if (!store_device_ceilings(store, &subject.device.description, &ceilings, error))
        goto done;
    const char *held, *data;
    if (!inputs_identify(subject.inputs, &held, &data, error))
        goto done;
    const struct run_result result = {&subject,   data,
                                      &choice,    &evaluation,
                                      from_cache, ceilings_share(&ceilings, &evaluation.work, evaluation.time_ns)};
    done = (options->json ? print_json : print_text)(&result, error);
    if (done && evaluation.outcome != OUTCOME_OK) {
        visible_printf(stderr, "tune: %s: %s\n", outcome_meaning(evaluation.outcome), evaluation.message);
        *status = 1;
    }
done:
    free(choice.configuration);
    evaluation_clear(&evaluation);
    store_close(store);
    subject_clear(&subject);
    return done;
}
