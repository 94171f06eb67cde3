/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_fixture.h"

#include "tuner/formats/t1_expressions.h"

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *identifier;
        bool plain;
    } cases[] = {{"a_1", "a_1", true}, {"_", "_", true},           {"1a", "_1a", false}, {"a-b c", "a_b_c", false},
                 {"", "_", false},     {"\xc3\xa4", "___", false}, {"a\n", "a_", false}};
    struct t1_fixture f;
    t1_fixture_create(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(t1_is_plain_name(cases[i].name), cases[i].plain);
        assert_string_equal(t1_identifier(&f.t1, cases[i].name, &f.error), cases[i].identifier);
    }
    t1_fixture_free(&f);
}

/* block and tile are parameters; n is a size, y a buffer; for and min belong to the language. */
static void test_free_names(void **state)
{
    (void)state;
    static const struct {
        const char *wanted, *got;
    } cases[] = {{"x", "x"}, {"block", "block_"}, {"n", "n_"}, {"y", "y__"}, {"for", "for_"}, {"min", "min_"}};
    struct t1_fixture f;
    struct t1_argument arguments[] = {{.name = "y"}, {.name = NULL}, {.name = "y_"}};
    t1_fixture_create(&f);
    f.t1.sizes[0] = "n";
    f.t1.size_count = 1;
    f.t1.arguments = arguments;
    f.t1.argument_count = 3;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is_free;
        assert_true(t1_name_is_free(&f.t1, cases[i].wanted, &is_free, &f.error));
        assert_int_equal(is_free, strcmp(cases[i].wanted, cases[i].got) == 0);
        assert_string_equal(t1_free_name(&f.t1, cases[i].wanted, &f.error), cases[i].got);
    }
    t1_fixture_free(&f);
}

static void test_expressions(void **state)
{
    (void)state;
    static const struct {
        const char *text, *result, *error;
        unsigned column;
    } cases[] = {
        {"lambda p: p[\"block\"] * tile", "block * tile", NULL, 0},
        {"ProblemSize[0] + math.ceil(0.5)", "n + ceil(0.5)", NULL, 0},
        {"blocks + 1", NULL, "unknown name blocks", 1},
        {"1 +", NULL, "expected", 4},
        {"[block, tile]", NULL, "expected a single value, not a list", 1},
        {"", NULL, "expected", 1},
    };
    struct t1_fixture f;
    struct python_names names;
    t1_fixture_create(&f);
    f.t1.sizes[0] = "n";
    f.t1.size_count = 1;
    assert_true(t1_names(&f.t1, NULL, &names, &f.error));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *result;
        f.error = (struct error){0};
        assert_int_equal(t1_expression(&f.t1, cases[i].text, &names, "Size", &result, &f.error), !cases[i].error);
        if (cases[i].error) {
            assert_mentions(f.error.text, cases[i].error);
            assert_string_equal(f.error.file, "T1.json, Size");
            assert_int_equal(f.error.column, cases[i].column);
        } else {
            assert_string_equal(result, cases[i].result);
        }
    }
    t1_fixture_free(&f);
}

/* Values in place of parameters. */
static void test_fixed(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct python_names names;
    const struct value fixed[] = {value_integer(64), value_integer(-2)};
    const char *result;
    t1_fixture_create(&f);
    assert_true(t1_names(&f.t1, fixed, &names, &f.error));
    assert_true(t1_expression(&f.t1, "block + tile", &names, "here", &result, &f.error));
    assert_string_equal(result, "64 + (-2)");
    t1_fixture_free(&f);
}

static void test_lists(void **state)
{
    (void)state;
    static const struct {
        const char *text, *result;
        size_t count;
        int64_t last;
    } cases[] = {
        {"[1, 2, 3]", "[1, 2, 3]", 3, 3},
        {"1, 2, 3", "[1, 2, 3]", 3, 3},
        {"(4, 5)", "(4, 5)", 2, 5},
        {"7", "[7]", 1, 7},
        {"[2**i for i in range(0, 5)]", "[2**i for i in range(0, 5)]", 5, 16},
        {"[]", "[]", 0, 0},
        {"range(3)", "range(3)", 3, 2},
    };
    struct t1_fixture f;
    t1_fixture_create(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *result;
        struct value *values = NULL;
        size_t count;
        assert_success(t1_list(&f.t1, cases[i].text, "Values", &result, &values, &count, &f.error), &f.error);
        assert_string_equal(result, cases[i].result);
        assert_int_equal(count, cases[i].count);
        if (count)
            assert_int_equal(values[count - 1].integer, cases[i].last);
        free(values);
    }
    static const struct {
        const char *text, *error;
    } wrong[] = {{"[1, 2", "this '[' is never closed"}, {"block, 2", "unknown name block"}, {"1 2", "expected"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *result;
        struct value *values = NULL;
        size_t count;
        assert_false(t1_list(&f.t1, wrong[i].text, "Values", &result, &values, &count, &f.error));
        assert_mentions(f.error.text, wrong[i].error);
        assert_string_equal(f.error.file, "T1.json, Values");
        free(values);
    }
    t1_fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names), cmocka_unit_test(test_free_names), cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_fixed), cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
