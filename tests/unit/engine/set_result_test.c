/* SPDX-License-Identifier: Apache-2.0 */
/* From costs to a dispatch. */
#include "tests/unit/engine/set_fixture.h"
#include "tuner/engine/set_result.h"

static struct dispatch *conclude(struct set_fixture *fixture, size_t most, size_t *missing)
{
    struct dispatch *dispatch;
    assert_success(set_result_conclude(&fixture->known, most, &dispatch, missing, &fixture->f.error),
                   &fixture->f.error);
    return dispatch;
}

/* The tree's. */
static int answer(const struct dispatch *dispatch, int n)
{
    const struct tree_node *leaf = &dispatch->tree.nodes[tree_leaf(&dispatch->tree, (const int64_t[]){n, 3})];
    return atoi(dispatch->configurations[leaf->configuration] + strlen("{\"A\":"));
}

static void the_tree_separates_what_differs(void **state)
{
    (void)state;
    struct set_fixture fixture;
    size_t missing;
    set_fixture_open(&fixture);
    for (size_t s = 0; s < SET_SIZES; s++) {
        set_fixture_sweep(&fixture, s, 512, 0);
        set_fixture_sweep(&fixture, s, 512, 1);
    }
    struct dispatch *dispatch = conclude(&fixture, 3, &missing);
    assert_int_equal(missing, 0);
    assert_int_equal(dispatch->configuration_count, 3);
    int before = 0;
    for (int n = 8; n <= 2048; n += 3) {
        int a = answer(dispatch, n);
        assert_true(a >= before); /* they are the larger, the larger n is */
        assert_true(a <= n);
        before = a;
    }
    const struct dispatch_quality quality = dispatch_quality(dispatch);
    assert_true(quality.mean > 0.75 && quality.worst >= 0.49); /* three of nine: at most an octave off, or two */
    assert_true(quality.held_out_mean <= 1 && quality.held_out_mean > 0.6);
    for (size_t i = 0; i < dispatch->configuration_count; i++)
        assert_non_null(strstr(dispatch->configurations[i], "\"B\":0"));
    dispatch_free(dispatch);
    set_fixture_close(&fixture);
}

static void one_configuration_needs_no_questions(void **state)
{
    (void)state;
    struct set_fixture fixture;
    size_t missing;
    set_fixture_open(&fixture);
    fixture.set.weights[6] = 100; /* n = 512 */
    for (size_t s = 0; s < SET_SIZES; s++)
        set_fixture_sweep(&fixture, s, 512, 0);
    struct dispatch *dispatch = conclude(&fixture, 1, &missing);
    assert_int_equal(dispatch->configuration_count, 1);
    assert_int_equal(dispatch->tree.count, 1);
    assert_int_equal(answer(dispatch, 512), 64);
    assert_int_equal(missing, 3); /* where it would be above n */
    dispatch_free(dispatch);
    set_fixture_close(&fixture);
}

/* A sweep tries what it has reason to hope for: what was never measured at large sizes may be as good there. */
static void what_was_not_measured_is_hoped_for(void **state)
{
    (void)state;
    struct set_fixture fixture;
    size_t chosen[1], count;
    set_fixture_open(&fixture);
    for (size_t s = 0; s < SET_SIZES; s++) {
        set_fixture_put(&fixture, 8, 1, s);
        if (s < 5)
            set_fixture_put(&fixture, 8, 0, s);
    }
    assert_true(set_result_choose(&fixture.table, fixture.set.weights, 1, chosen, &count, NULL));
    assert_int_equal(count, 1);
    assert_string_equal(fixture.table.configurations[chosen[0]], "{\"A\":8,\"B\":0}");
    set_fixture_close(&fixture);
}

/* The best at n = 64 was not measured there: the tree answers with what was, unless that is much worse. */
static void answers_are_known_where_they_may_be(void **state)
{
    (void)state;
    struct set_fixture fixture;
    size_t missing;
    set_fixture_open(&fixture);
    for (size_t s = 0; s < SET_SIZES; s++) {
        for (int a = 1; a <= 8; a *= 2) {
            if (s != 3 || a != 8)
                set_fixture_put(&fixture, a, 0, s);
        }
    }
    struct dispatch *dispatch = conclude(&fixture, 4, &missing);
    assert_int_equal(missing, 0);
    assert_int_equal(answer(dispatch, 64), 4);
    dispatch_free(dispatch);
    set_fixture_close(&fixture);
}

static void sizes_without_a_valid_configuration_do_not_count(void **state)
{
    (void)state;
    struct set_fixture fixture;
    size_t missing;
    set_fixture_open(&fixture);
    assert_null(conclude(&fixture, 3, &missing));
    for (size_t s = 0; s < SET_SIZES; s++) {
        if (s != 2)
            set_fixture_sweep(&fixture, s, 512, 0);
    }
    assert_true(cost_table_put(&fixture.table, "{\"A\":1,\"B\":0}", 2, HUGE_VAL, NULL));
    struct dispatch *dispatch = conclude(&fixture, 3, &missing);
    assert_int_equal(dispatch->case_count, SET_SIZES - 1);
    assert_int_equal(dispatch->cases[2].sizes[0], 64);
    dispatch_free(dispatch);
    set_fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_separates_what_differs),
        cmocka_unit_test(one_configuration_needs_no_questions),
        cmocka_unit_test(what_was_not_measured_is_hoped_for),
        cmocka_unit_test(answers_are_known_where_they_may_be),
        cmocka_unit_test(sizes_without_a_valid_configuration_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
