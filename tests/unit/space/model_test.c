/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/space_fixture.h"

#include "tuner/space/model.h"

static void create(struct space_fixture *fixture, struct model *model, const char *text, bool lenient)
{
    space_fixture_create(fixture, text);
    assert_true(model_create(model, &fixture->domain, fixture->domain.space->constraint_count, NULL, 0, lenient));
}

static void clear(struct space_fixture *fixture, struct model *model)
{
    model_clear(model);
    space_fixture_free(fixture);
}

static void assert_alive(const struct model *model, size_t v, const int64_t *expected, size_t count)
{
    const struct model_variable *variable = &model->variables[v];
    assert_int_equal(variable->alive_count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(variable->values[variable->alive[i]].integer, expected[i]);
}

/* Requirements on one variable filter its values and disappear; those on several stay. */
static void test_filter(void **state)
{
    (void)state;
    struct space_fixture fixture;
    struct model model;
    create(&fixture, &model,
           "param A = range(1, 13)\nparam B = [1, 2, 4]\nparam C = [7]\n"
           "where 12 % A == 0\nwhere A > 2 and B >= 2\nwhere A * B <= C * 4\nwhere A * C > 20\n",
           false);
    assert_int_equal(model.variable_count, 3);
    assert_alive(&model, 0, (const int64_t[]){3, 4, 6, 12}, 4);
    assert_alive(&model, 1, (const int64_t[]){2, 4}, 2);
    assert_int_equal(model.requirement_count, 1); /* A * B <= 28 */
    assert_true(model.variables[2].term == TERM_NONE);
    assert_int_equal(model.support[model.requirements[0]], SUPPORT_MANY);
    assert_int_equal(model.support[model.variables[1].term], 1);
    assert_false(model.impossible || model.doubtful);
    clear(&fixture, &model);
}

/* Tables hold a term's value for each value of its variable. */
static void test_tables(void **state)
{
    (void)state;
    struct space_fixture fixture;
    struct model model;
    static const int64_t expected[] = {10, 26, 50};
    size_t found = 0;
    create(&fixture, &model, "param A = [3, 5, 7]\nparam B = [1, 2]\nwhere A * A + 1 > B * 13\n", false);
    for (size_t t = 0; t < model.terms.count; t++) {
        const struct term *term = &model.terms.items[t];
        if (term->kind != TERM_BINARY || term->operation != OPERATION_ADD)
            continue;
        found++;
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(model.tables[t][i].integer, expected[i]);
    }
    assert_int_equal(found, 1);
    assert_null(model.tables[model.requirements[0]]);
    clear(&fixture, &model);
}

/* Conjunctions are split, but not after an operand that may fail; equal requirements count once. */
static void test_conjunctions(void **state)
{
    (void)state;
    struct space_fixture fixture;
    struct model model;
    create(&fixture, &model,
           "param A = [1, 2]\nparam B = [0, 1]\nparam C = [1, 2]\n"
           "where A > B and B < C and A != C\nwhere B < C\nwhere A // B > C and A < C\n",
           false);
    assert_int_equal(model.requirement_count, 4);
    assert_int_equal(model.terms.items[model.requirements[3]].kind, TERM_AND);
    clear(&fixture, &model);
}

static void test_impossible_and_doubtful(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool lenient, impossible, doubtful;
    } cases[] = {
        {"param A = [1, 2]\nwhere A > 2\n", false, true, false},
        {"param A = [1, 2]\nwhere n > 6\n", false, true, false},
        {"param A = [1, 2]\nwhere n == 6\n", false, false, false},
        {"param A = [1, 2]\nwhere 1 // (n - 6) > 0\n", false, false, true},
        {"param A = [1, 2]\nwhere 1 // (n - 6) > 0\n", true, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct space_fixture fixture;
        struct model model;
        create(&fixture, &model, cases[i].text, cases[i].lenient);
        assert_int_equal(model.impossible, cases[i].impossible);
        assert_int_equal(model.doubtful, cases[i].doubtful);
        clear(&fixture, &model);
    }
}

/* A value for which a requirement cannot be evaluated stays, and so does the requirement, unless the model is
 * lenient. */
static void test_failing_values(void **state)
{
    (void)state;
    for (int lenient = 0; lenient < 2; lenient++) {
        struct space_fixture fixture;
        struct model model;
        create(&fixture, &model, "param A = [0, 1, 2, 3]\nwhere 6 // A > 2\n", lenient);
        assert_alive(&model, 0, (const int64_t[]){0, 1, 2}, 3);
        assert_int_equal(model.requirement_count, lenient ? 0 : 1);
        clear(&fixture, &model);
    }
}

/* The first constraints only. */
static void test_constraint_count(void **state)
{
    (void)state;
    static const size_t alive[] = {6, 5, 3};
    for (size_t count = 0; count < 3; count++) {
        struct space_fixture fixture;
        struct model model;
        space_fixture_create(&fixture, "param A = [1, 2, 3, 4, 5, 6]\nwhere A > 1\nwhere A % 2 == 0\n");
        assert_true(model_create(&model, &fixture.domain, count, NULL, 0, false));
        assert_int_equal(model.variables[0].alive_count, alive[count]);
        clear(&fixture, &model);
    }
}

/* Excluding a former member filters the values of A if only A decides, else it adds a requirement. */
static void test_formers(void **state)
{
    (void)state;
    struct space_fixture former, fixture;
    struct model model;
    const struct domain *const formers[] = {&former.domain};
    space_fixture_create(&former, "param A = [2, 3]\nparam B = [1, 2, 3, 4]\n");
    space_fixture_create(&fixture, "param A = [1, 2, 3, 4]\nparam B = [2]\n");
    assert_true(model_create(&model, &fixture.domain, 0, formers, 1, false));
    assert_alive(&model, 0, (const int64_t[]){1, 4}, 2);
    assert_int_equal(model.requirement_count, 0);
    model_clear(&model);
    space_fixture_free(&former);
    space_fixture_create(&former, "param A = [2, 3]\nparam B = [1, 2, 3, 4]\nwhere A > B\n");
    space_fixture_free(&fixture);
    space_fixture_create(&fixture, "param A = [1, 2, 3, 4]\nparam B = [1, 2]\n");
    assert_true(model_create(&model, &fixture.domain, 0, formers, 1, false));
    assert_int_equal(model.variables[0].alive_count, 4);
    assert_int_equal(model.requirement_count, 1);
    model_clear(&model);
    space_fixture_free(&former);
    space_fixture_free(&fixture);
}

/* The ranges of the remaining values decide more: with A <= 4, A + B <= 8 always holds. */
static void test_narrow(void **state)
{
    (void)state;
    struct space_fixture fixture;
    struct model model;
    create(&fixture, &model,
           "param A = range(1, 100)\nparam B = [1, 2, 4]\nparam C = [0, 1]\nwhere A <= 4\nwhere A + B <= 8\n"
           "where A * B > C\nwhere A * B > 3 + C\n",
           false);
    assert_int_equal(model.requirement_count, 3);
    assert_true(model_narrow(&model));
    assert_int_equal(model.requirement_count, 2);
    assert_true(model.terms.items[model.variables[0].term].range.high == 4);
    assert_false(model.impossible);
    clear(&fixture, &model);
    create(&fixture, &model, "param A = range(1, 100)\nparam B = [1, 2, 4]\nwhere A <= 4\nwhere A > 3 + B * 2\n",
           false);
    assert_true(model_narrow(&model));
    assert_true(model.impossible);
    clear(&fixture, &model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filter),         cmocka_unit_test(test_tables),
        cmocka_unit_test(test_conjunctions),   cmocka_unit_test(test_impossible_and_doubtful),
        cmocka_unit_test(test_failing_values), cmocka_unit_test(test_constraint_count),
        cmocka_unit_test(test_formers),        cmocka_unit_test(test_narrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
