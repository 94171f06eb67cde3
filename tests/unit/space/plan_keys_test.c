/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/plan_fixture.h"

static void assert_keys(const struct plan_fixture *fixture, size_t level, const enum key_kind *kinds, size_t count)
{
    const struct plan_level *l = &fixture->plan.levels[level];
    assert_int_equal(l->keys_end - l->keys, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(fixture->plan.keys[l->keys + i].kind, kinds[i]);
}

/* Of A and B only their product matters to what follows, so that prefixes merge. Behind the last level nothing
 * matters any more. */
static void test_product(void **state)
{
    (void)state;
    static const enum key_kind expected[] = {KEY_UNLESS, KEY_INTEGER};
    static const unsigned kinds[] = {TERM_VARIABLE, TERM_BINARY};
    struct plan_fixture fixture;
    plan_fixture_create(&fixture,
                        "param A = [1, 2, 4]\nparam B = [1, 2, 4]\nparam C = [1, 2, 4]\nwhere A * B % C == 0\n");
    for (size_t l = 0; l < 2; l++) {
        const struct plan_level *level = &fixture.plan.levels[l];
        assert_keys(&fixture, l, expected, 2);
        assert_int_equal(fixture.model.terms.items[fixture.plan.keys[level->keys + 1].term].kind, kinds[l]);
        assert_true(level->memoise);
    }
    assert_keys(&fixture, 2, NULL, 0);
    plan_fixture_free(&fixture);
}

/* Keys that always have all variables so far never repeat, so they are not remembered. */
static void test_no_memo(void **state)
{
    (void)state;
    struct plan_fixture fixture;
    plan_fixture_create(&fixture, "param A = [1, 2, 4]\nparam B = [1, 2, 4]\nparam C = [1, 2, 4]\n"
                                  "where C in [i * B for i in range(A)]\n");
    assert_keys(&fixture, 0, (const enum key_kind[]){KEY_INTEGER}, 1);
    assert_keys(&fixture, 1, (const enum key_kind[]){KEY_INTEGER, KEY_INTEGER}, 2);
    assert_false(fixture.plan.levels[0].memoise || fixture.plan.levels[1].memoise);
    assert_true(fixture.plan.levels[2].memoise);
    plan_fixture_free(&fixture);
}

/* A requirement is skipped once its range has decided it; each has A in its own part of the key. */
static void test_unless(void **state)
{
    (void)state;
    struct plan_fixture fixture;
    plan_fixture_create(&fixture, "param A = [1, 2, 4]\nparam B = [1, 2, 4]\nparam C = [1, 2, 4]\n"
                                  "where A * C > 3\nwhere A + B <= 6\n");
    assert_keys(&fixture, 0, (const enum key_kind[]){KEY_UNLESS, KEY_INTEGER, KEY_UNLESS, KEY_INTEGER}, 4);
    const struct key_step *keys = &fixture.plan.keys[fixture.plan.levels[0].keys];
    assert_int_equal(keys[0].target, fixture.plan.levels[0].keys + 2);
    assert_int_equal(keys[2].target, fixture.plan.levels[0].keys + 4);
    assert_int_equal(keys[1].term, keys[3].term);
    assert_true(fixture.plan.levels[0].memoise);
    plan_fixture_free(&fixture);
}

/* Of a choice with a known condition, only the branch taken matters. */
static void test_branches(void **state)
{
    (void)state;
    struct plan_fixture fixture;
    plan_fixture_create(&fixture, "param A = [0, 1]\nparam B = [1, 2, 4]\nparam C = [1, 2, 4]\n"
                                  "where (B * 2 % C if A == 1 else C % 3) == 0\n");
    const struct plan_level *level = &fixture.plan.levels[1];
    const struct key_step *keys = &fixture.plan.keys[level->keys];
    size_t branch = 0, count = level->keys_end - level->keys;
    while (branch < count && keys[branch].kind != KEY_BRANCH)
        branch++;
    assert_true(branch > 0 && branch + 2 < count);
    assert_int_equal(keys[branch - 1].term, keys[branch].term); /* the condition is in the key */
    assert_int_equal(keys[branch + 1].kind, KEY_INTEGER);       /* B * 2, if it is true */
    assert_int_equal(keys[branch + 2].kind, KEY_JUMP);
    assert_int_equal(keys[branch].target, level->keys + branch + 3);
    assert_int_equal(keys[branch + 2].target, level->keys_end);
    plan_fixture_free(&fixture);
}

/* Values that may not be integers go into the key with their kind. */
static void test_kinds(void **state)
{
    (void)state;
    struct plan_fixture fixture;
    plan_fixture_create(&fixture, "param A = [1, 2.5, \"x\"]\nparam B = [1, \"x\", 2]\nwhere A == B\n");
    const struct plan_level *level = &fixture.plan.levels[0];
    assert_int_equal(fixture.plan.keys[level->keys_end - 1].kind, KEY_VALUE);
    assert_true(fixture.plan.key_width >= 2 * (level->keys_end - level->keys));
    plan_fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_product),  cmocka_unit_test(test_no_memo), cmocka_unit_test(test_unless),
        cmocka_unit_test(test_branches), cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
