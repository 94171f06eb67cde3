/* SPDX-License-Identifier: Apache-2.0 */
/* Trees over sizes whose best configuration follows a known rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/dispatch/tree.h"

#include <math.h>
#include <string.h>

enum { MOST = 100, CONFIGURATIONS = 3 };

struct world {
    int64_t sizes[2 * MOST];
    double loss[CONFIGURATIONS * MOST], weights[MOST], held_out[MOST];
    struct tree_cases cases;
};

typedef size_t rule(int64_t m, int64_t n);

/* A grid of 5 x 5 sizes about powers of four, some odd; what the rule names loses nothing, the others 0.5. */
static void make(struct world *world, rule *best)
{
    static const int64_t side[] = {16, 63, 256, 1023, 4096};
    world->cases = (struct tree_cases){.dimensions = 2,
                                       .configurations = CONFIGURATIONS,
                                       .count = 25,
                                       .sizes = world->sizes,
                                       .loss = world->loss,
                                       .weights = world->weights};
    for (size_t i = 0; i < 25; i++) {
        world->sizes[2 * i] = side[i / 5];
        world->sizes[2 * i + 1] = side[i % 5];
        world->weights[i] = 1;
        for (size_t c = 0; c < CONFIGURATIONS; c++)
            world->loss[c * 25 + i] = best(side[i / 5], side[i % 5]) == c ? 0 : 0.5;
    }
}

static size_t answer(const struct tree *tree, int64_t m, int64_t n)
{
    return tree->nodes[tree_leaf(tree, (int64_t[]){m, n})].configuration;
}

static size_t by_size(int64_t m, int64_t n)
{
    (void)n;
    return m < 100 ? 1 : 2;
}

static size_t by_shape(int64_t m, int64_t n)
{
    return m > n ? 0 : 2;
}

static size_t by_unit(int64_t m, int64_t n)
{
    (void)m;
    return n % 2 ? 1 : 0;
}

static void one_question_finds_the_rule(void **state)
{
    (void)state;
    static const struct {
        rule *rule;
        enum feature_kind kind;
    } cases[] = {{by_size, FEATURE_SIZE}, {by_shape, FEATURE_RATIO}, {by_unit, FEATURE_UNIT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        struct tree tree;
        make(&world, cases[i].rule);
        assert_true(tree_grow(&world.cases, 8, &tree, world.held_out, NULL));
        assert_int_equal(tree.count, 3);
        assert_int_equal(tree.nodes[0].feature.kind, cases[i].kind);
        assert_int_equal(answer(&tree, 40, 3000), cases[i].rule(40, 3000));
        assert_int_equal(answer(&tree, 3001, 41), cases[i].rule(3001, 41));
        for (size_t c = 0; c < 25; c++) /* one size in each of the trees that were grown without it tells as much */
            assert_true(world.held_out[c] == 0);
        tree_clear(&tree);
    }
}

static size_t always_the_second(int64_t m, int64_t n)
{
    (void)m, (void)n;
    return 1;
}

static void nothing_to_gain_is_a_leaf(void **state)
{
    (void)state;
    struct world world;
    struct tree tree;
    make(&world, always_the_second);
    assert_true(tree_grow(&world.cases, 8, &tree, NULL, NULL));
    assert_int_equal(tree.count, 1);
    assert_int_equal(answer(&tree, 1, 1), 1);
    tree_clear(&tree);

    world.cases.count = 1; /* loss[1], of configuration 1, is 0.5 by the layout of one case */
    assert_true(tree_grow(&world.cases, 8, &tree, world.held_out, NULL));
    assert_int_equal(tree.count, 1);
    tree_clear(&tree);
}

static size_t by_chance(int64_t m, int64_t n)
{
    uint64_t hash = (uint64_t)(m * 31 + n) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 60) % CONFIGURATIONS;
}

/* Leaves that only remember their sizes lose at others: cross-validation keeps the tree small. */
static void noise_is_not_learnt(void **state)
{
    (void)state;
    struct world world;
    struct tree tree;
    make(&world, by_chance);
    assert_true(tree_grow(&world.cases, TREE_LEAVES_MOST, &tree, world.held_out, NULL));
    assert_true(tree.count <= 21); /* of 49 nodes or more that would remember everything */
    double sum = 0;
    for (size_t i = 0; i < 25; i++)
        sum += world.held_out[i];
    assert_true(sum > 0);
    tree_clear(&tree);
}

static void weights_count(void **state)
{
    (void)state;
    struct world world;
    struct tree tree;
    make(&world, by_size);
    world.weights[0] = 1000; /* 16 x 16 */
    assert_true(tree_grow(&world.cases, 1, &tree, NULL, NULL));
    assert_int_equal(tree.count, 1);
    assert_int_equal(answer(&tree, 4096, 4096), 1);
    tree_clear(&tree);
}

static void limits_hold(void **state)
{
    (void)state;
    struct world world;
    struct tree tree;
    make(&world, by_chance);
    for (size_t leaves = 1; leaves <= 5; leaves++) {
        assert_true(tree_grow(&world.cases, leaves, &tree, NULL, NULL));
        assert_in_range(tree.count, 1, 2 * leaves - 1);
        for (size_t i = 0; i < tree.count; i++)
            assert_true(tree.nodes[i].is_leaf || (tree.nodes[i].then > i && tree.nodes[i].otherwise > i));
        tree_clear(&tree);
    }
}

static void thresholds_are_short(void **state)
{
    (void)state;
    static const struct {
        double low, high, threshold;
    } cases[] = {
        {1000, 1100, 1024}, {1, 2, 2}, {63, 256, 128}, {3000, 4000, 3000.0 + 500}, {5, 6, 6}, {0.3, 0.4, 0.3 + 0.05},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double threshold = tree_threshold(cases[i].low, cases[i].high);
        assert_true(threshold > cases[i].low && threshold <= cases[i].high);
        if (i < 3)
            assert_true(threshold == cases[i].threshold);
    }
    double next = nextafter(1e15, 2e15);
    assert_true(tree_threshold(1e15, next) == next);
}

/* One size differs from all others. A tree that has seen sizes around it knows, unless they are left out with it. */
static void what_was_made_up_is_left_out_with_its_case(void **state)
{
    (void)state;
    static size_t around[50];
    struct world world;
    struct tree tree;
    make(&world, by_size);
    for (size_t c = CONFIGURATIONS; c-- > 0;) { /* room for another 25, which are the same */
        memmove(world.loss + c * 50, world.loss + c * 25, 25 * sizeof *world.loss);
        world.loss[c * 50 + 24] = c == 0 ? 0 : 0.5;
        memcpy(world.loss + c * 50 + 25, world.loss + c * 50, 25 * sizeof *world.loss);
    }
    memcpy(world.sizes + 50, world.sizes, 50 * sizeof *world.sizes);
    for (size_t i = 0; i < 50; i++) {
        around[i] = i % 25;
        world.weights[i] = 1;
    }
    world.cases.count = 50;
    world.cases.measured = 25;
    world.cases.around = around;
    assert_true(tree_grow(&world.cases, 8, &tree, world.held_out, NULL));
    assert_true(world.held_out[24] == 0.5);
    tree_clear(&tree);
    assert_true(tree_grow_to(&world.cases, 8, &tree, NULL));
    assert_int_equal(answer(&tree, 4096, 4096), 0);
    tree_clear(&tree);
    assert_true(tree_grow_to(&world.cases, 2, &tree, NULL));
    assert_int_equal(tree.count, 3);
    tree_clear(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_made_up_is_left_out_with_its_case),
        cmocka_unit_test(one_question_finds_the_rule),
        cmocka_unit_test(nothing_to_gain_is_a_leaf),
        cmocka_unit_test(noise_is_not_learnt),
        cmocka_unit_test(weights_count),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(thresholds_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
