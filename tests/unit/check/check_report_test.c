/* SPDX-License-Identifier: Apache-2.0 */
/* Notes of a report: bounded in number and length, one line each. */
#include "tests/unit/fixture.h"

#include "tuner/check/check_report.h"

#include <stdlib.h>

static void notes_are_single_lines(void **state)
{
    (void)state;
    struct check_report report = {0};
    check_note(&report, "%s: %d\n%s", "first", 2, "third");
    assert_int_equal(report.note_count, 1);
    assert_string_equal(report.notes[0], "first: 2 third");
}

static void notes_are_bounded(void **state)
{
    (void)state;
    struct check_report report = {0};
    char text[2 * CHECK_NOTE_TEXT];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < 2 * CHECK_NOTES; i++)
        check_note(&report, "%d%s", i, text);
    assert_int_equal(report.note_count, CHECK_NOTES);
    for (int i = 0; i < CHECK_NOTES; i++) {
        assert_int_equal(report.notes[i][0], '0' + i);
        assert_int_equal(strlen(report.notes[i]), CHECK_NOTE_TEXT - 1);
    }
}

static void clear_leaves_an_empty_report(void **state)
{
    (void)state;
    struct check_report report = {.configurations = 3};
    struct error error = {0};
    const struct diagnostic diagnostic = {.kind = DIAGNOSTIC_RACE, .file = "a.cu", .line = 1};
    assert_success(diagnostics_add(&report.diagnostics, &diagnostic, 0, "{}", "n=1", &error), &error);
    check_note(&report, "a note");
    check_report_clear(&report);
    assert_int_equal(report.diagnostics.count, 0);
    assert_null(report.diagnostics.list);
    assert_int_equal(report.note_count, 0);
    assert_int_equal(report.configurations, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_are_single_lines),
        cmocka_unit_test(notes_are_bounded),
        cmocka_unit_test(clear_leaves_an_empty_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
