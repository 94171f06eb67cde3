/* SPDX-License-Identifier: Apache-2.0 */
/* Child processes: each way a worker can end is distinguished, and it leaves nothing behind. */
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

/* ---- the fake worker: "do" in a request selects its behaviour */

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
    pid_t child = fork(); /* like a compiler run by the worker */
    if (child == 0) {
        for (;;)
            pause();
    }
    json_t *json = json_pack("{s:s, s:I}", "path", path, "child", (json_int_t)child);
    channel_send(channel, json, NULL, 0, NULL);
    json_decref(json);
}

static json_t *environment(void)
{
    struct stat status;
    int descriptors = 0;
    for (int i = 0; i < 64; i++)
        descriptors += fstat(i, &status) == 0;
    return json_pack("{s:i, s:b, s:s}", "descriptors", descriptors, "own_group", getpgrp() == getpid(), "folder",
                     getenv("TMPDIR"));
}

/* A child takes memory without end, or nearly: should nobody end it, the test fails before the machine does. */
static void grow(void)
{
    enum { STEP = 1 << 20, STEPS_MOST = 2048 };
    if (fork() == 0) {
        for (int i = 0; i < STEPS_MOST; i++) {
            char *volatile more = malloc(STEP); /* or the compiler leaves out what nobody reads */
            if (more)
                memset(more, i + 1, STEP);
        }
    }
    for (;;)
        pause();
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
        } else if (strcmp(what, "grow") == 0) {
            grow();
        } else if (strcmp(what, "make") == 0) {
            json_t *json = json_pack("{s:{s:i}}", "made", "anything", 1);
            channel_send(channel, json, "image", 6, NULL);
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
        } else if (strcmp(what, "environment") == 0) {
            json_t *json = environment();
            channel_send(channel, json, NULL, 0, NULL);
            json_decref(json);
        }
        message_clear(&request);
    }
    channel_free(channel);
    return 0;
}

/* ---- the parent */

struct worker_fixture {
    struct scratch scratch;
    struct worker *worker;
    struct remains before;
};

static int set_up(void **state)
{
    struct error error;
    struct worker_fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->before = remains_now();
    assert_true(scratch_create(&fixture->scratch, &error));
    assert_true(worker_start("fake", NULL, fixture->scratch.path, &fixture->worker, &error));
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct worker_fixture *fixture = *state;
    char path[512];
    snprintf(path, sizeof path, "%s", fixture->scratch.path);
    worker_end(fixture->worker);
    assert_int_equal(rmdir(path), 0); /* empty: the worker's folder has been removed */
    scratch_remove(&fixture->scratch);
    remains_equal(fixture->before, remains_now());
    free(fixture);
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
    struct worker_fixture *fixture = *state;
    char *blob = malloc(BYTES);
    assert_non_null(blob);
    for (size_t i = 0; i < BYTES; i++)
        blob[i] = (char)(i * 31);
    for (int round = 0; round < 3; round++) {
        struct message message;
        ask(fixture->worker, "echo", blob, BYTES, 20);
        assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_ANSWER);
        assert_int_equal(message.blob_bytes, BYTES);
        assert_memory_equal(message.blob, blob, BYTES);
        message_clear(&message);
        assert_int_equal(worker_next(fixture->worker, &message), WORKER_NOTHING);
    }
    free(blob);
}

static void test_deadline(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    double start = monotonic_seconds();
    ask(fixture->worker, "hang", NULL, 0, 0.3);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_LATE);
    double seconds = monotonic_seconds() - start;
    assert_true(seconds >= 0.3 && seconds < 5);
}

/* The request exceeds the socket buffer and the worker never reads it. */
static void test_deadline_of_a_worker_that_does_not_read(void **state)
{
    enum { BYTES = 4 << 20 };
    struct worker_fixture *fixture = *state;
    struct message message;
    char *blob = calloc(1, BYTES);
    assert_non_null(blob);
    assert_int_equal(kill(worker_pid(fixture->worker), SIGSTOP), 0);
    ask(fixture->worker, "echo", blob, BYTES, 0.3);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_LATE);
    free(blob);
}

static void test_signal(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    ask(fixture->worker, "segv", NULL, 0, 20);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_DIED);
    assert_int_equal(worker_signal(fixture->worker), SIGSEGV);
    assert_string_equal(worker_obituary(fixture->worker), strsignal(SIGSEGV));
}

static void test_killed_externally_while_idle(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    assert_int_equal(kill(worker_pid(fixture->worker), SIGKILL), 0);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_DIED);
    assert_int_equal(worker_signal(fixture->worker), SIGKILL);
}

static void test_exit_status(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    ask(fixture->worker, "exit", NULL, 0, 20);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_DIED);
    assert_int_equal(worker_signal(fixture->worker), 0);
    assert_string_equal(worker_obituary(fixture->worker), "it exited with status 42");
}

/* Its output is captured, and the tail of it explains the death. */
static void test_output_explains_a_death(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    ask(fixture->worker, "speak and exit", NULL, 0, 20);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_DIED);
    const char *text = worker_obituary(fixture->worker);
    assert_ptr_equal(strstr(text, "it exited with status 1; it printed last:\n"), text);
    assert_non_null(strstr(text, "line 9999\n"));
    assert_null(strstr(text, "line 5000\n"));
    assert_null(strchr(text, '\033'));
    assert_string_equal(text + strlen(text) - strlen("out of luck"), "out of luck");
}

static void test_garbage(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    ask(fixture->worker, "garbage", NULL, 0, 20);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_DIED);
    assert_non_null(strstr(worker_obituary(fixture->worker), "malformed message"));
}

static void test_an_answer_before_death_counts(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    ask(fixture->worker, "answer and die", "x", 1, 20);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_ANSWER);
    assert_int_equal(message.blob_bytes, 1);
    message_clear(&message);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_DIED);
    assert_int_equal(worker_signal(fixture->worker), SIGKILL);
}

static void test_unsolicited_answer(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    ask(fixture->worker, "answer twice", NULL, 0, 20);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_ANSWER);
    message_clear(&message);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_DIED);
}

/* ---- requests sent ahead */

static void expect_answer(struct worker *worker, const void *blob, size_t bytes)
{
    struct message message;
    assert_int_equal(wait_for_event(worker, &message), WORKER_ANSWER);
    assert_int_equal(message.blob_bytes, bytes);
    if (bytes > 0)
        assert_memory_equal(message.blob, blob, bytes);
    message_clear(&message);
}

/* Each exceeds the socket buffer. */
static void test_answers_come_in_the_order_of_requests(void **state)
{
    enum { BYTES = 1 << 20, COUNT = 4 };
    struct worker_fixture *fixture = *state;
    struct message message;
    char *blobs[COUNT];
    for (int i = 0; i < COUNT; i++) {
        blobs[i] = malloc(BYTES);
        assert_non_null(blobs[i]);
        memset(blobs[i], 'a' + i, BYTES);
    }
    ask(fixture->worker, "echo", blobs[0], BYTES, 20);
    for (int i = 1; i < COUNT; i++) {
        ask_ahead(fixture->worker, "echo", blobs[i], BYTES, 20);
        expect_answer(fixture->worker, blobs[i - 1], BYTES);
    }
    expect_answer(fixture->worker, blobs[COUNT - 1], BYTES);
    assert_int_equal(worker_next(fixture->worker, &message), WORKER_NOTHING);
    ask(fixture->worker, "echo", "z", 1, 20);
    expect_answer(fixture->worker, "z", 1);
    for (int i = 0; i < COUNT; i++)
        free(blobs[i]);
}

static void test_death_on_the_first_of_two_requests(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    ask(fixture->worker, "exit", NULL, 0, 20);
    ask_ahead(fixture->worker, "echo", "x", 1, 20);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_DIED);
    assert_string_equal(worker_obituary(fixture->worker), "it exited with status 42");
}

/* A note about the first is not attributed to the second. */
static void test_death_on_the_second_of_two_requests(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    ask(fixture->worker, "note", "x", 1, 20);
    ask_ahead(fixture->worker, "segv", NULL, 0, 20);
    expect_answer(fixture->worker, "x", 1);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_DIED);
    assert_int_equal(worker_signal(fixture->worker), SIGSEGV);
    assert_string_equal(worker_note(fixture->worker), "");
}

/* Counted from when it was sent, the second's deadline would pass before the first is answered. */
static void test_the_deadline_starts_at_the_previous_answer(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    double start = monotonic_seconds();
    ask(fixture->worker, "doze", NULL, 0, 20);
    ask_ahead(fixture->worker, "hang", NULL, 0, 0.3);
    expect_answer(fixture->worker, NULL, 0);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_LATE);
    assert_true(monotonic_seconds() - start >= 0.8);
}

static void test_deadline_with_a_request_sent_ahead(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    ask(fixture->worker, "hang", NULL, 0, 0.3);
    ask_ahead(fixture->worker, "echo", "x", 1, 20);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_LATE);
}

/* Sending fails, but its answer can still be read. */
static void test_the_answer_of_a_dead_worker_survives_a_failed_send(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    siginfo_t info;
    ask(fixture->worker, "answer and die", "x", 1, 20);
    assert_int_equal(waitid(P_PID, (id_t)worker_pid(fixture->worker), &info, WEXITED | WNOWAIT), 0);
    ask_ahead(fixture->worker, "echo", "y", 1, 20);
    expect_answer(fixture->worker, "x", 1);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_DIED);
    assert_int_equal(worker_signal(fixture->worker), SIGKILL);
}

/* Output read before the first answer must be about the first request. */
static void test_output_is_attributed_to_the_second_request(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    struct error error;
    siginfo_t info;
    ask(fixture->worker, "speak and stop", NULL, 0, 20);
    ask_ahead(fixture->worker, "exit", NULL, 0, 20);
    assert_int_equal(waitid(P_PID, (id_t)worker_pid(fixture->worker), &info, WSTOPPED | WNOWAIT), 0);
    assert_true(worker_wait(&fixture->worker, 1, 100, &error));
    assert_int_equal(worker_next(fixture->worker, &message), WORKER_NOTHING);
    assert_int_equal(kill(worker_pid(fixture->worker), SIGCONT), 0);
    expect_answer(fixture->worker, NULL, 0);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_DIED);
    assert_string_equal(worker_obituary(fixture->worker), "it exited with status 42");
}

static void test_offers_come_before_the_answer(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    ask(fixture->worker, "make", NULL, 0, 20);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_MADE);
    assert_string_equal(message.blob, "image");
    message_clear(&message);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_ANSWER);
    message_clear(&message);
}

static void test_a_worker_that_takes_too_much_memory(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    const uint64_t most = 256 << 20;
    worker_bound_memory(fixture->worker, most);
    ask(fixture->worker, "echo", NULL, 0, 20);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_ANSWER);
    message_clear(&message);
    ask(fixture->worker, "grow", NULL, 0, 60);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_DIED);
    assert_true(worker_took_too_much(fixture->worker));
    assert_false(worker_is_blameless(fixture->worker));
    assert_non_null(strstr(worker_obituary(fixture->worker), "it may take 256 MiB (--unconfined lifts that)"));
}

/* Its files and child processes go with it; tear_down checks for the files. */
static void test_nothing_outlives_the_worker(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    ask(fixture->worker, "traces", NULL, 0, 20);
    assert_int_equal(wait_for_event(fixture->worker, &message), WORKER_ANSWER);
    const char *path = json_string_value(json_object_get(message.json, "path"));
    pid_t child = (pid_t)json_integer_value(json_object_get(message.json, "child"));
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(kill(child, 0), 0);
    worker_end(fixture->worker);
    fixture->worker = NULL;
    assert_int_equal(access(path, F_OK), -1);
    assert_true(remains_is_gone(child));
    message_clear(&message);
}

/* Descriptors 0, 1, 2 and the socket: no database, no other worker's socket. */
static void test_worker_environment(void **state)
{
    struct worker_fixture *fixture = *state;
    struct message message;
    struct error error;
    int open_file = open("/dev/null", O_RDONLY); /* without O_CLOEXEC */
    struct worker *second;
    assert_true(worker_start("fake", NULL, fixture->scratch.path, &second, &error));
    ask(second, "environment", NULL, 0, 20);
    assert_int_equal(wait_for_event(second, &message), WORKER_ANSWER);
    assert_int_equal(json_integer_value(json_object_get(message.json, "descriptors")), 4);
    assert_true(json_is_true(json_object_get(message.json, "own_group")));
    const char *folder = json_string_value(json_object_get(message.json, "folder"));
    assert_ptr_equal(strstr(folder, fixture->scratch.path), folder);
    message_clear(&message);
    worker_end(second);
    close(open_file);
}

/* With its standard streams closed, the parent's sockets get those numbers; workers must still start. */
static void test_closed_standard_streams(void **state)
{
    struct worker_fixture *fixture = *state;
    pid_t child = fork();
    if (child == 0) {
        close(0);
        close(1);
        close(2);
        struct worker *worker;
        struct message message;
        if (!worker_start("fake", NULL, fixture->scratch.path, &worker, NULL))
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

static void test_several_workers_at_once(void **state)
{
    enum { COUNT = 8 };
    struct worker_fixture *fixture = *state;
    struct error error;
    struct worker *workers[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        char blob = (char)i;
        assert_true(worker_start("fake", NULL, fixture->scratch.path, &workers[i], &error));
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

static void test_only_abandoned_folders_are_removed(void **state)
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
        _exit(0); /* skips scratch_remove, as if killed */
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
    assert_int_equal(access(mine.path, F_OK), 0); /* its owner is alive */
    scratch_remove(&next);
    scratch_remove(&mine);
    assert_int_equal(access(mine.path[0] ? mine.path : "/nonexistent", F_OK), -1);
}

static void test_no_folder_for_temporary_files(void **state)
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
        cmocka_unit_test_setup_teardown(test_killed_externally_while_idle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_exit_status, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_output_explains_a_death, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_garbage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_answer_before_death_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unsolicited_answer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_answers_come_in_the_order_of_requests, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_death_on_the_first_of_two_requests, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_death_on_the_second_of_two_requests, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_deadline_starts_at_the_previous_answer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_deadline_with_a_request_sent_ahead, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_answer_of_a_dead_worker_survives_a_failed_send, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_output_is_attributed_to_the_second_request, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_offers_come_before_the_answer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_worker_that_takes_too_much_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_outlives_the_worker, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_worker_environment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_closed_standard_streams, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_several_workers_at_once, set_up, tear_down),
        cmocka_unit_test(test_only_abandoned_folders_are_removed),
        cmocka_unit_test(test_no_folder_for_temporary_files),
    };
    char folder[512];
    if (remains_own_folder(folder, sizeof folder) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rmdir(folder) == 0 ? failed : 1;
}
