/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/templates.h"
#include "tuner/lang/space.h"

#define HEAD                                                                                                         \
    "template t\nsize n = 16\nparameter P\nsource \"k.cu\"\ncount m at most n * P\ncount w at most 8\n"              \
    "buffer c : uint[n] temp\nbuffer a : float[m * n] temp\n"
#define CALL  "k<<<m, 1>>>(a + m) "
#define BLOCK "launch { " CALL "}\n"

static void test_counts(void **state)
{
    (void)state;
    struct template *t = parse_template_text(HEAD "launch { " CALL "\nread m = c[n - 1]\n"
                                                  "repeat n while m > 2 and not w { read w = c[m] }\n"
                                                  "repeat n while w { read w = c[0] }\n"
                                                  "repeat n while c { fill c = 0 }\n"
                                                  "repeat n + 1 as i while i < m { fill c = 0 } }\n");
    assert_int_equal(t->count_count, 2);
    assert_true(t->numbered && t->launch.body.statements[5].numbered && !t->launch.body.statements[4].numbered);
    expect_expr(t->launch.body.statements[5].value, "n + 1");
    expect_expr(t->launch.body.statements[5].condition, "i < m");
    assert_string_equal(t->counts[0].name, "m");
    expect_expr(t->counts[0].most, "n * P");
    assert_int_equal(scope_kind(t->scope, t->counts[0].slot), NAME_COUNT);
    const struct statement *s = t->launch.body.statements;
    assert_int_equal(s[1].kind, STATEMENT_READ);
    assert_int_equal(s[1].slot, t->counts[0].slot);
    assert_int_equal(s[1].buffer, 0);
    expect_expr(s[1].at, "n - 1");
    assert_int_equal(s[2].kind, STATEMENT_REPEAT);
    expect_expr(s[2].condition, "m > 2 and not w");
    assert_int_equal(s[2].body.statements[0].slot, t->counts[1].slot);
    expect_expr(s[3].condition, "w");
    assert_null(s[4].condition);
    assert_int_equal(s[4].buffer, 0);
    template_free(t);
    t = parse_template_text(HEAD "prepare { read m = c[0] }\n" BLOCK);
    assert_int_equal(t->prepare.body.count, 1);
    template_free(t);
}

/* The words are no more reserved than others. */
static void test_names(void **state)
{
    (void)state;
    struct template *t = parse_template_text(
        "template count\nsize read = 16\nsource \"k.cu\"\ncount most at most read\nbuffer count : int[1] temp\n"
        "launch { read<<<read, 1>>>(count)\nread most = count[0]\ncount<<<most, 1>>>(count) }\n");
    assert_string_equal(t->launch.body.statements[0].name, "read");
    assert_int_equal(t->launch.body.statements[1].kind, STATEMENT_READ);
    assert_string_equal(t->launch.body.statements[2].name, "count");
    template_free(t);
}

/* A space cannot depend on what launches find out. */
static void test_spaces(void **state)
{
    (void)state;
    static const char space[] = "space s of t\nparam P = [1, 2]\nwhere P < m\n";
    struct template *t = parse_template_text(HEAD BLOCK);
    struct space *s;
    struct error error;
    assert_false(space_parse("s.space", space, strlen(space), t, &s, &error));
    assert_non_null(strstr(error.text, "unknown name m"));
    template_free(t);
}

static void test_errors(void **state)
{
    (void)state;
    expect_refused(HEAD BLOCK "count m at most 3\n", "m is already a count");
    expect_refused(HEAD BLOCK "count k\n", "expected 'at', found the end of the line");
    expect_refused(HEAD BLOCK "count k at least 3\n", "expected 'most', found 'least'");
    expect_refused(HEAD BLOCK "count k at most m + 1\n", "the bound of a count cannot depend on m");
    expect_refused(HEAD BLOCK "size q = m\n", "the default of a size cannot depend on m");
    expect_refused(HEAD BLOCK "buffer b : int[n * m] in index()\n", "the extent of this buffer cannot depend on m");
    expect_refused(HEAD "launch { " CALL "\nread k = c[0] }\n", "unknown count k");
    expect_refused(HEAD "launch { " CALL "\nread n = c[0] }\n", "n is a size, not a count");
    expect_refused(HEAD "launch { " CALL "\nread c = c[0] }\n", "c is a buffer, not a count");
    expect_refused(HEAD "launch { " CALL "\nread m = n[0] }\n", "n is a size, not a buffer");
    expect_refused(HEAD "launch { " CALL "\nread m = c }\n", "expected '[', found '}'");
    expect_refused(HEAD "launch { " CALL "\nread m = c[0 : 1] }\n", "expected ']', found ':'");
    expect_refused(HEAD "launch { " CALL "\nread m = a[0] }\n", "a is of type float, but a count is an integer");
    expect_refused(HEAD "launch { " CALL "\nrepeat n while k { fill c = 0 } }\n", "unknown buffer k");
    expect_refused(HEAD "launch { " CALL "\nrepeat n while P { fill c = 0 } }\n", "P is a parameter, not a buffer");
    expect_refused(HEAD "launch { " CALL "\nrepeat n as m while c { fill c = 0 } }\n", "m is already a count");
    expect_refused(HEAD "launch { " CALL "\nrepeat n as i while c { fill c = 0 }\nfill c = i }\n", "unknown name i");
    expect_refused(HEAD "launch { read m = c[0] }\n", "this launch block launches no kernel");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_spaces),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
