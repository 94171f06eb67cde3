/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/error/error.h"

#include <stdlib.h>
#include <string.h>

static const char text[] = "first line\n\tsecond \xc3\xa9 line\r\nthird\n";

static struct place place_of(const char *part, size_t length)
{
    const char *at = strstr(text, part);
    assert_non_null(at);
    return (struct place){.file = "some.file", .text = text, .offset = (size_t)(at - text), .length = length};
}

static void expect_printed(const struct error *error, const char *wanted)
{
    char *got = NULL;
    size_t size;
    FILE *stream = open_memstream(&got, &size);
    assert_non_null(stream);
    error_print(error, stream);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(got, wanted);
    free(got);
}

static void test_set(void **state)
{
    (void)state;
    struct error error;
    memset(&error, 0xff, sizeof error);
    assert_false(error_set(&error, ERROR_INPUT, "size %s is %d", "n", -1));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_string_equal(error.text, "size n is -1");
    assert_int_equal(error.line, 0);
    expect_printed(&error, "tune: size n is -1\n");
    assert_false(error_hint(&error, "try %d", 1));
    expect_printed(&error, "tune: size n is -1\n    hint: try 1\n");
    assert_false(error_set(&error, ERROR_WORK, "again"));
    assert_string_equal(error.hint, ""); /* an earlier hint does not survive */
}

static void expect_place(const char *file, unsigned line, size_t size, const char *expected)
{
    struct error error = {.line = line, .column = 7};
    char text[64] = "";
    snprintf(error.file, sizeof error.file, "%s", file);
    error_place_text(&error, text, size);
    assert_string_equal(text, expected);
}

static void test_places(void **state)
{
    (void)state;
    expect_place("", 0, 64, "");
    expect_place("a.space", 0, 64, "a.space: ");
    expect_place("a.space", 3, 64, "a.space:3:7: ");
    expect_place("a.space", 3, 5, "a.sp");
}

static void test_null_is_ignored(void **state)
{
    (void)state;
    assert_false(error_set(NULL, ERROR_INPUT, "nobody reads this"));
    assert_false(error_at(NULL, ERROR_INPUT, place_of("third", 5), "nobody reads this"));
    assert_false(error_hint(NULL, "nobody reads this"));
    assert_false(error_out_of_memory(NULL));
}

static void test_codes(void **state)
{
    (void)state;
    static const struct {
        enum error_code code;
        int status;
        bool of_machine;
    } cases[] = {
        {ERROR_INPUT, 2, false},        {ERROR_WORK, 1, false},      {ERROR_SYSTEM, 1, true},
        {ERROR_OUT_OF_MEMORY, 1, true}, {ERROR_RESOURCES, 1, false}, {ERROR_DOES_NOT_FIT, 1, false},
        {ERROR_FAULT, 1, false},        {ERROR_DEVICE, 1, true},     {ERROR_MESSAGE, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error;
        error_set(&error, cases[i].code, "text");
        assert_int_equal(error_exit_status(&error), cases[i].status);
        assert_int_equal(error_is_of_machine(&error), cases[i].of_machine);
    }
    struct error error;
    assert_false(error_out_of_memory(&error));
    assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
    assert_string_equal(error.text, "out of memory");
}

/* Lines and columns count from 1, columns in bytes; tabs are shown as blanks, and an umlaut is one column wide. */
static void test_place(void **state)
{
    (void)state;
    struct error error;
    assert_false(error_at(&error, ERROR_INPUT, place_of("line\r", 4), "a word"));
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 12); /* tab, "second ", two bytes of the letter, blank */
    expect_printed(&error, "tune: some.file:2:12: a word\n"
                           "     second \xc3\xa9 line\n"
                           "              ^^^^\n");
    error_at(&error, ERROR_INPUT, place_of("\xc3\xa9", 2), "a letter");
    expect_printed(&error, "tune: some.file:2:9: a letter\n"
                           "     second \xc3\xa9 line\n"
                           "            ^\n");
    error_at(&error, ERROR_INPUT, place_of("first", 5), "at the very start");
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 1);
}

/* A span ends with its line; an empty one is a single caret; the end of the text is a place too. */
static void test_edges_of_places(void **state)
{
    (void)state;
    struct error error;
    error_at(&error, ERROR_INPUT, place_of("third", 500), "to the end");
    assert_int_equal(error.caret_length, 6); /* "third" and its end */
    error_at(&error, ERROR_INPUT, place_of("third", 0), "empty");
    assert_int_equal(error.caret_length, 1);
    struct place end = {.file = "some.file", .text = text, .offset = strlen(text), .length = 1};
    error_at(&error, ERROR_INPUT, end, "the end");
    assert_int_equal(error.line, 4);
    assert_int_equal(error.column, 1);
    expect_printed(&error, "tune: some.file:4:1: the end\n");
    struct place no_text = {.file = "some.file"};
    error_at(&error, ERROR_INPUT, no_text, "a file alone");
    expect_printed(&error, "tune: some.file: a file alone\n");
}

/* Lines of any length: the excerpt keeps the start, and a place beyond it has a column but no excerpt. */
static void test_long_lines(void **state)
{
    (void)state;
    char line[2001];
    struct error error;
    memset(line, 'x', 2000);
    line[2000] = '\0';
    struct place place = {.file = "long", .text = line, .offset = 100, .length = 1900};
    error_at(&error, ERROR_INPUT, place, "long");
    assert_int_equal(strlen(error.excerpt), sizeof error.excerpt - 1);
    assert_int_equal(error.caret, 100);
    assert_true(error.caret + error.caret_length <= sizeof error.excerpt);
    place.offset = 1500;
    error_at(&error, ERROR_INPUT, place, "beyond");
    assert_int_equal(error.column, 1501);
    assert_string_equal(error.excerpt, "");
    error_set(&error, ERROR_INPUT, "%s", line); /* cut off, not overrun */
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

/* One edit for up to five letters, a third of the letters beyond; a transposition is one edit. */
static void test_nearest(void **state)
{
    (void)state;
    static const char *const names[] = {"BLOCK", "TILE_M", "TILE_N", "vectorised_loads"};
    static const struct {
        const char *name, *wanted;
    } cases[] = {
        {"BLOCK", "BLOCK"},   {"BLOK", "BLOCK"},
        {"BLCOK", "BLOCK"},                                            /* a transposition */
        {"BLOCKS", "BLOCK"},                                           /* an insertion */
        {"CLOCK", "BLOCK"},                                            /* a substitution */
        {"BLCK_", NULL},                                               /* two edits, one is allowed */
        {"TILE_N", "TILE_N"},                                          /* not TILE_M, which is nearer to the front */
        {"TILE_X", "TILE_M"},                                          /* the first of two equals */
        {"tile_m", NULL},     {"vektorized_load", "vectorised_loads"}, /* three of 15 */
        {"", NULL},           {"Z", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = error_nearest(cases[i].name, names, sizeof names / sizeof *names);
        if (cases[i].wanted ? !got || strcmp(got, cases[i].wanted) != 0 : got != NULL)
            fail_msg("%s is nearest to %s", cases[i].name, got ? got : "nothing");
    }
    assert_null(error_nearest("BLOCK", names, 0));
    char longest[66];
    memset(longest, 'a', 65);
    longest[65] = '\0';
    const char *const long_names[] = {longest};
    assert_null(error_nearest(longest, long_names, 1)); /* beyond 64 letters there are no suggestions */
    longest[64] = '\0';
    assert_ptr_equal(error_nearest(longest, long_names, 1), longest);
}

/* Paths, lines and messages of others are shown, not acted on, and the caret stays below what it means. */
static void test_hostile_texts(void **state)
{
    (void)state;
    static const char line[] = "a\033[2J \xe2\x80\xae x\xff y\n";
    struct error error;
    struct place place = {.file = "evil\n\033]0;\a.space", .text = line, .offset = 5, .length = 3};
    place.offset = (size_t)(strchr(line, 'x') - line);
    error_at(&error, ERROR_INPUT, place, "bad \x9b%s", "2J\nsecond line\tend");
    error_hint(&error, "not \033c");
    expect_printed(&error, "tune: evil\\n\\x1b]0;\\x07.space:1:11: bad \\x9b2J\nsecond line end\n"
                           "    a\\x1b[2J \\u202e x\\xff y\n"
                           "                    ^^^^^^\n"
                           "    hint: not \\x1bc\n");
}

/* What does not fit is cut between characters. */
static void test_cut_texts(void **state)
{
    (void)state;
    struct error error;
    char large[3000];
    memset(large, 'x', sizeof large);
    for (size_t i = 0; i + 3 < sizeof large; i += 3)
        memcpy(large + i, "\xe2\x82\xac", 3);
    large[sizeof large - 1] = '\0';
    error_at(&error, ERROR_INPUT, (struct place){.file = "f", .text = large, .offset = 0, .length = 3}, "%s", large);
    error_hint(&error, "%s", large);
    assert_int_equal(strlen(error.text) % 3, 0);
    assert_int_equal(strlen(error.hint) % 3, 0);
    assert_int_equal(strlen(error.excerpt) % 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set),        cmocka_unit_test(test_places),  cmocka_unit_test(test_null_is_ignored),
        cmocka_unit_test(test_codes),      cmocka_unit_test(test_place),   cmocka_unit_test(test_edges_of_places),
        cmocka_unit_test(test_long_lines), cmocka_unit_test(test_nearest), cmocka_unit_test(test_hostile_texts),
        cmocka_unit_test(test_cut_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
