/* SPDX-License-Identifier: Apache-2.0 */
/* Configurations under a compute-sanitizer that is a script: which tools it is run as, on what, and what it says. */
#include "tests/unit/check/kernel_fixture.h"

#include "tuner/check/plain_run.h"
#include "tuner/check/sanitizer_tool.h"

static struct fixture fixture;
static struct check_report report;
static struct error error;

static int begin(void **state)
{
    if (scratch_folder_create(state) != 0)
        return -1;
    char path[256];
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", scratch_folder);
    setenv("PATH", path, 1);
    report = (struct check_report){0};
    kernel_fixture_create(&fixture, "[\"one\", \"two\"]");
    return 0;
}

static int end(void **state)
{
    check_report_clear(&report);
    fixture_free(&fixture);
    return scratch_folder_remove(state);
}

/* The script logs its arguments and the request; `answer` is shell that prints the rest, with the tool in $2. */
static void install(const char *answer)
{
    char body[2048];
    snprintf(body, sizeof body, "here=$(dirname $0)\necho $* >> $here/log\ncat > $here/request\n%s", answer);
    scratch_script("compute-sanitizer", body);
}

static bool run(size_t count)
{
    static const size_t list[] = {0, 1};
    const struct check_plan plan = {.list = list, .count = count, .seed = 1, .awkward = true, .deadline = 10};
    return sanitizer_tool_run(fixture.problem, "cuda", 3, &plan, &report, &error);
}

static const char *read_file(const char *name)
{
    static char text[16384];
    FILE *file = fopen(scratch_path(name), "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static void assert_file(const char *name, const char *part)
{
    assert_mentions(read_file(name), part);
}

static void a_clean_kernel_runs_under_each_tool(void **state)
{
    (void)state;
    install("echo ERROR SUMMARY: 0 errors");
    assert_success(run(2), &error);
    assert_int_equal(report.configurations, 2);
    assert_int_equal(report.total, 2);
    assert_int_equal(report.diagnostics.count, 0);
    assert_int_equal(report.note_count, 0);
    assert_file("log", "--tool memcheck ");
    assert_file("log", "--tool racecheck ");
    assert_file("log", "--tool synccheck ");
    assert_file("log", "--worker " PLAIN_RUN_ROLE " 0\n");
    assert_file("request", "\"ordinal\": 3");
    assert_file("request", "\"case\": 1"); /* the awkward size */
}

/* racecheck finds something: synccheck is not run. */
static void a_report_becomes_a_diagnostic(void **state)
{
    (void)state;
    install("if [ $2 = racecheck ]; then\n"
            "echo '========= Error: Race reported between Write access at k(float *)+0x70 in /u/k.cu:53'\n"
            "echo '=========     and Read access at k(float *)+0xa0 in /u/k.cu:57 [124 hazards]'\nfi\n"
            "echo RACECHECK SUMMARY");
    assert_success(run(2), &error);
    assert_int_equal(report.diagnostics.count, 1);
    const struct diagnostic *found = &report.diagnostics.list[0];
    assert_string_equal(found->tool, "racecheck");
    assert_string_equal(found->file, "/u/k.cu");
    assert_int_equal(found->line, 53);
    assert_int_equal(found->configurations, 2);
    assert_string_equal(found->size, "n=7");
    assert_mentions(found->example, "one");
    assert_null(strstr(read_file("log"), "synccheck"));
}

static void a_report_without_a_file_is_the_programs(void **state)
{
    (void)state;
    install("echo '========= Barrier error detected. Divergent thread(s) in block.'; echo SUMMARY");
    assert_success(run(1), &error);
    assert_int_equal(report.diagnostics.count, 1);
    assert_string_equal(report.diagnostics.list[0].tool, "memcheck");
    assert_mentions(report.diagnostics.list[0].file, "kernel.cu");
}

static void a_tool_that_breaks_off_is_noted(void **state)
{
    (void)state;
    install("[ $2 = synccheck ] && echo no device && exit 1; echo SUMMARY");
    assert_success(run(1), &error);
    assert_int_equal(report.note_count, 1);
    assert_mentions(report.notes[0], "synccheck of ");
    assert_mentions(report.notes[0], "did not finish: no device");
}

static void without_the_program_there_is_a_note(void **state)
{
    (void)state;
    char path[256];
    if (access("/usr/local/cuda/bin/compute-sanitizer", X_OK) == 0)
        skip();
    setenv("PATH", scratch_folder, 1);
    assert_false(sanitizer_tool_find(path, sizeof path));
    assert_success(run(1), &error);
    assert_int_equal(report.configurations, 0);
    assert_int_equal(report.note_count, 1);
    assert_mentions(report.notes[0], "no compute-sanitizer");
}

static void the_first_on_path_is_found(void **state)
{
    (void)state;
    char path[256], folders[256];
    install("");
    snprintf(folders, sizeof folders, "::/nonexistent:%s:/usr/bin", scratch_folder);
    setenv("PATH", folders, 1);
    assert_true(sanitizer_tool_find(path, sizeof path));
    assert_string_equal(path, scratch_path("compute-sanitizer"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_clean_kernel_runs_under_each_tool, begin, end),
        cmocka_unit_test_setup_teardown(a_report_becomes_a_diagnostic, begin, end),
        cmocka_unit_test_setup_teardown(a_report_without_a_file_is_the_programs, begin, end),
        cmocka_unit_test_setup_teardown(a_tool_that_breaks_off_is_noted, begin, end),
        cmocka_unit_test_setup_teardown(without_the_program_there_is_a_note, begin, end),
        cmocka_unit_test_setup_teardown(the_first_on_path_is_found, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
