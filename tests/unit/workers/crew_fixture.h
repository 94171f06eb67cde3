/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crew_fixture.h - a crew with fake workers: the test program itself, run again. A fake worker's behaviour is
 * selected by the path of the program it is sent, so crews on dedicated devices (GPUs) can be tested without one.
 */
#ifndef TUNE_TESTS_UNIT_WORKERS_CREW_FIXTURE_H
#define TUNE_TESTS_UNIT_WORKERS_CREW_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/workers/remains.h"
#include "tuner/device/monotonic.h"
#include "tuner/workers/crew.h"
#include "tuner/workers/device_lock.h"
#include "tuner/workers/message.h"
#include "tuner/workers/remote_error.h"

#include <fcntl.h>
#include <math.h>
#include <sys/file.h>
#include <sys/stat.h>

/* ---- fake workers */

static const char busy_compilers[] = "CREW_TEST_BUSY"; /* a folder with one file for each running compiler */
static const char open_mode[] = "CREW_TEST_OPEN";      /* "fail": the device cannot be opened */
static const char traces[] = "CREW_TEST_TRACES";       /* a folder for state that outlives a worker */

enum { LARGE_IMAGE = 8 << 20 };

static inline struct device_description device(const char *kind, int ordinal)
{
    struct device_description description = {.name = "fake device", .architecture = "fake"};
    snprintf(description.kind, sizeof description.kind, "%s", kind);
    snprintf(description.uuid, sizeof description.uuid, "fake-%d", ordinal);
    return description;
}

static inline void trace_path(char *path, size_t size, const char *name, int number)
{
    snprintf(path, size, "%s/%s-%d", getenv(traces), name, number);
}

/* Make the next `times` attempts to open device `ordinal` fail. */
static inline void lose_device(int ordinal, int times)
{
    char path[600];
    trace_path(path, sizeof path, "lost", ordinal);
    FILE *file = fopen(path, "wx"); /* at most once per test */
    if (!file)
        return;
    for (int i = 0; i < times; i++)
        fputc('.', file);
    fclose(file);
}

static inline bool device_is_lost(int ordinal)
{
    char path[600];
    struct stat status;
    trace_path(path, sizeof path, "lost", ordinal);
    return stat(path, &status) == 0 && status.st_size > 0 && truncate(path, status.st_size - 1) == 0;
}

static inline void milliseconds(long count)
{
    nanosleep(&(struct timespec){.tv_sec = count / 1000, .tv_nsec = count % 1000 * 1000000}, NULL);
}

static inline bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static inline void send_json(struct channel *channel, json_t *json, const char *blob)
{
    channel_send(channel, json, blob, strlen(blob), NULL);
    json_decref(json);
}

static inline json_t *error_json(enum error_code code, const char *text)
{
    struct error error;
    error_set(&error, code, "%s", text);
    return json_pack("{s:o}", "error", error_to_json(&error));
}

/* Of all workers: nobody asked this before. */
static inline bool is_first_time(const char *what)
{
    char path[600];
    trace_path(path, sizeof path, what, 0);
    return mkdir(path, 0700) == 0;
}

static inline void refuse_with(struct channel *channel, const char *log)
{
    send_json(channel,
              json_pack("{s:b, s:s, s:f, s:i}", "compiled", 0, "log", log, "seconds", 0.5, "spill_bytes", -1), "");
}

static inline void fake_compile(struct channel *channel, const json_t *request)
{
    const char *path = json_string_value(json_object_get(request, "path"));
    char busy[512], image[128];
    snprintf(busy, sizeof busy, "%s/%d", getenv(busy_compilers), (int)getpid());
    snprintf(image, sizeof image, "image of %s", path);
    FILE *file = fopen(busy, "w");
    if (file)
        fclose(file);
    milliseconds(10);
    if (is(path, "compiler crashes"))
        raise(SIGSEGV);
    if (is(path, "compiler killed"))
        raise(SIGKILL);
    if (is(path, "compiler killed once") && is_first_time("compiler killed"))
        raise(SIGKILL);
    if (is(path, "its compiler stopped"))
        raise(SIGSTOP);
    if (is(path, "compiler hangs"))
        pause();
    remove(busy);
    if (is(path, "large image")) {
        static char large[LARGE_IMAGE];
        json_t *json = json_pack("{s:b, s:s, s:f, s:i}", "compiled", 1, "log", "", "seconds", 0.25, "spill_bytes", 0);
        char trace[600];
        trace_path(trace, sizeof trace, "compiled", atoi(json_string_value(json_object_get(request, "defines"))));
        fclose(fopen(trace, "w"));
        channel_send(channel, json, large, sizeof large, NULL);
        json_decref(json);
    } else if (is(path, "system short of processes") ||
               (is(path, "system short of processes once") && is_first_time("short")))
        refuse_with(channel, "g++: fatal error: cannot execute 'cc1plus': vfork: Resource temporarily unavailable");
    else if (is(path, "its compiler killed"))
        refuse_with(channel, "g++: fatal error: Killed signal terminated program cc1plus");
    else if (is(path, "compiler missing"))
        send_json(channel, error_json(ERROR_WORK, "there is no compiler"), "");
    else if (is(path, "refused"))
        send_json(
            channel,
            json_pack("{s:b, s:s, s:f, s:i}", "compiled", 0, "log", "line 1: no", "seconds", 0.5, "spill_bytes", -1),
            "");
    else
        send_json(channel,
                  json_pack("{s:b, s:s, s:f, s:i}", "compiled", 1, "log", "", "seconds", 0.25, "spill_bytes", 16),
                  image);
}

static inline json_t *fake_evaluation(const struct message *request, enum outcome outcome, double time_ns)
{
    char text[128] = "";
    memcpy(text, request->blob, request->blob_bytes < sizeof text ? request->blob_bytes : sizeof text - 1);
    const struct evaluation evaluation = {
        .outcome = outcome,
        .message = text,
        .time_ns = time_ns,
        .resources.registers = (int64_t)remains_entries(getenv(busy_compilers), ""),
        .measure_seconds = json_number_value(json_object_get(request->json, "incumbent_ns")),
    };
    return evaluation_to_json(&evaluation);
}

static inline void fake_measure(struct channel *channel, const struct message *request, int ordinal);

/* End a measurement only once the next request has arrived; without one, wait for ever. */
static inline void measure_before_the_next(struct channel *channel, const struct message *request, const char *path,
                                           int ordinal)
{
    struct message next;
    char held[600];
    bool ended = false, faults = is(path, "before the next: faults");
    if (!channel_receive(channel, &next, &ended, NULL) || ended)
        _exit(1);
    channel_number(channel, request->number); /* not that of the next */
    if (is(path, "before the next: segfaults"))
        raise(SIGSEGV);
    if (is(path, "before the next: killed"))
        raise(SIGKILL);
    if (is(path, "before the next: hangs"))
        pause();
    if (is(path, "before the next: reference broken") || is(path, "before the next: device gone")) {
        bool input = is(path, "before the next: reference broken");
        json_t *json = error_json(input ? ERROR_INPUT : ERROR_SYSTEM, "out of order");
        json_object_set_new(json, "last", json_true());
        send_json(channel, json, "");
        exit(0);
    }
    trace_path(held, sizeof held, "held", 0);
    if (is(path, "before the next: held") && mkdir(held, 0700) == 0) {
        while (access(held, F_OK) == 0)
            milliseconds(1);
    }
    send_json(channel,
              json_pack("{s:o, s:b}", "evaluation",
                        fake_evaluation(request, faults ? OUTCOME_FAULT : OUTCOME_OK, faults ? 0 : 1000), "last",
                        faults),
              "");
    if (faults)
        exit(0);
    channel_number(channel, next.number);
    fake_measure(channel, &next, ordinal);
    message_clear(&next);
}

static inline void fake_measure(struct channel *channel, const struct message *request, int ordinal)
{
    struct job *job;
    if (!job_from_json(json_object_get(request->json, "job"), &job, NULL))
        _exit(1);
    char path[128];
    snprintf(path, sizeof path, "%s", job->program.path);
    job_free(job);
    if (strncmp(path, "before the next", strlen("before the next")) == 0) {
        measure_before_the_next(channel, request, path, ordinal);
        return;
    }
    milliseconds(10);
    if (is(path, "kernel segfaults"))
        raise(SIGSEGV);
    if (is(path, "kernel killed"))
        raise(SIGKILL);
    if (is(path, "kernel killed once") && is_first_time("kernel killed"))
        raise(SIGKILL);
    if (is(path, "kernel stopped") || (is(path, "kernel stopped once") && is_first_time("kernel stopped")))
        raise(SIGSTOP);
    if (is(path, "memory taken") || (is(path, "memory taken once") && is_first_time("memory"))) {
        json_t *evaluation = fake_evaluation(request, OUTCOME_MEMORY, 0);
        json_object_set_new(evaluation, "transient", json_integer(1));
        send_json(channel, json_pack("{s:o, s:b}", "evaluation", evaluation, "last", 0), "");
        return;
    }
    if (is(path, "kernel hangs"))
        pause();
    if (is(path, "kernel exits")) {
        fprintf(stderr, "kernel says goodbye\n");
        exit(3);
    }
    bool lost = is(path, "device gone for a while") || is(path, "device gone for good");
    char seen[600];
    trace_path(seen, sizeof seen, "seen", 0);
    lost = lost && mkdir(seen, 0700) == 0;
    if (lost)
        lose_device(ordinal, is(path, "device gone for good") ? 1000 : 2);
    if (is(path, "reference broken") || is(path, "device gone") || lost) {
        json_t *json = is(path, "reference broken") ? error_json(ERROR_INPUT, "the reference is broken")
                                                    : error_json(ERROR_WORK, "the bus is gone");
        json_object_set_new(json, "last", json_true());
        send_json(channel, json, "");
        exit(0);
    }
    bool fault = is(path, "kernel faults");
    send_json(channel,
              json_pack("{s:o, s:b}", "evaluation",
                        fake_evaluation(request, fault ? OUTCOME_FAULT : OUTCOME_OK, fault ? 0 : 1000), "last",
                        fault),
              "");
    if (fault)
        exit(0);
}

static inline void fake_describe(struct channel *channel, const json_t *request)
{
    const char *mode = getenv(open_mode);
    int ordinal = (int)json_integer_value(json_object_get(request, "ordinal"));
    struct device_description description = device(json_string_value(json_object_get(request, "kind")), ordinal);
    if (is(mode, "die"))
        raise(SIGILL);
    if (is(mode, "fail"))
        send_json(channel, error_json(ERROR_WORK, "no such device"), "");
    else
        send_json(channel,
                  json_pack("{s:[{s:i, s:o}]}", "devices", "ordinal", ordinal, "device",
                            device_description_json(&description)),
                  "");
}

/* Measuring workers that were asked to open their device. */
static inline size_t opened(void)
{
    return remains_entries(getenv(traces), "opened");
}

static inline void fake_open(struct channel *channel, const char *role, const json_t *request, int ordinal)
{
    const char *mode = getenv(open_mode);
    char trace[600];
    trace_path(trace, sizeof trace, "opened", (int)getpid());
    FILE *file = is(role, "measure") ? fopen(trace, "w") : NULL;
    if (file)
        fclose(file);
    if (is(role, "measure") && (is(mode, "fail") || device_is_lost(ordinal)))
        send_json(channel, error_json(ERROR_WORK, "no such device"), "");
    else if (is(mode, "die"))
        raise(SIGILL);
    else if (is(role, "compile"))
        send_json(channel, json_object(), "");
    else {
        struct device_description description = device(json_string_value(json_object_get(request, "kind")), ordinal);
        if (is(mode, "another"))
            snprintf(description.name, sizeof description.name, "another device");
        if (is(mode, "second differs") && ordinal == 1)
            description.sm_count = 1;
        send_json(channel, json_pack("{s:o}", "device", device_description_json(&description)), "");
    }
}

static inline int fake_worker(const char *role, int socket)
{
    struct channel *channel;
    struct message request;
    bool ended = false;
    int ordinal = 0;
    signal(SIGSEGV, SIG_DFL);
    if (!channel_create(socket, &channel, NULL))
        return 1;
    while (channel_receive(channel, &request, &ended, NULL) && !ended) {
        const char *name = json_string_value(json_object_get(request.json, "request"));
        if (is(name, "open")) {
            ordinal = (int)json_integer_value(json_object_get(request.json, "ordinal"));
            fake_open(channel, role, request.json, ordinal);
        } else if (is(name, "describe"))
            fake_describe(channel, request.json);
        else if (is(name, "compile"))
            fake_compile(channel, request.json);
        else if (is(name, "compiler"))
            send_json(channel, json_pack("{s:s}", "compiler", "a fake compiler"), "");
        else
            fake_measure(channel, &request, ordinal);
        message_clear(&request);
    }
    channel_free(channel);
    return 0;
}

/* ---- a crew of fake workers, and candidates for it */

static const double incumbent_ns = 77;

static inline struct candidate *candidate(const char *path, size_t index)
{
    struct candidate *candidate = calloc(1, sizeof *candidate);
    assert_non_null(candidate);
    candidate->index = index;
    candidate->measurer = -1;
    candidate->incumbent_ns = &incumbent_ns;
    candidate->text = strdup("{}");
    candidate->job = calloc(1, sizeof *candidate->job);
    assert_non_null(candidate->job);
    candidate->job->program.path = strdup(path);
    candidate->job->program.folder = strdup(".");
    assert_true(asprintf(&candidate->job->program.defines, "#define NUMBER %zu\n", index) > 0);
    candidate->job->cases[JOB_TUNED].size_text = strdup("n=1");
    return candidate;
}

struct crew_fixture {
    struct device_description description;
    struct crew_plan plan;
    struct crew *crew;
    struct remains before;
    char busy[512], traces[512], locks[512];
    size_t notices;
    char notice[1024]; /* the latest */
};

static inline void take_notice(const char *text, void *context)
{
    struct crew_fixture *fixture = context;
    fixture->notices++;
    snprintf(fixture->notice, sizeof fixture->notice, "%s", text);
}

static inline void make_folder(char *path, size_t size, const char *variable)
{
    snprintf(path, size, "%s/%s-XXXXXX", getenv("TMPDIR"), variable);
    assert_non_null(mkdtemp(path));
    setenv(variable, path, 1);
}

static inline void crew_fixture_prepare(struct crew_fixture *fixture, const char *kind, unsigned jobs,
                                        double deadline)
{
    *fixture = (struct crew_fixture){.description = device(kind, 0), .before = remains_now()};
    make_folder(fixture->busy, sizeof fixture->busy, busy_compilers);
    make_folder(fixture->traces, sizeof fixture->traces, traces);
    make_folder(fixture->locks, sizeof fixture->locks, "CREW_TEST_LOCKS");
    fixture->plan = (struct crew_plan){.device = &fixture->description,
                                       .compile_jobs = jobs,
                                       .compile_deadline = deadline,
                                       .measure_deadline = deadline,
                                       .lock_folder = fixture->locks,
                                       .notice = take_notice,
                                       .notice_context = fixture};
}

static inline void crew_fixture_open(struct crew_fixture *fixture)
{
    struct error error;
    if (!crew_create(&fixture->plan, &fixture->crew, &error))
        fail_msg("%s", error.text);
}

static inline void crew_fixture_create(struct crew_fixture *fixture, const char *kind, unsigned jobs, double deadline)
{
    crew_fixture_prepare(fixture, kind, jobs, deadline);
    crew_fixture_open(fixture);
}

static inline void crew_fixture_free(struct crew_fixture *fixture)
{
    char command[2000];
    crew_free(fixture->crew);
    snprintf(command, sizeof command, "rm -r '%s' '%s' '%s'", fixture->busy, fixture->traces, fixture->locks);
    assert_int_equal(system(command), 0);
    remains_equal(fixture->before, remains_now());
}

/* Run `count` candidates through the crew; `finished` receives them in order of completion. */
static inline bool run_through(struct crew *crew, const char *const *paths, size_t count, struct candidate **finished,
                               struct error *error)
{
    size_t in = 0, out = 0;
    double limit = monotonic_seconds() + 60;
    while (out < count) {
        assert_true(monotonic_seconds() < limit);
        for (; in < count && crew_room(crew) > 0; in++)
            crew_submit(crew, candidate(paths[in], in));
        if (!crew_step(crew, 100, error)) {
            for (size_t i = 0; i < out; i++)
                candidate_free(finished[i]);
            return false;
        }
        for (struct candidate *next; (next = crew_finished(crew));)
            finished[out++] = next;
    }
    assert_int_equal(crew_inside(crew), 0);
    return true;
}

static inline void free_all(struct candidate **candidates, size_t count)
{
    for (size_t i = 0; i < count; i++)
        candidate_free(candidates[i]);
}

/* Step the crew until `count` candidates have finished. */
static inline void finish_all(struct crew *crew, struct candidate **finished, size_t count)
{
    struct error error = {0};
    size_t out = 0;
    double limit = monotonic_seconds() + 60;
    while (out < count) {
        assert_true(monotonic_seconds() < limit);
        if (!crew_step(crew, 100, &error))
            fail_msg("%s", error.text);
        for (struct candidate *next; (next = crew_finished(crew));)
            finished[out++] = next;
    }
}

static inline void submit_with_image(struct crew *crew, const char *path, size_t index)
{
    struct candidate *given = candidate(path, index);
    given->image = strdup("image"); /* skips compilation: measured in order of submission */
    given->image_bytes = strlen("image");
    crew_submit(crew, given);
}

static inline void work_for(struct crew_fixture *fixture, double seconds)
{
    struct error error = {0};
    for (double limit = monotonic_seconds() + seconds; monotonic_seconds() < limit;) {
        if (!crew_step(fixture->crew, 50, &error))
            fail_msg("%s", error.text);
    }
}

static inline struct device_lock *lock_of(const struct crew_fixture *fixture)
{
    struct error error;
    struct device_lock *lock = NULL;
    if (!device_lock_create(fixture->locks, "fake-0", &lock, &error))
        fail_msg("%s", error.text);
    return lock;
}

/* Run the tests in a scratch folder; the program also serves as its own worker. */
static inline int crew_tests_main(int count, char **arguments, const char *name, const struct CMUnitTest *tests,
                                  size_t test_count)
{
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return fake_worker(arguments[2], atoi(arguments[3]));
    char folder[512];
    if (remains_own_folder(folder, sizeof folder) != 0)
        return 1;
    setenv(open_mode, "", 1);
    int failed = _cmocka_run_group_tests(name, tests, test_count, NULL, NULL);
    return rmdir(folder) == 0 ? failed : 1;
}

#endif
