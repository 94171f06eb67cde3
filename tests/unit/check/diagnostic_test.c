/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics on their way through a file, and merged over configurations. */
#include "tests/unit/fixture.h"

#include "tests/unit/scratch_folder.h"
#include "tuner/check/diagnostic.h"

#include <fcntl.h>

static struct error error;

static int open_file(void)
{
    int file = open(scratch_path("diagnostics"), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    assert_true(file >= 0);
    return file;
}

static struct raw_diagnostic *read_back(size_t *count)
{
    struct raw_diagnostic *list;
    assert_success(raw_diagnostics_read(scratch_path("diagnostics"), &list, count, &error), &error);
    return list;
}

static void every_member_comes_back(void **state)
{
    (void)state;
    const struct raw_diagnostic written[] = {
        {DIAGNOSTIC_RACE, 0x7fffffffffff, 12, 3, 4, "tile", "thread (0, 0, 0) writes at " DIAGNOSTIC_OTHER},
        {DIAGNOSTIC_TIMEOUT, 0, 0, 0, 0, "", ""},
    };
    int file = open_file();
    for (size_t i = 0; i < 2; i++)
        assert_true(raw_diagnostic_write(file, &written[i]));
    close(file);
    size_t count;
    struct raw_diagnostic *list = read_back(&count);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(list[i].kind, written[i].kind);
        assert_true(list[i].code == written[i].code && list[i].other == written[i].other);
        assert_true(list[i].line == written[i].line && list[i].column == written[i].column);
        assert_string_equal(list[i].variable, written[i].variable);
        assert_string_equal(list[i].text, written[i].text);
    }
    free(list);
}

/* Neither quotes nor control characters of a hostile name may break the line. */
static void names_cannot_break_the_format(void **state)
{
    (void)state;
    struct raw_diagnostic hostile = {.kind = DIAGNOSTIC_FAULT, .variable = "a\"b\\c\nd", .text = "\x01\x7f\xff\"}"};
    int file = open_file();
    assert_true(raw_diagnostic_write(file, &hostile));
    close(file);
    size_t count;
    struct raw_diagnostic *list = read_back(&count);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].variable, "a'b'c d");
    assert_string_equal(list[0].text, "   '}");
    free(list);
}

/* The largest members fit a line. */
static void long_members_are_kept_whole(void **state)
{
    (void)state;
    struct raw_diagnostic longest = {.kind = DIAGNOSTIC_RACE, .code = INT64_MAX, .other = INT64_MAX};
    longest.line = longest.column = INT32_MAX;
    memset(longest.variable, 'v', sizeof longest.variable - 1);
    memset(longest.text, 't', sizeof longest.text - 1);
    int file = open_file();
    assert_true(raw_diagnostic_write(file, &longest));
    close(file);
    size_t count;
    struct raw_diagnostic *list = read_back(&count);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].text, longest.text);
    free(list);
}

static void a_line_cut_short_is_skipped(void **state)
{
    (void)state;
    const struct raw_diagnostic whole = {.kind = DIAGNOSTIC_RACE, .text = "whole"};
    int file = open_file();
    assert_true(raw_diagnostic_write(file, &whole));
    assert_int_equal(write(file, "{\"kind\":2,\"code\":1", 18), 18);
    close(file);
    size_t count;
    struct raw_diagnostic *list = read_back(&count);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].text, "whole");
    free(list);
}

static void a_malformed_line_is_an_error(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "nonsense\n",
        "{\"kind\":2}\n",
        "{\"kind\":99,\"code\":1,\"other\":0,\"line\":0,\"column\":0,\"variable\":\"\",\"text\":\"\"}\n",
        "{\"kind\":-1,\"code\":1,\"other\":0,\"line\":0,\"column\":0,\"variable\":\"\",\"text\":\"\"}\n",
        "{\"kind\":1,\"code\":-1,\"other\":0,\"line\":0,\"column\":0,\"variable\":\"\",\"text\":\"\"}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct raw_diagnostic *list;
        size_t count;
        scratch_write("diagnostics", texts[i]);
        assert_false(raw_diagnostics_read(scratch_path("diagnostics"), &list, &count, &error));
        assert_int_equal(error.code, ERROR_SYSTEM);
        assert_null(list);
    }
}

static void no_file_is_no_diagnostic(void **state)
{
    (void)state;
    struct raw_diagnostic *list;
    size_t count = 7;
    assert_true(raw_diagnostics_read(scratch_path("absent"), &list, &count, &error));
    assert_int_equal(count, 0);
    assert_null(list);
}

static void add(struct diagnostics *list, enum diagnostic_kind kind, const char *file, unsigned line,
                const char *variable, const char *text, size_t number, const char *example)
{
    struct diagnostic diagnostic = {.kind = kind, .line = line};
    snprintf(diagnostic.file, sizeof diagnostic.file, "%s", file);
    snprintf(diagnostic.variable, sizeof diagnostic.variable, "%s", variable);
    snprintf(diagnostic.text, sizeof diagnostic.text, "%s", text);
    assert_success(diagnostics_add(list, &diagnostic, number, example, "n=1", &error), &error);
}

static void the_same_place_is_one_diagnostic(void **state)
{
    (void)state;
    struct diagnostics list = {0};
    add(&list, DIAGNOSTIC_RACE, "a.cu", 5, "", "first", 0, "{\"a\":0}");
    add(&list, DIAGNOSTIC_RACE, "a.cu", 5, "tile", "second", 0, "{\"a\":0}"); /* same configuration */
    add(&list, DIAGNOSTIC_RACE, "a.cu", 5, "other", "third", 1, "{\"a\":1}");
    add(&list, DIAGNOSTIC_FAULT, "a.cu", 5, "", "another kind", 1, "{\"a\":1}");
    add(&list, DIAGNOSTIC_RACE, "a.cu", 6, "", "another line", 1, "{\"a\":1}");
    add(&list, DIAGNOSTIC_RACE, "b.cu", 5, "", "another file", 1, "{\"a\":1}");
    assert_int_equal(list.count, 4);
    assert_int_equal(list.list[0].configurations, 2);
    assert_string_equal(list.list[0].variable, "tile"); /* the first that is known */
    assert_string_equal(list.list[0].text, "first");
    assert_string_equal(list.list[0].example, "{\"a\":0}");
    diagnostics_clear(&list);
}

static void without_a_line_the_text_decides(void **state)
{
    (void)state;
    struct diagnostics list = {0};
    add(&list, DIAGNOSTIC_FAULT, "a.cu", 0, "", "one", 0, "{}");
    add(&list, DIAGNOSTIC_FAULT, "a.cu", 0, "", "two", 1, "{}");
    add(&list, DIAGNOSTIC_FAULT, "a.cu", 0, "", "one", 2, "{}");
    assert_int_equal(list.count, 2);
    assert_int_equal(list.list[0].configurations, 2);
    diagnostics_clear(&list);
}

static void sorted_by_file_line_kind(void **state)
{
    (void)state;
    struct diagnostics list = {0};
    diagnostics_sort(&list);          /* empty */
    for (unsigned i = 0; i < 40; i++) /* beyond the first capacity, in a scrambled order */
        add(&list, i % 2 ? DIAGNOSTIC_RACE : DIAGNOSTIC_OUT_OF_BOUNDS, i % 3 ? "a.cu" : "b.cu", 1 + i * 7 % 40, "",
            "", i, "{}");
    assert_int_equal(list.count, 40);
    diagnostics_sort(&list);
    for (size_t i = 1; i < list.count; i++) {
        const struct diagnostic *a = &list.list[i - 1], *b = &list.list[i];
        int files = strcmp(a->file, b->file);
        assert_true(files < 0 || (files == 0 && (a->line < b->line || (a->line == b->line && a->kind < b->kind))));
    }
    diagnostics_clear(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_comes_back),          cmocka_unit_test(names_cannot_break_the_format),
        cmocka_unit_test(long_members_are_kept_whole),      cmocka_unit_test(a_line_cut_short_is_skipped),
        cmocka_unit_test(a_malformed_line_is_an_error),     cmocka_unit_test(no_file_is_no_diagnostic),
        cmocka_unit_test(the_same_place_is_one_diagnostic), cmocka_unit_test(without_a_line_the_text_decides),
        cmocka_unit_test(sorted_by_file_line_kind),
    };
    return cmocka_run_group_tests(tests, scratch_folder_create, scratch_folder_remove);
}
