/* SPDX-License-Identifier: Apache-2.0 */
/* What a worker left in its folder, with an addr2line of our own that knows every line. */
#include "tests/unit/fixture.h"

#include "tests/unit/scratch_folder.h"
#include "tuner/check/collect.h"

#include <fcntl.h>

static struct error error;
static struct check_report report;

static int begin(void **state)
{
    report = (struct check_report){0};
    return scratch_folder_create(state);
}

static int end(void **state)
{
    check_report_clear(&report);
    return scratch_folder_remove(state);
}

/* The line is the address plus one: codes are return addresses, so 0x10 is looked up as 0xf, line 16. */
static void install_addr2line(void)
{
    char path[256];
    scratch_script("addr2line", "for a; do case $a in 0x*) echo $a; echo /src/k.cu:$(($a + 1));; esac; done");
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", scratch_folder);
    setenv("PATH", path, 1);
    scratch_write(CHECK_MODULE_FILE, "");
}

static void leave(const struct raw_diagnostic *diagnostic)
{
    int file = open(scratch_path(CHECK_DIAGNOSTICS_FILE), O_WRONLY | O_CREAT | O_APPEND, 0600);
    assert_true(file >= 0);
    assert_true(raw_diagnostic_write(file, diagnostic));
    close(file);
}

static struct check_origin origin(void)
{
    return (struct check_origin){.tool = "the tool",
                                 .path = "program.cu",
                                 .size = "n=5",
                                 .configuration = "{\"A\":1}",
                                 .number = 3,
                                 .folder = scratch_folder};
}

static size_t collect(void)
{
    const struct check_origin from = origin();
    size_t count = 99;
    assert_success(collect_diagnostics(&from, &report, &count, &error), &error);
    return count;
}

static void locations_are_resolved(void **state)
{
    (void)state;
    install_addr2line();
    leave(&(struct raw_diagnostic){DIAGNOSTIC_RACE, .code = 0x10, .other = 0x20,
                                   .text = "writes, which reads at " DIAGNOSTIC_OTHER "; end"});
    assert_int_equal(collect(), 1);
    const struct diagnostic *found = &report.diagnostics.list[0];
    assert_string_equal(found->file, "/src/k.cu");
    assert_int_equal(found->line, 16);
    assert_string_equal(found->text, "writes, which reads at /src/k.cu:32; end");
    assert_string_equal(found->tool, "the tool");
    assert_string_equal(found->size, "n=5");
    assert_string_equal(found->example, "{\"A\":1}");
    assert_int_equal(found->last, 3);
}

static void an_unresolved_location_is_the_program_and_its_line(void **state)
{
    (void)state; /* no module: nothing to resolve in */
    leave(&(struct raw_diagnostic){DIAGNOSTIC_DIVERGENT_BARRIER, .line = 7, .text = "met at " DIAGNOSTIC_OTHER});
    assert_int_equal(collect(), 1);
    const struct diagnostic *found = &report.diagnostics.list[0];
    assert_string_equal(found->file, "program.cu");
    assert_int_equal(found->line, 7);
    assert_string_equal(found->text, "met at an unknown location");
    assert_string_equal(found->tool, "the CPU device"); /* which notices barriers and faults */
    assert_int_equal(report.note_count, 0);
}

static void without_addr2line_one_note_says_so(void **state)
{
    (void)state;
    scratch_write(CHECK_MODULE_FILE, "");
    setenv("PATH", "/nonexistent", 1);
    leave(&(struct raw_diagnostic){DIAGNOSTIC_FAULT, .code = 4, .text = "trap"});
    assert_int_equal(collect(), 1);
    assert_int_equal(collect(), 1);
    assert_int_equal(report.diagnostics.count, 1);
    assert_int_equal(report.note_count, 1);
    assert_mentions(report.notes[0], "line numbers: addr2line is not on PATH");
}

/* Which of two racing threads comes first is an accident, and so is the uninitialised read. */
static void a_read_that_races_is_only_a_race(void **state)
{
    (void)state;
    install_addr2line();
    leave(&(struct raw_diagnostic){DIAGNOSTIC_UNINITIALISED, .code = 0x20, .text = "reads"});
    leave(&(struct raw_diagnostic){DIAGNOSTIC_UNINITIALISED, .code = 0x30, .text = "reads elsewhere"});
    leave(&(struct raw_diagnostic){DIAGNOSTIC_RACE, .code = 0x10, .other = 0x20, .text = "writes"});
    assert_int_equal(collect(), 3);
    assert_int_equal(report.diagnostics.count, 2);
    diagnostics_sort(&report.diagnostics);
    assert_int_equal(report.diagnostics.list[0].kind, DIAGNOSTIC_RACE);
    assert_int_equal(report.diagnostics.list[1].line, 0x30);
}

static void an_empty_folder_is_clean(void **state)
{
    (void)state;
    assert_int_equal(collect(), 0);
    assert_int_equal(report.diagnostics.count, 0);
}

/* Found in two configurations, at the place that the error names. */
static void a_failing_expression_is_a_diagnostic_of_the_template(void **state)
{
    (void)state;
    struct check_report report = {0};
    struct error error, failure = {.code = ERROR_INPUT, .line = 9, .column = 5};
    strcpy(failure.file, "t.template");
    strcpy(failure.text, "division by zero");
    for (size_t i = 0; i < 2; i++) {
        const struct check_origin origin = {.path = "?", .size = "n=7", .configuration = "{\"A\":1}", .number = i};
        assert_success(collect_host_error(&origin, &failure, &report, &error), &error);
    }
    assert_int_equal(report.diagnostics.count, 1);
    const struct diagnostic *found = &report.diagnostics.list[0];
    assert_int_equal(found->kind, DIAGNOSTIC_HOST);
    assert_string_equal(found->file, "t.template");
    assert_int_equal(found->line, 9);
    assert_string_equal(found->text, "division by zero");
    assert_int_equal(found->configurations, 2);
    check_report_clear(&report);
}

static void a_text_alone_is_a_diagnostic_of_the_program(void **state)
{
    (void)state;
    const struct check_origin from = origin();
    assert_success(collect_text(&from, DIAGNOSTIC_TIMEOUT, "too late", &report, &error), &error);
    assert_int_equal(report.diagnostics.count, 1);
    assert_string_equal(report.diagnostics.list[0].file, "program.cu");
    assert_int_equal(report.diagnostics.list[0].line, 0);
    assert_string_equal(report.diagnostics.list[0].text, "too late");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(locations_are_resolved, begin, end),
        cmocka_unit_test_setup_teardown(an_unresolved_location_is_the_program_and_its_line, begin, end),
        cmocka_unit_test_setup_teardown(without_addr2line_one_note_says_so, begin, end),
        cmocka_unit_test_setup_teardown(a_read_that_races_is_only_a_race, begin, end),
        cmocka_unit_test_setup_teardown(an_empty_folder_is_clean, begin, end),
        cmocka_unit_test_setup_teardown(a_failing_expression_is_a_diagnostic_of_the_template, begin, end),
        cmocka_unit_test_setup_teardown(a_text_alone_is_a_diagnostic_of_the_program, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
