/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedule of a check, with workers that only pretend to check: this program run again. What such a worker does
 * is the KIND of its configuration; which worker saw which configuration is in a log.
 */
#include "tests/unit/check/kernel_fixture.h"

#include "tuner/check/check.h"
#include "tuner/check/check_worker.h"
#include "tuner/check/collect.h"
#include "tuner/workers/remote_error.h"
#include "tuner/workers/worker_main.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

/* ---- the pretenders ---- */

static const char *role_now;

static void leave(const char *folder, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/" CHECK_DIAGNOSTICS_FILE, folder);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    struct raw_diagnostic diagnostic = {.kind = DIAGNOSTIC_RACE, .line = 5};
    snprintf(diagnostic.text, sizeof diagnostic.text, "%s", text);
    if (text[0])
        raw_diagnostic_write(file, &diagnostic);
    close(file);
}

static json_t *failure(enum error_code code, const char *text, const char *flag)
{
    struct error error;
    error_set(&error, code, "%s", text);
    json_t *answer = json_pack("{s:o}", "error", error_to_json(&error));
    if (flag)
        json_object_set_new(answer, flag, json_true());
    return answer;
}

/* The log has a line for each request, this one's included. */
static bool is_first_attempt(void)
{
    FILE *log = fopen(getenv("CHECK_TEST_LOG"), "r");
    int lines = 0;
    for (int c; (c = fgetc(log)) != EOF;)
        lines += c == '\n';
    fclose(log);
    return lines == 1;
}

static json_t *pretend(const char *kind, const char *folder)
{
    bool bounds = strcmp(role_now, check_roles[CHECK_BOUNDS]) == 0;
    if (strcmp(kind, "unusable") == 0 && bounds)
        return failure(ERROR_WORK, "no sanitizer here", "unusable");
    if (strcmp(kind, "stillborn") == 0 && bounds)
        exit(3);
    if (strcmp(kind, "killed_early") == 0 && bounds)
        raise(SIGKILL);
    if (strcmp(kind, "killed_once") == 0 && bounds && is_first_attempt())
        raise(SIGKILL);
    if (strcmp(kind, "nonsense") == 0 && bounds)
        return json_pack("{s:i}", "path", 1);
    leave(folder, "");
    if (strcmp(kind, "race") == 0 && !bounds)
        leave(folder, "a race");
    if (strcmp(kind, "bounds") == 0 && bounds)
        leave(folder, "out of bounds");
    if (strcmp(kind, "fault") == 0) {
        leave(folder, "a trap");
        return failure(ERROR_FAULT, "the device is dead", "last");
    }
    if (strcmp(kind, "dies") == 0)
        raise(SIGILL);
    if (strcmp(kind, "dies_telling") == 0) {
        leave(folder, "what happened");
        raise(SIGKILL);
    }
    if (strcmp(kind, "hangs") == 0)
        pause();
    if (strcmp(kind, "resources") == 0)
        return failure(ERROR_RESOURCES, "too many registers", NULL);
    if (strcmp(kind, "memory") == 0)
        return failure(ERROR_DOES_NOT_FIT, "too large", NULL);
    if (strcmp(kind, "setup") == 0)
        return failure(ERROR_INPUT, "the setup is wrong", NULL);
    return json_object();
}

static bool serve(struct channel *channel, struct error *error)
{
    for (;;) {
        struct message request;
        bool ended = false;
        if (!channel_receive(channel, &request, &ended, error) || ended)
            return ended;
        const char *folder = json_string_value(json_object_get(request.json, "folder"));
        const json_t *program = json_object_get(json_object_get(request.json, "job"), "program");
        const char *defines = json_string_value(json_object_get(program, "defines"));
        char kind[32] = "";
        sscanf(strstr(defines, "#define KIND "), "#define KIND %31s", kind);
        FILE *log = fopen(getenv("CHECK_TEST_LOG"), "a");
        fprintf(log, "%s %s %d\n", role_now, kind, (int)json_integer_value(json_object_get(request.json, "case")));
        fclose(log);
        json_t *answer = pretend(kind, folder);
        bool sent = channel_send(channel, answer, NULL, 0, error);
        bool last = json_is_true(json_object_get(answer, "last"));
        json_decref(answer);
        message_clear(&request);
        if (!sent || last)
            return sent;
    }
}

/* ---- the tests ---- */

static const char kinds[] = "[\"clean\", \"race\", \"bounds\", \"fault\", \"dies\", \"dies_telling\", \"hangs\", "
                            "\"resources\", \"memory\", \"setup\", \"unusable\", \"stillborn\", \"killed_early\", "
                            "\"killed_once\", \"nonsense\"]";
enum kind {
    CLEAN,
    RACE,
    BOUNDS,
    FAULT,
    DIES,
    DIES_TELLING,
    HANGS,
    RESOURCES,
    MEMORY,
    SETUP,
    UNUSABLE,
    STILLBORN,
    KILLED_EARLY,
    KILLED_ONCE,
    NONSENSE
};

static struct fixture fixture;
static struct check_report report;
static struct error error;
static size_t progress_calls, progress_done;

static void install_compiler(bool has_runtime)
{
    char body[512];
    snprintf(body, sizeof body, "case $1 in --version) echo 'g++ 12.2.0';; -print-file-name=*) echo %s;; esac",
             has_runtime ? scratch_write("libasan.so", "") : "libasan.so");
    setenv("TUNE_CXX", scratch_script("compiler", body), 1);
}

static int begin(void **state)
{
    if (scratch_folder_create(state) != 0)
        return -1;
    report = (struct check_report){0};
    error = (struct error){0};
    progress_calls = progress_done = 0;
    setenv("CHECK_TEST_LOG", scratch_path("log"), 1);
    scratch_write("log", "");
    install_compiler(true);
    kernel_fixture_create(&fixture, kinds);
    return 0;
}

static int end(void **state)
{
    check_report_clear(&report);
    fixture_free(&fixture);
    return scratch_folder_remove(state);
}

static void on_progress(size_t done, size_t count, const struct check_report *now, void *context)
{
    assert_ptr_equal(now, &report);
    assert_ptr_equal(context, &progress_calls);
    assert_true(done <= count && done == progress_done + 1);
    progress_done = done;
    progress_calls++;
}

static bool check(const size_t *list, size_t count, bool awkward)
{
    const struct check_plan plan = {.list = list,
                                    .count = count,
                                    .awkward = awkward,
                                    .jobs = 2,
                                    .unconfined = true, /* the fake workers keep a log outside */
                                    .deadline = 0.5,
                                    .progress = on_progress,
                                    .context = &progress_calls};
    return check_run(fixture.problem, &plan, &report, &error);
}

static bool check_one(enum kind kind)
{
    const size_t list[] = {kind};
    return check(list, 1, false);
}

static void assert_log(const char *expected)
{
    char text[4096];
    FILE *file = fopen(scratch_path("log"), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void assert_only(enum diagnostic_kind kind, const char *text, const char *tool)
{
    assert_int_equal(report.diagnostics.count, 1);
    assert_int_equal(report.diagnostics.list[0].kind, kind);
    assert_mentions(report.diagnostics.list[0].text, text);
    assert_string_equal(report.diagnostics.list[0].tool, tool);
}

static void a_clean_configuration_sees_both_tools(void **state)
{
    (void)state;
    const size_t list[] = {CLEAN};
    assert_success(check(list, 1, true), &error);
    assert_log("check_bounds clean 1\ncheck_races clean 1\n"); /* at the awkward size */
    assert_int_equal(report.diagnostics.count, 0);
    assert_int_equal(report.configurations, 1);
    assert_int_equal(report.total, 15);
    assert_int_equal(progress_calls, 1);
}

/* What corrupts memory is not looked at any further. */
static void the_second_tool_is_skipped_after_a_finding(void **state)
{
    (void)state;
    assert_success(check_one(BOUNDS), &error);
    assert_log("check_bounds bounds 0\n");
    assert_only(DIAGNOSTIC_RACE, "out of bounds", "AddressSanitizer");
    assert_int_equal(report.diagnostics.list[0].line, 5);
    assert_string_equal(report.diagnostics.list[0].size, "n=100");
}

static void the_race_check_comes_second(void **state)
{
    (void)state;
    assert_success(check_one(RACE), &error);
    assert_log("check_bounds race 0\ncheck_races race 0\n");
    assert_only(DIAGNOSTIC_RACE, "a race", "the race check");
}

static void a_dead_device_gets_a_new_worker(void **state)
{
    (void)state;
    const size_t list[] = {FAULT, FAULT, CLEAN};
    assert_success(check(list, 3, false), &error);
    assert_int_equal(report.diagnostics.count, 1);
    assert_int_equal(report.diagnostics.list[0].configurations, 2);
    assert_int_equal(report.configurations, 3);
    assert_int_equal(progress_calls, 3);
}

static void a_death_is_a_fault_of_the_kernel(void **state)
{
    (void)state;
    assert_success(check_one(DIES), &error);
    assert_only(DIAGNOSTIC_FAULT, "the process died: ", "the CPU device");
    check_report_clear(&report);
    progress_done = 0;
    assert_success(check_one(DIES_TELLING), &error); /* then its own words are enough */
    assert_only(DIAGNOSTIC_RACE, "what happened", "AddressSanitizer");
}

static void a_hang_ends_at_the_deadline(void **state)
{
    (void)state;
    assert_success(check_one(HANGS), &error);
    assert_only(DIAGNOSTIC_TIMEOUT, "deadline", "AddressSanitizer");
}

static void what_exceeds_the_device_is_refused(void **state)
{
    (void)state;
    const size_t list[] = {RESOURCES, MEMORY, CLEAN};
    assert_success(check(list, 3, false), &error);
    assert_int_equal(report.refused, 2);
    assert_int_equal(report.configurations, 1);
    assert_int_equal(report.diagnostics.count, 0);
}

static void a_broken_template_ends_the_check(void **state)
{
    (void)state;
    assert_false(check_one(SETUP));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_string_equal(error.text, "the setup is wrong");
}

static void a_tool_that_does_not_work_is_noted_once(void **state)
{
    (void)state;
    const size_t list[] = {UNUSABLE, UNUSABLE, UNUSABLE, RACE};
    assert_success(check(list, 4, false), &error);
    assert_int_equal(report.note_count, 1);
    assert_mentions(report.notes[0], "out-of-bounds accesses: no sanitizer here");
    assert_only(DIAGNOSTIC_RACE, "a race", "the race check");
    assert_int_equal(report.configurations, 4);
}

/* A worker that exits before it has begun says nothing about the kernel. */
static void a_stillborn_worker_is_a_tool_that_does_not_work(void **state)
{
    (void)state;
    assert_success(check_one(STILLBORN), &error);
    assert_int_equal(report.note_count, 1);
    assert_int_equal(report.diagnostics.count, 0);
    assert_log("check_bounds stillborn 0\ncheck_races stillborn 0\n");
}

/* Killed from outside: another attempt on a fresh worker; then the other tool has its turn. */
static void a_killed_worker_says_nothing_about_the_kernel(void **state)
{
    (void)state;
    assert_success(check_one(KILLED_ONCE), &error);
    assert_log("check_bounds killed_once 0\ncheck_bounds killed_once 0\ncheck_races killed_once 0\n");
    assert_int_equal(report.note_count, 0);
    assert_int_equal(report.diagnostics.count, 0);
    check_report_clear(&report);
    progress_done = 0;
    assert_success(check_one(KILLED_EARLY), &error);
    assert_int_equal(report.note_count, 1);
    assert_mentions(report.notes[0], "out-of-bounds accesses for {");
    assert_mentions(report.notes[0], "the process died: Killed");
    assert_int_equal(report.diagnostics.count, 0);
}

static void a_malformed_answer_is_noted(void **state)
{
    (void)state;
    const size_t list[] = {NONSENSE, RACE};
    assert_success(check(list, 2, false), &error);
    assert_int_equal(report.note_count, 1);
    assert_mentions(report.notes[0], "it sent a malformed message: not an answer to a check");
    assert_only(DIAGNOSTIC_RACE, "a race", "the race check");
}

static void without_a_runtime_only_races_are_checked(void **state)
{
    (void)state;
    install_compiler(false);
    assert_success(check_one(BOUNDS), &error);
    assert_log("check_races bounds 0\n");
    assert_int_equal(report.diagnostics.count, 0);
    assert_int_equal(report.note_count, 1);
    assert_mentions(report.notes[0], "out-of-bounds accesses: ");
}

static void an_interrupt_ends_the_check(void **state)
{
    (void)state;
    const volatile sig_atomic_t interrupted = 1;
    const size_t list[] = {CLEAN};
    const struct check_plan plan = {.list = list, .count = 1, .jobs = 1, .interrupted = &interrupted};
    assert_false(check_run(fixture.problem, &plan, &report, &error));
    assert_string_equal(error.text, "interrupted");
    assert_log("");
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "--worker") == 0) {
        role_now = arguments[2];
        return worker_serve(atoi(arguments[3]), serve);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_clean_configuration_sees_both_tools, begin, end),
        cmocka_unit_test_setup_teardown(the_second_tool_is_skipped_after_a_finding, begin, end),
        cmocka_unit_test_setup_teardown(the_race_check_comes_second, begin, end),
        cmocka_unit_test_setup_teardown(a_dead_device_gets_a_new_worker, begin, end),
        cmocka_unit_test_setup_teardown(a_death_is_a_fault_of_the_kernel, begin, end),
        cmocka_unit_test_setup_teardown(a_hang_ends_at_the_deadline, begin, end),
        cmocka_unit_test_setup_teardown(what_exceeds_the_device_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(a_broken_template_ends_the_check, begin, end),
        cmocka_unit_test_setup_teardown(a_tool_that_does_not_work_is_noted_once, begin, end),
        cmocka_unit_test_setup_teardown(a_stillborn_worker_is_a_tool_that_does_not_work, begin, end),
        cmocka_unit_test_setup_teardown(a_killed_worker_says_nothing_about_the_kernel, begin, end),
        cmocka_unit_test_setup_teardown(a_malformed_answer_is_noted, begin, end),
        cmocka_unit_test_setup_teardown(without_a_runtime_only_races_are_checked, begin, end),
        cmocka_unit_test_setup_teardown(an_interrupt_ends_the_check, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
