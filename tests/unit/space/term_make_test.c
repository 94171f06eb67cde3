/* SPDX-License-Identifier: Apache-2.0 */
/* What is simplified; term_value_test.c checks that the values stay the same. */
#include "tests/unit/space/space_fixture.h"

#include "tuner/space/term_make.h"

static const struct term *condition(const struct terms_fixture *fixture, size_t i)
{
    return &fixture->terms.items[fixture->conditions[i]];
}

/* Pairs of constraints that become the same term. */
static void test_same(void **state)
{
    (void)state;
    struct terms_fixture fixture;
    terms_fixture_create(&fixture, "param A = [1, 2, 4]\nparam B = [1, 2, 3]\nparam C = [0, 1]\nlet p = A * B\n"
                                   "where A * B <= 4\nwhere p <= 2 * 2\n"
                                   "where A > 1 and (B > 1 and C > 0)\nwhere (A > 1 and B > 1) and C > 0\n"
                                   "where not (A > 1 and B > 1)\nwhere not A > 1 or not B > 1\n"
                                   "where not (not A > 1)\nwhere A > 1\n"
                                   "where not A == B\nwhere A != B\n"
                                   "where min(A, B) >= 2\nwhere A >= 2 and B >= 2\n"
                                   "where 2 >= max(A, B)\nwhere 2 >= A and 2 >= B\n"
                                   "where min(A, B, C) >= 1\nwhere min(min(A, B), C) >= 1\n"
                                   "where A > 1 and B < 9 and 3 > 2\nwhere A > 1\n"
                                   "where A > 1 or 1 > 2\nwhere A > 1\n"
                                   "where A if n == 6 else 1 // 0\nwhere A\n"
                                   "where 4 // C > 1 and 1 > 2 and B > 1\nwhere 4 // C > 1 and 1 > 2\n"
                                   "where 1 < A < 4\nwhere 1 < A and A < 4\n"
                                   "where A not in [1, 2]\nwhere not (A in [1, 2])\n");
    for (size_t i = 0; i < fixture.count; i += 2) {
        if (fixture.conditions[i] != fixture.conditions[i + 1])
            fail_msg("constraints %zu and %zu are different terms", i, i + 1);
    }
    terms_fixture_free(&fixture);
}

/* Folded to constants, some because of ranges. An expression that always fails becomes a constant without a value. */
static void test_constants(void **state)
{
    (void)state;
    struct terms_fixture fixture;
    const struct value expected[] = {value_boolean(true), value_boolean(false),  value_boolean(true),
                                     value_integer(13),   {.kind = VALUE_UNSET}, value_boolean(false),
                                     value_boolean(true), value_string("cuda")};
    terms_fixture_create(&fixture, "param A = [1, 2, 4]\nparam B = [1, 2, 3]\n"
                                   "where A < 5\nwhere A + B > 7\nwhere A > B or A * B > 0\nwhere n * 2 + 1\n"
                                   "where 1 // (n - 6)\nwhere A == \"x\"\nwhere not A == \"x\"\nwhere device.kind\n");
    for (size_t i = 0; i < fixture.count; i++) {
        const struct term *term = condition(&fixture, i);
        assert_int_equal(term->kind, TERM_CONSTANT);
        assert_int_equal(term->constant.kind, expected[i].kind);
        if (expected[i].kind != VALUE_UNSET)
            assert_true(value_equal(term->constant, expected[i]));
    }
    terms_fixture_free(&fixture);
}

/* Operands that may fail keep their place: earlier ones may guard them. */
static void test_failures_stay(void **state)
{
    (void)state;
    struct terms_fixture fixture;
    terms_fixture_create(&fixture, "param A = [0, 2]\nparam B = [1, 2]\n"
                                   "where 4 // A > 1 and A < 9\nwhere 4 // A > 1 and False\n"
                                   "where A != 0 and 4 // A > 1\nwhere min(4 // A, B) >= 1\n");
    assert_int_equal(condition(&fixture, 0)->kind, TERM_COMPARE); /* A < 9 always holds */
    assert_int_equal(condition(&fixture, 1)->kind, TERM_AND);     /* fails for A = 0, else False */
    assert_int_equal(condition(&fixture, 2)->kind, TERM_AND);
    assert_int_equal(condition(&fixture, 2)->count, 2);
    assert_int_equal(condition(&fixture, 3)->kind, TERM_COMPARE); /* not two comparisons: both must be evaluated */
    for (size_t i = 0; i < 4; i++)
        assert_true(condition(&fixture, i)->range.fails);
    terms_fixture_free(&fixture);
}

static void test_truth(void **state)
{
    (void)state;
    struct terms_fixture fixture;
    terms_fixture_create(&fixture, "param A = [0, 2]\nparam B = [1, 2]\nwhere A\nwhere A > B\n");
    term_id truth = term_truth(&fixture.terms, fixture.conditions[0]);
    assert_int_equal(fixture.terms.items[truth].kind, TERM_TRUTH);
    assert_int_equal(term_truth(&fixture.terms, truth), truth);
    assert_int_equal(term_truth(&fixture.terms, fixture.conditions[1]), fixture.conditions[1]);
    /* B is never zero. */
    term_id certain = term_truth(&fixture.terms, fixture.variables[1]);
    assert_int_equal(certain, term_constant(&fixture.terms, value_boolean(true)));
    assert_int_equal(term_not(&fixture.terms, term_not(&fixture.terms, truth)), truth);
    terms_fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_failures_stay),
        cmocka_unit_test(test_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
