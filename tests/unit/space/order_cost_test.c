/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/space_fixture.h"

#include "tuner/space/order_cost.h"

struct costed {
    struct space_fixture space;
    struct model model;
    struct order_cost cost;
};

/* All variables as one group, in declared order. */
static void create(struct costed *costed, const char *text)
{
    static const size_t members[] = {0, 1, 2, 3, 4};
    space_fixture_create(&costed->space, text);
    const struct domain *domain = &costed->space.domain;
    assert_true(model_create(&costed->model, domain, domain->space->constraint_count, NULL, 0, false));
    assert_true(order_cost_create(&costed->cost, &costed->model));
    order_cost_set_group(&costed->cost, members, domain->depth);
}

static void clear(struct costed *costed)
{
    order_cost_clear(&costed->cost);
    model_clear(&costed->model);
    space_fixture_free(&costed->space);
}

/* A sum of two variables of 10 values leaves 19 states, where both would be 100; once it is decided, one. */
static void test_states(void **state)
{
    (void)state;
    struct costed costed;
    create(&costed, "param A = range(10)\nparam B = range(10)\nparam C = range(10)\nwhere A + B == C * 2\n");
    assert_true(order_cost_states(&costed.cost, 0) == 1);
    assert_true(order_cost_states(&costed.cost, 1) == 10);
    assert_true(order_cost_states(&costed.cost, 3) == 19);
    assert_true(order_cost_states(&costed.cost, 5) == 100);
    assert_true(order_cost_states(&costed.cost, 7) == 1);
    clear(&costed);
}

/* A requirement on known variables leaves only a fraction of their 100 states: a tenth pass A == B. */
static void test_passing(void **state)
{
    (void)state;
    struct costed costed;
    create(&costed, "param A = range(10)\nparam B = range(10)\nparam C = range(10)\n"
                    "where A == B\nwhere A != C + 1\nwhere B != C + 2\n");
    double states = order_cost_states(&costed.cost, 3);
    assert_true(states >= 1 && states < 40);
    clear(&costed);
}

/* Where an equality determines the last variable a bisection of its 1000 values needs 2 log2(1000) + 2 tries. */
static void test_tries(void **state)
{
    (void)state;
    struct costed costed;
    create(&costed, "param A = range(1, 11)\nparam B = range(1000)\nparam C = range(1000)\nwhere A * 3 + B == C\n");
    assert_true(order_cost_tries(&costed.cost, 0, 0) == 10);
    assert_true(order_cost_tries(&costed.cost, 1, 1) == 1000);
    double tries = order_cost_tries(&costed.cost, 3, 2);
    assert_true(tries > 21.9 && tries < 22);
    double work = 5, states = 7;
    order_cost_level(&costed.cost, 0, 0, &work, &states); /* 7 states, 10 values each, leave 10 */
    assert_true(work == 5 + 7 * 10 + 10 && states == 10);
    clear(&costed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_passing),
        cmocka_unit_test(test_tries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
