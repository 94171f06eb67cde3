/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/expressions.h"

#include "tuner/space/monotony.h"
#include "tuner/space/term_value.h"

/* How a term has been seen to change as a variable grew. */
struct seen {
    bool rises, falls;
};

/* Every kind of term, over numbers that ascend. */
static const char NUMBERS[] =
    "param A = [-5, 0, 1, 2, 3, 8]\nparam B = [0, 1, 2, 7]\nparam C = [-3.0, 0.5, 2.0]\n"
    "param D = [1, 2, 4]\nparam E = [-8, -2]\nlet q = D * 3 + B\n"
    "where A + B\nwhere A - B\nwhere A * B\nwhere B * D\nwhere A * E\nwhere E * E\nwhere A / D\n"
    "where B // D\nwhere A // D\nwhere D // B\nwhere A % D\nwhere D ** B\nwhere B << D\nwhere A << 1\nwhere A << D\n"
    "where -A\nwhere +A\nwhere ~B\nwhere C * D\nwhere C // D\nwhere E // D\nwhere 8 // D\n"
    "where -8 // D\nwhere A & B\nwhere B >> D\n"
    "where A < B\nwhere A <= B\nwhere A > B\nwhere A >= B\nwhere A == B\nwhere not A < B\n"
    "where A < B and D > 1\nwhere A > B or D > 1\nwhere B\nwhere not B\nwhere not A\n"
    "where min(A, B)\nwhere max(A, D, E)\nwhere abs(A)\nwhere abs(B)\nwhere ceil(C)\nwhere floor(C)\n"
    "where sqrt(B)\nwhere log2(D)\nwhere int(C)\nwhere float(B)\nwhere round(C)\nwhere ceil_div(B, D)\n"
    "where A if D > 1 else B\nwhere A if n > 1 else B\nwhere B if A > 2 else D\n"
    "where A in [1, 2]\nwhere q * B <= 100\nwhere (B + 1) * D / 2 + q\n";

static void evaluate(const struct terms_fixture *fixture, const uint16_t *point, struct value *values)
{
    for (size_t t = 0; t < fixture->terms.count; t++) {
        const struct term *term = &fixture->terms.items[t];
        if (term->kind == TERM_VARIABLE)
            values[t] = domain_value(space_fixture_variable(&fixture->space, term->index), point);
        values[t] = term_value(&fixture->terms, (term_id)t, values);
    }
}

static void look(const struct terms_fixture *fixture, const struct value *before, const struct value *after,
                 struct seen *seen)
{
    for (size_t t = 0; t < fixture->terms.count; t++) {
        bool numbers = value_is_number(before[t]) && value_is_number(after[t]);
        enum order order = numbers ? arithmetic_order(before[t], after[t]) : ORDER_EQUAL;
        seen[t].rises = seen[t].rises || order == ORDER_LESS;
        seen[t].falls = seen[t].falls || order == ORDER_GREATER;
    }
}

/* Brute force: no term changes in a way that its monotony excludes. */
static void test_by_trying(void **state)
{
    (void)state;
    struct terms_fixture fixture;
    terms_fixture_create(&fixture, NUMBERS);
    size_t count = fixture.terms.count;
    struct value *before = calloc(count, sizeof *before), *after = calloc(count, sizeof *after);
    struct seen *seen = calloc(count, sizeof *seen);
    uint8_t *result = calloc(count, 1);
    for (size_t v = 0; v < fixture.space.domain.depth; v++) {
        uint16_t point[8] = {0};
        memset(seen, 0, count * sizeof *seen);
        do {
            if ((size_t)point[v] + 1 == space_fixture_variable(&fixture.space, v)->count)
                continue;
            evaluate(&fixture, point, before);
            point[v]++;
            evaluate(&fixture, point, after);
            point[v]--;
            look(&fixture, before, after, seen);
        } while (next_point(&fixture.space.domain, point));
        monotony_find(&fixture.terms, v, result);
        for (size_t t = 0; t < count; t++) {
            if (result[t] == MONOTONY_UNKNOWN || fixture.terms.items[t].range.fails)
                continue;
            assert_false(seen[t].rises && result[t] != MONOTONY_RISING);
            assert_false(seen[t].falls && result[t] != MONOTONY_FALLING);
        }
    }
    free(before);
    free(after);
    free(seen);
    free(result);
    terms_fixture_free(&fixture);
}

struct known {
    const char *expression;
    size_t variable;
    enum monotony monotony;
};

/* By hand, for A and D in {1, 2, 4} and B from -1 to 1. */
static void test_what_is_found(void **state)
{
    (void)state;
    static const struct known cases[] = {
        {"A + D", 0, MONOTONY_RISING},
        {"A - D", 1, MONOTONY_FALLING},
        {"A * D", 0, MONOTONY_RISING},
        {"A * B", 0, MONOTONY_UNKNOWN},
        {"B * D", 2, MONOTONY_RISING},
        {"B * -3", 2, MONOTONY_FALLING},
        {"A // D", 1, MONOTONY_FALLING},
        {"A / D", 0, MONOTONY_RISING},
        {"A % D", 0, MONOTONY_UNKNOWN},
        {"A << D", 1, MONOTONY_RISING},
        {"-A", 0, MONOTONY_FALLING},
        {"~A", 0, MONOTONY_FALLING},
        {"A * D <= 4", 0, MONOTONY_FALLING},
        {"A * D <= 4", 2, MONOTONY_CONSTANT},
        {"A > D", 0, MONOTONY_RISING},
        {"A > D", 1, MONOTONY_FALLING},
        {"A == D", 0, MONOTONY_UNKNOWN},
        {"not A > D", 0, MONOTONY_FALLING},
        {"A > 1 and D > 1", 1, MONOTONY_RISING},
        {"A > 1 or D < 2", 1, MONOTONY_FALLING},
        {"min(A, D)", 0, MONOTONY_RISING},
        {"abs(B)", 2, MONOTONY_UNKNOWN},
        {"abs(A)", 0, MONOTONY_RISING},
        {"A if B > 0 else D", 0, MONOTONY_RISING},
        {"A if B > 0 else D", 2, MONOTONY_UNKNOWN},
        {"sqrt(A) + floor(A / 2)", 0, MONOTONY_RISING},
        {"n * 2", 0, MONOTONY_CONSTANT},
        {"A in [1, 2]", 0, MONOTONY_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct terms_fixture fixture;
        char text[200];
        uint8_t result[64];
        snprintf(text, sizeof text, "param A = [1, 2, 4]\nparam D = [1, 2, 4]\nparam B = [-1, 0, 1]\nwhere %s\n",
                 cases[i].expression);
        terms_fixture_create(&fixture, text);
        assert_true(fixture.terms.count <= sizeof result);
        monotony_find(&fixture.terms, cases[i].variable, result);
        if (result[fixture.conditions[0]] != cases[i].monotony)
            fail_msg("%s: %d", cases[i].expression, result[fixture.conditions[0]]);
        terms_fixture_free(&fixture);
    }
}

static void test_difference(void **state)
{
    (void)state;
    static const uint8_t c = MONOTONY_CONSTANT, r = MONOTONY_RISING, f = MONOTONY_FALLING, u = MONOTONY_UNKNOWN;
    const uint8_t expected[4][4] = {{c, f, r, u}, {r, u, r, u}, {f, f, u, u}, {u, u, u, u}};
    const uint8_t all[] = {c, r, f, u};
    for (size_t a = 0; a < 4; a++) {
        for (size_t b = 0; b < 4; b++)
            assert_int_equal(monotony_of_difference(all[a], all[b]), expected[a][b]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_trying),
        cmocka_unit_test(test_what_is_found),
        cmocka_unit_test(test_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
