/* SPDX-License-Identifier: Apache-2.0 */
/* What happened before what, by the rules of the CUDA C++ Programming Guide for barriers, warps, fences and atomics.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/check/happens_before.h"

#include <stdlib.h>

static int begin(void **state)
{
    struct happens_before *relation = calloc(1, sizeof *relation);
    if (!relation)
        return -1;
    happens_before_init(relation);
    happens_before_launch(relation, 96);
    happens_before_block(relation);
    *state = relation;
    return 0;
}

static int end(void **state)
{
    happens_before_clear(*state);
    free(*state);
    return 0;
}

static void a_thread_knows_itself_alone(void **state)
{
    struct happens_before *relation = *state;
    uint32_t then = relation->time;
    assert_true(happens_before_holds(relation, 1, 5, then, 5));
    assert_false(happens_before_holds(relation, 1, 5, then, 6));
    assert_false(happens_before_holds(relation, 1, 5, then, 40));
}

static void a_barrier_orders_the_block(void **state)
{
    struct happens_before *relation = *state;
    uint32_t before = relation->time;
    happens_before_barrier(relation);
    assert_true(happens_before_holds(relation, 1, 5, before, 40));
    assert_false(happens_before_holds(relation, 1, 5, relation->time, 40));
}

static void an_exchange_orders_its_lanes_and_what_they_know(void **state)
{
    struct happens_before *relation = *state;
    uint32_t before = relation->time;
    happens_before_exchange(relation, 1, 0x3);
    assert_true(happens_before_holds(relation, 1, 32, before, 33));
    assert_false(happens_before_holds(relation, 1, 34, before, 33));
    assert_false(happens_before_holds(relation, 1, 32, before, 34));
    assert_false(happens_before_holds(relation, 1, 0, before, 32));
    happens_before_exchange(relation, 1, 0x6); /* lane 2 learns of lane 0 by lane 1 */
    assert_true(happens_before_holds(relation, 1, 32, before, 34));
    assert_false(happens_before_holds(relation, 1, 34, before, 32));
}

static void blocks_are_not_ordered(void **state)
{
    struct happens_before *relation = *state;
    uint32_t before = relation->time;
    happens_before_barrier(relation);
    happens_before_block(relation);
    happens_before_barrier(relation);
    assert_false(happens_before_holds(relation, 1, 5, before, 5));
    happens_before_launch(relation, 96);
    happens_before_block(relation);
    assert_true(happens_before_holds(relation, 1, 5, before, 7));
}

/* Blocks 2 to 5 live together, in clusters of two. */
static void barriers_of_clusters_and_grids_order_blocks(void **state)
{
    struct happens_before *relation = *state;
    uint32_t written[2], address = 0;
    happens_before_team(relation, 4, 2);
    for (uint32_t i = 0; i < 2; i++) {
        happens_before_turn(relation, 2 * i);
        written[i] = relation->time;
        happens_before_exchange(relation, 0, ~0u); /* time goes on */
    }
    assert_false(happens_before_holds(relation, 2, 5, written[0], 5));
    happens_before_turn(relation, 1);
    assert_false(happens_before_holds(relation, 2, 5, written[0], 5));
    happens_before_cluster_barrier(relation);
    assert_true(happens_before_holds(relation, 2, 5, written[0], 60));
    assert_false(happens_before_holds(relation, 4, 5, written[1], 60)); /* of another cluster */
    assert_false(happens_before_holds(relation, 2, 5, relation->time, 60));
    happens_before_fence(relation, 60); /* tells the other cluster what it knows of its own */
    happens_before_atomic(relation, 60, &address);
    happens_before_turn(relation, 3);
    assert_false(happens_before_holds(relation, 2, 5, written[0], 7));
    happens_before_atomic(relation, 7, &address);
    assert_true(happens_before_holds(relation, 2, 5, written[0], 7));
    assert_false(happens_before_holds(relation, 4, 5, written[1], 7));
    happens_before_grid_barrier(relation);
    for (size_t i = 0; i < 4; i++) {
        happens_before_turn(relation, i);
        assert_true(happens_before_holds(relation, 4, 5, written[1], 9));
    }
    uint32_t after = relation->time;
    happens_before_turn(relation, 0);
    assert_false(happens_before_holds(relation, 4, 5, after, 5));
    happens_before_block(relation); /* the next one lives alone */
    assert_int_equal(relation->block, 6);
    assert_false(relation->out_of_memory);
}

/* Thread 0 of a block fences and counts; thread 0 of the next sees the count. */
static void count_blocks(struct happens_before *relation, bool barrier, bool fence, uint32_t *written)
{
    uint32_t address = 0;
    *written = relation->time;
    if (barrier)
        happens_before_barrier(relation);
    if (fence)
        happens_before_fence(relation, 0);
    happens_before_atomic(relation, 0, &address);
    happens_before_block(relation);
    happens_before_atomic(relation, 0, &address);
}

static void a_fence_and_an_atomic_order_blocks(void **state)
{
    struct happens_before *relation = *state;
    uint32_t written;
    count_blocks(relation, true, true, &written);
    assert_true(happens_before_holds(relation, 1, 0, written, 0));
    assert_true(happens_before_holds(relation, 1, 70, written, 0));  /* by the barrier before */
    assert_false(happens_before_holds(relation, 1, 70, written, 1)); /* who has not looked */
    happens_before_barrier(relation);
    assert_true(happens_before_holds(relation, 1, 70, written, 1));
    assert_false(relation->out_of_memory);
}

static void an_atomic_without_a_fence_orders_nothing(void **state)
{
    uint32_t written;
    count_blocks(*state, true, false, &written);
    assert_false(happens_before_holds(*state, 1, 0, written, 0));
}

static void without_a_barrier_a_thread_tells_of_itself_alone(void **state)
{
    uint32_t written;
    count_blocks(*state, false, true, &written);
    assert_true(happens_before_holds(*state, 1, 0, written, 0));
    assert_false(happens_before_holds(*state, 1, 70, written, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_thread_knows_itself_alone, begin, end),
        cmocka_unit_test_setup_teardown(a_barrier_orders_the_block, begin, end),
        cmocka_unit_test_setup_teardown(an_exchange_orders_its_lanes_and_what_they_know, begin, end),
        cmocka_unit_test_setup_teardown(blocks_are_not_ordered, begin, end),
        cmocka_unit_test_setup_teardown(barriers_of_clusters_and_grids_order_blocks, begin, end),
        cmocka_unit_test_setup_teardown(a_fence_and_an_atomic_order_blocks, begin, end),
        cmocka_unit_test_setup_teardown(an_atomic_without_a_fence_orders_nothing, begin, end),
        cmocka_unit_test_setup_teardown(without_a_barrier_a_thread_tells_of_itself_alone, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
