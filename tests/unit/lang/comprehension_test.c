/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/expressions.h"

static void test_errors(void **state)
{
    (void)state;
    expect("max([[1, 2] for i in [1]])", "error: a list cannot be used as a value");
    expect("max([i for i in 3])", "error: expected a list after `in`, found a single value");
    expect("max([i for j in [1]])", "error: unknown name i");
    expect("max([1 for i in [i]])", "error: unknown name i");
    expect("max([i for i in [1]] + [i])", "error: unknown name i");
    expect("max([1 for TILE in [1]])", "error: TILE is already a parameter");
    expect("max([1 for i in [1] for i in [2]])", "error: i is already a variable of this comprehension");
    expect("max([1 for max in [1]])", "error: max is a function and cannot be a comprehension variable");
    expect("max([1 2 for i in [1]])", "error: expected 'for', found '2'");
    expect("max([1 for i in [1] 2])", "error: expected ']', found '2'");
    expect("max([for i in [1]])", "error: expected a value, found 'for'");
    expect("max([1 for i of [1]])", "error: expected 'in', found 'of'");
    expect("max(i for i in [1], 2)", "error: expected ')', found ','");
    expect("[i for i in [1]]", "error: a list cannot be used as a value");
    expect("list(3)", "error: list() takes a list");
    expect("list([1], [2])", "error: list() takes 1 argument, not 2");
    expect("min([1 for i in range(3000) for j in range(3000)])",
           "error: this comprehension takes more than 4194304 steps");
    expect("min([1 for i in range(3000) if min(range(3000)) < 0])",
           "error: this comprehension takes more than 4194304 steps");
    expect("max([10 // i for i in [1, 0]])", "error: division by zero");
}

/* Against the loops that they stand for. */
static void test_nested_loops(void **state)
{
    (void)state;
    char wanted[256] = "";
    for (int i = 1; i < 4; i++) {
        for (int j = i; j < 5; j++) {
            if ((i + j) % 2 == 0)
                sprintf(wanted + strlen(wanted), "%s%d", *wanted ? " " : "", 10 * i + j);
        }
    }
    expect_list("[10 * i + j for i in range(1, 4) for j in range(i, 5) if (i + j) % 2 == 0]", wanted);
    expect_list("[i for i in [1, 2] if 0]", "");
    expect_list("[i for i in []]", "");
    expect_list("[max([i * j for j in [1, 2]] + [j for j in [3]]) for i in [1, 2]]", "3 4");
    expect_list("[i for i in [j * j for j in range(4)] if i in [k for k in (1, 9)]]", "1 9");
    expect_list("[i for i in ([1] if 1 else [2])]", "1");
    expect_list("[(i) if i > 1 else 0 for i in [1, 2]]", "0 2");
}

/* Names end with their comprehension, and mean what is inside even where the element stands in front. */
static void test_names(void **state)
{
    (void)state;
    expect_list("[i for i in [1]] + [i for i in [2]]", "1 2");
    expect_list("[2 in [i, 2] for i in [1]]", "true");
    expect("max([i for j in [1] for i in [j]])", "1");
    expect("max([j for j in [i] for i in [1]])", "error: unknown name i");
    expect("max([device.warp_size for device in [1]])",
           "error: device is a reserved word and cannot be a comprehension variable");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_nested_loops),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
