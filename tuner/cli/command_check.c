/* SPDX-License-Identifier: Apache-2.0 */
/* tune check TEMPLATE: configurations under the sanitizers. */
#include "tuner/cli/command.h"
#include "tuner/cli/configuration_choice.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/live.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/subject.h"
#include "tuner/workers/describe.h"

#include "tuner/check/check.h"
#include "tuner/check/further_sizes.h"
#include "tuner/check/gpu_compile.h"
#include "tuner/check/sample.h"
#include "tuner/check/sanitizer_tool.h"
#include "tuner/error/visible.h"
#include "tuner/json/json_text.h"
#include "tuner/space/explain.h"

#include <stdlib.h>
#include <string.h>

/* The findings on one device. */
struct checked {
    const char *device;
    struct check_report report;
};

/* ---- which configurations ---- */

static bool choose_one(const struct options *options, const struct problem *problem, size_t **list, size_t *count,
                       struct error *error)
{
    *list = calloc(1, sizeof **list);
    if (!*list)
        return error_out_of_memory(error);
    *count = 1;
    return configuration_choose(problem, options->configuration, *list, error);
}

static bool choose(const struct options *options, const struct problem *problem, size_t **list, size_t *count,
                   struct error *error)
{
    size_t all = problem_configuration_count(problem);
    if (all == 0)
        return explain_empty(problem, error);
    if (options->configuration)
        return choose_one(options, problem, list, count, error);
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

/* ---- output ---- */

struct check_progress {
    const char *device;
    struct live live;
};

static void show_progress(size_t done, size_t count, const struct check_report *report, void *context)
{
    struct check_progress *progress = context;
    char line[256];
    snprintf(line, sizeof line, "%s: %zu of %zu configurations checked, %zu finding%s", progress->device, done, count,
             report->diagnostics.count, report->diagnostics.count == 1 ? "" : "s");
    char *shown = visible_text(line, VISIBLE_ONE_LINE);
    if (shown) /* else memory is short: a later line may be drawn */
        live_draw(&progress->live, (const char *const[]){shown}, 1);
    free(shown);
}

static bool print_diagnostic(const struct diagnostic *diagnostic, const struct check_report *report,
                             const struct terminal *out, struct error *error)
{
    char *configuration = parameters_text_of(diagnostic->example, NULL);
    if (!configuration)
        return error_out_of_memory(error);
    fputs(style_on(out, STYLE_HEADING), out->stream);
    visible_printf(out->stream, "%s", diagnostic->file);
    if (diagnostic->line)
        fprintf(out->stream, ":%u", diagnostic->line);
    fprintf(out->stream, ":%s %s%s%s", style_off(out), style_on(out, STYLE_ERROR),
            diagnostic_kind_names[diagnostic->kind], style_off(out));
    if (diagnostic->variable[0])
        visible_printf(out->stream, ": %s", diagnostic->variable);
    visible_printf(out->stream, ": %s\n    found by %s in %zu of %zu configurations, for example %s at %s\n",
                   diagnostic->text, diagnostic->tool, diagnostic->configurations, report->configurations,
                   configuration, diagnostic->size);
    free(configuration);
    return true;
}

static bool print_report(const struct subject *subject, const struct checked *checked, struct error *error)
{
    const struct terminal out = terminal_of(stdout);
    const struct check_report *report = &checked->report;
    for (size_t i = 0; i < report->diagnostics.count; i++) {
        if (!print_diagnostic(&report->diagnostics.list[i], report, &out, error))
            return false;
    }
    for (size_t i = 0; i < report->note_count; i++)
        visible_printf(stdout, "not checked: %s\n", report->notes[i]);
    visible_printf(stdout, "%s, space %s, on %s: %zu of %zu configurations checked", subject->template->name,
                   subject->space->name, checked->device, report->configurations, report->total);
    if (report->refused)
        visible_printf(stdout, ", %zu skipped that need more than the device has", report->refused);
    visible_printf(stdout, ": %zu finding%s\n", report->diagnostics.count, report->diagnostics.count == 1 ? "" : "s");
    return true;
}

static json_t *diagnostic_json(const struct diagnostic *diagnostic)
{
    return json_pack("{s:s, s:o, s:i, s:o, s:o, s:s, s:I, s:o, s:o}", "kind", diagnostic_kind_names[diagnostic->kind],
                     "file", json_string_of_bytes(diagnostic->file), "line", (int)diagnostic->line, "variable",
                     json_string_of_bytes(diagnostic->variable), "message", json_string_of_bytes(diagnostic->text),
                     "tool", diagnostic->tool, "configurations", (json_int_t)diagnostic->configurations, "example",
                     json_of_text(diagnostic->example), "size", json_string_of_bytes(diagnostic->size));
}

static json_t *report_json(const struct checked *checked)
{
    const struct check_report *report = &checked->report;
    json_t *findings = json_array(), *notes = json_array();
    for (size_t i = 0; i < report->diagnostics.count; i++)
        json_append(&findings, diagnostic_json(&report->diagnostics.list[i]));
    for (size_t i = 0; i < report->note_count; i++)
        json_append(&notes, json_string_of_bytes(report->notes[i]));
    return json_pack("{s:o, s:I, s:I, s:I, s:o, s:o}", "device", json_string_of_bytes(checked->device), "checked",
                     (json_int_t)report->configurations, "refused", (json_int_t)report->refused, "valid",
                     (json_int_t)report->total, "findings", findings, "not_checked", notes);
}

static bool print_json(const struct subject *subject, const struct checked *checked, size_t count,
                       struct error *error)
{
    json_t *devices = json_array();
    for (size_t i = 0; i < count; i++)
        json_append(&devices, report_json(&checked[i]));
    json_t *document = json_pack("{s:s, s:s, s:o}", "template", subject->template->name, "space",
                                 subject->space->name, "devices", devices);
    return json_output(document, JSON_INDENT(2) | JSON_PRESERVE_ORDER, error);
}

/* ---- checking ---- */

static bool is_accelerator(const struct subject *subject)
{
    const struct device_driver *driver = device_driver_find(subject->device.description.kind);
    return driver && driver->accelerator;
}

static bool has_accelerator(void)
{
    for (size_t i = 0; i < device_driver_count; i++) {
        int count = 0;
        if (device_drivers[i]->accelerator && count_devices(device_drivers[i]->kind, &count, NULL) && count > 0)
            return true;
    }
    return false;
}

static struct check_plan plan_of(const struct options *options, const size_t *list, size_t count,
                                 struct check_progress *progress)
{
    return (struct check_plan){
        .list = list,
        .count = count,
        .seed = options->seed,
        .awkward = options->size_count == 0,
        .jobs = (unsigned)options->jobs,
        .unconfined = options->unconfined,
        .deadline = options->deadline,
        .interrupted = interrupts_catch(),
        .progress = live_draws(&progress->live) ? show_progress : NULL,
        .context = progress,
    };
}

/* On the subject's device: with the CPU device's own checks, or compute-sanitizer on a GPU. */
static bool check_device(const struct options *options, struct subject *subject, struct checked *checked,
                         struct error *error)
{
    size_t *list = NULL, count = 0;
    struct check_progress progress = {checked->device, live_begin(options->quiet)};
    bool done = subject_problem(subject, options, error) && choose(options, subject->problem, &list, &count, error);
    if (done) {
        const struct check_plan plan = plan_of(options, list, count, &progress);
        if (is_accelerator(subject) && !options->unconfined && !options->quiet)
            fputs("tune: compute-sanitizer and the kernels below it are not confined\n", stderr);
        done = !is_accelerator(subject)
                   ? check_run(subject->problem, &plan, &checked->report, error)
                   : sanitizer_tool_run(subject->problem, subject->device.description.kind,
                                        subject->device.ordinals[0], &plan, &checked->report, error);
        /* What the sanitizers have found explains what validation would find. */
        if (done && plan.awkward && checked->report.diagnostics.count == 0)
            done = further_sizes_run(subject->problem, is_accelerator(subject) ? subject->device.ordinals[0] : 0,
                                     &plan, &checked->report, error);
    }
    live_clear(&progress.live);
    free(list);
    problem_free(subject->problem);
    subject->problem = NULL;
    return done;
}

/* Without a GPU: what its compiler says of the same kernels. What the GPU's problem lacks is a note. */
static bool check_compiler(const struct options *options, struct subject *subject, struct checked *checked,
                           struct error *error)
{
    size_t *list = NULL, count = 0;
    struct error failure = {0};
    struct check_progress progress = {checked->device, live_begin(options->quiet)};
    gpu_compile_description(&subject->device.description);
    bool done = true;
    if (subject_problem(subject, options, &failure) && choose(options, subject->problem, &list, &count, &failure)) {
        const struct check_plan plan = plan_of(options, list, count, &progress);
        done = gpu_compile_run(subject->problem, &plan, &checked->report, error);
    } else if (error_is_of_machine(&failure)) {
        *error = failure;
        done = false;
    } else {
        check_note(&checked->report, "whether NVRTC compiles the sources: %s", failure.text);
    }
    live_clear(&progress.live);
    free(list);
    problem_free(subject->problem);
    subject->problem = NULL;
    return done;
}

/* The first accelerator of this machine, or the device that is asked for; `*found` is false for the CPU device. */
static bool choose_gpu(const struct options *options, struct subject *subject, bool *found, struct error *error)
{
    *found = false;
    if (!options->device && !has_accelerator())
        return true;
    if (!device_choose(options->device, true, &subject->device, error) || !device_can_run(&subject->device, error))
        return false;
    *found = is_accelerator(subject);
    return true;
}

/* A configuration that was asked for need not be valid on the CPU device as well. */
static bool is_of_gpu_only(const struct options *options, struct check_report *report, const struct error *error)
{
    if (!options->configuration || error->code != ERROR_INPUT)
        return false;
    check_note(report, "anything on the CPU device: %s", error->text);
    return true;
}

bool command_check(const struct options *options, int *status, struct error *error)
{
    struct subject subject = {0};
    struct checked checked[2] = {{.device = "the CPU device"}, {.device = "NVRTC for sm_90"}};
    size_t count = 1;
    bool gpu = false;
    struct device_choice choice;
    bool done = subject_template(&subject, options->subject, error) &&
                subject_space(&subject, options->space, error) && choose_gpu(options, &subject, &gpu, error);
    choice = subject.device;
    done = done && describe_device("cpu", 0, &subject.device.description, error) &&
           (check_device(options, &subject, &checked[0], error) ||
            (gpu && is_of_gpu_only(options, &checked[0].report, error)));
    if (done && gpu) {
        subject.device = choice;
        checked[1].device = choice.description.name;
        count = 2;
        done = check_device(options, &subject, &checked[1], error);
    }
    if (done && !gpu && !options->no_nvrtc) {
        count = 2;
        done = check_compiler(options, &subject, &checked[1], error);
    }
    if (done && options->json)
        done = print_json(&subject, checked, count, error);
    for (size_t i = 0; i < count; i++) {
        if (done && !options->json)
            done = print_report(&subject, &checked[i], error);
        if (done && checked[i].report.diagnostics.count > 0)
            *status = 1;
        check_report_clear(&checked[i].report);
    }
    subject_clear(&subject);
    return done;
}
