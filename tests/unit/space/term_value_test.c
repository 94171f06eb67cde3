/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/expressions.h"

#include "tuner/space/term_value.h"

static void check_point(const struct terms_fixture *fixture, const uint16_t *point)
{
    const struct terms *terms = &fixture->terms;
    struct value *slots = expressions_slots(fixture, point);
    struct value *values = calloc(terms->count, sizeof *values), *fast = calloc(terms->count, sizeof *fast);
    for (size_t t = 0; t < terms->count; t++) {
        const struct term *term = &terms->items[t];
        if (term->kind == TERM_VARIABLE)
            values[t] = fast[t] = domain_value(space_fixture_variable(&fixture->space, term->index), point);
        values[t] = term_value(terms, (term_id)t, values);
        term_evaluate(terms, (term_id)t, fast);
        assert_true(expressions_same(values[t], fast[t]));
    }
    for (size_t i = 0; i < fixture->count; i++) {
        if (!expressions_same(values[fixture->conditions[i]], expressions_value(fixture, i, slots)))
            expressions_fail(fixture, i, point, "another value");
    }
    free(slots);
    free(values);
    free(fast);
}

/* Each expression has the value and kind that the evaluator gives, and fails where that fails. */
static void test_like_the_evaluator(void **state)
{
    (void)state;
    struct terms_fixture fixture;
    uint16_t point[8] = {0};
    terms_fixture_create(&fixture, EXPRESSIONS);
    do {
        check_point(&fixture, point);
    } while (next_point(&fixture.space.domain, point));
    terms_fixture_free(&fixture);
}

/* Integers around the limits of the fast paths: 32 and 64 bits, signs, zero. */
static void test_integers(void **state)
{
    (void)state;
    static const int64_t integers[] = {
        0, 1, -1, 3, -7, UINT32_MAX, (int64_t)UINT32_MAX + 1, INT32_MIN, INT64_MAX, INT64_MIN, INT64_MAX / 2, 63, 64};
    enum { COUNT = sizeof integers / sizeof *integers };
    struct terms terms = {0};
    struct value pair[] = {value_integer(0), value_integer(1)}, values[64];
    const term_id operands[] = {term_variable(&terms, 0, pair, 2), term_variable(&terms, 1, pair, 2)};
    for (int o = OPERATION_ADD; o <= OPERATION_SHIFT_RIGHT; o++) {
        struct term term = {.kind = TERM_BINARY, .operation = (uint8_t)o, .count = 2};
        term_id id = term_intern(&terms, &term, operands);
        for (size_t i = 0; i < (size_t)COUNT * COUNT; i++) {
            struct value expected = {.kind = VALUE_UNSET};
            values[operands[0]] = value_integer(integers[i / COUNT]);
            values[operands[1]] = value_integer(integers[i % COUNT]);
            if (arithmetic_binary((enum operation)o, values[operands[0]], values[operands[1]], &expected) !=
                FAULT_NONE)
                expected.kind = VALUE_UNSET;
            term_evaluate(&terms, id, values);
            assert_true(expressions_same(values[id], expected));
            assert_true(expressions_same(term_value(&terms, id, values), expected));
        }
    }
    terms_free(&terms);
}

/* A truth that fails does not hold. */
static void test_holds(void **state)
{
    (void)state;
    struct terms terms = {0};
    const struct value pair[] = {value_boolean(false), value_boolean(true)};
    const struct value cases[] = {value_boolean(true), value_boolean(false), {.kind = VALUE_UNSET}};
    term_id a = term_variable(&terms, 0, pair, 2);
    struct term term = {.kind = TERM_HOLDS, .count = 1};
    term_id id = term_intern(&terms, &term, &a);
    for (size_t i = 0; i < 3; i++) {
        struct value values[] = {cases[i], {.kind = VALUE_UNSET}};
        assert_true(expressions_same(term_value(&terms, id, values), value_boolean(i == 0)));
    }
    terms_free(&terms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_the_evaluator),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
