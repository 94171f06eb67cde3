/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/space_fixture.h"

#include "tuner/space/prune.h"
#include "tuner/space/slots.h"

struct pruned {
    struct space_fixture fixture;
    struct model model;
};

static void create(struct pruned *pruned, const char *text)
{
    space_fixture_create(&pruned->fixture, text);
    const struct domain *domain = &pruned->fixture.domain;
    assert_true(model_create(&pruned->model, domain, domain->space->constraint_count, NULL, 0, false));
    assert_true(prune(&pruned->model));
}

static void clear(struct pruned *pruned)
{
    model_clear(&pruned->model);
    space_fixture_free(&pruned->fixture);
}

static bool is_alive(const struct model *model, size_t v, size_t value)
{
    for (size_t i = 0; i < model->variables[v].alive_count; i++) {
        if (model->variables[v].alive[i] == value)
            return true;
    }
    return false;
}

/* Of the block sizes up to 4096, only divisors of the size remain. */
static void test_divisors(void **state)
{
    (void)state;
    struct pruned pruned;
    create(&pruned, "param A = range(1, 4097)\nparam B = [1, 2, 4]\nwhere 4096 % (A * B) == 0\n");
    const struct model_variable *blocks = &pruned.model.variables[0];
    assert_int_equal(blocks->alive_count, 13);
    for (size_t i = 0; i < blocks->alive_count; i++)
        assert_int_equal(blocks->values[blocks->alive[i]].integer, 1 << i);
    assert_int_equal(pruned.model.variables[1].alive_count, 3);
    clear(&pruned);
}

/* Values that one variable loses can cost another variable values: first A, then B. */
static void test_rounds(void **state)
{
    (void)state;
    struct pruned pruned;
    create(&pruned, "param A = range(1, 101)\nparam B = range(1, 101)\nparam C = [24, 60]\nparam D = [2, 4]\n"
                    "where A % B == 0\nwhere A * D == C\n");
    /* A is 6, 12, 15 or 30; B divides one of them: 1 2 3 4 5 6 10 12 15 30. */
    assert_int_equal(pruned.model.variables[0].alive_count, 4);
    assert_int_equal(pruned.model.variables[1].alive_count, 10);
    clear(&pruned);
}

/* Requirements on B and C alone narrow the set of B * C, which is 4 or 6 here. */
static void test_sets_are_filtered(void **state)
{
    (void)state;
    struct pruned pruned;
    create(&pruned, "param A = range(1, 31)\nparam B = [1, 2, 3]\nparam C = [1, 2, 3]\n"
                    "where B + C >= 4\nwhere B + C <= 5\nwhere B * C > 3\nwhere A == B * C\n");
    assert_int_equal(pruned.model.variables[0].alive_count, 2);
    clear(&pruned);
}

static void test_impossible(void **state)
{
    (void)state;
    struct pruned pruned;
    create(&pruned, "param A = range(20, 60)\nparam B = [2, 3]\nwhere A * B < 30\n");
    assert_true(pruned.model.impossible);
    clear(&pruned);
}

/* A value stays if a requirement cannot be evaluated for it, since that must become an error. */
static void test_failing_values(void **state)
{
    (void)state;
    struct pruned pruned;
    create(&pruned, "param A = range(0, 40)\nparam B = [1, 2]\nwhere 40 // A > 30 * B\n");
    assert_false(pruned.model.impossible);
    assert_int_equal(pruned.model.variables[0].alive_count, 2); /* 0 and 1 */
    clear(&pruned);
}

static bool is_valid(const struct domain *domain, const uint16_t *point)
{
    bool valid = true;
    struct value *slots = calloc(domain->slot_count + 1, sizeof *slots);
    domain_slots(domain, point, SIZES_TUNED, slots);
    slots_set_lets(domain->template, domain->space, slots);
    for (size_t i = 0; i < domain->space->constraint_count && valid; i++)
        valid = domain_judge(domain, i, slots) != VERDICT_REMOVED;
    free(slots);
    return valid;
}

/* Brute force: no value of a valid configuration is dropped, though some values are. */
static void test_sound(void **state)
{
    (void)state;
    static const char *const spaces[] = {
        "param A = range(1, 65)\nparam B = range(1, 33)\nparam C = [1, 2, 3]\nwhere 64 % (A * C) == 0\nwhere A % B "
        "== 0\n",
        "param A = range(1, 49)\nparam B = range(1, 21)\nparam C = range(4)\nwhere A + B * C == 40\nwhere A > B\n",
        "param A = range(1, 49)\nparam B = range(1, 21)\nparam C = [1, 2]\nwhere A * A + B * B == C * 25\n",
        "param A = range(40)\nparam B = range(20)\nparam C = [0, 1]\nwhere A // B == 3 + C\n",
        "param A = range(1, 40)\nparam B = [3, 5]\nparam C = [2, 9]\nwhere A % B == 1 if C > 2 else A % B == "
        "2\nwhere A > C\n",
        "param A = range(-20, 20)\nparam B = range(-9, 9)\nparam C = [1]\nwhere A * B == 36 or A + B == -20\n",
    };
    for (size_t s = 0; s < sizeof spaces / sizeof *spaces; s++) {
        struct pruned pruned;
        uint16_t point[8] = {0};
        size_t all = 0, alive = 0;
        create(&pruned, spaces[s]);
        const struct domain *domain = &pruned.fixture.domain;
        do {
            for (size_t v = 0; v < domain->depth && is_valid(domain, point); v++)
                assert_true(is_alive(&pruned.model, v, point[v]));
        } while (next_point(domain, point));
        for (size_t v = 0; v < domain->depth; v++) {
            all += pruned.model.variables[v].count;
            alive += pruned.model.variables[v].alive_count;
        }
        assert_true(alive < all);
        clear(&pruned);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divisors),          cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_sets_are_filtered), cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_failing_values),    cmocka_unit_test(test_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
