/* SPDX-License-Identifier: Apache-2.0 */
/* tune check TEMPLATE: configurations under the sanitizers. */
#include "tuner/cli/command.h"
#include "tuner/cli/figures.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/subject.h"
#include "tuner/workers/describe.h"

#include "tuner/check/check.h"
#include "tuner/check/sample.h"
#include "tuner/check/sanitizer_tool.h"
#include "tuner/engine/sweep.h"
#include "tuner/space/explain.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is checked on one device: the CPU's sanitizers, or a GPU's. */
struct checked {
    const char *device;
    struct check_report report;
};

/* ---- which configurations ---- */

static bool choose(const struct options *options, const struct problem *problem, size_t **list, size_t *count,
                   struct error *error)
{
    size_t all = problem_configuration_count(problem);
    if (all == 0)
        return explain_empty(problem, error);
    if (!options->sampled)
        return sample_choose(problem, 0, options->seed, list, count, error);
    if (options->sample > 0 && options->sample < all)
        return sample_choose(problem, (size_t)options->sample, options->seed, list, count, error);
    *list = calloc(all, sizeof **list);
    if (!*list)
        return error_out_of_memory(error);
    for (*count = 0; *count < all; (*count)++)
        (*list)[*count] = *count;
    return true;
}

/* ---- showing ---- */

static void show_progress(size_t done, size_t count, const struct check_report *report, void *context)
{
    const char *device = context;
    fprintf(stderr, "\r%s: %zu of %zu configurations checked, %zu finding%s ", device, done, count,
            report->diagnostics.count, report->diagnostics.count == 1 ? "" : "s");
    if (done == count)
        fputc('\n', stderr);
}

static void print_diagnostic(const struct diagnostic *diagnostic, const struct check_report *report)
{
    printf("%s", diagnostic->file);
    if (diagnostic->line)
        printf(":%u", diagnostic->line);
    printf(": %s", diagnostic_kind_names[diagnostic->kind]);
    if (diagnostic->variable[0])
        printf(": %s", diagnostic->variable);
    char *configuration = figure_configuration(diagnostic->example, NULL);
    printf(": %s\n    found by %s in %zu of %zu configurations, such as %s at %s\n", diagnostic->text,
           diagnostic->tool, diagnostic->configurations, report->configurations,
           configuration ? configuration : diagnostic->example, diagnostic->size);
    free(configuration);
}

static void print_report(const struct subject *subject, const struct checked *checked)
{
    const struct check_report *report = &checked->report;
    for (size_t i = 0; i < report->diagnostics.count; i++)
        print_diagnostic(&report->diagnostics.list[i], report);
    for (size_t i = 0; i < report->note_count; i++)
        printf("not checked: %s\n", report->notes[i]);
    printf("%s, space %s, on %s: %zu of %zu configurations checked", subject->template->name, subject->space->name,
           checked->device, report->configurations, report->total);
    if (report->refused)
        printf(", %zu left out that need more than the device has", report->refused);
    printf(": %zu finding%s\n", report->diagnostics.count, report->diagnostics.count == 1 ? "" : "s");
}

static json_t *diagnostic_json(const struct diagnostic *diagnostic)
{
    return json_pack("{s:s, s:s, s:i, s:s, s:s, s:s, s:I, s:o, s:s}", "kind", diagnostic_kind_names[diagnostic->kind],
                     "file", diagnostic->file, "line", (int)diagnostic->line, "variable", diagnostic->variable,
                     "message", diagnostic->text, "tool", diagnostic->tool, "configurations",
                     (json_int_t)diagnostic->configurations, "example", json_loads(diagnostic->example, 0, NULL),
                     "size", diagnostic->size);
}

static json_t *report_json(const struct checked *checked)
{
    const struct check_report *report = &checked->report;
    json_t *findings = json_array(), *notes = json_array();
    for (size_t i = 0; i < report->diagnostics.count; i++)
        json_array_append_new(findings, diagnostic_json(&report->diagnostics.list[i]));
    for (size_t i = 0; i < report->note_count; i++)
        json_array_append_new(notes, json_string(report->notes[i]));
    return json_pack("{s:s, s:I, s:I, s:I, s:o, s:o}", "device", checked->device, "checked",
                     (json_int_t)report->configurations, "refused", (json_int_t)report->refused, "valid",
                     (json_int_t)report->total, "findings", findings, "not_checked", notes);
}

static void print_json(const struct subject *subject, const struct checked *checked, size_t count)
{
    json_t *devices = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(devices, report_json(&checked[i]));
    json_t *document = json_pack("{s:s, s:s, s:o}", "template", subject->template->name, "space",
                                 subject->space->name, "devices", devices);
    json_dumpf(document, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(document);
}

/* ---- checking ---- */

/* On the device that the subject has: the CPU's own checks, or compute-sanitizer. */
static bool check_device(const struct options *options, struct subject *subject, struct checked *checked,
                         struct error *error)
{
    bool cpu = strcmp(subject->device.description.kind, "cpu") == 0;
    size_t *list = NULL, count = 0;
    bool watched = !options->quiet && isatty(STDERR_FILENO);
    bool done = subject_problem(subject, options, error) && choose(options, subject->problem, &list, &count, error);
    if (done) {
        const struct check_plan plan = {
            .list = list,
            .count = count,
            .seed = options->seed,
            .awkward = options->size_count == 0,
            .jobs = options->jobs,
            .deadline = options->deadline,
            .interrupted = interrupts_catch(),
            .progress = watched ? show_progress : NULL,
            .context = (void *)(uintptr_t)checked->device,
        };
        done = cpu ? check_run(subject->problem, &plan, &checked->report, error)
                   : sanitizer_tool_run(subject->problem, subject->device.description.kind,
                                        subject->device.ordinals[0], &plan, &checked->report, error);
    }
    free(list);
    problem_free(subject->problem);
    subject->problem = NULL;
    return done;
}

/* The GPU that is asked for, or the first one if there is any; `*found` is false where the CPU is meant. */
static bool choose_gpu(const struct options *options, struct subject *subject, bool *found, struct error *error)
{
    int count = 0;
    *found = false;
    if (!options->device && (!count_devices("cuda", &count, NULL) || count == 0))
        return true;
    if (!device_choose(options->device, true, &subject->device, error))
        return false;
    if (subject->device.recorded)
        return error_set(error, ERROR_INPUT, "--device: nothing can run on a recorded description");
    *found = strcmp(subject->device.description.kind, "cpu") != 0;
    return true;
}

bool command_check(const struct options *options, int *status, struct error *error)
{
    struct subject subject = {0};
    struct checked checked[2] = {{.device = "the CPU device"}, {.device = "the GPU"}};
    size_t count = 1;
    bool gpu = false;
    struct device_choice choice;
    bool done = subject_template(&subject, options->subject, error) &&
                subject_space(&subject, options->space, error) && choose_gpu(options, &subject, &gpu, error);
    choice = subject.device;
    done = done && describe_device("cpu", 0, &subject.device.description, error) &&
           check_device(options, &subject, &checked[0], error);
    if (done && gpu) {
        subject.device = choice;
        checked[1].device = choice.description.name;
        count = 2;
        done = check_device(options, &subject, &checked[1], error);
    }
    if (done && options->json)
        print_json(&subject, checked, count);
    for (size_t i = 0; i < count; i++) {
        if (done && !options->json)
            print_report(&subject, &checked[i]);
        if (done && checked[i].report.diagnostics.count > 0)
            *status = 1;
        check_report_clear(&checked[i].report);
    }
    subject_clear(&subject);
    return done;
}
