/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/solution_fixture.h"

#include "tuner/space/solve.h"

static void create(struct space_fixture *fixture, const char *text)
{
    space_fixture_create(fixture, text);
    assert_success(solve(&fixture->domain, NULL, 0, 100000, &fixture->parsed.error), &fixture->parsed.error);
}

/* Brute force: exactly the valid points have numbers, and each number leads back to its point. */
static void test_numbers(void **state)
{
    (void)state;
    struct space_fixture fixture;
    uint16_t point[8] = {0}, back[8];
    size_t count = 0, index;
    create(&fixture, "param A = range(1, 13)\nparam B = [1, 2, 4]\nparam C = [\"x\", \"y\"]\n"
                     "where A % B == 0\nwhere A < 9 or C == \"y\"\n");
    const struct domain *domain = &fixture.domain;
    do {
        bool valid = judge_point(domain, 2, point) == VERDICT_PASSED;
        assert_int_equal(domain_find(domain, point, &index), valid);
        if (!valid)
            continue;
        count++;
        domain_point(domain, index, back);
        assert_memory_equal(point, back, 3 * sizeof *point);
    } while (next_point(domain, point));
    assert_int_equal(domain->count, count);
    space_fixture_free(&fixture);
}

/* 2^53 and 2^53 + 1 round to the same double. */
static void test_large_integers(void **state)
{
    (void)state;
    struct space_fixture fixture;
    create(&fixture,
           "param A = [9007199254740992, 9007199254740993]\nparam B = [9007199254740992, 9007199254740993]\n"
           "where A > B\n");
    assert_int_equal(fixture.domain.count, 1);
    space_fixture_free(&fixture);
}

/* The default is the first configuration with the values that the space names. */
static void test_defaults(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool named;
        int64_t a, b;
    } cases[] = {
        {"default A = 4\n", true, 4, 1},         {"default B = 2, A = 4\n", true, 4, 2},
        {"default B = 3, A = 4\n", true, 4, 3},  {"default A = 5\n", false, 0, 0}, /* not one of its values */
        {"default A = 1, B = 2\n", false, 0, 0}, {"", false, 0, 0},
        {"default A = n - 2\n", true, 4, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct space_fixture fixture;
        char text[200];
        uint16_t point[8];
        snprintf(text, sizeof text, "set C = 9\nparam A = [1, 2, 4]\nparam B = [1, 2, 3]\nwhere A >= B\n%s",
                 cases[i].text);
        create(&fixture, text);
        assert_int_equal(fixture.domain.named, cases[i].named);
        if (cases[i].named) {
            domain_point(&fixture.domain, fixture.domain.chosen, point);
            assert_int_equal(domain_value(space_fixture_variable(&fixture, 0), point).integer, cases[i].a);
            assert_int_equal(domain_value(space_fixture_variable(&fixture, 1), point).integer, cases[i].b);
        }
        space_fixture_free(&fixture);
    }
}

/* Configurations of a former member are left out. */
static void test_formers(void **state)
{
    (void)state;
    struct space_fixture one, other;
    create(&one, "param A = range(1, 9)\nparam B = range(1, 9)\nwhere A * B <= 16\n");
    space_fixture_create(&other, "param A = range(3, 12)\nparam B = range(1, 5)\nwhere A % B == 0\n");
    const struct domain *const formers[] = {&one.domain};
    assert_true(solve(&other.domain, formers, 1, 100000, NULL));
    size_t expected = 0;
    for (int a = 3; a < 12; a++) {
        for (int b = 1; b < 5; b++)
            expected += a % b == 0 && !(a < 9 && a * b <= 16);
    }
    assert_int_equal(other.domain.count, expected);
    space_fixture_free(&one);
    space_fixture_free(&other);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        size_t effort;
        unsigned line;
    } cases[] = {
        {"param A = [0, 1]\nparam B = [3]\nwhere B % A == 0\n", "zero (A = 0, B = 3)", 100, 4},
        {"param A = [0, 1]\nlet q = 4 // A\nwhere q > 2\n", "zero (A = 0)", 100, 3},
        {"param A = [\"x\", 1]\nwhere A + 1 > 0\n", "(A = \"x\")", 100, 3},
        {"param A = range(2000)\nparam B = range(2000)\nwhere A ^ B != 77\n", "more than 2 million values", 2000000,
         0},
        {"param A = range(60000)\nparam B = range(60000)\nparam C = range(60000)\nparam D = range(60000)\n",
         "1.3e+19 valid configurations", 1000000, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct space_fixture fixture;
        struct error *error = &fixture.parsed.error;
        space_fixture_create(&fixture, cases[i].text);
        assert_false(solve(&fixture.domain, NULL, 0, cases[i].effort, error));
        assert_int_equal(error->code, ERROR_INPUT);
        assert_mentions(error->text, cases[i].message);
        assert_int_equal(error->line, cases[i].line);
        space_fixture_free(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_large_integers), cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_formers), cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
