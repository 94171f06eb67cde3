/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operators against 128-bit integers and C's own doubles, at extreme operands and at random ones. That they mean what
 * they mean in Python is expression_test's matter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/arithmetic.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 wide;

static const int64_t extremes[] = {INT64_MIN,
                                   INT64_MIN + 1,
                                   -((int64_t)1 << 53) - 1,
                                   -65,
                                   -64,
                                   -63,
                                   -7,
                                   -3,
                                   -2,
                                   -1,
                                   0,
                                   1,
                                   2,
                                   3,
                                   7,
                                   62,
                                   63,
                                   64,
                                   65,
                                   ((int64_t)1 << 31),
                                   ((int64_t)1 << 53) + 1,
                                   INT64_MAX - 1,
                                   INT64_MAX};
enum { EXTREMES = sizeof extremes / sizeof *extremes, RANDOM = 20000 };

/* xorshift64* (Vigna, ACM Trans. Math. Softw. 42, 2016), narrowed to a random width so that all sizes occur. */
static int64_t random_integer(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    uint64_t bits = *seed * UINT64_C(2685821657736338717);
    return (int64_t)bits >> (bits % 64);
}

static wide floor_quotient(wide a, wide b)
{
    wide quotient = a / b;
    return quotient - (quotient * b != a && (a < 0) != (b < 0));
}

/* a * b**n if it stays within 80 bits, which is more than any result may have. */
static bool power(wide base, int64_t exponent, wide *result)
{
    const wide limit = (wide)1 << 80;
    *result = 1;
    for (int64_t i = 0; i < exponent; i++) {
        if (base == 0 || base == 1 || base == -1) {
            *result = base == 0 ? 0 : base == 1 || exponent % 2 == 0 ? 1 : -1;
            return true;
        }
        if (*result > limit / (base < 0 ? -base : base) || *result < -limit / (base < 0 ? -base : base))
            return false;
        *result *= base;
    }
    return true;
}

/* The exact result; false if there is none in 128 bits. */
static bool exact(enum operation operation, int64_t a, int64_t b, wide *result)
{
    switch (operation) {
    case OPERATION_ADD:
        *result = (wide)a + b;
        return true;
    case OPERATION_SUBTRACT:
        *result = (wide)a - b;
        return true;
    case OPERATION_MULTIPLY:
        *result = (wide)a * b;
        return true;
    case OPERATION_FLOOR_DIVIDE:
        *result = floor_quotient(a, b);
        return true;
    case OPERATION_MODULO:
        *result = (wide)a - floor_quotient(a, b) * b;
        return true;
    case OPERATION_POWER:
        return power(a, b, result);
    case OPERATION_SHIFT_LEFT:
        if (a != 0 && b > 63)
            return false;
        *result = a == 0 ? 0 : (wide)a * ((wide)1 << b);
        return true;
    default: /* OPERATION_SHIFT_RIGHT: the quotient by a power of two, rounded down */
        *result = b > 63 ? (a < 0 ? -1 : 0) : floor_quotient(a, (wide)1 << b);
        return true;
    }
}

static void check_integers(int64_t a, int64_t b)
{
    static const enum operation operations[] = {OPERATION_ADD,        OPERATION_SUBTRACT,     OPERATION_MULTIPLY,
                                                OPERATION_POWER,      OPERATION_FLOOR_DIVIDE, OPERATION_MODULO,
                                                OPERATION_SHIFT_LEFT, OPERATION_SHIFT_RIGHT};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        enum operation operation = operations[i];
        struct value got;
        enum fault fault = arithmetic_binary(operation, value_integer(a), value_integer(b), &got);
        bool divides = operation == OPERATION_FLOOR_DIVIDE || operation == OPERATION_MODULO;
        bool shifts = operation == OPERATION_SHIFT_LEFT || operation == OPERATION_SHIFT_RIGHT;
        if (divides && b == 0) {
            assert_int_equal(fault, FAULT_ZERO);
        } else if (shifts && b < 0) {
            assert_int_equal(fault, FAULT_SHIFT);
        } else if (operation == OPERATION_POWER && b < 0) {
            if (a == 0)
                assert_int_equal(fault, FAULT_ZERO);
            else
                assert_true(fault == FAULT_NONE && got.kind == VALUE_FLOAT);
        } else {
            wide wanted;
            bool fits = exact(operation, a, b, &wanted) && wanted >= INT64_MIN && wanted <= INT64_MAX;
            if (fault != (fits ? FAULT_NONE : FAULT_OVERFLOW) || (fits && got.integer != (int64_t)wanted))
                fail_msg("operation %d of %jd and %jd", (int)operation, (intmax_t)a, (intmax_t)b);
        }
    }
}

static void test_integers(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t i = 0; i < EXTREMES * EXTREMES; i++)
        check_integers(extremes[i / EXTREMES], extremes[i % EXTREMES]);
    for (int i = 0; i < RANDOM; i++) {
        int64_t a = random_integer(&seed);
        check_integers(a, random_integer(&seed));
    }
}

static void test_bits(void **state)
{
    (void)state;
    struct value got;
    uint64_t seed = 2;
    for (int i = 0; i < RANDOM; i++) {
        int64_t a = random_integer(&seed), b = random_integer(&seed);
        assert_int_equal(arithmetic_binary(OPERATION_AND, value_integer(a), value_integer(b), &got), FAULT_NONE);
        assert_true(got.integer == (a & b));
        assert_int_equal(arithmetic_binary(OPERATION_OR, value_integer(a), value_integer(b), &got), FAULT_NONE);
        assert_true(got.integer == (a | b));
        assert_int_equal(arithmetic_binary(OPERATION_XOR, value_integer(a), value_integer(b), &got), FAULT_NONE);
        assert_true(got.integer == (a ^ b));
        assert_int_equal(arithmetic_unary(OPERATION_INVERT, value_integer(a), &got), FAULT_NONE);
        assert_true(got.integer == -1 - a);
    }
    /* Of two booleans the result is one, as in Python; of one it is an integer. */
    assert_int_equal(arithmetic_binary(OPERATION_AND, value_boolean(true), value_boolean(false), &got), FAULT_NONE);
    assert_true(got.kind == VALUE_BOOLEAN && !got.boolean);
    assert_int_equal(arithmetic_binary(OPERATION_XOR, value_boolean(true), value_integer(3), &got), FAULT_NONE);
    assert_true(got.kind == VALUE_INTEGER && got.integer == 2);
}

/*
 * a / b is rounded once, for |a| >= |b|: with |a / b| = m * 2**e for 53 bits of m, a is at most half of b's share of
 * a unit in the last place away from m * b * 2**e, which is compared in integers.
 */
static void check_rounded_once(int64_t a, int64_t b, double quotient)
{
    int exponent;
    const int64_t mantissa = (int64_t)ldexp(frexp(fabs(quotient), &exponent), 53);
    const int shift = exponent - 53;
    wide exact_a = a < 0 ? -(wide)a : a, exact_b = b < 0 ? -(wide)b : b;
    if (shift < 0)
        exact_a *= (wide)1 << -shift;
    else
        exact_b *= (wide)1 << shift;
    wide distance = exact_a - mantissa * exact_b;
    if (2 * (distance < 0 ? -distance : distance) > exact_b)
        fail_msg("%jd / %jd is not %.17g", (intmax_t)a, (intmax_t)b, quotient);
}

static void check_true_division(int64_t a, int64_t b)
{
    const wide exact = (wide)1 << 53;
    struct value got;
    if (b == 0)
        return;
    assert_int_equal(arithmetic_binary(OPERATION_DIVIDE, value_integer(a), value_integer(b), &got), FAULT_NONE);
    assert_int_equal(got.kind, VALUE_FLOAT);
    if (a >= -exact && a <= exact && b >= -exact && b <= exact)
        assert_true(got.real == (double)a / (double)b);
    wide magnitude_a = a < 0 ? -(wide)a : a, magnitude_b = b < 0 ? -(wide)b : b;
    if (magnitude_a >= magnitude_b)
        check_rounded_once(a, b, got.real);
    assert_true(a == 0 || (got.real < 0) == ((a < 0) != (b < 0)));
    double wanted = (double)((long double)a / (long double)b); /* rounded twice: within a unit in the last place */
    assert_true(fabs(got.real - wanted) <= fabs(wanted) * DBL_EPSILON);
}

static void test_true_division(void **state)
{
    (void)state;
    struct value got;
    uint64_t seed = 3;
    for (size_t i = 0; i < EXTREMES * EXTREMES; i++)
        check_true_division(extremes[i / EXTREMES], extremes[i % EXTREMES]);
    for (int i = 0; i < 10 * RANDOM; i++) {
        int64_t a = random_integer(&seed);
        check_true_division(a, random_integer(&seed));
    }
    /* What Python 3 gives; through 80-bit floats the first four would be rounded to a neighbour. */
    static const struct {
        int64_t a, b;
        double wanted;
    } cases[] = {
        {3434537508400832418, 13686453030442346, 0x1.f5e37c90ae9c3p+7},
        {4472874413676399345, 1268522183805307086, 0x1.c355a6ed2ee9bp+1},
        {1714885868727072713, 2174838215113623073, 0x1.93b7d5c95c499p-1},
        {1963960180973533502, 524879074174109636, 0x1.def14893a4fedp+1},
        {2896703975750756721, 1592062032634564151, 0x1.d1c8932095c3dp+0}, /* just above a tie */
        {2758622999923895518, 1940392174554475499, 0x1.6bf36e828cd9fp+0}, /* just above a tie */
        {INT64_MIN, 3, -0x1.5555555555555p+61},
        {INT64_MIN, -1, 0x1p63},
        {5, INT64_MIN, -0x1.4p-61},
        {1, INT64_MAX, 0x1p-63},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arithmetic_binary(OPERATION_DIVIDE, value_integer(cases[i].a), value_integer(cases[i].b), &got);
        assert_true(got.real == cases[i].wanted);
    }
    assert_int_equal(arithmetic_binary(OPERATION_DIVIDE, value_integer(1), value_integer(0), &got), FAULT_ZERO);
}

/* a == (a // b) * b + a % b up to rounding; the remainder has the divisor's sign and is smaller. */
static void test_real_division(void **state)
{
    (void)state;
    static const double reals[] = {-7.5, -2.25, -1, -0.1, 0.1, 0.3, 1, 2, 2.25, 1e10};
    for (size_t i = 0; i < 100; i++) {
        double a = reals[i / 10], b = reals[i % 10];
        struct value quotient, rest;
        assert_int_equal(arithmetic_binary(OPERATION_FLOOR_DIVIDE, value_float(a), value_float(b), &quotient),
                         FAULT_NONE);
        assert_int_equal(arithmetic_binary(OPERATION_MODULO, value_float(a), value_float(b), &rest), FAULT_NONE);
        assert_true(quotient.real == floor(quotient.real));
        assert_true(signbit(rest.real) == signbit(b) && fabs(rest.real) < fabs(b));
        assert_true(fabs(quotient.real * b + rest.real - a) <= DBL_EPSILON * (fabs(a) + fabs(b)));
    }
}

static void test_reals(void **state)
{
    (void)state;
    struct value got;
    assert_int_equal(arithmetic_binary(OPERATION_ADD, value_float(DBL_MAX), value_float(DBL_MAX), &got),
                     FAULT_OVERFLOW);
    assert_int_equal(arithmetic_binary(OPERATION_POWER, value_float(2), value_integer(1024), &got), FAULT_OVERFLOW);
    assert_int_equal(arithmetic_binary(OPERATION_POWER, value_float(-2), value_float(0.5), &got), FAULT_COMPLEX);
    assert_int_equal(arithmetic_binary(OPERATION_POWER, value_float(0), value_integer(-1), &got), FAULT_ZERO);
    assert_int_equal(arithmetic_binary(OPERATION_AND, value_float(1), value_integer(1), &got), FAULT_KINDS);
    assert_int_equal(arithmetic_binary(OPERATION_SHIFT_LEFT, value_float(1), value_integer(1), &got), FAULT_KINDS);
    assert_int_equal(arithmetic_binary(OPERATION_ADD, value_string("a"), value_string("b"), &got), FAULT_KINDS);
    assert_int_equal(arithmetic_binary(OPERATION_ADD, (struct value){.kind = VALUE_UNSET}, value_integer(1), &got),
                     FAULT_KINDS);
    assert_int_equal(arithmetic_unary(OPERATION_INVERT, value_float(1), &got), FAULT_KINDS);
    assert_int_equal(arithmetic_unary(OPERATION_NEGATE, value_string("a"), &got), FAULT_KINDS);
    assert_int_equal(arithmetic_unary(OPERATION_NEGATE, value_integer(INT64_MIN), &got), FAULT_OVERFLOW);
    assert_int_equal(arithmetic_unary(OPERATION_NEGATE, value_boolean(true), &got), FAULT_NONE);
    assert_true(got.kind == VALUE_INTEGER && got.integer == -1);
    assert_int_equal(arithmetic_unary(OPERATION_NEGATE, value_float(0), &got), FAULT_NONE);
    assert_true(signbit(got.real));
}

/* A long double of the x86 and of AArch64 holds every int64_t and every double: it compares them exactly. */
static void test_order(void **state)
{
    (void)state;
    static const double reals[] = {-INFINITY, -0x1p63, -0x1p53, -2.5,       -1,     -0.0,   0.5,    1,
                                   62.5,      63,      0x1p53,  0x1p53 + 2, 0x1p62, 0x1p63, 0x1p64, INFINITY};
    assert_true(LDBL_MANT_DIG >= 64);
    for (size_t i = 0; i < EXTREMES; i++) {
        for (size_t j = 0; j < sizeof reals / sizeof *reals; j++) {
            long double a = (long double)extremes[i], b = (long double)reals[j];
            enum order wanted = a < b ? ORDER_LESS : a > b ? ORDER_GREATER : ORDER_EQUAL;
            enum order back = a < b ? ORDER_GREATER : a > b ? ORDER_LESS : ORDER_EQUAL;
            assert_int_equal(arithmetic_order(value_integer(extremes[i]), value_float(reals[j])), wanted);
            assert_int_equal(arithmetic_order(value_float(reals[j]), value_integer(extremes[i])), back);
        }
        assert_int_equal(arithmetic_order(value_integer(extremes[i]), value_float(NAN)), ORDER_NONE);
        for (size_t j = 0; j < EXTREMES; j++)
            assert_int_equal(arithmetic_order(value_integer(extremes[i]), value_integer(extremes[j])),
                             i < j   ? ORDER_LESS
                             : i > j ? ORDER_GREATER
                                     : ORDER_EQUAL); /* they are sorted */
    }
    assert_int_equal(arithmetic_order(value_string("a"), value_string("b")), ORDER_LESS);
    assert_int_equal(arithmetic_order(value_string("\xc3\xa9"), value_string("z")), ORDER_GREATER); /* by bytes */
    assert_int_equal(arithmetic_order(value_string("1"), value_integer(1)), ORDER_NONE);
}

static void test_whole(void **state)
{
    (void)state;
    int64_t whole = 7;
    assert_true(arithmetic_whole(value_float(-0x1p63), &whole) && whole == INT64_MIN);
    assert_false(arithmetic_whole(value_float(0x1p63), &whole));
    assert_false(arithmetic_whole(value_float(0.5), &whole) || arithmetic_whole(value_float(NAN), &whole));
    assert_false(arithmetic_whole(value_float(INFINITY), &whole) || arithmetic_whole(value_string("1"), &whole));
    assert_true(arithmetic_whole(value_boolean(true), &whole) && whole == 1);
    assert_true(arithmetic_whole(value_float(16), &whole) && whole == 16);
    assert_true(arithmetic_real(value_boolean(true)) == 1 && arithmetic_real(value_integer(3)) == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),      cmocka_unit_test(test_bits),  cmocka_unit_test(test_true_division),
        cmocka_unit_test(test_real_division), cmocka_unit_test(test_reals), cmocka_unit_test(test_order),
        cmocka_unit_test(test_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
