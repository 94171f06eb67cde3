/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/sanitizer_tool.h"

#include "tuner/check/plain_run.h"
#include "tuner/check/program_output.h"
#include "tuner/workers/scratch.h"

#include <ctype.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double default_deadline = 300;

/*
 * What lies right before a buffer may be another allocation's last byte, where memcheck takes any access for a good
 * one. Padding behind every allocation keeps them apart.
 */
static const struct tool {
    const char *name, *options[2];
} tools[] = {
    {"memcheck", {"--padding", "512"}},
    {"racecheck", {"--racecheck-report", "analysis"}},
    {"synccheck", {0}},
};
enum { TOOLS = sizeof tools / sizeof *tools };

/* ---- reading ---- */

enum { BUFFERS_MOST = 64 };

/* A report whose lines have not all been read. */
struct report {
    struct flaw flaw; /* its text: what is not said in the fields below */
    char access[16];  /* "read", or "" */
    unsigned long long bytes, address;
    char space[16];     /* "global" */
    char complaint[64]; /* of the address: "is out of bounds" */
    char thread[96];    /* "by thread (63,0,0) in block (2,0,0)" */
};

struct reader {
    struct {
        char name[64];
        unsigned long long address, bytes;
    } buffers[BUFFERS_MOST];
    size_t buffer_count;
    struct report report;
    bool open; /* there is a report */
    void (*found)(void *context, const struct flaw *flaw);
    void *context;
};

static const struct {
    const char *start;
    enum flaw_kind kind;
} headings[] = {
    {"Invalid ", FLAW_OUT_OF_BOUNDS},       {"Misaligned ", FLAW_OUT_OF_BOUNDS},
    {"Out-of-range ", FLAW_OUT_OF_BOUNDS},  {"Stack overflow", FLAW_OUT_OF_BOUNDS},
    {"Error: Race reported", FLAW_RACE},    {"Warning: Race reported", FLAW_RACE},
    {"Error: Potential ", FLAW_RACE},       {"Warning: Potential ", FLAW_RACE},
    {"Uninitialized ", FLAW_UNINITIALISED}, {"Barrier error detected", FLAW_DIVERGENT_BARRIER},
};

static void append(struct flaw *flaw, const char *separator, const char *text)
{
    size_t used = strlen(flaw->text);
    snprintf(flaw->text + used, sizeof flaw->text - used, "%s%s", used ? separator : "", text);
}

/* "... in FILE:LINE", with ":FUNCTION" or " [N hazards]" behind it. */
static bool read_place(const char *text, char *file, size_t size, unsigned *line)
{
    const char *in = strstr(text, " in ");
    for (const char *next = in; next; next = strstr(next + 1, " in "))
        in = next;
    if (!in)
        return false;
    in += strlen(" in ");
    for (const char *colon = strchr(in, ':'); colon; colon = strchr(colon + 1, ':')) {
        if (!isdigit((unsigned char)colon[1]))
            continue;
        *line = (unsigned)strtoul(colon + 1, NULL, 10);
        snprintf(file, size, "%.*s", (int)(colon - in), in);
        return true;
    }
    return false;
}

/* "Access to 0x7f31d2c00300 is out of bounds", in older versions "Access at ..." or "Address ...". */
static bool read_address(struct report *report, const char *text)
{
    static const char *const starts[] = {"Access to 0x", "Access at 0x", "Address 0x"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(text, starts[i], strlen(starts[i])) != 0)
            continue;
        char *end;
        report->address = strtoull(text + strlen(starts[i]), &end, 16);
        snprintf(report->complaint, sizeof report->complaint, "%s", *end ? end + 1 : "");
        return true;
    }
    return false;
}

/* "between Write access at ... in FILE:LINE" is the place of the race, each "and Read access at ..." another. */
static void read_racing_access(struct report *report, const char *text)
{
    struct flaw *flaw = &report->flaw;
    char word[16] = "", place[600], file[512];
    unsigned line;
    const char *access = strstr(text, " access at ");
    const char *start = access;
    while (start && start > text && isalpha((unsigned char)start[-1]))
        start--;
    if (!start || !read_place(text, file, sizeof file, &line)) {
        if (flaw->line == 0)
            read_place(text, flaw->file, sizeof flaw->file, &flaw->line);
        append(flaw, "; ", text);
        return;
    }
    snprintf(word, sizeof word, "%.*s", (int)(access - start), start);
    word[0] = (char)tolower((unsigned char)word[0]);
    if (flaw->line == 0) {
        snprintf(flaw->file, sizeof flaw->file, "%s", file);
        flaw->line = line;
        snprintf(flaw->text, sizeof flaw->text, "this %s", word);
        return;
    }
    const char *behind = strrchr(text, '[');
    snprintf(place, sizeof place, "a %s in %s:%u%s%s", word, file, line, behind ? " " : "", behind ? behind : "");
    append(flaw, " and ", place);
}

/* The buffer that is nearest, and where the address lies: "1 behind x" is the first byte behind the last one. */
static bool find_buffer(const struct reader *reader, const struct report *report, struct flaw *flaw)
{
    unsigned long long nearest = 64 << 10, address = report->address;
    bool found = false;
    for (size_t i = 0; strcmp(report->space, "global") == 0 && i < reader->buffer_count; i++) {
        unsigned long long first = reader->buffers[i].address, end = first + reader->buffers[i].bytes;
        unsigned long long away = address < first ? first - address : address >= end ? address - end + 1 : 0;
        if (away >= nearest)
            continue;
        nearest = away;
        found = true;
        const char *name = reader->buffers[i].name;
        snprintf(flaw->variable, sizeof flaw->variable, "%s", name);
        if (away)
            snprintf(flaw->text, sizeof flaw->text, "%ss %llu bytes %llu %s %s", report->access, report->bytes, away,
                     address < first ? "before" : "behind", name);
        else
            snprintf(flaw->text, sizeof flaw->text, "%ss %llu bytes at byte %llu of %s, which %s", report->access,
                     report->bytes, address - first, name, report->complaint);
    }
    return found;
}

static void close_report(struct reader *reader)
{
    struct report *report = &reader->report;
    struct flaw *flaw = &report->flaw;
    if (!reader->open)
        return;
    reader->open = false;
    if (report->access[0] && report->complaint[0] && !find_buffer(reader, report, flaw))
        snprintf(flaw->text, sizeof flaw->text, "%ss %llu bytes of %s memory at 0x%llx, which %s", report->access,
                 report->bytes, report->space, report->address, report->complaint);
    if (report->thread[0]) {
        append(flaw, " (", report->thread);
        append(flaw, "", ")");
    }
    reader->found(reader->context, flaw);
}

/* The first lines of a report say all; from the backtrace of the host on there is nothing for the kernel's author. */
static void read_detail(struct reader *reader, const char *text)
{
    struct report *report = &reader->report;
    struct flaw *flaw = &report->flaw;
    if (strncmp(text, "Saved host", 10) == 0 || strncmp(text, "Host Frame", 10) == 0)
        close_report(reader);
    else if (flaw->kind == FLAW_RACE)
        read_racing_access(report, text);
    else if (strncmp(text, "at ", 3) == 0 && flaw->line == 0)
        read_place(text, flaw->file, sizeof flaw->file, &flaw->line);
    else if (strncmp(text, "by ", 3) == 0)
        snprintf(report->thread, sizeof report->thread, "%s", text);
    else if (strncmp(text, "Device Frame", 12) != 0 && !read_address(report, text) && !report->complaint[0])
        append(flaw, "; ", text);
}

static void read_heading(struct reader *reader, const char *text)
{
    struct report *report = &reader->report;
    close_report(reader);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        if (strncmp(text, headings[i].start, strlen(headings[i].start)) != 0)
            continue;
        *report = (struct report){.flaw = {.kind = headings[i].kind}};
        reader->open = true;
        if (report->flaw.kind == FLAW_RACE)
            read_racing_access(report, text);
        else
            append(&report->flaw, "", text);
        const char *space = strstr(text, " __");
        if (space &&
            sscanf(space, " __%15[a-z]__ %15s of size %llu", report->space, report->access, &report->bytes) != 3)
            report->access[0] = '\0';
        return;
    }
}

static void read_buffer(struct reader *reader, const char *line)
{
    if (reader->buffer_count < BUFFERS_MOST &&
        sscanf(line, PLAIN_RUN_BUFFER " %63s %llx %llu", reader->buffers[reader->buffer_count].name,
               &reader->buffers[reader->buffer_count].address, &reader->buffers[reader->buffer_count].bytes) == 3)
        reader->buffer_count++;
}

static void read_line(struct reader *reader, const char *line)
{
    static const char *const mark = "=========";
    read_buffer(reader, line);
    if (strncmp(line, mark, strlen(mark)) != 0)
        return;
    const char *text = line + strlen(mark);
    size_t blanks = strspn(text, " ");
    text += blanks;
    if (!*text)
        close_report(reader);
    else if (blanks > 1 && reader->open)
        read_detail(reader, text);
    else if (blanks <= 1)
        read_heading(reader, text);
}

void sanitizer_tool_read(const char *output, void (*found)(void *context, const struct flaw *flaw), void *context)
{
    struct reader reader = {.found = found, .context = context};
    while (*output) {
        char line[4096];
        size_t length = strcspn(output, "\n");
        snprintf(line, sizeof line, "%.*s", length < sizeof line ? (int)length : (int)sizeof line - 1, output);
        line[strcspn(line, "\r")] = '\0';
        read_line(&reader, line);
        output += length + (output[length] == '\n');
    }
    close_report(&reader);
}

/* ---- running ---- */

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

struct gathering {
    struct check_report *report;
    const char *tool, *configuration, *size, *source;
    size_t number;
    bool failed;
    struct error *error;
};

static void gather(void *context, const struct flaw *found)
{
    struct gathering *gathering = context;
    struct flaw flaw = *found;
    flaw.tool = gathering->tool;
    if (!flaw.file[0])
        snprintf(flaw.file, sizeof flaw.file, "%s", gathering->source);
    if (!flaws_add(&gathering->report->flaws, &flaw, gathering->number, gathering->configuration, gathering->size,
                   gathering->error))
        gathering->failed = true;
}

struct run {
    const struct check_plan *plan;
    const char *kind;
    int ordinal;
    char program[PATH_MAX], self[PATH_MAX], request[PATH_MAX];
};

static bool run_tool(const struct run *run, const struct tool *tool, struct gathering *gathering, struct error *error)
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
    gathering->tool = tool->name;
    sanitizer_tool_read(output, gather, gathering);
    if (!strstr(output, "SUMMARY"))
        check_note(gathering->report, "%s of %s: compute-sanitizer did not come to its end: %.200s", tool->name,
                   gathering->configuration, output);
    free(output);
    return !gathering->failed;
}

static bool check_one(const struct problem *problem, struct run *run, size_t number, struct check_report *report,
                      struct error *error)
{
    size_t index = run->plan->list[number];
    struct job *job = NULL;
    struct error failure = {0};
    if (!job_lower(problem, index, run->plan->seed, &job, &failure)) {
        report->refused += failure.code == ERROR_RESOURCES || failure.code == ERROR_DOES_NOT_FIT;
        if (failure.code == ERROR_RESOURCES || failure.code == ERROR_DOES_NOT_FIT)
            return true;
        *error = failure;
        return false;
    }
    size_t which = run->plan->awkward && job->has_awkward ? JOB_AWKWARD : JOB_TUNED;
    char *text = problem_configuration_text(problem, index);
    json_t *request = plain_run_request(run->kind, run->ordinal, job, which);
    bool done = text && request && json_dump_file(request, run->request, 0) == 0;
    if (!done)
        error_set(error, ERROR_SYSTEM, "cannot write the request for a checked run");
    struct gathering gathering = {.report = report, .configuration = text, .number = number, .error = error};
    gathering.size = job->cases[which].size_text ? job->cases[which].size_text : "";
    gathering.source = job->program.path;
    size_t before = report->flaws.count;
    for (size_t i = 0; done && i < TOOLS && report->flaws.count == before; i++)
        done = run_tool(run, &tools[i], &gathering, error);
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
        check_note(report, "anything on the GPU: there is no compute-sanitizer on PATH or in /usr/local/cuda/bin; it "
                           "comes with the CUDA Toolkit (apt-get install cuda-sanitizer-13-0)");
        return true;
    }
    ssize_t length = readlink("/proc/self/exe", run.self, sizeof run.self - 1);
    if (length < 0)
        return error_set(error, ERROR_SYSTEM, "cannot tell where this program lies");
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
    flaws_sort(&report->flaws);
    return done;
}
