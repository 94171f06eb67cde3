/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/expressions.h"
#include "tuner/lang/condition.h"
#include "tuner/lang/let.h"

/*
 * Parse the lines of `lets`, then the condition. TILE is a parameter, n a size, i a loop variable. The message, or ""
 * if the condition is accepted.
 */
static const char *verdict(struct expressions *f, const char *lets, const char *condition)
{
    struct parser parser;
    struct let_declaration let;
    const struct expr *expr;
    size_t slot;
    start(f);
    assert_true(scope_add_value(f->scope, "n", 1, NAME_SIZE, NULL, 0, &slot));
    assert_true(scope_add_value(f->scope, "i", 1, NAME_LOOP, NULL, 0, &slot));
    assert_true(text_copy(&f->text, &f->arena, "test", lets, strlen(lets), &f->error));
    assert_true(parser_start(&parser, &f->text, &f->arena, f->scope, &f->error));
    while (!parser_at(&parser, TOKEN_END)) {
        if (!parse_let(&parser, NAME_LET, &let) || !parser_skip_newlines(&parser))
            fail_msg("%s: %s", lets, f->error.text);
    }
    assert_true(text_copy(&f->text, &f->arena, "test", condition, strlen(condition), &f->error));
    assert_true(parser_start(&parser, &f->text, &f->arena, f->scope, &f->error));
    return parse_condition(&parser, &expr) ? "" : f->error.text;
}

/* `wanted` is in the message, "" if there is to be none; `hint` is in its hint. */
static void expect_verdict(const char *lets, const char *condition, const char *wanted, const char *hint)
{
    struct expressions f;
    const char *got = verdict(&f, lets, condition);
    if (*wanted ? !strstr(got, wanted) || !strstr(f.error.hint, hint) : *got != '\0')
        fail_msg("%s%s: %s (%s)", lets, condition, got, f.error.hint);
    if (*wanted)
        assert_int_equal(f.error.code, ERROR_INPUT);
    arena_free(&f.arena);
}

static void test_accepted(void **state)
{
    (void)state;
    static const char *const conditions[] = {
        "TILE > 1",
        "n % 16 == 0",
        "device.warp_size == 32",
        "device.kind == \"cuda\" or TILE < 4",
        "i",
        "TILE",
        "true",
        "False",
        "TILE > 1 or True",
        "false or false if TILE else true",
        "\"x\" in device.name",
        "1 if TILE > 2 else 0",
        "\"1\" + device.name == \"1a\"",
        "TILE in [j for j in range(4)]",
        "max([j * TILE for j in range(4)]) > 3 and TILE + 2",
        "TILE in [j for j in range(4) if 1 < 2]",
    };
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        expect_verdict("", conditions[i], "", "");
    expect_verdict("area2 = TILE * n\n", "area2 > 3", "", "");
    expect_verdict("a = TILE\nb = a + 1\n", "b", "", "");
    expect_verdict("debug = false\n", "debug", "", "");
    expect_verdict("debug = false\nalso = debug\n", "also", "", "");
    expect_verdict("limit = 4\n", "TILE > limit", "", "");
    expect_verdict("limit = 4\n", "TILE > 1 and limit", "", "");
    expect_verdict("text = \"a\"\n", "device.name == text", "", "");
}

static void test_strings(void **state)
{
    (void)state;
    static const char whole[] = "this condition is a string, which is always true";
    static const char part[] = "this part of the condition is a string, which is always true";
    expect_verdict("", "\"TILE <= 512\"", whole, "take the quotes off: TILE <= 512");
    expect_verdict("", "('TILE <= 512')", whole, "take the quotes off: TILE <= 512");
    expect_verdict("", "\"TILE <=\"", whole, "compare it");
    expect_verdict("", "\"unknown <= 3\"", whole, "compare it");
    expect_verdict("", "\"TILE\\n\"", whole, "compare it");
    expect_verdict("", "\"\"", "which is always false", "compare it");
    expect_verdict("", "TILE > 1 and \"n < 2\"", part, "take the quotes off: n < 2");
    expect_verdict("", "not \"n < 2\"", part, "take the quotes off: n < 2");
    expect_verdict("", "TILE or (n and not 'b')", part, "compare it");
    expect_verdict("", "TILE == 1 or 'b'", part, "NAME in [\"a\", \"b\"]");
    expect_verdict("", "'n' if TILE else n > 2", part, "take the quotes off: n");
    expect_verdict("a = \"TILE < 2\"\n", "a", whole, "compare it");
    expect_verdict("a = \"TILE < 2\"\nb = a\n", "n and b", part, "compare it");
    expect_verdict("", "TILE in [j for j in range(4) if \"TILE > 3\"]", whole, "take the quotes off: TILE > 3");
    expect_verdict("", "TILE in [j for j in range(4) if j and \"TILE > 3\"]", part, "take the quotes off: TILE > 3");
}

static void test_constants(void **state)
{
    (void)state;
    static const char whole[] = "this condition is constant, so it never changes anything";
    expect_verdict("", "1 < 2", whole, "it reads no parameter");
    expect_verdict("", "1", whole, "it reads no parameter");
    expect_verdict("", "not true", whole, "it reads no parameter");
    expect_verdict("", "1 // 0", whole, "it reads no parameter");
    expect_verdict("", "3 in [j for j in range(4)]", whole, "it reads no parameter");
    expect_verdict("", "max([j * k for j in range(4) for k in range(j)]) > 3", whole, "it reads no parameter");
    expect_verdict("limit = 4\nmore = limit * 2\n", "more > 3", whole, "it reads no parameter");
    expect_verdict("", "TILE == 1 or 2", "this operand of `or` is a constant", "NAME in [1, 2]");
    expect_verdict("", "TILE == 1 and not 2.5", "this operand of `not` is a constant", "");
}

/* Each let reads the one before twice: 2^200 paths lead to the first. */
static void test_many_paths(void **state)
{
    (void)state;
    static char lets[200 * 32] = "a0 = 1\n";
    for (int i = 1; i < 200; i++)
        sprintf(lets + strlen(lets), "a%d = a%d + a%d\n", i, i - 1, i - 1);
    expect_verdict(lets, "a199 > 0", "constant", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_many_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
