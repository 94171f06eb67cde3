/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/expressions.h"

#include "tuner/space/term_range.h"
#include "tuner/space/term_value.h"

static bool holds(struct range range, struct value value)
{
    if (value.kind == VALUE_UNSET)
        return range.fails;
    if (value.kind == VALUE_STRING)
        return range.kinds & RANGE_STRING;
    double real = arithmetic_real(value);
    return range.kinds & (value.kind == VALUE_FLOAT ? RANGE_FLOAT : RANGE_INTEGER) && range.low <= real &&
           real <= range.high;
}

/* The ranges of all terms when the variables in `known`, a bit mask, have their values at the point. */
static void find_ranges(const struct terms_fixture *fixture, const uint16_t *point, unsigned known,
                        struct range *ranges)
{
    const struct terms *terms = &fixture->terms;
    for (size_t t = 0; t < terms->count; t++) {
        const struct term *term = &terms->items[t];
        ranges[t] = term->range;
        if (term->kind == TERM_VARIABLE && known >> term->index & 1)
            range_know(domain_value(space_fixture_variable(&fixture->space, term->index), point), &ranges[t]);
        else if (term->count > 0)
            term_range(term, ranges, term_operands(terms, term), &ranges[t]);
    }
}

/* Brute force: whatever is known, the range of every term contains its value. */
static void test_ranges_hold_values(void **state)
{
    (void)state;
    struct terms_fixture fixture;
    uint16_t point[8] = {0};
    unsigned known = 0;
    terms_fixture_create(&fixture, EXPRESSIONS);
    const struct terms *terms = &fixture.terms;
    struct range *ranges = calloc(terms->count, sizeof *ranges);
    struct value *values = calloc(terms->count, sizeof *values);
    do {
        known = (known + 1) % 32;
        find_ranges(&fixture, point, known, ranges);
        for (size_t t = 0; t < terms->count; t++) {
            const struct term *term = &terms->items[t];
            if (term->kind == TERM_VARIABLE)
                values[t] = domain_value(space_fixture_variable(&fixture.space, term->index), point);
            values[t] = term_value(terms, (term_id)t, values);
            assert_true(holds(ranges[t], values[t]));
        }
    } while (next_point(&fixture.space.domain, point));
    free(ranges);
    free(values);
    terms_fixture_free(&fixture);
}

/* By hand, for A = 8 and B and C in {1, 2, 3}. */
static void test_decided(void **state)
{
    (void)state;
    struct terms_fixture fixture;
    const uint16_t point[] = {3, 0, 0};
    terms_fixture_create(&fixture, "param A = [1, 2, 4, 8]\nparam B = [1, 2, 3]\nparam C = [1, 2, 3]\n"
                                   "where A * B > 7\nwhere A + B * C <= 8\nwhere A > 4 or 1 // (B - C) > 0\n"
                                   "where A < 4 and B == C\nwhere A * B > 8\nwhere 1 // (B - C) > 0 or A > 4\n"
                                   "where A - B == 5\n");
    enum { YES, NO, OPEN };
    static const int expected[] = {YES, NO, YES, NO, OPEN, OPEN, OPEN};
    struct range *ranges = calloc(fixture.terms.count, sizeof *ranges);
    find_ranges(&fixture, point, 1, ranges);
    for (size_t i = 0; i < fixture.count; i++) {
        struct range range = ranges[fixture.conditions[i]];
        assert_int_equal(range_is_true(range) ? YES : range_is_false(range) ? NO : OPEN, expected[i]);
    }
    free(ranges);
    terms_fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges_hold_values),
        cmocka_unit_test(test_decided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
