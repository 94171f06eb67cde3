/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/space/term.h"

#include <stdlib.h>

/* Constants are one term if kind and value agree: 1, 1.0 and True are equal in Python, but not one term. */
static void test_constants(void **state)
{
    (void)state;
    char text[] = "joint";
    const struct value values[] = {
        value_integer(1),    value_float(1.0),      value_boolean(true),      value_integer(0),
        value_float(0.0),    value_float(-0.0),     value_boolean(false),     value_string("joint"),
        value_string("one"), {.kind = VALUE_UNSET}, value_integer(INT64_MIN),
    };
    enum { COUNT = sizeof values / sizeof *values };
    struct terms terms = {0};
    for (int round = 0; round < 2; round++) {
        for (term_id i = 0; i < COUNT; i++)
            assert_int_equal(term_constant(&terms, values[i]), i);
    }
    assert_int_equal(term_constant(&terms, value_string(text)), 7); /* by its bytes, not its address */
    assert_int_equal(terms.count, COUNT);
    assert_true(terms.items[0].range.low == 1 && terms.items[0].range.high == 1);
    terms_free(&terms);
}

/* 5000 constants and their 4999 sums: the table grows, and equal terms are still found. */
static void test_growth(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    struct terms terms = {0};
    const struct term sum = {.kind = TERM_BINARY, .operation = OPERATION_ADD, .count = 2};
    for (int round = 0; round < 2; round++) {
        for (term_id i = 0; i < COUNT; i++)
            assert_int_equal(term_constant(&terms, value_integer(i)), i);
        for (term_id i = 0; i + 1 < COUNT; i++) {
            const term_id operands[] = {i, i + 1};
            assert_int_equal(term_intern(&terms, &sum, operands), COUNT + i);
            assert_int_equal(term_operands(&terms, &terms.items[COUNT + i])[1], i + 1);
        }
    }
    assert_false(terms.failed);
    terms_free(&terms);
}

/* Terms differ by kind, operation, and order and number of operands. */
static void test_difference(void **state)
{
    (void)state;
    struct terms terms = {0};
    const struct value values[] = {value_integer(1), value_integer(5)};
    term_id a = term_variable(&terms, 0, values, 2), b = term_variable(&terms, 1, values, 2);
    const term_id ab[] = {a, b}, ba[] = {b, a};
    const struct term kinds[] = {
        {.kind = TERM_BINARY, .operation = OPERATION_ADD, .count = 2},
        {.kind = TERM_BINARY, .operation = OPERATION_SUBTRACT, .count = 2},
        {.kind = TERM_COMPARE, .operation = COMPARE_LESS, .count = 2},
        {.kind = TERM_CALL, .operation = FUNCTION_MIN, .count = 1},
        {.kind = TERM_CALL, .operation = FUNCTION_MIN, .count = 2},
    };
    assert_int_not_equal(a, b);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t before = terms.count;
        term_id id = term_intern(&terms, &kinds[i], ab);
        assert_int_equal(terms.count, before + 1);
        assert_int_equal(term_intern(&terms, &kinds[i], ab), id);
        assert_int_not_equal(term_intern(&terms, &kinds[i], ba), id);
    }
    assert_true(terms.items[a].range.low == 1 && terms.items[a].range.high == 5);
    terms_free(&terms);
}

static void test_truths(void **state)
{
    (void)state;
    static const enum term_kind truths[] = {TERM_TRUTH,   TERM_NOT, TERM_AND,      TERM_OR,       TERM_HOLDS,
                                            TERM_COMPARE, TERM_IN,  TERM_IN_RANGE, TERM_IN_STRING};
    static const enum term_kind others[] = {TERM_VARIABLE, TERM_UNARY, TERM_BINARY,
                                            TERM_CHOICE,   TERM_CALL,  TERM_FOREIGN};
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        assert_true(term_is_truth(&(struct term){.kind = (uint8_t)truths[i]}));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(term_is_truth(&(struct term){.kind = (uint8_t)others[i]}));
    assert_true(term_is_truth(&(struct term){.kind = TERM_CONSTANT, .constant = value_boolean(false)}));
    assert_false(term_is_truth(&(struct term){.kind = TERM_CONSTANT, .constant = value_integer(1)}));
}

/* Ownership of foreign expressions passes even after a failure (LeakSanitizer would tell). */
static void test_foreigns(void **state)
{
    (void)state;
    struct terms terms = {0};
    for (size_t i = 0; i < 100; i++) {
        const struct foreign foreign = {.slots = malloc(8), .lets = malloc(8), .let_count = i};
        assert_int_equal(term_add_foreign(&terms, &foreign), i);
    }
    assert_int_equal(terms.foreigns[99].let_count, 99);
    const struct value base[] = {value_integer(7), value_integer(8)};
    for (int i = 0; i < 20; i++) {
        struct value *scratch = term_add_scratch(&terms, base, 2);
        assert_int_equal(scratch[1].integer, 8);
    }
    terms.failed = true;
    const struct foreign late = {.slots = malloc(8), .lets = malloc(8)};
    term_add_foreign(&terms, &late);
    assert_int_equal(terms.foreign_count, 100);
    terms_free(&terms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants), cmocka_unit_test(test_growth),   cmocka_unit_test(test_difference),
        cmocka_unit_test(test_truths),    cmocka_unit_test(test_foreigns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
