/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/space_fixture.h"

#include "tuner/space/variable_order.h"

struct ordered {
    struct space_fixture space;
    struct model model;
    size_t order[8], group_of[8];
};

static void create(struct ordered *ordered, const char *text)
{
    space_fixture_create(&ordered->space, text);
    const struct domain *domain = &ordered->space.domain;
    assert_true(model_create(&ordered->model, domain, domain->space->constraint_count, NULL, 0, false));
    assert_true(variable_order(&ordered->model, ordered->order, ordered->group_of));
}

static void clear(struct ordered *ordered)
{
    model_clear(&ordered->model);
    space_fixture_free(&ordered->space);
}

static size_t level_of(const struct ordered *ordered, size_t variable)
{
    for (size_t l = 0; l < ordered->model.variable_count; l++) {
        if (ordered->order[l] == variable)
            return l;
    }
    fail_msg("variable %zu has no level", variable);
    return 0;
}

static bool together(const struct ordered *ordered, size_t a, size_t b)
{
    return ordered->group_of[level_of(ordered, a)] == ordered->group_of[level_of(ordered, b)];
}

/* B connects A and D; C and E have no constraint in common with others. */
static void test_groups(void **state)
{
    (void)state;
    struct ordered ordered;
    create(&ordered, "param A = [1, 2]\nparam B = [1, 2]\nparam C = [1, 2]\nparam D = [1, 2]\nparam E = [1, 2, 3]\n"
                     "let p = B * D\nwhere A != B\nwhere p > 1\nwhere E != 2\n");
    assert_true(together(&ordered, 0, 1) && together(&ordered, 1, 3));
    assert_false(together(&ordered, 0, 2) || together(&ordered, 0, 4) || together(&ordered, 2, 4));
    /* The levels of a group follow each other. */
    for (size_t l = 1; l < 5; l++) {
        bool ended = ordered.group_of[l] != ordered.group_of[l - 1];
        for (size_t k = l; k < 5 && ended; k++)
            assert_int_not_equal(ordered.group_of[k], ordered.group_of[l - 1]);
    }
    clear(&ordered);
}

/* Without constraints variables stay as declared. */
static void test_unconstrained(void **state)
{
    (void)state;
    struct ordered ordered;
    create(&ordered, "param C = [1, 2]\nparam A = [1, 2]\nparam B = [1, 2, 3]\n");
    for (size_t l = 0; l < 3; l++)
        assert_int_equal(ordered.order[l], l);
    clear(&ordered);
}

/* In the chain A-C-D-B, starting with both ends, as declared, would leave 40 * 40 states. */
static void test_chain(void **state)
{
    (void)state;
    struct ordered ordered;
    create(&ordered,
           "param A = range(1, 41)\nparam B = range(1, 41)\nparam C = range(1, 41)\nparam D = range(1, 41)\n"
           "where A % C == 0\nwhere C % D == 0\nwhere D % B == 0\n");
    size_t a = level_of(&ordered, 0), b = level_of(&ordered, 1), c = level_of(&ordered, 2), d = level_of(&ordered, 3);
    assert_true(a < c ? c < d && d < b : b < d && d < c && c < a);
    clear(&ordered);
}

/* The order is the same every time, since the numbering of configurations depends on it. */
static void test_deterministic(void **state)
{
    (void)state;
    static const char text[] =
        "param A = range(9)\nparam B = range(9)\nparam C = range(9)\nparam D = range(9)\n"
        "param E = range(9)\nwhere A * B + C < 20\nwhere D ^ E > A\nwhere (B + D) % 3 == E % 3\n";
    struct ordered one, other;
    create(&one, text);
    create(&other, text);
    assert_memory_equal(one.order, other.order, 5 * sizeof *one.order);
    clear(&one);
    clear(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_unconstrained),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_deterministic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
