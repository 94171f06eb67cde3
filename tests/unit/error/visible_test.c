/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/error/utf8.h"
#include "tuner/error/visible.h"

#include <stdlib.h>
#include <string.h>

struct shown {
    FILE *stream;
    char *text;
    size_t size;
};

static void start(struct shown *shown)
{
    *shown = (struct shown){0};
    shown->stream = open_memstream(&shown->text, &shown->size);
    assert_non_null(shown->stream);
}

static void expect(struct shown *shown, const char *wanted)
{
    assert_int_equal(fclose(shown->stream), 0);
    assert_string_equal(shown->text, wanted);
    free(shown->text);
}

static const struct {
    const char *text, *line, *lines;
} cases[] = {
    {"", "", ""},
    {"plain, \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "plain, \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
     "plain, \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"\033[2J\033]0;title\a", "\\x1b[2J\\x1b]0;title\\x07", "\\x1b[2J\\x1b]0;title\\x07"},
    {"a\nb\tc\r\n", "a\\nb\\tc\\r\\n", "a\nb c\\r\n"},
    {"\x7f\x01", "\\x7f\\x01", "\\x7f\\x01"},
    {"\xc2\x85\xc2\x9b"
     "1m",
     "\\u0085\\u009b1m", "\\u0085\\u009b1m"}, /* C1 */
    {"\x9b"
     "1m",
     "\\x9b1m", "\\x9b1m"}, /* C1 in one byte */
    {"a\xe2\x80\xae"
     "b\xe2\x81\xa6"
     "c",
     "a\\u202eb\\u2066c", "a\\u202eb\\u2066c"},                                                       /* overrides */
    {"\xe2\x80\xa8\xe2\x80\xa9", "\\u2028\\u2029", "\\u2028\\u2029"},                                 /* separators */
    {"\xef\xbb\xbf\xf3\xa0\x81\x81", "\\ufeff\\U000e0041", "\\ufeff\\U000e0041"},                     /* BOM, a tag */
    {"\xff\xc0\xaf\xed\xa0\x80", "\\xff\\xc0\\xaf\\xed\\xa0\\x80", "\\xff\\xc0\\xaf\\xed\\xa0\\x80"}, /* no UTF-8 */
    {"cut \xe2\x82", "cut \\xe2\\x82", "cut \\xe2\\x82"},
};

static void test_text_and_write(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int lines = 0; lines < 2; lines++) {
            enum visible_lines kind = lines ? VISIBLE_LINES : VISIBLE_ONE_LINE;
            const char *wanted = lines ? cases[i].lines : cases[i].line;
            char *text = visible_text(cases[i].text, kind);
            assert_string_equal(text, wanted);
            free(text);
            struct shown shown;
            start(&shown);
            visible_write(shown.stream, cases[i].text, strlen(cases[i].text), kind);
            expect(&shown, wanted);
        }
        size_t width = 0; /* characters of the escaped text */
        for (const char *c = cases[i].line; *c; c++)
            width += ((unsigned char)*c & 0xc0) != 0x80;
        assert_int_equal(visible_width(cases[i].text, strlen(cases[i].text)), width);
    }
}

/* Nothing that Unicode calls a control, a separator of lines or an override is left, whatever goes in. */
static void test_nothing_acts(void **state)
{
    (void)state;
    for (uint32_t code = 1; code < 0x110000; code++) {
        char text[5] = "";
        size_t bytes = utf8_put(code, text);
        bool control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
        bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0x200e ||
                     code == 0x200f || code == 0x61c;
        bool separates = code == 0x2028 || code == 0x2029;
        char *shown = visible_text(text, VISIBLE_ONE_LINE);
        if (control || turns || separates || (code >= 0xd800 && code <= 0xdfff))
            assert_int_equal(shown[0], '\\');
        else if (code < 0x3000)
            assert_memory_equal(shown, text, bytes + 1);
        for (const char *c = shown; shown[0] == '\\' && *c; c++)
            assert_in_range(*c, 0x20, 0x7e);
        free(shown);
    }
}

static void test_printf(void **state)
{
    (void)state;
    struct shown shown;
    start(&shown);
    visible_printf(shown.stream, "%s: %d\n%5.2f|\n", "a\033b", 7, 1.5);
    char *large = malloc(5001);
    memset(large, 'x', 5000);
    large[4999] = '\a';
    large[5000] = '\0';
    visible_printf(shown.stream, "%s.\n", large + 3000);
    fflush(shown.stream);
    assert_int_equal(strlen(shown.text), strlen("a\\x1bb: 7\n 1.50|\n") + 1999 + strlen("\\x07.\n"));
    assert_memory_equal(shown.text, "a\\x1bb: 7\n 1.50|\nxxx", 19);
    assert_string_equal(shown.text + strlen(shown.text) - 7, "x\\x07.\n");
    free(large);
    fclose(shown.stream);
    free(shown.text);
}

static void test_json(void **state)
{
    (void)state;
    struct shown shown;
    start(&shown);
    visible_write_json(shown.stream, "{\n  \"\xc3\xa9\": \"\x7f\xc2\x9b\xe2\x80\xae\xf3\xa0\x81\x81\\u001b\"\n}");
    expect(&shown, "{\n  \"\xc3\xa9\": \"\\u007f\\u009b\\u202e\\udb40\\udc41\\u001b\"\n}");
}

static void test_stream(void **state)
{
    (void)state;
    struct shown shown;
    start(&shown);
    FILE *stream = visible_stream(shown.stream);
    assert_non_null(stream);
    fprintf(stream, "option '%s'\n", "--\033[1m");
    fputs("no newline", stream);
    assert_int_equal(fclose(stream), 0);
    expect(&shown, "option '--\\x1b[1m'\nno newline");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_and_write), cmocka_unit_test(test_nothing_acts), cmocka_unit_test(test_printf),
        cmocka_unit_test(test_json),           cmocka_unit_test(test_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
