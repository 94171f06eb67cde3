/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/plan_fixture.h"

/* A requirement is tested where its last variable gets a value; its range is tested where that narrows. */
static void test_tests(void **state)
{
    (void)state;
    struct plan_fixture fixture;
    plan_fixture_create(&fixture,
                        "param A = [1, 2, 4]\nparam B = [1, 2, 4]\nparam C = [1, 2, 4]\nwhere A + C <= 6\n");
    assert_int_equal(fixture.plan.level_count, 3);
    term_id requirement = fixture.model.requirements[0];
    for (size_t level = 0; level < 3; level++) {
        const struct plan_step *require = plan_fixture_step(&fixture, level, STEP_REQUIRE);
        const struct plan_step *expect = plan_fixture_step(&fixture, level, STEP_EXPECT);
        assert_int_equal(require != NULL, level == 2);
        assert_int_equal(expect != NULL, level == 0); /* B does not affect it */
        assert_true(!require || require->term == requirement);
        assert_true(!expect || expect->term == requirement);
        assert_int_equal(fixture.plan.levels[level].variable, level);
    }
    plan_fixture_free(&fixture);
}

/* Terms of one variable are looked up, others evaluated; only terms that open requirements read directly count. */
static void test_values(void **state)
{
    (void)state;
    struct plan_fixture fixture;
    plan_fixture_create(&fixture, "param A = [1, 2, 4]\nparam B = [1, 2, 4]\nparam C = [1, 2, 4]\n"
                                  "where (A * A + 1) * B <= 60 * C\n");
    const struct plan_level *levels = fixture.plan.levels;
    assert_int_equal(levels[0].tables_end - levels[0].tables, 1); /* A * A + 1, not A */
    term_id looked_up = fixture.plan.tabulated[levels[0].tables];
    assert_int_equal(fixture.model.terms.items[looked_up].operation, OPERATION_ADD);
    assert_null(plan_fixture_step(&fixture, 0, STEP_VALUE));
    const struct plan_step *product = plan_fixture_step(&fixture, 1, STEP_VALUE);
    assert_non_null(product);
    assert_int_equal(fixture.model.terms.items[product->term].operation, OPERATION_MULTIPLY);
    assert_int_equal(levels[1].tables_end - levels[1].tables, 1); /* B */
    plan_fixture_free(&fixture);
}

/* Each level that changes a range gives it a new slot, after those of the terms. */
static void test_slots(void **state)
{
    (void)state;
    struct plan_fixture fixture;
    plan_fixture_create(&fixture, "param A = [1, 2]\nparam B = [1, 2]\nparam C = [1, 2]\nwhere A + B + C <= 5\n");
    size_t next = fixture.model.terms.count;
    for (size_t s = 0; s < fixture.plan.step_count; s++) {
        const struct plan_step *step = &fixture.plan.steps[s];
        if (step->kind == STEP_KNOWN || step->kind == STEP_RANGE)
            assert_int_equal(step->slot, next++);
    }
    assert_int_equal(fixture.plan.slot_count, next);
    plan_fixture_free(&fixture);
}

static void test_nothing_to_do(void **state)
{
    (void)state;
    struct plan_fixture fixture;
    plan_fixture_create(&fixture, "param A = [1, 2]\nparam B = [3, 4]\n");
    assert_int_equal(fixture.plan.step_count, 0);
    assert_int_equal(fixture.plan.key_count, 0);
    plan_fixture_free(&fixture);
    plan_fixture_create(&fixture, "set A = 1\n");
    assert_int_equal(fixture.plan.level_count, 0);
    plan_fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tests),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_nothing_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
