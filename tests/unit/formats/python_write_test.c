/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of a space in Python: expectations by hand from Python's grammar and the functions' definitions. */
#include "tests/unit/fixture.h"

#include "tuner/error/text_stream.h"
#include "tuner/formats/python_write.h"
#include "tuner/lang/node.h"
#include "tuner/lang/scope.h"

#include <stdio.h>
#include <stdlib.h>

/* Where n = 100, the device has 132 SMs, and A and B are parameters; the default is A = 2, B = 1. */
static void write_one(const char *expression, const char *wanted, bool constant)
{
    struct fixture f;
    char space[512];
    size_t index;
    bool named;
    struct text_stream stream;
    snprintf(
        space, sizeof space,
        "space s of t\nparam A = [2, 4]\nparam B = [1, 3]\nlet area = A * B\nlet twice = 2 * area\nlet half = n / 8\n"
        "where A > 0 or (%s)\n",
        expression);
    fixture_create(&f,
                   "template t\nsize n = 100\nparameter A\nparameter B\nsource \"t.cu\"\nbuffer x : float[n] out\n"
                   "launch { k<<<1, 1>>>(x) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(x)) }\ncheck x exact\n",
                   space);
    struct value *slots = calloc(scope_count(f.space->scope) + 1, sizeof *slots);
    assert_true(problem_default(f.problem, &index, &named));
    assert_success(problem_slots(f.problem, index, false, slots, &f.error), &f.error);
    struct python_scope scope = {f.template, f.space, slots, NULL, 0};
    /* The second operand alone, without its parentheses. */
    struct expr expr = *f.space->constraints[0].condition;
    expr.root = expr.root->items[1];
    expr.offset += strlen("A > 0 or (");
    expr.length = strlen(expression);
    assert_true(text_stream_open(&stream, &f.error));
    bool done = python_write(stream.out, &expr, &scope, &f.error);
    char *text = text_stream_close(&stream, &f.error);
    if (strcmp(done ? text : f.error.text, wanted) != 0)
        fail_msg("%s becomes %s, not %s", expression, done ? text : f.error.text, wanted);
    struct value value;
    assert_int_equal(python_constant(&expr, &scope, &value), constant);
    free(text);
    free(slots);
    fixture_free(&f);
}

static void test_copied(void **state)
{
    (void)state;
    write_one("A*B  <= 64", "A*B  <= 64", false); /* Python already, spaces included */
    write_one("(A if B > 1 else 2 ** A) in (1, 2)", "(A if B > 1 else 2 ** A) in (1, 2)", false);
    write_one("max(A, B) % 2 == 0 and not A == 'x'", "max(A, B) % 2 == 0 and not A == 'x'", false);
}

static void test_replaced(void **state)
{
    (void)state;
    write_one("n * 2", "200", true);
    write_one("half == 12.5", "True", true);
    write_one("A <= n", "(A <= 100)", false);
    write_one("area > device.sm_count", "((A * B) > 132)", false);
    write_one("twice // n", "((2 * (A * B)) // 100)", false);
    write_one("ceil_div(n, A) < 9", "((-(-100 // A)) < 9)", false);
    write_one("round_up(A, 8) < 9", "(((-(-A // 8)) * 8) < 9)", false);
    write_one("A in pow2(1, 8)", "(A in [1, 2, 4, 8])", false);
    write_one("n - A if not A < n else -A", "((100 - A) if (not (A < 100)) else (-A))", false);
    write_one("1 < A <= n != B", "(1 < A <= 100 != B)", false);
    write_one("A not in [n, B]", "(A not in [100, B])", false);
    write_one("A == n and true", "((A == 100) and True)", false);
    write_one("min(A, n) ** 2", "(min(A, 100) ** 2)", false);
    write_one("A in [1] + [n]", "(A in [1, 100])", false);
}

static void test_refused(void **state)
{
    (void)state;
    write_one("gamma(A) < 1", "T1 cannot express gamma() of a parameter", false);
    write_one("sum_error(A + n) < 1", "T1 cannot express sum_error() of a parameter", false);
    write_one("A in [n * i for i in range(A)]", "T1 cannot express a comprehension over lets, sizes or device fields",
              false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copied),
        cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
