/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel Tuner's expressions in tune's language. */
#include "tests/unit/fixture.h"

#include "tuner/formats/python_text.h"

#include <stdio.h>

static void expect_text(const char *text, const char *wanted)
{
    struct value tiles[] = {value_integer(3), value_integer(-7), value_integer(5)};
    struct python_parameter parameters[] = {
        {"block_size_x", NULL, 0, {.kind = VALUE_UNSET}},
        {"tile", tiles, 3, {.kind = VALUE_UNSET}},
    };
    const char *const sizes[] = {"n", "m"};
    struct python_names names = {parameters, 2, sizes, 2, true};
    struct arena arena = {0};
    struct error error = {0};
    char got[1200];
    const char *result = python_text(&arena, text, &names, "here", &error);
    snprintf(got, sizeof got, "%s%s", result ? "" : "error: ", result ? result : error.text);
    if (strcmp(got, wanted) != 0)
        fail_msg("%s becomes %s, not %s", text, got, wanted);
    arena_free(&arena);
}

static void test_python_text(void **state)
{
    (void)state;
    expect_text("block_size_x*tile <= 1024", "block_size_x*tile <= 1024");
    expect_text("  1 <= block_size_x\n and True ", "1 <= block_size_x  and True");
    expect_text("lambda p: p[\"block_size_x\"] * p['tile'] <= 1024", "block_size_x * tile <= 1024");
    expect_text("lambda p : p[ 'tile' ]>1", "tile>1");
    expect_text("lambda block_size_x, tile: block_size_x % tile == 0", "block_size_x % tile == 0");
    expect_text("lambda p: pp[1] == 'p[\"tile\"]'", "pp[1] == 'p[\"tile\"]'");
    expect_text("math.ceil(tile / 2) + np.log2(4) + numpy.floor(1.5)", "ceil(tile / 2) + log2(4) + floor(1.5)");
    expect_text("ProblemSize[0] * ProblemSize[ 1 ]", "n * m");
    expect_text("ProblemSize[2]", "error: here: ProblemSize[2] is out of range: ProblemSize has 2 extents");
    expect_text("max(tile) - min( tile ) + max(tile, 1)", "5 - (-7) + max(tile, 1)");
    expect_text("maximum(tile)", "maximum(tile)");
    expect_text("0x1f + 1e3 + 1.max", "0x1f + 1e3 + 1.max");
    expect_text("'it\\'s block_size_x'", "'it\\'s block_size_x'");
    expect_text("'never closed", "'never closed");
    expect_text("lambda a, b: a < b",
                "error: here: this lambda cannot be converted to a constraint: lambda a, b: a < b");
    expect_text("lambda", "error: here: this lambda cannot be converted to a constraint: lambda");
}

static void test_fixed_values(void **state)
{
    (void)state;
    struct python_parameter parameters[] = {
        {"a", NULL, 0, {.kind = VALUE_INTEGER, .integer = -4}},
        {"b", NULL, 0, {.kind = VALUE_STRING, .string = "fast"}},
    };
    struct python_names names = {.parameters = parameters, .parameter_count = 2};
    struct arena arena = {0};
    struct error error = {0};
    assert_string_equal(python_text(&arena, "2 * a + ab if b == 'a' else a_", &names, "", &error),
                        "2 * (-4) + ab if \"fast\" == 'a' else a_");
    assert_string_equal(python_text(&arena, "'\\'a' + a", &names, "", &error), "'\\'a' + (-4)");
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_python_text),
        cmocka_unit_test(test_fixed_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
