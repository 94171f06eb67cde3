/* SPDX-License-Identifier: Apache-2.0 */
/* A model of costs that are a formula: what it proposes at a size from what is known at others. */
#include "tests/unit/fixture.h"
#include "tuner/engine/set_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TEMPLATE                                                                                                     \
    "template t\nsize n = 64\nparameter A\nparameter B\nparameter C\nsource \"k.cu\"\nbuffer y : float[n] out\n"     \
    "launch { k<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"
#define SPACE                                                                                                        \
    "space s of t\nparam A = pow2(1, 512)\nparam B = [0, 1, 2, 3]\nparam C = [\"x\", \"y\", \"z\"]\nwhere A <= n\n"

enum { SIZES = 6, MOST = 8 };

struct world {
    struct fixture f;
    struct problem *problems[SIZES];
    struct cost_table table;
    struct set_model *model;
};

static const char *const sizes[] = {"n=64", "n=128", "n=256", "n=512", "n=1024", "n=2048"};

/* The best A is a sixteenth of n, the best C is "y", and the best B is 2. */
static double cost_of(const char *text, int64_t n)
{
    int a, b;
    char c;
    assert_int_equal(sscanf(text, "{\"A\":%d,\"B\":%d,\"C\":\"%c\"}", &a, &b, &c), 3);
    return (double)n * exp2(0.7 * fabs(log2(16.0 * a / (double)n)) + 0.4 * abs(b - 2) + (c == 'y' ? 0 : 0.5));
}

static double cost_at(const struct world *world, size_t size, size_t index)
{
    char *text = problem_configuration_text(world->problems[size], index);
    double cost = cost_of(text, problem_size(world->problems[size], 0));
    free(text);
    return cost;
}

static void open_world(struct world *world)
{
    *world = (struct world){0};
    fixture_parse(&world->f, TEMPLATE, SPACE);
    for (size_t s = 0; s < SIZES; s++) {
        const struct size_setting setting = {"n", (int64_t)64 << s};
        assert_success(problem_create(world->f.template, world->f.space, &world->f.device, &setting, 1,
                                      &world->problems[s], &world->f.error),
                       &world->f.error);
    }
    assert_true(cost_table_create(&world->table, sizes, SIZES, NULL));
    assert_true(set_model_create(world->problems, &world->table, 1, &world->model, NULL));
}

static void close_world(struct world *world)
{
    set_model_free(world->model);
    cost_table_clear(&world->table);
    for (size_t s = 0; s < SIZES; s++)
        problem_free(world->problems[s]);
    fixture_free(&world->f);
}

/* Every `step`-th configuration of a size. */
static void learn(struct world *world, size_t size, size_t step)
{
    for (size_t i = size; i < problem_configuration_count(world->problems[size]); i += step) {
        char *text = problem_configuration_text(world->problems[size], i);
        assert_true(cost_table_put(&world->table, text, size, cost_at(world, size, i), NULL));
        free(text);
    }
}

static void propose(struct world *world, size_t size, const size_t *excluded, size_t excluded_count, size_t most,
                    struct set_proposal *proposals, size_t *count)
{
    assert_true(set_model_propose(world->model, size, excluded, excluded_count, most, proposals, count, NULL));
}

static void little_knowledge_proposes_nothing(void **state)
{
    (void)state;
    struct world world;
    struct set_proposal proposals[MOST];
    size_t count = 9;
    open_world(&world);
    propose(&world, 2, NULL, 0, MOST, proposals, &count);
    assert_int_equal(count, 0);
    learn(&world, 1, 10);
    propose(&world, 2, NULL, 0, MOST, proposals, &count);
    assert_int_equal(count, 0);
    close_world(&world);
}

/* Of the configurations of a size that was not measured, those proposed are among the best: on average they cost a
 * third of what all do. */
static void what_is_good_is_proposed_where_nothing_is_known(void **state)
{
    (void)state;
    struct world world;
    struct set_proposal proposals[MOST];
    size_t count;
    open_world(&world);
    for (size_t s = 0; s < SIZES; s++) {
        if (s != 3)
            learn(&world, s, 5);
    }
    propose(&world, 3, NULL, 0, MOST, proposals, &count);
    assert_int_equal(count, MOST);
    double proposed = 0, all = 0, least = INFINITY, best = INFINITY;
    size_t configurations = problem_configuration_count(world.problems[3]);
    for (size_t i = 0; i < configurations; i++) {
        all += cost_at(&world, 3, i) / (double)configurations;
        best = fmin(best, cost_at(&world, 3, i));
    }
    for (size_t i = 0; i < count; i++) {
        assert_true(proposals[i].loss >= 0);
        proposed += cost_at(&world, 3, proposals[i].index) / (double)count;
        least = fmin(least, cost_at(&world, 3, proposals[i].index));
    }
    assert_true(proposed < all / 3);
    assert_true(least < 1.35 * best);
    close_world(&world);
}

static void what_is_known_or_excluded_is_not_proposed(void **state)
{
    (void)state;
    struct world world;
    struct set_proposal first[MOST], second[MOST];
    size_t count, excluded[MOST];
    open_world(&world);
    for (size_t s = 0; s < SIZES; s++)
        learn(&world, s, 4);
    propose(&world, 3, NULL, 0, MOST, first, &count);
    assert_int_equal(count, MOST);
    for (size_t i = 0; i < count; i++) {
        excluded[i] = first[i].index;
        assert_true(first[i].index % 4 != 3); /* those are known */
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(first[i].index, first[j].index);
    }
    propose(&world, 3, excluded, MOST, MOST, second, &count);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < MOST; j++)
            assert_int_not_equal(second[i].index, excluded[j]);
    }
    close_world(&world);
}

static void the_same_seed_proposes_the_same(void **state)
{
    (void)state;
    struct set_proposal proposals[2][MOST];
    for (size_t i = 0; i < 2; i++) {
        struct world world;
        size_t count;
        open_world(&world);
        learn(&world, 0, 3);
        learn(&world, 5, 3);
        propose(&world, 2, NULL, 0, MOST, proposals[i], &count);
        assert_int_equal(count, MOST);
        close_world(&world);
    }
    for (size_t i = 0; i < MOST; i++)
        assert_int_equal(proposals[0][i].index, proposals[1][i].index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(little_knowledge_proposes_nothing),
        cmocka_unit_test(what_is_good_is_proposed_where_nothing_is_known),
        cmocka_unit_test(what_is_known_or_excluded_is_not_proposed),
        cmocka_unit_test(the_same_seed_proposes_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
