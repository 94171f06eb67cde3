/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/check.h"

#include "tuner/check/check_worker.h"
#include "tuner/check/location.h"
#include "tuner/check/runtime.h"
#include "tuner/workers/scratch.h"
#include "tuner/workers/worker_process.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LANES_MOST = WORKERS_MOST, MILLISECONDS = 200 };

static const double default_deadline = 300;
static const char *const tool_names[] = {[CHECK_BOUNDS] = "AddressSanitizer", [CHECK_RACES] = "the race check"};
static const char *const tool_subjects[] = {
    [CHECK_BOUNDS] = "accesses out of bounds", [CHECK_RACES] = "races and uninitialised reads"};

/* A configuration on its way: first one tool, then the other. */
struct lane {
    struct worker *workers[CHECK_TOOLS];
    struct job *job; /* NULL: the lane is idle */
    size_t number;   /* in the plan */
    char *text;      /* of the configuration */
    enum check_tool tool;
    char folder[600];
};

struct checking {
    const struct problem *problem;
    const struct check_plan *plan;
    struct check_report *report;
    struct scratch scratch;
    bool tools[CHECK_TOOLS]; /* there are */
    bool lines_told;         /* that lines cannot be found was noted */
    struct lane *lanes;
    size_t lane_count, next, done;
};

void check_note(struct check_report *report, const char *format, ...)
{
    if (report->note_count == CHECK_NOTES)
        return;
    va_list arguments;
    va_start(arguments, format);
    char *note = report->notes[report->note_count++];
    vsnprintf(note, CHECK_NOTE_TEXT, format, arguments);
    for (char *c = note; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    va_end(arguments);
}

void check_report_clear(struct check_report *report)
{
    flaws_clear(&report->flaws);
    *report = (struct check_report){0};
}

/* ---- what was found ---- */

/* Put the place of the other access where the text has room for it. */
static void fill_text(const struct raw_flaw *raw, const struct location *other, char *text, size_t size)
{
    static const char *const gap = "%OTHER%";
    const char *at = strstr(raw->text, gap);
    char place[600] = "a place that is not known";
    if (other->line)
        snprintf(place, sizeof place, "%s:%u", other->file, other->line);
    if (at)
        snprintf(text, size, "%.*s%s%s", (int)(at - raw->text), raw->text, place, at + strlen(gap));
    else
        snprintf(text, size, "%s", raw->text);
}

static bool add_flaw(struct checking *checking, const struct lane *lane, const struct raw_flaw *raw,
                     const struct location *here, const struct location *other, struct error *error)
{
    struct flaw flaw = {.kind = raw->kind, .line = here->line};
    bool device = raw->kind == FLAW_DIVERGENT_BARRIER || raw->kind == FLAW_FAULT;
    flaw.tool = device ? "the CPU device" : tool_names[lane->tool];
    const char *path = lane->job->program.path;
    const struct job_case *job_case = &lane->job->cases[checking->plan->awkward && lane->job->has_awkward];
    snprintf(flaw.file, sizeof flaw.file, "%s", here->line ? here->file : path);
    if (!here->line && raw->line > 0)
        flaw.line = (unsigned)raw->line;
    snprintf(flaw.variable, sizeof flaw.variable, "%s", raw->variable);
    if (!raw->variable[0] && raw->column > 0)
        location_array_name(here, raw->column, flaw.variable, sizeof flaw.variable);
    fill_text(raw, other, flaw.text, sizeof flaw.text);
    return flaws_add(&checking->report->flaws, &flaw, lane->number, lane->text,
                     job_case->size_text ? job_case->size_text : "", error);
}

/* Without a way to find lines a finding is still one. */
static bool find_places(struct checking *checking, const struct lane *lane, const struct raw_flaw *raw, size_t count,
                        struct location *places, struct error *error)
{
    char module[PATH_MAX];
    struct error failure = {0};
    uint64_t *code = calloc(2 * count + 1, sizeof *code);
    if (!code)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        code[2 * i] = raw[i].code;
        code[2 * i + 1] = raw[i].other;
    }
    snprintf(module, sizeof module, "%s/" CHECK_MODULE_FILE, lane->folder);
    if (access(module, R_OK) == 0 && !location_find(module, code, 2 * count, places, &failure) &&
        !checking->lines_told) {
        checking->lines_told = true;
        check_note(checking->report, "lines of findings: %s (%s)", failure.text, failure.hint);
    }
    free(code);
    return true;
}

/* That nobody has written what a racing read reads is an accident of the order in which threads ran. */
static bool is_consequence(const struct raw_flaw *raw, size_t count, const struct raw_flaw *flaw)
{
    for (size_t i = 0; flaw->kind == FLAW_UNINITIALISED && i < count; i++) {
        if (raw[i].kind == FLAW_RACE && (raw[i].code == flaw->code || raw[i].other == flaw->code))
            return true;
    }
    return false;
}

/* Take over what a worker has left in the lane's folder; `*count` tells how much. */
static bool collect(struct checking *checking, const struct lane *lane, size_t *count, struct error *error)
{
    char path[PATH_MAX];
    struct raw_flaw *raw = NULL;
    snprintf(path, sizeof path, "%s/" CHECK_FLAWS_FILE, lane->folder);
    if (!raw_flaws_read(path, &raw, count, error))
        return false;
    struct location *places = calloc(2 * *count + 1, sizeof *places);
    bool done = places || error_out_of_memory(error);
    done = done && (*count == 0 || find_places(checking, lane, raw, *count, places, error));
    for (size_t i = 0; done && i < *count; i++)
        done = is_consequence(raw, *count, &raw[i]) ||
               add_flaw(checking, lane, &raw[i], &places[2 * i], &places[2 * i + 1], error);
    free(places);
    free(raw);
    return done;
}

/* ---- lanes ---- */

static void lane_rest(struct checking *checking, struct lane *lane)
{
    job_free(lane->job);
    free(lane->text);
    lane->job = NULL;
    lane->text = NULL;
    checking->done++;
    if (checking->plan->progress)
        checking->plan->progress(checking->done, checking->plan->count, checking->report, checking->plan->context);
}

/* Ask the worker of the lane's tool, starting it if there is none. */
static bool lane_ask(struct checking *checking, struct lane *lane, struct error *error)
{
    struct worker **worker = &lane->workers[lane->tool];
    double seconds = checking->plan->deadline > 0 ? checking->plan->deadline : default_deadline;
    snprintf(lane->folder, sizeof lane->folder, "%s/check-%zu-%d", checking->scratch.path, lane->number,
             (int)lane->tool);
    if (mkdir(lane->folder, 0700) != 0)
        return error_set(error, ERROR_SYSTEM, "cannot make the folder %s: %s", lane->folder, strerror(errno));
    const struct check_order order = {
        lane->job, checking->plan->awkward && lane->job->has_awkward ? JOB_AWKWARD : JOB_TUNED, lane->folder};
    json_t *request = check_request(&order, error);
    bool asked = request &&
                 (*worker || worker_start(check_roles[lane->tool], checking->scratch.path, worker, error)) &&
                 worker_ask(*worker, request, NULL, 0, seconds, error);
    json_decref(request);
    return asked;
}

static bool can_check(const struct checking *checking, struct error *error)
{
    return checking->tools[CHECK_BOUNDS] || checking->tools[CHECK_RACES] ||
           error_set(error, ERROR_WORK, "nothing can be checked: %s", checking->report->notes[0]);
}

/* Give an idle lane the next configuration that the device can take. */
static bool lane_begin(struct checking *checking, struct lane *lane, struct error *error)
{
    const struct check_plan *plan = checking->plan;
    if (!can_check(checking, error))
        return false;
    while (!lane->job && checking->next < plan->count) {
        struct error failure = {0};
        size_t number = checking->next++, index = plan->list[number];
        if (job_lower(checking->problem, index, plan->seed, &lane->job, &failure)) {
            lane->number = number;
            lane->text = problem_configuration_text(checking->problem, index);
            lane->tool = checking->tools[CHECK_BOUNDS] ? CHECK_BOUNDS : CHECK_RACES;
            checking->report->configurations++;
            if (!lane->text)
                return error_out_of_memory(error);
            return lane_ask(checking, lane, error);
        }
        lane->job = NULL;
        if (failure.code != ERROR_RESOURCES && failure.code != ERROR_DOES_NOT_FIT) {
            *error = failure;
            return false;
        }
        checking->report->refused++;
        lane_rest(checking, lane);
    }
    return true;
}

/* The tool is done with the configuration, and found nothing if it is `clean`: on to the next one. */
static bool lane_go_on(struct checking *checking, struct lane *lane, bool clean, struct error *error)
{
    folder_remove(lane->folder);
    if (clean && lane->tool == CHECK_BOUNDS && checking->tools[CHECK_RACES]) {
        lane->tool = CHECK_RACES;
        return lane_ask(checking, lane, error);
    }
    lane_rest(checking, lane);
    return true;
}

static void lane_lose_worker(struct lane *lane)
{
    worker_end(lane->workers[lane->tool]);
    lane->workers[lane->tool] = NULL;
}

static bool tell(struct checking *checking, const struct lane *lane, enum flaw_kind kind, const char *text,
                 struct error *error)
{
    const struct location nowhere = {0};
    struct raw_flaw flaw = {.kind = kind};
    snprintf(flaw.text, sizeof flaw.text, "%s", text);
    return add_flaw(checking, lane, &flaw, &nowhere, &nowhere, error);
}

/* The tool could not do its work: that says nothing about the kernel. */
static bool on_refusal(struct checking *checking, struct lane *lane, const char *reason, struct error *error)
{
    if (checking->tools[lane->tool])
        check_note(checking->report, "%s: %s", tool_subjects[lane->tool], reason);
    checking->tools[lane->tool] = false;
    lane_lose_worker(lane);
    return lane_go_on(checking, lane, true, error);
}

static bool on_unusable(struct checking *checking, struct lane *lane, const struct error *failure,
                        struct error *error)
{
    char reason[CHECK_NOTE_TEXT];
    snprintf(reason, sizeof reason, "%.200s; %.150s", failure->text, failure->hint);
    return on_refusal(checking, lane, reason, error);
}

static bool on_answer(struct checking *checking, struct lane *lane, const struct message *answer, struct error *error)
{
    struct error failure = {0};
    bool last = false, unusable = false;
    size_t found = 0;
    bool done = check_answer(answer, &last, &unusable, &failure);
    if (unusable)
        return on_unusable(checking, lane, &failure, error);
    if (last)
        lane_lose_worker(lane);
    if (!collect(checking, lane, &found, error))
        return false;
    if (!done && failure.code == ERROR_RESOURCES) {
        checking->report->refused++;
        checking->report->configurations--;
    } else if (!done && found == 0) { /* not the kernel's: the template's own setup, the compiler, memory */
        *error = failure;
        return false;
    }
    return lane_go_on(checking, lane, done && found == 0, error);
}

/* Did the worker get as far as to look at the configuration? */
static bool has_begun(const struct lane *lane)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" CHECK_FLAWS_FILE, lane->folder);
    return access(path, F_OK) == 0;
}

static bool on_death(struct checking *checking, struct lane *lane, bool late, struct error *error)
{
    char text[512];
    size_t found = 0;
    if (late)
        snprintf(text, sizeof text, "not done in the time that one check may take (see --deadline)");
    else
        snprintf(text, sizeof text, "the process died: %s", worker_obituary(lane->workers[lane->tool]));
    int signal = late ? 0 : worker_signal(lane->workers[lane->tool]);
    if (!collect(checking, lane, &found, error))
        return false;
    if (!late && found == 0 && (signal == 0 || !has_begun(lane)))
        return on_refusal(checking, lane, worker_obituary(lane->workers[lane->tool]), error);
    lane_lose_worker(lane);
    return ((!late && found > 0) || tell(checking, lane, late ? FLAW_TIMEOUT : FLAW_FAULT, text, error)) &&
           lane_go_on(checking, lane, false, error);
}

static bool lane_step(struct checking *checking, struct lane *lane, struct error *error)
{
    struct message answer;
    if (!lane->job)
        return lane_begin(checking, lane, error);
    enum worker_event event = worker_next(lane->workers[lane->tool], &answer);
    if (event == WORKER_ANSWER) {
        bool done = on_answer(checking, lane, &answer, error);
        message_clear(&answer);
        return done;
    }
    return event == WORKER_NOTHING || on_death(checking, lane, event == WORKER_LATE, error);
}

/* ---- all of it ---- */

static bool wait_for_any(struct checking *checking, struct error *error)
{
    struct worker *busy[LANES_MOST];
    size_t count = 0;
    for (size_t i = 0; i < checking->lane_count; i++) {
        const struct lane *lane = &checking->lanes[i];
        if (lane->job)
            busy[count++] = lane->workers[lane->tool];
    }
    return count == 0 || worker_wait(busy, count, MILLISECONDS, error);
}

static bool work(struct checking *checking, struct error *error)
{
    const volatile sig_atomic_t *interrupted = checking->plan->interrupted;
    while (checking->done < checking->plan->count) {
        if (interrupted && *interrupted)
            return error_set(error, ERROR_WORK, "interrupted");
        for (size_t i = 0; i < checking->lane_count; i++) {
            if (!lane_step(checking, &checking->lanes[i], error))
                return false;
        }
        if (checking->done < checking->plan->count && !wait_for_any(checking, error))
            return false;
    }
    return can_check(checking, error);
}

static bool prepare(struct checking *checking, struct error *error)
{
    struct error failure = {0};
    char library[PATH_MAX];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t lanes = checking->plan->jobs ? checking->plan->jobs : processors > 0 ? (size_t)processors : 1;
    checking->tools[CHECK_RACES] = true;
    checking->tools[CHECK_BOUNDS] = runtime_find(library, sizeof library, &failure);
    if (!checking->tools[CHECK_BOUNDS])
        check_note(checking->report, "%s: %s%s%s", tool_subjects[CHECK_BOUNDS], failure.text,
                   failure.hint[0] ? "; " : "", failure.hint);
    lanes = lanes > checking->plan->count ? checking->plan->count : lanes;
    checking->lane_count = lanes > LANES_MOST ? LANES_MOST : lanes;
    checking->lanes = calloc(checking->lane_count + 1, sizeof *checking->lanes);
    if (!checking->lanes)
        return error_out_of_memory(error);
    return scratch_create(&checking->scratch, error);
}

bool check_run(const struct problem *problem, const struct check_plan *plan, struct check_report *report,
               struct error *error)
{
    struct checking checking = {.problem = problem, .plan = plan, .report = report, .scratch = {.lock = -1}};
    report->total = problem_configuration_count(problem);
    bool done = prepare(&checking, error) && work(&checking, error);
    for (size_t i = 0; checking.lanes && i < checking.lane_count; i++) {
        for (size_t tool = 0; tool < CHECK_TOOLS; tool++)
            worker_end(checking.lanes[i].workers[tool]);
        job_free(checking.lanes[i].job);
        free(checking.lanes[i].text);
    }
    free(checking.lanes);
    if (checking.scratch.path[0])
        scratch_remove(&checking.scratch);
    flaws_sort(&report->flaws);
    return done;
}
