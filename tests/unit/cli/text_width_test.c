/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#include "tuner/cli/text_width.h"

static void columns_of_characters(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t columns;
    } cases[] = {
        {"", 0},
        {"tune", 4},
        {"µs", 2},
        {"日本", 4},                /* East Asian wide */
        {"e\xcc\x81t\xc3\xa9", 3},  /* e with a combining acute, t, é */
        {"█░", 2},                  /* what bars are made of */
        {"\xff\xfe", 2},            /* not UTF-8 */
        {"\xe2\x82", 2},            /* cut short */
        {"\033[1;32mgo\033[0m", 2}, /* styles */
        {"\xf0\x9f\x98\x80", 2},    /* an emoji is wide */
        {"\xed\xa0\x80", 3},        /* a surrogate is no character: three bytes that are not UTF-8 */
        {"\xc0\x80", 2},            /* overlong */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(text_width(cases[i].text), cases[i].columns);
    assert_int_equal(text_width_of("日本", 3), 2);
}

static void a_prefix_keeps_characters_whole(void **state)
{
    (void)state;
    assert_int_equal(text_prefix("abc", 2), 2);
    assert_int_equal(text_prefix("abc", 9), 3);
    assert_int_equal(text_prefix("日本", 3), 3);             /* one of two columns; the next would need four */
    assert_int_equal(text_prefix("e\xcc\x81x", 1), 3);       /* the accent stays with its letter */
    assert_int_equal(text_prefix("\033[1mab\033[0m", 1), 5); /* the style that ends behind b is left behind */
    assert_int_equal(text_prefix("ab", 0), 0);
}

/* Fold as the table does, into lines joined by '|'. */
static void expect_folds(const char *text, size_t columns, const char *expected)
{
    char folded[200] = "";
    while (*text) {
        size_t bytes = text_fold(text, columns);
        assert_true(bytes > 0);
        strncat(folded, text, bytes);
        text += bytes;
        text += strspn(text, " ");
        strcat(folded, *text ? "|" : "");
    }
    assert_string_equal(folded, expected);
}

static void texts_fold_at_spaces_and_commas(void **state)
{
    (void)state;
    expect_folds("A=1 B=2 C=3", 7, "A=1 B=2|C=3");
    expect_folds("A=1 B=2 C=3", 6, "A=1|B=2|C=3");
    expect_folds("A=1 B=2 C=3", 100, "A=1 B=2 C=3");
    expect_folds("M=1,N=22,K=3", 9, "M=1,N=22,|K=3");
    expect_folds("M=1,N=22,K=3", 8, "M=1,|N=22,K=3");
    expect_folds("abcdef", 4, "abcd|ef");
    expect_folds("日本語", 4, "日本|語");
    expect_folds("日", 1, "日"); /* wider than the line: it has to go somewhere */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_characters),
        cmocka_unit_test(a_prefix_keeps_characters_whole),
        cmocka_unit_test(texts_fold_at_spaces_and_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
