/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranges against the operators on values: the result for every pair of values must lie in the range, which must say
 * that it may fail if any pair does. Simple cases must be tight.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/space/range.h"

#include <float.h>

enum { SET = 4, TRIALS = 10000 };

static uint64_t random_state = 1;

static unsigned pick(unsigned count)
{
    random_state = random_state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(random_state >> 33) % count;
}

static struct value random_value(void)
{
    static const int64_t integers[] = {0,
                                       1,
                                       2,
                                       3,
                                       7,
                                       8,
                                       64,
                                       1000,
                                       -1,
                                       -2,
                                       -5,
                                       -64,
                                       INT64_MAX,
                                       INT64_MIN,
                                       ((int64_t)1 << 53) + 1,
                                       -((int64_t)1 << 53) - 1,
                                       (int64_t)1 << 62};
    static const double reals[] = {0.0, -0.0, 0.5, 1.0, 2.5, -0.25, -3.0, 1e300, -1e300, 9.3e18, 1e-300, 100.1};
    switch (pick(16)) {
    case 0:
        return value_boolean(pick(2));
    case 1:
        return value_string(pick(2) ? "a" : "b");
    case 2:
    case 3:
    case 4:
        return value_float(reals[pick(sizeof reals / sizeof *reals)]);
    default:
        return value_integer(integers[pick(sizeof integers / sizeof *integers)]);
    }
}

struct set {
    struct value values[SET];
    unsigned count;
    struct range range;
};

static struct set random_set(void)
{
    struct set set = {.count = 1 + pick(SET)};
    for (unsigned i = 0; i < set.count; i++) {
        set.values[i] = random_value();
        set.range = i ? range_hull(set.range, range_of(set.values[i])) : range_of(set.values[i]);
    }
    return set;
}

static bool holds(struct range range, struct value value)
{
    if (value.kind == VALUE_STRING)
        return range.kinds & RANGE_STRING;
    double real = arithmetic_real(value);
    return range.kinds & (value.kind == VALUE_FLOAT ? RANGE_FLOAT : RANGE_INTEGER) && range.low <= real &&
           real <= range.high;
}

static void check(struct range range, bool succeeds, struct value value)
{
    assert_true(succeeds ? holds(range, value) : range.fails);
}

static void test_operators(void **state)
{
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct set a = random_set(), b = random_set();
        struct value value;
        for (int o = OPERATION_ADD; o <= OPERATION_SHIFT_RIGHT; o++) {
            enum operation operation = (enum operation)o;
            struct range range = range_binary(operation, a.range, b.range);
            for (unsigned i = 0; i < a.count * b.count; i++) {
                bool fine =
                    arithmetic_binary(operation, a.values[i % a.count], b.values[i / a.count], &value) == FAULT_NONE;
                check(range, fine, value);
            }
        }
        for (int o = OPERATION_NEGATE; o <= OPERATION_INVERT; o++) {
            struct range range = range_unary((enum operation)o, a.range);
            for (unsigned i = 0; i < a.count; i++) {
                bool fine = arithmetic_unary((enum operation)o, a.values[i], &value) == FAULT_NONE;
                check(range, fine, value);
            }
        }
        struct range truth = range_of_truth(a.range);
        for (unsigned i = 0; i < a.count; i++)
            check(truth, true, value_boolean(value_truth(a.values[i])));
    }
}

static bool compare(enum comparison comparison, struct value a, struct value b, bool *result)
{
    enum order order = arithmetic_order(a, b);
    *result = comparison == COMPARE_NOT_EQUAL;
    if (order == ORDER_NONE)
        return comparison == COMPARE_EQUAL || comparison == COMPARE_NOT_EQUAL;
    *result = comparison == COMPARE_LESS            ? order == ORDER_LESS
              : comparison == COMPARE_LESS_EQUAL    ? order != ORDER_GREATER
              : comparison == COMPARE_GREATER       ? order == ORDER_GREATER
              : comparison == COMPARE_GREATER_EQUAL ? order != ORDER_LESS
              : comparison == COMPARE_EQUAL         ? order == ORDER_EQUAL
                                                    : order != ORDER_EQUAL;
    return true;
}

static void test_comparisons(void **state)
{
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct set a = random_set(), b = random_set();
        for (int c = COMPARE_LESS; c <= COMPARE_NOT_EQUAL; c++) {
            struct range range = range_compare((enum comparison)c, a.range, b.range);
            for (unsigned i = 0; i < a.count * b.count; i++) {
                bool result;
                bool fine = compare((enum comparison)c, a.values[i % a.count], b.values[i / a.count], &result);
                check(range, fine, value_boolean(result));
            }
        }
    }
}

static void test_functions(void **state)
{
    (void)state;
    static const enum function of_one[] = {FUNCTION_ABS,   FUNCTION_CEIL, FUNCTION_FLOOR,
                                           FUNCTION_ROUND, FUNCTION_INT,  FUNCTION_FLOAT,
                                           FUNCTION_SQRT,  FUNCTION_LOG2, FUNCTION_GAMMA};
    const struct place nowhere = {.file = NULL};
    struct value value;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct set a = random_set(), b = random_set();
        for (size_t f = 0; f < sizeof of_one / sizeof *of_one; f++) {
            struct range range = range_call(of_one[f], &a.range);
            for (unsigned i = 0; i < a.count; i++)
                check(range, functions[of_one[f]].apply(&a.values[i], nowhere, &value, NULL), value);
        }
        for (unsigned i = 0; i < a.count * b.count; i++) {
            const struct range ranges[] = {a.range, b.range};
            const struct value values[] = {a.values[i % a.count], b.values[i / a.count]};
            bool done = functions[FUNCTION_CEIL_DIV].apply(values, nowhere, &value, NULL);
            check(range_call(FUNCTION_CEIL_DIV, ranges), done, value);
            done = functions[FUNCTION_ROUND_UP].apply(values, nowhere, &value, NULL);
            check(range_call(FUNCTION_ROUND_UP, ranges), done, value);
            enum order order = arithmetic_order(values[0], values[1]);
            check(range_extremum(FUNCTION_MIN, a.range, b.range), order != ORDER_NONE,
                  values[order == ORDER_GREATER]);
            check(range_extremum(FUNCTION_MAX, a.range, b.range), order != ORDER_NONE, values[order == ORDER_LESS]);
        }
    }
}

static struct range whole(double low, double high)
{
    return (struct range){low, high, RANGE_INTEGER, false};
}

static void assert_range(struct range range, double low, double high)
{
    assert_true(range.low == low);
    assert_true(range.high == high);
    assert_int_equal(range.kinds, RANGE_INTEGER);
    assert_false(range.fails);
}

/* Bounds by hand. */
static void test_tight(void **state)
{
    (void)state;
    assert_range(range_binary(OPERATION_ADD, whole(1, 4), whole(-2, 3)), -1, 7);
    assert_range(range_binary(OPERATION_SUBTRACT, whole(1, 4), whole(-2, 3)), -2, 6);
    assert_range(range_binary(OPERATION_MULTIPLY, whole(-2, 4), whole(-3, 5)), -12, 20);
    assert_range(range_binary(OPERATION_FLOOR_DIVIDE, whole(7, 100), whole(2, 10)), 0, 50);
    assert_range(range_binary(OPERATION_MODULO, whole(0, 100), whole(1, 8)), 0, 7);
    assert_range(range_binary(OPERATION_MODULO, whole(2, 5), whole(6, 8)), 2, 5);
    assert_range(range_binary(OPERATION_SHIFT_RIGHT, whole(0, 100), whole(0, 8)), 0, 100);
    assert_range(range_binary(OPERATION_AND, whole(0, 100), whole(0, 7)), 0, 7);
    assert_range(range_unary(OPERATION_NEGATE, whole(-2, 5)), -5, 2);
    assert_range(range_unary(OPERATION_INVERT, whole(-2, 5)), -6, 1);
    assert_range(range_call(FUNCTION_ABS, (const struct range[]){whole(-7, 5)}), 0, 7);
    assert_range(range_extremum(FUNCTION_MIN, whole(1, 9), whole(3, 5)), 1, 5);
    assert_range(range_extremum(FUNCTION_MAX, whole(1, 9), whole(3, 5)), 3, 9);
    assert_true(range_is_true(range_compare(COMPARE_LESS, whole(1, 4), whole(5, 6))));
    assert_true(range_is_false(range_compare(COMPARE_LESS, whole(5, 6), whole(1, 5))));
    assert_true(range_is_false(range_compare(COMPARE_EQUAL, whole(1, 4), range_of(value_string("4")))));
    assert_false(range_is_true(range_compare(COMPARE_LESS_EQUAL, whole(1, 5), whole(4, 6))));
    assert_true(range_binary(OPERATION_FLOOR_DIVIDE, whole(1, 2), whole(0, 1)).fails);
    assert_false(range_is_true(range_unknown()) || range_is_false(range_unknown()));
}

/* range_know equals range_of, below and above 2^53. */
static void test_know(void **state)
{
    (void)state;
    const int64_t two_53 = (int64_t)1 << 53;
    const struct value values[] = {value_integer(two_53),    value_integer(two_53 + 1), value_integer(-two_53 - 1),
                                   value_integer(INT64_MAX), value_float(0.5),          value_boolean(true),
                                   value_string("x"),        {.kind = VALUE_UNSET}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct range known, expected = range_of(values[i]);
        range_know(values[i], &known);
        assert_true(known.low == expected.low && known.high == expected.high);
        assert_true(known.kinds == expected.kinds && known.fails == expected.fails);
    }
    assert_true(range_of(value_integer(two_53 + 1)).high > (double)two_53);
    assert_true(range_of(values[7]).fails);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators), cmocka_unit_test(test_comparisons), cmocka_unit_test(test_functions),
        cmocka_unit_test(test_tight),     cmocka_unit_test(test_know),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
