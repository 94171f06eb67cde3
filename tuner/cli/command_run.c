/* SPDX-License-Identifier: Apache-2.0 */
/* tune run TEMPLATE: the best known configuration, validated and timed; no search. */
#include "tuner/cli/command.h"
#include "tuner/cli/figures.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/knowledge.h"
#include "tuner/cli/subject.h"
#include "tuner/engine/identity.h"
#include "tuner/engine/single.h"

#include "tuner/engine/sweep.h"
#include "tuner/space/explain.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A configuration and where it comes from. */
struct choice {
    char *configuration; /* canonical JSON; NULL: nothing known */
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

/* The best row for this kernel, device and size, if there is one. */
static bool choose_known(const struct subject *subject, const char *size, struct store *store, struct choice *choice,
                         struct error *error)
{
    const struct store_filter filter = {
        .template_name = subject->template->name,
        .template_hash = subject->template->hash,
        .device_kind = subject->device.description.kind,
        .device_name = subject->device.description.name,
        .size = size,
    };
    return store_best(store, &filter, take_first, choice, error);
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
    return problem_from_configuration(subject->template, &subject->device.description, options->sizes,
                                      options->size_count, choice->configuration, &subject->problem, error);
}

static void print_result(const struct options *options, const struct subject *subject, const struct choice *choice,
                         bool loaded, const struct store_problem *identity, const struct evaluation *evaluation)
{
    if (options->json) {
        json_t *document = evaluation_to_json(evaluation);
        json_object_set_new(document, "configuration", json_loads(choice->configuration, 0, NULL));
        json_object_set_new(document, "origin", json_string(choice->origin));
        json_object_set_new(document, "image", json_string(loaded ? "loaded" : "compiled"));
        json_object_set_new(document, "size", json_string(problem_size_text(subject->problem)));
        json_object_set_new(document, "device", json_string(subject->device.description.name));
        json_object_set_new(document, "gflops",
                            json_real(evaluation->time_ns > 0 ? identity->flops / evaluation->time_ns : 0));
        json_dumpf(document, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
        putchar('\n');
        json_decref(document);
        return;
    }
    char time[FIGURE_TEXT], low[FIGURE_TEXT], high[FIGURE_TEXT], rate[FIGURE_TEXT];
    figure_time(evaluation->time_ns, time, sizeof time);
    figure_time(evaluation->time_low_ns, low, sizeof low);
    figure_time(evaluation->time_high_ns, high, sizeof high);
    figure_rate(evaluation->time_ns, identity->flops, identity->bytes, rate, sizeof rate);
    char *configuration = figure_configuration(choice->configuration, NULL);
    printf("%s at %s on %s\n", subject->template->name, problem_size_text(subject->problem),
           subject->device.description.name);
    printf("configuration: %s\n", configuration ? configuration : "?");
    printf("from:          %s; %s\n", choice->origin, loaded ? "image loaded" : "compiled now");
    free(configuration);
    if (evaluation->outcome != OUTCOME_OK)
        return;
    printf("valid:         largest error %.3g of the allowed one\n", evaluation->error_ratio);
    printf("time:          %s (95 %% interval %s to %s, %zu samples)\n", time, low, high, evaluation->sample_count);
    double percent =
        figure_percent_of_peak(evaluation->time_ns, identity->flops, identity->bytes,
                               subject->device.description.peak_flops, subject->device.description.peak_bandwidth);
    if (percent >= 0)
        printf("rate:          %s, %.1f %% of peak\n", rate, percent);
    else
        printf("rate:          %s\n", rate);
}

/* The image kept with the best row; one that is damaged is as good as none. */
static void get_image(struct store *store, const struct choice *choice, void **image, size_t *image_bytes)
{
    struct error error = {0};
    if (!choice->evaluation || store_image_get(store, choice->evaluation, image, image_bytes, &error))
        return;
    error_print(&error, stderr);
    *image = NULL;
}

/* An image may have been made for another driver or another C library: the source has the last word. */
static bool is_stale(const struct evaluation *evaluation)
{
    return evaluation->outcome != OUTCOME_OK && evaluation->outcome != OUTCOME_TIMEOUT;
}

bool command_run(const struct options *options, int *status, struct error *error)
{
    bool done = false;
    struct subject subject = {0};
    struct store *store = NULL;
    struct choice choice = {0};
    struct evaluation evaluation = {0};
    struct store_problem identity;
    void *image = NULL;
    size_t image_bytes = 0;

    if (!subject_template(&subject, options->subject, error) ||
        !device_choose(options->device, options->quiet, &subject.device, error))
        goto done;
    if (subject.device.recorded) {
        error_set(error, ERROR_INPUT, "--device: nothing can run on a recorded description");
        goto done;
    }
    if (!knowledge_open(options->database, &store, error) || !choose(&subject, options, store, &choice, error) ||
        !problem_identity(subject.problem, &identity, error))
        goto done;
    get_image(store, &choice, &image, &image_bytes);

    bool loaded = image != NULL;
    const struct single_options settings = {
        .seed = options->seed,
        .crew = {.compile_deadline = options->deadline,
                 .measure_deadline = options->deadline,
                 .ordinals = subject.device.ordinals,
                 .ordinal_count = subject.device.ordinal_count},
        .interrupted = interrupts_catch(),
    };
    if (!evaluate_single(subject.problem, 0, &settings, &image, &image_bytes, &evaluation, error))
        goto done;
    if (loaded && is_stale(&evaluation)) {
        fprintf(stderr, "tune: the stored image fails here (%s: %s): compiling anew\n",
                outcome_meaning(evaluation.outcome), evaluation.message);
        evaluation_clear(&evaluation);
        free(image);
        image = NULL;
        loaded = false;
        if (!evaluate_single(subject.problem, 0, &settings, &image, &image_bytes, &evaluation, error))
            goto done;
    }
    done = true;
    print_result(options, &subject, &choice, loaded, &identity, &evaluation);
    if (evaluation.outcome != OUTCOME_OK) {
        fprintf(stderr, "tune: %s: %s\n", outcome_meaning(evaluation.outcome), evaluation.message);
        *status = 1;
    }
done:
    free(image);
    free(choice.configuration);
    evaluation_clear(&evaluation);
    store_close(store);
    subject_clear(&subject);
    return done;
}
