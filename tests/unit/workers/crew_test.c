/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The crew, with workers that only pretend to compile and measure: this program run again. What such a worker does is
 * the path of the program that it is given. So a device of its own (as a GPU) is tested where there is none.
 */
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

/* ---- the pretenders */

static const char busy_compilers[] = "CREW_TEST_BUSY"; /* a folder with a file for each compiler at work */
static const char open_mode[] = "CREW_TEST_OPEN";      /* "fail": the device cannot be opened */
static const char traces[] = "CREW_TEST_TRACES";       /* a folder for what has to outlive a worker */

enum { LARGE_IMAGE = 8 << 20 };

static struct device_description device(const char *kind, int ordinal)
{
    struct device_description description = {.name = "pretended device", .architecture = "pretended"};
    snprintf(description.kind, sizeof description.kind, "%s", kind);
    snprintf(description.uuid, sizeof description.uuid, "pretended-%d", ordinal);
    return description;
}

static void trace_path(char *path, size_t size, const char *name, int number)
{
    snprintf(path, size, "%s/%s-%d", getenv(traces), name, number);
}

/* For the next `times` openings device `ordinal` is not there. */
static void lose_device(int ordinal, int times)
{
    char path[600];
    trace_path(path, sizeof path, "lost", ordinal);
    FILE *file = fopen(path, "wx"); /* once in a test */
    if (!file)
        return;
    for (int i = 0; i < times; i++)
        fputc('.', file);
    fclose(file);
}

static bool device_is_lost(int ordinal)
{
    char path[600];
    struct stat status;
    trace_path(path, sizeof path, "lost", ordinal);
    return stat(path, &status) == 0 && status.st_size > 0 && truncate(path, status.st_size - 1) == 0;
}

static void milliseconds(long count)
{
    nanosleep(&(struct timespec){.tv_sec = count / 1000, .tv_nsec = count % 1000 * 1000000}, NULL);
}

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static void send_json(struct channel *channel, json_t *json, const char *blob)
{
    channel_send(channel, json, blob, strlen(blob), NULL);
    json_decref(json);
}

static json_t *error_json(enum error_code code, const char *text)
{
    struct error error;
    error_set(&error, code, "%s", text);
    return json_pack("{s:o}", "error", error_to_json(&error));
}

static void pretend_to_compile(struct channel *channel, const json_t *request)
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
    char once[600];
    trace_path(once, sizeof once, "once", 0);
    if (is(path, "compiler killed once") && mkdir(once, 0700) == 0)
        raise(SIGKILL);
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
    } else if (is(path, "compiler missing"))
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

static json_t *pretended_evaluation(const struct message *request, enum outcome outcome, double time_ns)
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

static void pretend_to_measure(struct channel *channel, const struct message *request, int ordinal);

/* What happens to a candidate while the next one is in its worker's socket; without one it would wait for ever. */
static void measure_before_the_next(struct channel *channel, const struct message *request, const char *path,
                                    int ordinal)
{
    struct message next;
    char held[600];
    bool ended = false, faults = is(path, "before the next: faults");
    if (!channel_receive(channel, &next, &ended, NULL) || ended)
        _exit(1);
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
                        pretended_evaluation(request, faults ? OUTCOME_FAULT : OUTCOME_OK, faults ? 0 : 1000), "last",
                        faults),
              "");
    if (faults)
        exit(0);
    pretend_to_measure(channel, &next, ordinal);
    message_clear(&next);
}

static void pretend_to_measure(struct channel *channel, const struct message *request, int ordinal)
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
                        pretended_evaluation(request, fault ? OUTCOME_FAULT : OUTCOME_OK, fault ? 0 : 1000), "last",
                        fault),
              "");
    if (fault)
        exit(0);
}

static void pretend_to_open(struct channel *channel, const char *role, const json_t *request, int ordinal)
{
    const char *mode = getenv(open_mode);
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

static int pretender(const char *role, int socket)
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
            pretend_to_open(channel, role, request.json, ordinal);
        } else if (is(name, "compile"))
            pretend_to_compile(channel, request.json);
        else
            pretend_to_measure(channel, &request, ordinal);
        message_clear(&request);
    }
    channel_free(channel);
    return 0;
}

/* ---- the tests */

static struct candidate *candidate(const char *path, size_t index)
{
    struct candidate *candidate = calloc(1, sizeof *candidate);
    assert_non_null(candidate);
    candidate->index = index;
    candidate->measurer = -1;
    candidate->text = strdup("{}");
    candidate->job = calloc(1, sizeof *candidate->job);
    assert_non_null(candidate->job);
    candidate->job->program.path = strdup(path);
    candidate->job->program.folder = strdup(".");
    candidate->job->program.defines = strdup("");
    candidate->job->cases[JOB_TUNED].size_text = strdup("n=1");
    return candidate;
}

struct stage {
    struct device_description description;
    struct crew_plan plan;
    struct crew *crew;
    struct remains before;
    char busy[512], traces[512], locks[512];
    size_t notices;
    char notice[1024]; /* the last one */
};

static void take_notice(const char *text, void *context)
{
    struct stage *stage = context;
    stage->notices++;
    snprintf(stage->notice, sizeof stage->notice, "%s", text);
}

static void make_folder(char *path, size_t size, const char *variable)
{
    snprintf(path, size, "%s/%s-XXXXXX", getenv("TMPDIR"), variable);
    assert_non_null(mkdtemp(path));
    setenv(variable, path, 1);
}

static void prepare_stage(struct stage *stage, const char *kind, unsigned jobs, double deadline)
{
    *stage = (struct stage){.description = device(kind, 0), .before = remains_now()};
    make_folder(stage->busy, sizeof stage->busy, busy_compilers);
    make_folder(stage->traces, sizeof stage->traces, traces);
    make_folder(stage->locks, sizeof stage->locks, "CREW_TEST_LOCKS");
    stage->plan = (struct crew_plan){.device = &stage->description,
                                     .compile_jobs = jobs,
                                     .compile_deadline = deadline,
                                     .measure_deadline = deadline,
                                     .lock_folder = stage->locks,
                                     .notice = take_notice,
                                     .notice_context = stage};
}

static void open_stage(struct stage *stage)
{
    struct error error;
    if (!crew_create(&stage->plan, &stage->crew, &error))
        fail_msg("%s", error.text);
}

static void set_stage(struct stage *stage, const char *kind, unsigned jobs, double deadline)
{
    prepare_stage(stage, kind, jobs, deadline);
    open_stage(stage);
}

static void clear_stage(struct stage *stage)
{
    char command[2000];
    crew_free(stage->crew);
    snprintf(command, sizeof command, "rm -r '%s' '%s' '%s'", stage->busy, stage->traces, stage->locks);
    assert_int_equal(system(command), 0);
    remains_equal(stage->before, remains_now());
}

/* Let `count` candidates through; `*finished` gets them in the order in which they came out. */
static bool let_through(struct crew *crew, const char *const *paths, size_t count, struct candidate **finished,
                        struct error *error)
{
    size_t in = 0, out = 0;
    double limit = monotonic_seconds() + 60;
    while (out < count) {
        assert_true(monotonic_seconds() < limit);
        for (; in < count && crew_room(crew) > 0; in++)
            crew_submit(crew, candidate(paths[in], in));
        if (!crew_step(crew, 77, 100, error)) {
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

static void free_all(struct candidate **candidates, size_t count)
{
    for (size_t i = 0; i < count; i++)
        candidate_free(candidates[i]);
}

/* Every way to fail, among candidates that do not: each gets its own outcome and the others are unharmed. */
static void each_outcome(const char *kind)
{
    static const struct {
        const char *path;
        enum outcome outcome;
        const char *message; /* a part of it */
    } cases[] = {
        {"good 1", OUTCOME_OK, "image of good 1"},
        {"refused", OUTCOME_COMPILE_ERROR, "line 1: no"},
        {"compiler crashes", OUTCOME_COMPILE_CRASH, "Segmentation fault"},
        {"good 2", OUTCOME_OK, "image of good 2"},
        {"compiler killed", OUTCOME_COMPILE_CRASH, "Killed"},
        {"compiler killed once", OUTCOME_OK, "image of compiler killed once"},
        {"compiler hangs", OUTCOME_COMPILE_TIMEOUT, "within 1 s"},
        {"kernel segfaults", OUTCOME_FAULT, "Segmentation fault"},
        {"good 3", OUTCOME_OK, "image of good 3"},
        {"kernel faults", OUTCOME_FAULT, "image of kernel faults"},
        {"kernel killed", OUTCOME_CRASH, "Killed"},
        {"kernel hangs", OUTCOME_TIMEOUT, "within 1 s"},
        {"kernel exits", OUTCOME_CRASH, "kernel says goodbye"},
        {"reference broken", OUTCOME_LAUNCH_ERROR, "the reference is broken"}, /* others had no trouble with it */
        {"device gone", OUTCOME_CRASH, "the bus is gone"},
        {"good 4", OUTCOME_OK, "image of good 4"},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    const char *paths[COUNT];
    struct candidate *finished[COUNT];
    struct stage stage;
    struct error error = {0};
    for (size_t i = 0; i < COUNT; i++)
        paths[i] = cases[i].path;
    set_stage(&stage, kind, 2, 1.0);
    if (!let_through(stage.crew, paths, COUNT, finished, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < COUNT; i++) {
        const struct evaluation *evaluation = &finished[i]->evaluation;
        size_t index = finished[i]->index;
        if (evaluation->outcome != cases[index].outcome || !strstr(evaluation->message, cases[index].message))
            fail_msg("%s: %s, %s", cases[index].path, outcome_name(evaluation->outcome), evaluation->message);
        if (evaluation->outcome == OUTCOME_OK) {
            assert_true(evaluation->time_ns == 1000);
            assert_true(evaluation->compile_seconds == 0.25);
            assert_int_equal(evaluation->spill_bytes, 16);
            assert_true(evaluation->measure_seconds == 77); /* the incumbent reached the worker */
        }
        if (evaluation->outcome == OUTCOME_COMPILE_ERROR)
            assert_true(evaluation->compile_seconds == 0.5);
        /* The time that a lost worker took is in the row: pretenders work for 10 ms, or until the deadline. */
        if (evaluation->outcome == OUTCOME_COMPILE_TIMEOUT || evaluation->outcome == OUTCOME_COMPILE_CRASH)
            assert_true(evaluation->compile_seconds >= (evaluation->outcome == OUTCOME_COMPILE_CRASH ? 0.01 : 1));
        if (evaluation->outcome == OUTCOME_TIMEOUT)
            assert_true(evaluation->measure_seconds >= 1);
        if (evaluation->outcome == OUTCOME_CRASH)
            assert_true(evaluation->measure_seconds > 0); /* counted from the answer before */
    }
    free_all(finished, COUNT);
    clear_stage(&stage);
}

static void test_each_outcome_on_a_device_of_its_own(void **state)
{
    (void)state;
    each_outcome("cuda");
}

static void test_each_outcome_on_shared_cores(void **state)
{
    (void)state;
    each_outcome("cpu");
}

static void finish_all(struct crew *crew, struct candidate **finished, size_t count);

static void submit_with_image(struct crew *crew, const char *path, size_t index)
{
    struct candidate *given = candidate(path, index);
    given->image = strdup("image"); /* so that they are measured in the order in which they are handed in */
    given->image_bytes = strlen("image");
    crew_submit(crew, given);
}

/* Each alone, so that a worker's time is this candidate's. */
static void test_time_that_lost_workers_took(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        double seconds;                                                                   /* at least */
    } cases[] = {{"kernel exits", 0.01}, {"kernel killed", 0.02}, {"device gone", 0.02}}; /* two workers */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct candidate *finished[1];
        struct stage stage;
        set_stage(&stage, "cuda", 1, 20);
        submit_with_image(stage.crew, cases[i].path, 0);
        finish_all(stage.crew, finished, 1);
        assert_int_equal(finished[0]->evaluation.outcome, OUTCOME_CRASH);
        assert_true(finished[0]->evaluation.measure_seconds >= cases[i].seconds);
        free_all(finished, 1);
        clear_stage(&stage);
    }
}

/* The largest number of compilers that were at work during any measurement. */
static int64_t compilers_beside(const char *kind)
{
    enum { COUNT = 50 };
    const char *paths[COUNT];
    struct candidate *finished[COUNT];
    struct stage stage;
    struct error error;
    int64_t most = 0;
    for (size_t i = 0; i < COUNT; i++)
        paths[i] = "good";
    set_stage(&stage, kind, 2, 20);
    assert_true(let_through(stage.crew, paths, COUNT, finished, &error));
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
        if (finished[i]->evaluation.resources.registers > most)
            most = finished[i]->evaluation.resources.registers;
    }
    free_all(finished, COUNT);
    clear_stage(&stage);
    return most;
}

static void test_compiles_ahead_on_a_device_of_its_own(void **state)
{
    (void)state;
    assert_in_range(compilers_beside("cuda"), 1, 2);
}

static void test_takes_turns_on_shared_cores(void **state)
{
    (void)state;
    assert_int_equal(compilers_beside("cpu"), 0);
}

static void end_of_work(const char *path, const char *mode, enum error_code code, const char *text)
{
    struct candidate *finished[1];
    struct stage stage;
    struct error error = {0};
    setenv(open_mode, mode, 1);
    set_stage(&stage, "cuda", 2, 20);
    assert_false(let_through(stage.crew, &path, 1, finished, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.text, text))
        fail_msg("%s", error.text);
    clear_stage(&stage);
    setenv(open_mode, "", 1);
}

static void test_a_device_that_cannot_be_opened_ends_the_work(void **state)
{
    (void)state;
    end_of_work("good", "fail", ERROR_WORK, "no such device");
}

static void test_another_device_in_its_place_ends_the_work(void **state)
{
    (void)state;
    end_of_work("good", "another", ERROR_WORK, "another device");
}

static void test_workers_that_die_at_birth_end_the_work(void **state)
{
    (void)state;
    end_of_work("good", "die", ERROR_WORK, "Illegal instruction");
}

static void test_a_missing_compiler_ends_the_work(void **state)
{
    (void)state;
    end_of_work("compiler missing", "", ERROR_WORK, "there is no compiler");
}

static void test_a_broken_reference_ends_the_work_at_once(void **state)
{
    (void)state;
    end_of_work("reference broken", "", ERROR_INPUT, "the reference is broken");
}

static void test_an_image_is_not_compiled_again(void **state)
{
    (void)state;
    struct stage stage;
    struct error error;
    struct candidate *finished;
    struct candidate *given = candidate("compiler crashes", 0);
    given->image = strdup("given image");
    given->image_bytes = strlen("given image");
    set_stage(&stage, "cuda", 1, 20);
    crew_submit(stage.crew, given);
    while (!(finished = crew_finished(stage.crew)))
        assert_true(crew_step(stage.crew, 0, 100, &error));
    assert_int_equal(finished->evaluation.outcome, OUTCOME_OK);
    assert_string_equal(finished->evaluation.message, "given image");
    candidate_free(finished);
    clear_stage(&stage);
}

/* What is being measured is finished, everything else goes; compilers at work are ended. */
static void test_drop_waiting(void **state)
{
    (void)state;
    struct stage stage;
    struct error error;
    struct candidate *finished;
    size_t count = 0;
    set_stage(&stage, "cuda", 2, 20);
    crew_submit(stage.crew, candidate("good", 0));
    for (size_t i = 1; i < 6; i++)
        crew_submit(stage.crew, candidate("compiler hangs", i));
    while (remains_entries(stage.busy, "") < 2) /* 0 is through, or both compilers are at work */
        assert_true(crew_step(stage.crew, 0, 5, &error));
    crew_drop_waiting(stage.crew);
    assert_true(crew_inside(stage.crew) <= 1);
    while (crew_inside(stage.crew) > 0)
        assert_true(crew_step(stage.crew, 0, 100, &error));
    for (; (finished = crew_finished(stage.crew)); count++) {
        assert_int_equal(finished->index, 0);
        candidate_free(finished);
    }
    assert_true(count <= 1);
    clear_stage(&stage);
}

/* ---- one candidate behind the other */

/*
 * What becomes of the first, of which the worker has seen that the second is there, and of the second. Attempts are
 * workers lost over a candidate through no fault of its own.
 */
static void one_behind_the_other(const char *kind)
{
    static const struct {
        const char *first, *second;
        enum outcome outcomes[2];
        unsigned attempts[2];
    } cases[] = {
        {"before the next: answers", "good", {OUTCOME_OK, OUTCOME_OK}, {0, 0}},
        {"before the next: segfaults", "good", {OUTCOME_FAULT, OUTCOME_OK}, {0, 0}},
        {"before the next: faults", "good", {OUTCOME_FAULT, OUTCOME_OK}, {0, 0}},
        {"before the next: hangs", "good", {OUTCOME_TIMEOUT, OUTCOME_OK}, {0, 0}},
        {"before the next: faults", "kernel faults", {OUTCOME_FAULT, OUTCOME_FAULT}, {0, 0}},
        {"before the next: answers", "kernel segfaults", {OUTCOME_OK, OUTCOME_FAULT}, {0, 0}},
        {"before the next: answers", "kernel exits", {OUTCOME_OK, OUTCOME_CRASH}, {0, 0}},
        {"before the next: answers", "kernel killed", {OUTCOME_OK, OUTCOME_CRASH}, {0, 2}},
        {"before the next: answers", "kernel hangs", {OUTCOME_OK, OUTCOME_TIMEOUT}, {0, 0}},
        {"before the next: answers", "kernel faults", {OUTCOME_OK, OUTCOME_FAULT}, {0, 0}},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    struct candidate *finished[2 * COUNT];
    struct stage stage;
    set_stage(&stage, kind, 1, 1.0);
    for (size_t i = 0; i < COUNT; i++) {
        submit_with_image(stage.crew, cases[i].first, 2 * i);
        submit_with_image(stage.crew, cases[i].second, 2 * i + 1);
        finish_all(stage.crew, finished + 2 * i, 2);
    }
    for (size_t i = 0; i < 2 * COUNT; i++) {
        const struct candidate *candidate = finished[i];
        assert_int_equal(candidate->index, i); /* each is finished before the one that is handed in later */
        if (candidate->evaluation.outcome != cases[i / 2].outcomes[i % 2] ||
            candidate->attempts != cases[i / 2].attempts[i % 2])
            fail_msg("%s, %s: %s after %u attempts", cases[i / 2].first, cases[i / 2].second,
                     outcome_name(candidate->evaluation.outcome), candidate->attempts);
    }
    free_all(finished, 2 * COUNT);
    clear_stage(&stage);
}

static void test_one_behind_the_other_on_a_device_of_its_own(void **state)
{
    (void)state;
    one_behind_the_other("cuda");
}

static void test_one_behind_the_other_on_shared_cores(void **state)
{
    (void)state;
    one_behind_the_other("cpu");
}

/* The second keeps its place before the first, which goes to the end for its second chance. */
static void test_the_next_is_unharmed_when_the_first_is_tried_again(void **state)
{
    (void)state;
    static const char *const firsts[] = {"before the next: killed", "before the next: device gone",
                                         "before the next: reference broken"};
    enum { COUNT = sizeof firsts / sizeof *firsts };
    struct candidate *finished[3];
    for (size_t i = 0; i < COUNT; i++) {
        struct stage stage;
        set_stage(&stage, "cuda", 1, 1.0);
        submit_with_image(stage.crew, "good", 0); /* the template works */
        submit_with_image(stage.crew, firsts[i], 1);
        submit_with_image(stage.crew, "good", 2);
        finish_all(stage.crew, finished, 3);
        assert_int_equal(finished[0]->index, 0);
        assert_int_equal(finished[1]->index, 2);
        assert_int_equal(finished[1]->evaluation.outcome, OUTCOME_OK);
        assert_int_equal(finished[1]->attempts, 0);
        assert_int_equal(finished[2]->index, 1); /* alone now: it waits for a next one that never comes */
        assert_int_equal(finished[2]->evaluation.outcome, OUTCOME_TIMEOUT);
        assert_int_equal(finished[2]->attempts, 1);
        free_all(finished, 3);
        clear_stage(&stage);
    }
}

/* Four of them, of which the first is being measured and the second is in the socket. */
static void hold_two_of_four(struct stage *stage, char *held, size_t size)
{
    struct error error = {0};
    set_stage(stage, "cuda", 1, 20);
    trace_path(held, size, "held", 0);
    submit_with_image(stage->crew, "before the next: held", 0);
    for (size_t i = 1; i < 4; i++)
        submit_with_image(stage->crew, "good", i);
    while (access(held, F_OK) != 0)
        assert_true(crew_step(stage->crew, 0, 5, &error));
}

static void test_drop_waiting_leaves_the_one_behind(void **state)
{
    (void)state;
    char held[600];
    struct candidate *finished[2];
    struct stage stage;
    hold_two_of_four(&stage, held, sizeof held);
    assert_int_equal(crew_inside(stage.crew), 4);
    crew_drop_waiting(stage.crew);
    assert_int_equal(crew_inside(stage.crew), 2);
    assert_int_equal(rmdir(held), 0);
    finish_all(stage.crew, finished, 2);
    assert_int_equal(crew_inside(stage.crew), 0);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(finished[i]->index, i);
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
    }
    free_all(finished, 2);
    clear_stage(&stage);
}

static void test_freed_with_one_behind_the_other(void **state)
{
    (void)state;
    char held[600];
    struct stage stage;
    hold_two_of_four(&stage, held, sizeof held);
    clear_stage(&stage);
}

static void test_freed_in_the_middle(void **state)
{
    (void)state;
    struct stage stage;
    struct error error;
    set_stage(&stage, "cuda", 2, 20);
    for (size_t i = 0; i < 6; i++)
        crew_submit(stage.crew, candidate(i == 1 ? "kernel hangs" : i == 4 ? "compiler hangs" : "good", i));
    for (double limit = monotonic_seconds() + 1; monotonic_seconds() < limit;)
        assert_true(crew_step(stage.crew, 0, 20, &error));
    clear_stage(&stage);
}

/* ---- several devices */

static void set_two_devices(struct stage *stage, double patience)
{
    static const int ordinals[] = {0, 1};
    prepare_stage(stage, "cuda", 2, 20);
    stage->plan.ordinals = ordinals;
    stage->plan.ordinal_count = 2;
    stage->plan.patience = patience;
    open_stage(stage);
}

/* Work until as many are finished as were submitted. */
static void finish_all(struct crew *crew, struct candidate **finished, size_t count)
{
    struct error error = {0};
    size_t out = 0;
    double limit = monotonic_seconds() + 60;
    while (out < count) {
        assert_true(monotonic_seconds() < limit);
        if (!crew_step(crew, 0, 100, &error))
            fail_msg("%s", error.text);
        for (struct candidate *next; (next = crew_finished(crew));)
            finished[out++] = next;
    }
}

static void work_for(struct stage *stage, double seconds)
{
    struct error error = {0};
    for (double limit = monotonic_seconds() + seconds; monotonic_seconds() < limit;) {
        if (!crew_step(stage->crew, 0, 50, &error))
            fail_msg("%s", error.text);
    }
}

static void test_devices_share_the_work(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    const char *paths[COUNT];
    struct candidate *finished[COUNT];
    struct stage stage;
    struct error error;
    size_t by[2] = {0};
    for (size_t i = 0; i < COUNT; i++)
        paths[i] = "good";
    set_two_devices(&stage, 0);
    assert_true(let_through(stage.crew, paths, COUNT, finished, &error));
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
        for (int ordinal = 0; ordinal < 2; ordinal++)
            by[ordinal] += is(finished[i]->evaluation.uuid, device("cuda", ordinal).uuid);
    }
    assert_int_equal(by[0] + by[1], COUNT);
    assert_true(by[0] > 0 && by[1] > 0);
    assert_int_equal(stage.notices, 0);
    free_all(finished, COUNT);
    clear_stage(&stage);
}

static void test_a_candidate_is_measured_where_it_asks(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    struct candidate *finished[COUNT];
    struct stage stage;
    set_two_devices(&stage, 0);
    for (size_t i = 0; i < COUNT; i++) {
        struct candidate *given = candidate(i == 1 ? "kernel killed" : "good", i);
        given->measurer = 1;
        given->image = strdup("image");
        given->image_bytes = 5;
        crew_submit(stage.crew, given);
    }
    finish_all(stage.crew, finished, COUNT);
    for (size_t i = 0; i < COUNT; i++) /* a failure has its device, too */
        assert_string_equal(finished[i]->evaluation.uuid, "pretended-1");
    free_all(finished, COUNT);
    clear_stage(&stage);
}

/* Its candidates go to the other one, and so does what asks for it. */
static void test_a_device_lost_for_good_leaves_its_work_to_the_others(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    struct candidate *finished[COUNT];
    struct stage stage;
    set_two_devices(&stage, 0.5);
    for (size_t i = 0; i < COUNT; i++) {
        struct candidate *given = candidate(i == 0 ? "device gone for good" : "good", i);
        given->measurer = 1;
        given->image = strdup("image"); /* so that they are measured in this order */
        given->image_bytes = 5;
        crew_submit(stage.crew, given);
    }
    finish_all(stage.crew, finished, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
        assert_string_equal(finished[i]->evaluation.uuid, "pretended-0");
    }
    assert_int_equal(stage.notices, 1);
    assert_non_null(strstr(stage.notice, "no such device"));
    free_all(finished, COUNT);
    clear_stage(&stage);
}

static void test_a_device_that_differs_is_left_out(void **state)
{
    (void)state;
    struct candidate *finished[1];
    struct stage stage;
    setenv(open_mode, "second differs", 1);
    set_two_devices(&stage, 0);
    crew_submit(stage.crew, candidate("good", 0));
    finish_all(stage.crew, finished, 1);
    assert_string_equal(finished[0]->evaluation.uuid, "pretended-0");
    setenv(open_mode, "", 1);
    free_all(finished, 1);
    clear_stage(&stage);
}

static void test_a_device_that_comes_back_goes_on(void **state)
{
    (void)state;
    static const char *const paths[] = {"good", "device gone for a while", "good"};
    enum { COUNT = sizeof paths / sizeof *paths };
    struct candidate *finished[COUNT];
    struct stage stage;
    struct error error = {0};
    set_stage(&stage, "cuda", 2, 20);
    if (!let_through(stage.crew, paths, COUNT, finished, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
    assert_true(device_is_lost(0) == false); /* all openings that were to fail did */
    assert_int_equal(stage.notices, 0);
    free_all(finished, COUNT);
    clear_stage(&stage);
}

/* ---- locks */

static struct device_lock *lock_of(const struct stage *stage)
{
    struct error error;
    struct device_lock *lock = NULL;
    if (!device_lock_create(stage->locks, "pretended-0", &lock, &error))
        fail_msg("%s", error.text);
    return lock;
}

/* Waiting counts neither for the deadline nor as time of the evaluation. */
static void test_nothing_is_measured_while_another_has_the_device(void **state)
{
    (void)state;
    struct candidate *finished[1];
    struct stage stage;
    set_stage(&stage, "cuda", 1, 1);
    struct device_lock *lock = lock_of(&stage);
    assert_true(device_lock_attempt(lock));
    crew_submit(stage.crew, candidate("kernel killed", 0));
    work_for(&stage, 1.5);
    assert_int_equal(crew_inside(stage.crew), 1);
    assert_null(crew_finished(stage.crew));
    device_lock_release(lock);
    finish_all(stage.crew, finished, 1);
    assert_int_equal(finished[0]->evaluation.outcome, OUTCOME_CRASH);
    assert_true(finished[0]->evaluation.measure_seconds < 1.5);
    free_all(finished, 1);
    assert_true(device_lock_attempt(lock)); /* the dead worker's is free again */
    device_lock_free(lock);
    clear_stage(&stage);
}

static size_t step_and_take(struct crew *crew, struct candidate **finished)
{
    struct error error = {0};
    size_t count = 0;
    if (!crew_step(crew, 0, 5, &error))
        fail_msg("%s", error.text);
    for (struct candidate *next; (next = crew_finished(crew));)
        finished[count++] = next;
    return count;
}

/* Who waits for the device gets it when the candidates in the worker's hands are measured: two at most. */
static void test_one_who_waits_for_the_device_is_next(void **state)
{
    (void)state;
    enum { COUNT = 40, ROUNDS = 5 };
    struct candidate *finished[COUNT];
    struct stage stage;
    size_t out = 0;
    set_stage(&stage, "cuda", 1, 20);
    for (size_t i = 0; i < COUNT; i++)
        submit_with_image(stage.crew, "good", i);
    while (out == 0)
        out += step_and_take(stage.crew, finished);
    struct device_lock *lock = lock_of(&stage);
    for (int round = 0; round < ROUNDS; round++) {
        size_t before = out;
        while (!device_lock_attempt(lock))
            out += step_and_take(stage.crew, finished + out);
        assert_in_range(out - before, 0, 2);
        work_for(&stage, 0.05);
        assert_null(crew_finished(stage.crew));
        device_lock_release(lock);
        for (before = out; out == before;) /* now it is the crew's turn */
            out += step_and_take(stage.crew, finished + out);
    }
    device_lock_free(lock);
    finish_all(stage.crew, finished + out, COUNT - out);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(finished[i]->index, i);
    free_all(finished, COUNT);
    clear_stage(&stage);
}

static bool gate_is_taken(const struct stage *stage)
{
    char path[600];
    snprintf(path, sizeof path, "%s/pretended-0.gate", stage->locks);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0);
    bool taken = flock(file, LOCK_EX | LOCK_NB) != 0;
    close(file);
    return taken;
}

static void test_dropped_candidates_leave_the_queue_for_the_device(void **state)
{
    (void)state;
    struct stage stage;
    set_stage(&stage, "cuda", 1, 20);
    struct device_lock *lock = lock_of(&stage);
    assert_true(device_lock_attempt(lock));
    crew_submit(stage.crew, candidate("good", 0));
    while (!gate_is_taken(&stage))
        work_for(&stage, 0.05);
    crew_drop_waiting(stage.crew);
    assert_int_equal(crew_inside(stage.crew), 0);
    assert_false(gate_is_taken(&stage));
    device_lock_free(lock);
    clear_stage(&stage);
}

/* ---- bounds */

/* While nothing can be measured compiling goes on until 32 MiB of images wait. */
static void test_images_that_wait_are_bounded(void **state)
{
    (void)state;
    enum { COUNT = 8, ENOUGH = (32 << 20) / LARGE_IMAGE, COMPILERS = 3 };
    struct candidate *finished[COUNT];
    struct stage stage;
    set_stage(&stage, "cuda", COMPILERS, 20);
    struct device_lock *lock = lock_of(&stage);
    assert_true(device_lock_attempt(lock));
    assert_true(crew_room(stage.crew) >= COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        struct candidate *given = candidate("large image", i);
        free(given->job->program.defines);
        assert_true(asprintf(&given->job->program.defines, "%zu", i) > 0);
        crew_submit(stage.crew, given);
    }
    while (remains_entries(stage.traces, "compiled") < ENOUGH)
        work_for(&stage, 0.05);
    work_for(&stage, 0.5);
    /* What was under way when the last one came is compiled to its end. */
    assert_in_range(remains_entries(stage.traces, "compiled"), ENOUGH, ENOUGH + COMPILERS - 1);
    device_lock_free(lock);
    finish_all(stage.crew, finished, COUNT);
    free_all(finished, COUNT);
    clear_stage(&stage);
}

/* Each live worker has a socket and a pipe; nothing is left of dead ones. */
static size_t other_descriptors(void)
{
    return remains_entries("/proc/self/fd", "") - 2 * remains_children(getpid(), "--worker", NULL, 0);
}

static void test_dead_workers_leave_nothing_open(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    const char *paths[COUNT];
    struct candidate *finished[COUNT];
    struct stage stage;
    struct error error = {0};
    for (size_t i = 0; i < COUNT; i++)
        paths[i] = i % 2 ? "kernel segfaults" : "compiler crashes";
    set_stage(&stage, "cuda", 2, 20);
    size_t before = other_descriptors();
    if (!let_through(stage.crew, paths, COUNT, finished, &error))
        fail_msg("%s", error.text);
    assert_int_equal(other_descriptors(), before + 3); /* the device's lock: its folder and two files */
    free_all(finished, COUNT);
    clear_stage(&stage);
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return pretender(arguments[2], atoi(arguments[3]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_outcome_on_a_device_of_its_own),
        cmocka_unit_test(test_each_outcome_on_shared_cores),
        cmocka_unit_test(test_time_that_lost_workers_took),
        cmocka_unit_test(test_compiles_ahead_on_a_device_of_its_own),
        cmocka_unit_test(test_takes_turns_on_shared_cores),
        cmocka_unit_test(test_a_device_that_cannot_be_opened_ends_the_work),
        cmocka_unit_test(test_another_device_in_its_place_ends_the_work),
        cmocka_unit_test(test_workers_that_die_at_birth_end_the_work),
        cmocka_unit_test(test_a_missing_compiler_ends_the_work),
        cmocka_unit_test(test_a_broken_reference_ends_the_work_at_once),
        cmocka_unit_test(test_an_image_is_not_compiled_again),
        cmocka_unit_test(test_drop_waiting),
        cmocka_unit_test(test_freed_in_the_middle),
        cmocka_unit_test(test_one_behind_the_other_on_a_device_of_its_own),
        cmocka_unit_test(test_one_behind_the_other_on_shared_cores),
        cmocka_unit_test(test_the_next_is_unharmed_when_the_first_is_tried_again),
        cmocka_unit_test(test_drop_waiting_leaves_the_one_behind),
        cmocka_unit_test(test_freed_with_one_behind_the_other),
        cmocka_unit_test(test_devices_share_the_work),
        cmocka_unit_test(test_a_candidate_is_measured_where_it_asks),
        cmocka_unit_test(test_a_device_lost_for_good_leaves_its_work_to_the_others),
        cmocka_unit_test(test_a_device_that_differs_is_left_out),
        cmocka_unit_test(test_a_device_that_comes_back_goes_on),
        cmocka_unit_test(test_nothing_is_measured_while_another_has_the_device),
        cmocka_unit_test(test_one_who_waits_for_the_device_is_next),
        cmocka_unit_test(test_dropped_candidates_leave_the_queue_for_the_device),
        cmocka_unit_test(test_images_that_wait_are_bounded),
        cmocka_unit_test(test_dead_workers_leave_nothing_open),
    };
    char folder[512];
    if (remains_own_folder(folder, sizeof folder) != 0)
        return 1;
    setenv(open_mode, "", 1);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rmdir(folder) == 0 ? failed : 1;
}
