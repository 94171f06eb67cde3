/* SPDX-License-Identifier: Apache-2.0 */
/* tune run TEMPLATE: the best known configuration, validated and timed; no search. */
#include "tuner/cli/choice.h"
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

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct measured {
    struct evaluation evaluation;
    double cost;     /* by the objective; HUGE_VAL: none */
    bool from_cache; /* its image; else it was compiled now */
};

/* What --verify compares the answer with. */
struct reference_run {
    struct choice choice;
    struct measured measured;
    bool same; /* the answer is the default */
};

/* The outcome to print. */
struct run_result {
    const struct subject *subject;
    const char *data; /* the data files; "": none */
    const struct choice *choice;
    const struct measured *measured;
    const struct reference_run *reference; /* NULL: nobody asked */
    struct share share;
};

/* How many times as good the answer is as the default; 0: that cannot be said. */
static double gain_of(const struct run_result *result)
{
    const struct reference_run *reference = result->reference;
    if (reference->same)
        return 1;
    double gain = reference->measured.cost / result->measured->cost;
    return isfinite(gain) ? gain : 0;
}

static json_t *reference_json(const struct run_result *result)
{
    const struct reference_run *reference = result->reference;
    if (reference->same)
        return json_pack("{s:b}", "is_default", 1);
    json_t *document = evaluation_to_json(&reference->measured.evaluation);
    json_put(&document, "is_default", json_false());
    json_put(&document, "configuration", json_of_text(reference->choice.configuration));
    json_put(&document, "times_as_good", json_finite(gain_of(result)));
    return document;
}

static bool print_json(const struct run_result *result, struct error *error)
{
    const struct evaluation *evaluation = &result->measured->evaluation;
    double gflops = evaluation->time_ns > 0 ? evaluation->work.flops / evaluation->time_ns : 0;
    json_t *document = evaluation_to_json(evaluation);
    json_put(&document, "configuration", json_of_text(result->choice->configuration));
    json_put(&document, "origin", json_string_of_bytes(result->choice->origin));
    json_put(&document, "rule", json_string(selection_rule_name(result->choice->selection.rule)));
    if (result->choice->selection.rule != SELECTION_NONE) {
        const struct selection *selection = &result->choice->selection;
        json_put(&document, "known_for",
                 json_pack("{s:s, s:o, s:o, s:f}", "layer", selection_layer_name(selection->layer), "device",
                           json_string_of_bytes(selection->device), "size", json_string_of_bytes(selection->size),
                           "octaves_away", selection->octaves));
    }
    json_put(&document, "image", json_string(result->measured->from_cache ? "cached" : "compiled"));
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
    if (result->reference)
        json_put(&document, "default", reference_json(result));
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
    const struct evaluation *evaluation = &result->measured->evaluation;
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

/* "default:       3.24 ms (95 % interval 3.23 ms to 3.25 ms); the answer is 1.13 times as good by time" */
static void print_reference(const struct run_result *result)
{
    const struct evaluation *evaluation = &result->reference->measured.evaluation;
    char time[FIGURE_TEXT], low[FIGURE_TEXT], high[FIGURE_TEXT];
    double gain = gain_of(result);
    if (result->reference->same) {
        visible_printf(stdout, "default:       the same configuration\n");
        return;
    }
    if (evaluation->outcome != OUTCOME_OK) {
        visible_printf(stdout, "default:       %s: %s\n", outcome_meaning(evaluation->outcome), evaluation->message);
        return;
    }
    figure_time(evaluation->time_ns, time, sizeof time);
    figure_time(evaluation->time_low_ns, low, sizeof low);
    figure_time(evaluation->time_high_ns, high, sizeof high);
    visible_printf(stdout, "default:       %s (95 %% interval %s to %s)", time, low, high);
    if (gain > 0)
        visible_printf(stdout, "; the answer is %.3g times as good by %s", gain, result->subject->objective.name);
    visible_printf(stdout, "\n");
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
                   result->measured->from_cache ? "image from the cache" : "compiled now");
    if (result->measured->evaluation.outcome == OUTCOME_OK)
        print_figures(result, &out);
    if (result->reference)
        print_reference(result);
    free(configuration);
    return true;
}

/* Its metrics and its cost by the objective. */
static bool judge(const struct subject *subject, const char *configuration, struct measured *measured,
                  struct error *error)
{
    struct metrics *metrics;
    struct evaluation *evaluation = &measured->evaluation;
    measured->cost = HUGE_VAL;
    if (evaluation->outcome != OUTCOME_OK)
        return true;
    if (!metrics_create(subject->template, &subject->device.description, problem_size_text(subject->problem),
                        &metrics, error))
        return false;
    measured->cost = objective_judge(&subject->objective, metrics, configuration, evaluation, NULL).cost;
    evaluation->metrics = metrics_text(metrics, configuration, evaluation);
    metrics_free(metrics);
    return evaluation->metrics || error_out_of_memory(error);
}

/* The subject's problem has one configuration. */
static bool measure(const struct subject *subject, const struct options *options, const char *configuration,
                    struct measured *measured, struct error *error)
{
    const struct single_options settings = {
        .seed = options->seed,
        .energy = subject->objective.needs_energy,
        .crew = {.compile_deadline = options->deadline,
                 .unconfined = options->unconfined,
                 .measure_deadline = options->deadline,
                 .ordinals = subject->device.ordinals,
                 .ordinal_count = subject->device.ordinal_count},
        .interrupted = interrupts_catch(),
    };
    return evaluate_single(subject->problem, 0, &settings, &measured->evaluation, &measured->from_cache, error) &&
           judge(subject, configuration, measured, error);
}

static bool measure_default(struct subject *subject, const struct options *options, const struct choice *answer,
                            struct reference_run *reference, struct error *error)
{
    if (!choice_make_default(subject, options, &reference->choice, error))
        return false;
    reference->same = strcmp(reference->choice.configuration, answer->configuration) == 0;
    return reference->same || measure(subject, options, reference->choice.configuration, &reference->measured, error);
}

static bool print(const struct options *options, const struct run_result *result, int *status, struct error *error)
{
    const struct evaluation *evaluation = &result->measured->evaluation;
    if (!(options->json ? print_json : print_text)(result, error))
        return false;
    if (evaluation->outcome != OUTCOME_OK) {
        visible_printf(stderr, "tune: %s: %s\n", outcome_meaning(evaluation->outcome), evaluation->message);
        *status = 1;
    }
    return true;
}

bool command_run(const struct options *options, int *status, struct error *error)
{
    struct subject subject = {0};
    struct store *store = NULL;
    struct choice choice = {0};
    struct measured measured = {0};
    struct reference_run reference = {0};
    struct run_result result = {.subject = &subject,
                                .data = "",
                                .choice = &choice,
                                .measured = &measured,
                                .reference = options->verify ? &reference : NULL};
    struct ceilings ceilings;
    const char *held;
    bool done = subject_template(&subject, options->subject, error) &&
                objective_choose(subject.template, options->objective, &subject.objective, error) &&
                device_choose(options->device, options->quiet, &subject.device, error) &&
                device_can_run(&subject.device, error) &&
                knowledge_open_for(subject.template, options->database, &store, error) &&
                choice_make(&subject, options, store, &choice, error) &&
                measure(&subject, options, choice.configuration, &measured, error) &&
                (!options->verify || measure_default(&subject, options, &choice, &reference, error)) &&
                store_device_ceilings(store, &subject.device.description, &ceilings, error) &&
                inputs_identify(subject.inputs, &held, &result.data, error);
    if (done) {
        result.share = ceilings_share(&ceilings, &measured.evaluation.work, measured.evaluation.time_ns);
        done = print(options, &result, status, error);
    }
    choice_clear(&choice);
    choice_clear(&reference.choice);
    evaluation_clear(&measured.evaluation);
    evaluation_clear(&reference.measured.evaluation);
    store_close(store);
    subject_clear(&subject);
    return done;
}
