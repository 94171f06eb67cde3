/* SPDX-License-Identifier: Apache-2.0 */
/* Child processes: each way in which a worker can end is told apart, and nothing of it is left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/workers/remains.h"
#include "tuner/device/monotonic.h"
#include "tuner/workers/scratch.h"
#include "tuner/workers/worker_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what the workers of this test do, by the request's "do" */

static void answer(struct channel *channel, const struct message *request)
{
    channel_send(channel, request->json, request->blob, request->blob_bytes, NULL);
}

static void leave_traces(struct channel *channel)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/deep", getenv("TMPDIR"));
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/deep/file", getenv("TMPDIR"));
    FILE *file = fopen(path, "w");
    if (file)
        fclose(file);
    pid_t child = fork(); /* as a compiler that the worker runs */
    if (child == 0) {
        for (;;)
            pause();
    }
    json_t *json = json_pack("{s:s, s:I}", "path", path, "child", (json_int_t)child);
    channel_send(channel, json, NULL, 0, NULL);
    json_decref(json);
}

static json_t *circumstances(void)
{
    struct stat status;
    int descriptors = 0;
    for (int i = 0; i < 64; i++)
        descriptors += fstat(i, &status) == 0;
    return json_pack("{s:i, s:b, s:s}", "descriptors", descriptors, "own_group", getpgrp() == getpid(), "folder",
                     getenv("TMPDIR"));
}

static int fake_worker(int socket)
{
    struct channel *channel;
    struct message request;
    bool ended = false;
    signal(SIGSEGV, SIG_DFL);
    if (!channel_create(socket, &channel, NULL))
        return 1;
    while (channel_receive(channel, &request, &ended, NULL) && !ended) {
        const char *what = json_string_value(json_object_get(request.json, "do"));
        if (strcmp(what, "echo") == 0)
            answer(channel, &request);
        else if (strcmp(what, "hang") == 0)
            pause();
        else if (strcmp(what, "segv") == 0)
            raise(SIGSEGV);
        else if (strcmp(what, "exit") == 0)
            _exit(42);
        else if (strcmp(what, "speak and exit") == 0) {
            for (int i = 0; i < 10000; i++)
                printf("line %d\n", i);
            fflush(stdout);
            fprintf(stderr, "\033[31mout of luck\n");
            _exit(1);
        } else if (strcmp(what, "garbage") == 0) {
            ssize_t ignored = write(socket, "garbage garbage garbage", 23);
            (void)ignored;
            pause();
        } else if (strcmp(what, "answer and die") == 0) {
            answer(channel, &request);
            raise(SIGKILL);
        } else if (strcmp(what, "answer twice") == 0) {
            answer(channel, &request);
            answer(channel, &request);
            pause();
        } else if (strcmp(what, "note") == 0) {
            json_t *json = json_pack("{s:s}", "note", "the first");
            channel_send(channel, json, NULL, 0, NULL);
            json_decref(json);
            answer(channel, &request);
        } else if (strcmp(what, "doze") == 0) {
            nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
            answer(channel, &request);
        } else if (strcmp(what, "speak and stop") == 0) {
            fprintf(stderr, "said about the first\n");
            raise(SIGSTOP);
            answer(channel, &request);
        } else if (strcmp(what, "traces") == 0) {
            leave_traces(channel);
        } else if (strcmp(what, "circumstances") == 0) {
            json_t *json = circumstances();
            channel_send(channel, json, NULL, 0, NULL);
            json_decref(json);
        }
        message_clear(&request);
    }
    channel_free(channel);
    return 0;
}

/* ---- the parent */

struct bench {
    struct scratch scratch;
    struct worker *worker;
    struct remains before;
};

static int set_up(void **state)
{
    struct error error;
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->before = remains_now();
    assert_true(scratch_create(&bench->scratch, &error));
    assert_true(worker_start("fake", bench->scratch.path, &bench->worker, &error));
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    char path[512];
    snprintf(path, sizeof path, "%s", bench->scratch.path);
    worker_end(bench->worker);
    assert_int_equal(rmdir(path), 0); /* empty: the worker's own folder is gone */
    scratch_remove(&bench->scratch);
    remains_equal(bench->before, remains_now());
    free(bench);
    return 0;
}

static void ask(struct worker *worker, const char *what, const void *blob, size_t bytes, double seconds)
{
    struct error error;
    json_t *json = json_pack("{s:s}", "do", what);
    assert_true(worker_ask(worker, json, blob, bytes, seconds, &error));
    json_decref(json);
}

static void ask_ahead(struct worker *worker, const char *what, const void *blob, size_t bytes, double seconds)
{
    struct error error;
    json_t *json = json_pack("{s:s}", "do", what);
    assert_true(worker_ask_ahead(worker, json, blob, bytes, seconds, &error));
    json_decref(json);
}

static enum worker_event wait_for_event(struct worker *worker, struct message *message)
{
    struct error error;
    enum worker_event event;
    double limit = monotonic_seconds() + 20;
    while ((event = worker_next(worker, message)) == WORKER_NOTHING) {
        assert_true(monotonic_seconds() < limit);
        assert_true(worker_wait(&worker, 1, 100, &error));
    }
    return event;
}

static void test_answers(void **state)
{
    enum { BYTES = 3000000 };
    struct bench *bench = *state;
    char *blob = malloc(BYTES);
    assert_non_null(blob);
    for (size_t i = 0; i < BYTES; i++)
        blob[i] = (char)(i * 31);
    for (int round = 0; round < 3; round++) {
        struct message message;
        ask(bench->worker, "echo", blob, BYTES, 20);
        assert_int_equal(wait_for_event(bench->worker, &message), WORKER_ANSWER);
        assert_int_equal(message.blob_bytes, BYTES);
        assert_memory_equal(message.blob, blob, BYTES);
        message_clear(&message);
        assert_int_equal(worker_next(bench->worker, &message), WORKER_NOTHING);
    }
    free(blob);
}

static void test_deadline(void **state)
{
    struct bench *bench = *state;
    struct message message;
    double start = monotonic_seconds();
    ask(bench->worker, "hang", NULL, 0, 0.3);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_LATE);
    double seconds = monotonic_seconds() - start;
    assert_true(seconds >= 0.3 && seconds < 5);
}

/* The request is larger than the socket's buffer and the worker never reads it. */
static void test_deadline_of_a_worker_that_does_not_read(void **state)
{
    enum { BYTES = 4 << 20 };
    struct bench *bench = *state;
    struct message message;
    char *blob = calloc(1, BYTES);
    assert_non_null(blob);
    assert_int_equal(kill(worker_pid(bench->worker), SIGSTOP), 0);
    ask(bench->worker, "echo", blob, BYTES, 0.3);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_LATE);
    free(blob);
}

static void test_signal(void **state)
{
    struct bench *bench = *state;
    struct message message;
    ask(bench->worker, "segv", NULL, 0, 20);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_DIED);
    assert_int_equal(worker_signal(bench->worker), SIGSEGV);
    assert_string_equal(worker_obituary(bench->worker), strsignal(SIGSEGV));
}

static void test_killed_by_a_stranger_while_idle(void **state)
{
    struct bench *bench = *state;
    struct message message;
    assert_int_equal(kill(worker_pid(bench->worker), SIGKILL), 0);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_DIED);
    assert_int_equal(worker_signal(bench->worker), SIGKILL);
}

static void test_exit_status(void **state)
{
    struct bench *bench = *state;
    struct message message;
    ask(bench->worker, "exit", NULL, 0, 20);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_DIED);
    assert_int_equal(worker_signal(bench->worker), 0);
    assert_string_equal(worker_obituary(bench->worker), "it exited with status 42");
}

/* What it printed does not reach this program's output; the end of it explains the death. */
static void test_last_words(void **state)
{
    struct bench *bench = *state;
    struct message message;
    ask(bench->worker, "speak and exit", NULL, 0, 20);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_DIED);
    const char *text = worker_obituary(bench->worker);
    assert_ptr_equal(strstr(text, "it exited with status 1; it printed last:\n"), text);
    assert_non_null(strstr(text, "line 9999\n"));
    assert_null(strstr(text, "line 5000\n"));
    assert_null(strchr(text, '\033'));
    assert_string_equal(text + strlen(text) - strlen("out of luck"), "out of luck");
}

static void test_garbage(void **state)
{
    struct bench *bench = *state;
    struct message message;
    ask(bench->worker, "garbage", NULL, 0, 20);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_DIED);
    assert_non_null(strstr(worker_obituary(bench->worker), "malformed message"));
}

static void test_answer_before_death_counts(void **state)
{
    struct bench *bench = *state;
    struct message message;
    ask(bench->worker, "answer and die", "x", 1, 20);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_ANSWER);
    assert_int_equal(message.blob_bytes, 1);
    message_clear(&message);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_DIED);
    assert_int_equal(worker_signal(bench->worker), SIGKILL);
}

static void test_answer_that_nobody_asked_for(void **state)
{
    struct bench *bench = *state;
    struct message message;
    ask(bench->worker, "answer twice", NULL, 0, 20);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_ANSWER);
    message_clear(&message);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_DIED);
}

/* ---- a request behind the current one */

static void expect_answer(struct worker *worker, const void *blob, size_t bytes)
{
    struct message message;
    assert_int_equal(wait_for_event(worker, &message), WORKER_ANSWER);
    assert_int_equal(message.blob_bytes, bytes);
    if (bytes > 0)
        assert_memory_equal(message.blob, blob, bytes);
    message_clear(&message);
}

/* All of them larger than the socket's buffer. */
static void test_answers_come_in_the_order_of_requests(void **state)
{
    enum { BYTES = 1 << 20, COUNT = 4 };
    struct bench *bench = *state;
    struct message message;
    char *blobs[COUNT];
    for (int i = 0; i < COUNT; i++) {
        blobs[i] = malloc(BYTES);
        assert_non_null(blobs[i]);
        memset(blobs[i], 'a' + i, BYTES);
    }
    ask(bench->worker, "echo", blobs[0], BYTES, 20);
    for (int i = 1; i < COUNT; i++) {
        ask_ahead(bench->worker, "echo", blobs[i], BYTES, 20);
        expect_answer(bench->worker, blobs[i - 1], BYTES);
    }
    expect_answer(bench->worker, blobs[COUNT - 1], BYTES);
    assert_int_equal(worker_next(bench->worker, &message), WORKER_NOTHING);
    ask(bench->worker, "echo", "z", 1, 20);
    expect_answer(bench->worker, "z", 1);
    for (int i = 0; i < COUNT; i++)
        free(blobs[i]);
}

static void test_death_over_the_first_of_two(void **state)
{
    struct bench *bench = *state;
    struct message message;
    ask(bench->worker, "exit", NULL, 0, 20);
    ask_ahead(bench->worker, "echo", "x", 1, 20);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_DIED);
    assert_string_equal(worker_obituary(bench->worker), "it exited with status 42");
}

/* The first one's note is not one about the second. */
static void test_death_over_the_second_of_two(void **state)
{
    struct bench *bench = *state;
    struct message message;
    ask(bench->worker, "note", "x", 1, 20);
    ask_ahead(bench->worker, "segv", NULL, 0, 20);
    expect_answer(bench->worker, "x", 1);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_DIED);
    assert_int_equal(worker_signal(bench->worker), SIGSEGV);
    assert_string_equal(worker_note(bench->worker), "");
}

/* The second's is over before the first is answered, if it were counted from when it was sent. */
static void test_deadline_begins_with_the_answer_before(void **state)
{
    struct bench *bench = *state;
    struct message message;
    double start = monotonic_seconds();
    ask(bench->worker, "doze", NULL, 0, 20);
    ask_ahead(bench->worker, "hang", NULL, 0, 0.3);
    expect_answer(bench->worker, NULL, 0);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_LATE);
    assert_true(monotonic_seconds() - start >= 0.8);
}

static void test_late_with_a_request_behind(void **state)
{
    struct bench *bench = *state;
    struct message message;
    ask(bench->worker, "hang", NULL, 0, 0.3);
    ask_ahead(bench->worker, "echo", "x", 1, 20);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_LATE);
}

/* Nothing can be sent to it any more, but its answer is there. */
static void test_answer_of_one_that_is_gone_when_more_is_sent(void **state)
{
    struct bench *bench = *state;
    struct message message;
    siginfo_t info;
    ask(bench->worker, "answer and die", "x", 1, 20);
    assert_int_equal(waitid(P_PID, (id_t)worker_pid(bench->worker), &info, WEXITED | WNOWAIT), 0);
    ask_ahead(bench->worker, "echo", "y", 1, 20);
    expect_answer(bench->worker, "x", 1);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_DIED);
    assert_int_equal(worker_signal(bench->worker), SIGKILL);
}

/* What was read before the first was answered is surely about the first. */
static void test_last_words_are_about_the_second(void **state)
{
    struct bench *bench = *state;
    struct message message;
    struct error error;
    siginfo_t info;
    ask(bench->worker, "speak and stop", NULL, 0, 20);
    ask_ahead(bench->worker, "exit", NULL, 0, 20);
    assert_int_equal(waitid(P_PID, (id_t)worker_pid(bench->worker), &info, WSTOPPED | WNOWAIT), 0);
    assert_true(worker_wait(&bench->worker, 1, 100, &error));
    assert_int_equal(worker_next(bench->worker, &message), WORKER_NOTHING);
    assert_int_equal(kill(worker_pid(bench->worker), SIGCONT), 0);
    expect_answer(bench->worker, NULL, 0);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_DIED);
    assert_string_equal(worker_obituary(bench->worker), "it exited with status 42");
}

/* Its files and the processes it started go with it; tear_down looks for the files. */
static void test_nothing_outlives_it(void **state)
{
    struct bench *bench = *state;
    struct message message;
    ask(bench->worker, "traces", NULL, 0, 20);
    assert_int_equal(wait_for_event(bench->worker, &message), WORKER_ANSWER);
    const char *path = json_string_value(json_object_get(message.json, "path"));
    pid_t child = (pid_t)json_integer_value(json_object_get(message.json, "child"));
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(kill(child, 0), 0);
    worker_end(bench->worker);
    bench->worker = NULL;
    assert_int_equal(access(path, F_OK), -1);
    assert_true(remains_is_gone(child));
    message_clear(&message);
}

/* 0, 1, 2 and the socket: no database, no other worker's socket. */
static void test_circumstances(void **state)
{
    struct bench *bench = *state;
    struct message message;
    struct error error;
    int open_file = open("/dev/null", O_RDONLY); /* without O_CLOEXEC */
    struct worker *second;
    assert_true(worker_start("fake", bench->scratch.path, &second, &error));
    ask(second, "circumstances", NULL, 0, 20);
    assert_int_equal(wait_for_event(second, &message), WORKER_ANSWER);
    assert_int_equal(json_integer_value(json_object_get(message.json, "descriptors")), 4);
    assert_true(json_is_true(json_object_get(message.json, "own_group")));
    const char *folder = json_string_value(json_object_get(message.json, "folder"));
    assert_ptr_equal(strstr(folder, bench->scratch.path), folder);
    message_clear(&message);
    worker_end(second);
    close(open_file);
}

/* A parent whose standard streams are closed gets sockets with those numbers, and workers all the same. */
static void test_closed_standard_streams(void **state)
{
    struct bench *bench = *state;
    pid_t child = fork();
    if (child == 0) {
        close(0);
        close(1);
        close(2);
        struct worker *worker;
        struct message message;
        if (!worker_start("fake", bench->scratch.path, &worker, NULL))
            _exit(2);
        ask(worker, "echo", "abc", 3, 20);
        bool answered = wait_for_event(worker, &message) == WORKER_ANSWER && message.blob_bytes == 3;
        message_clear(&message);
        worker_end(worker);
        _exit(answered ? 0 : 3);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void test_several_workers_at_a_time(void **state)
{
    enum { COUNT = 8 };
    struct bench *bench = *state;
    struct error error;
    struct worker *workers[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        char blob = (char)i;
        assert_true(worker_start("fake", bench->scratch.path, &workers[i], &error));
        ask(workers[i], i == 3 ? "exit" : "echo", &blob, 1, 20);
    }
    unsigned answers = 0, deaths = 0;
    double limit = monotonic_seconds() + 20;
    while (answers + deaths < COUNT) {
        assert_true(monotonic_seconds() < limit);
        assert_true(worker_wait(workers, COUNT, 100, &error));
        for (size_t i = 0; i < COUNT; i++) {
            struct message message;
            enum worker_event event = workers[i] ? worker_next(workers[i], &message) : WORKER_NOTHING;
            if (event == WORKER_ANSWER) {
                assert_int_equal(*(char *)message.blob, i);
                message_clear(&message);
                answers++;
            } else if (event == WORKER_DIED) {
                assert_int_equal(i, 3);
                worker_end(workers[i]);
                workers[i] = NULL;
                deaths++;
            }
        }
    }
    assert_int_equal(deaths, 1);
    for (size_t i = 0; i < COUNT; i++)
        worker_dismiss(workers[i]);
    for (size_t i = 0; i < COUNT; i++)
        worker_end(workers[i]);
}

/* ---- scratch folders */

static void test_abandoned_folders_are_removed_and_others_are_not(void **state)
{
    (void)state;
    struct scratch mine, next;
    struct error error;
    int ready[2];
    char path[512] = "", marker[600];
    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    pid_t child = fork();
    if (child == 0) {
        struct scratch abandoned;
        if (!scratch_create(&abandoned, NULL) || write(ready[1], abandoned.path, sizeof abandoned.path) < 0)
            _exit(1);
        _exit(0); /* without scratch_remove, as if killed */
    }
    assert_int_equal(read(ready[0], path, sizeof path), sizeof path);
    close(ready[0]);
    close(ready[1]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(access(path, F_OK), 0);
    snprintf(marker, sizeof marker, "%s/file", path);
    FILE *file = fopen(marker, "w");
    assert_non_null(file);
    fclose(file);

    assert_true(scratch_create(&mine, &error));
    assert_int_equal(access(path, F_OK), -1);
    assert_true(scratch_create(&next, &error));
    assert_int_equal(access(mine.path, F_OK), 0); /* it has an owner */
    scratch_remove(&next);
    scratch_remove(&mine);
    assert_int_equal(access(mine.path[0] ? mine.path : "/nonexistent", F_OK), -1);
}

static void test_no_place_for_temporary_files(void **state)
{
    (void)state;
    struct scratch scratch;
    struct error error = {0};
    char *before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
    setenv("TMPDIR", "/nonexistent", 1);
    assert_false(scratch_create(&scratch, &error));
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_non_null(strstr(error.text, "/nonexistent"));
    assert_true(error.hint[0] != '\0');
    if (before)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return fake_worker(atoi(arguments[3]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_answers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_deadline, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_deadline_of_a_worker_that_does_not_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_signal, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_killed_by_a_stranger_while_idle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_exit_status, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_last_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_garbage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_answer_before_death_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_answer_that_nobody_asked_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_answers_come_in_the_order_of_requests, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_death_over_the_first_of_two, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_death_over_the_second_of_two, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_deadline_begins_with_the_answer_before, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_late_with_a_request_behind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_answer_of_one_that_is_gone_when_more_is_sent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_last_words_are_about_the_second, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_outlives_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_circumstances, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_closed_standard_streams, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_several_workers_at_a_time, set_up, tear_down),
        cmocka_unit_test(test_abandoned_folders_are_removed_and_others_are_not),
        cmocka_unit_test(test_no_place_for_temporary_files),
    };
    char folder[512];
    if (remains_own_folder(folder, sizeof folder) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rmdir(folder) == 0 ? failed : 1;
}
