/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/sanitizer_tool.h"

#include "tuner/check/collect.h"
#include "tuner/check/plain_run.h"
#include "tuner/check/program_output.h"
#include "tuner/check/sanitizer_output.h"
#include "tuner/workers/scratch.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double default_deadline = 300;

/* Without padding the bytes around a buffer may belong to another allocation, where memcheck accepts any access. */
static const struct tool {
    const char *name, *options[2];
} tools[] = {
    {"memcheck", {"--padding", "512"}},
    {"racecheck", {"--racecheck-report", "analysis"}},
    {"synccheck", {0}},
};
enum { TOOLS = sizeof tools / sizeof *tools };

bool sanitizer_tool_find(char *path, size_t size)
{
    static const char *const last = "/usr/local/cuda/bin/compute-sanitizer";
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        snprintf(path, size, "%.*s/compute-sanitizer", (int)length, folders);
        if (length > 0 && access(path, X_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    snprintf(path, size, "%s", last);
    return access(path, X_OK) == 0;
}

struct gather_context {
    struct check_report *report;
    const char *tool, *configuration, *size, *source;
    size_t number;
    size_t found; /* reports, whether new or known from another configuration */
    bool failed;
    struct error *error;
};

static void add_diagnostic(void *context, const struct diagnostic *found)
{
    struct gather_context *gather = context;
    struct diagnostic diagnostic = *found;
    gather->found++;
    diagnostic.tool = gather->tool;
    if (!diagnostic.file[0])
        snprintf(diagnostic.file, sizeof diagnostic.file, "%s", gather->source);
    if (!diagnostics_add(&gather->report->diagnostics, &diagnostic, gather->number, gather->configuration,
                         gather->size, gather->error))
        gather->failed = true;
}

struct run {
    const struct check_plan *plan;
    const char *kind;
    int ordinal;
    char program[PATH_MAX], self[PATH_MAX], request[PATH_MAX];
};

static bool run_tool(const struct run *run, const struct tool *tool, struct gather_context *gather,
                     struct error *error)
{
    double seconds = run->plan->deadline > 0 ? run->plan->deadline : default_deadline;
    char *output = NULL;
    const char *arguments[16] = {run->program, "--tool", tool->name, "--print-limit", "100", "--strip-paths", "no"};
    const char *const self[] = {run->self, "--worker", PLAIN_RUN_ROLE, "0"};
    size_t count = 7;
    for (size_t i = 0; i < sizeof tool->options / sizeof *tool->options && tool->options[i]; i++)
        arguments[count++] = tool->options[i];
    for (size_t i = 0; i < sizeof self / sizeof *self; i++)
        arguments[count++] = self[i];
    if (!program_output((char *const *)(uintptr_t)arguments, run->request, seconds, &output, error))
        return false;
    gather->tool = tool->name;
    sanitizer_output_read(output, add_diagnostic, gather);
    if (!strstr(output, "SUMMARY"))
        check_note(gather->report, "%s of %s: compute-sanitizer did not finish: %.200s", tool->name,
                   gather->configuration, output);
    free(output);
    return !gather->failed;
}

static bool write_request(const json_t *request, const char *path, struct error *error)
{
    return json_dump_file(request, path, 0) == 0 ||
           error_set(error, ERROR_SYSTEM, "cannot write %s: %s", path, strerror(errno));
}

/* It needs more than the device has, or an expression of the template fails for it. */
static bool not_lowered(const struct problem *problem, const struct check_plan *plan, size_t number,
                        const struct error *failure, struct check_report *report, struct error *error)
{
    if (failure->code == ERROR_RESOURCES || failure->code == ERROR_DOES_NOT_FIT) {
        report->refused++;
        return true;
    }
    if (failure->code != ERROR_INPUT) {
        *error = *failure;
        return false;
    }
    char *text = problem_configuration_text(problem, plan->list[number]);
    const struct check_origin origin = {
        .path = problem_template(problem)->path,
        .size = problem_size_text(problem),
        .configuration = text,
        .number = number,
    };
    report->configurations++;
    bool done = text ? collect_host_error(&origin, failure, report, error) : error_out_of_memory(error);
    free(text);
    return done;
}

static bool check_one(const struct problem *problem, struct run *run, size_t number, struct check_report *report,
                      struct error *error)
{
    size_t index = run->plan->list[number];
    struct job *job = NULL;
    struct error failure = {0};
    if (!job_lower(problem, index, run->plan->seed, &job, &failure)) {
        return not_lowered(problem, run->plan, number, &failure, report, error);
    }
    size_t which = run->plan->awkward && job->has_awkward ? JOB_AWKWARD : JOB_TUNED;
    char *text = problem_configuration_text(problem, index);
    json_t *request = plain_run_request(run->kind, run->ordinal, job, which);
    bool done = text || error_out_of_memory(error);
    done = done && (request || error_set(error, ERROR_SYSTEM,
                                         "cannot encode the job (invalid UTF-8 in it, or out of "
                                         "memory)"));
    done = done && write_request(request, run->request, error);
    struct gather_context gather = {.report = report, .configuration = text, .number = number, .error = error};
    gather.size = job->cases[which].size_text ? job->cases[which].size_text : "";
    gather.source = job->program.path;
    for (size_t i = 0; done && i < TOOLS && gather.found == 0; i++)
        done = run_tool(run, &tools[i], &gather, error);
    report->configurations++;
    json_decref(request);
    free(text);
    job_free(job);
    return done;
}

bool sanitizer_tool_run(const struct problem *problem, const char *kind, int ordinal, const struct check_plan *plan,
                        struct check_report *report, struct error *error)
{
    struct run run = {.plan = plan, .kind = kind, .ordinal = ordinal};
    struct scratch scratch = {.lock = -1};
    report->total = problem_configuration_count(problem);
    if (!sanitizer_tool_find(run.program, sizeof run.program)) {
        check_note(report,
                   "anything on the GPU: no compute-sanitizer on PATH or in /usr/local/cuda/bin; it is part of "
                   "the CUDA Toolkit (apt-get install cuda-sanitizer-13-0)");
        return true;
    }
    ssize_t length = readlink("/proc/self/exe", run.self, sizeof run.self - 1);
    if (length < 0)
        return error_set(error, ERROR_SYSTEM, "cannot find the path of this program: %s", strerror(errno));
    run.self[length] = '\0';
    if (!scratch_create(&scratch, error))
        return false;
    snprintf(run.request, sizeof run.request, "%s/request.json", scratch.path);
    bool done = true;
    for (size_t i = 0; done && i < plan->count; i++) {
        if (plan->interrupted && *plan->interrupted)
            done = error_set(error, ERROR_WORK, "interrupted");
        else
            done = check_one(problem, &run, i, report, error);
        if (plan->progress)
            plan->progress(i + 1, plan->count, report, plan->context);
    }
    scratch_remove(&scratch);
    diagnostics_sort(&report->diagnostics);
    return done;
}
