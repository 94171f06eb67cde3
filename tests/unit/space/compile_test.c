/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of terms that expressions become; term_value_test.c compares their values with the evaluator's. */
#include "tests/unit/space/expressions.h"

static bool reaches_foreign(const struct terms *terms, term_id id)
{
    const struct term *term = &terms->items[id];
    bool found = term->kind == TERM_FOREIGN;
    for (uint32_t i = 0; i < term->count && !found; i++)
        found = reaches_foreign(terms, term_operands(terms, term)[i]);
    return found;
}

/* Only lists whose length depends on a parameter, comprehensions and pow2 are left to the evaluator. */
static void test_foreign(void **state)
{
    (void)state;
    struct terms_fixture fixture;
    terms_fixture_create(&fixture, EXPRESSIONS);
    for (size_t i = 0; i < fixture.count; i++) {
        struct place place = expr_place(fixture.space.domain.space->constraints[i].condition);
        char text[100];
        snprintf(text, sizeof text, "%.*s", (int)place.length, place.text + place.offset);
        bool expected = strstr(text, " for ") || strstr(text, "range(B)") || strstr(text, "pow2(");
        if (reaches_foreign(&fixture.terms, fixture.conditions[i]) != expected)
            fail_msg("%s %s left to the evaluator", text, expected ? "should be" : "is");
    }
    terms_fixture_free(&fixture);
}

/* The operands of a foreign term are exactly the parameters that it reads, directly or through lets. */
static void test_operands(void **state)
{
    (void)state;
    struct terms_fixture fixture;
    terms_fixture_create(&fixture, "param A = [1, 2]\nparam B = [1, 2]\nparam C = [1, 2]\nlet q = C + n\n"
                                   "where A in [i + q for i in range(2)]\n");
    const struct term *term = &fixture.terms.items[fixture.conditions[0]];
    while (term->kind != TERM_FOREIGN)
        term = &fixture.terms.items[term_operands(&fixture.terms, term)[0]];
    assert_int_equal(term->count, 2);
    assert_int_equal(term_operands(&fixture.terms, term)[0], fixture.variables[0]);
    assert_int_equal(term_operands(&fixture.terms, term)[1], fixture.variables[2]);
    terms_fixture_free(&fixture);
}

/* Lets nested 100 deep, each twice in the next, are compiled once each: 2^100 terms would take forever. */
static void test_nesting(void **state)
{
    (void)state;
    enum { DEPTH = 100 };
    char text[8192];
    struct terms_fixture fixture;
    int length = snprintf(text, sizeof text, "param A = [1, 2]\nparam B = [0, 1]\nlet v0 = A\n");
    for (int i = 1; i < DEPTH; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "let v%d = (v%d + B) and (v%d or B)\n", i,
                           i - 1, i - 1);
    snprintf(text + length, sizeof text - (size_t)length, "where v%d > 1\n", DEPTH - 1);
    terms_fixture_create(&fixture, text);
    assert_true(fixture.terms.count < (size_t)10 * DEPTH);
    terms_fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_nesting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
