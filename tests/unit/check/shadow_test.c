/* SPDX-License-Identifier: Apache-2.0 */
/* Shadow memory: which pairs of accesses conflict, by the rules of happens_before.h and CUDA's memory spaces. */
#include "tests/unit/fixture.h"

#include "tuner/check/shadow.h"
#include "tuner/device/cpu/kernel_abi.h"

#include <stdlib.h>

static struct shadow *shadow;
static struct happens_before *relation;
static struct error error;

enum { GLOBAL = 0x1000, SHARED = 0x9000, BYTES = 4096, MOST = 64 };

static struct conflict conflicts[MOST];
static size_t conflict_count;

static void found(void *context, const struct conflict *conflict)
{
    assert_ptr_equal(context, &conflict_count);
    assert_true(conflict_count < MOST);
    conflicts[conflict_count++] = *conflict;
}

static int begin(void **state)
{
    (void)state;
    relation = calloc(1, sizeof *relation);
    if (!relation || !shadow_create(&shadow, &error))
        return -1;
    conflict_count = 0;
    happens_before_init(relation);
    happens_before_launch(relation, 64);
    happens_before_block(relation);
    const struct shadow_region global = {"x", SPACE_GLOBAL, GLOBAL, BYTES};
    const struct shadow_region shared = {"tile", SPACE_STATIC_SHARED, SHARED, BYTES};
    return shadow_add(shadow, &global, true, &error) && shadow_add(shadow, &shared, false, &error) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    shadow_free(shadow);
    happens_before_clear(relation);
    free(relation);
    return 0;
}

/* An access by a thread of the running block; returns how many conflicts it makes. */
static size_t touch(uint16_t thread, uintptr_t address, size_t bytes, unsigned kind)
{
    const struct access now = {relation->time, relation->block, 100u + thread, thread, (uint16_t)kind};
    size_t before = conflict_count;
    assert_true(shadow_access(shadow, relation, address, bytes, &now, found, &conflict_count));
    return conflict_count - before;
}

static void next_block(void)
{
    happens_before_block(relation);
    shadow_block(shadow);
}

static void a_write_conflicts_with_what_nothing_orders(void **state)
{
    (void)state;
    assert_int_equal(touch(0, GLOBAL, 4, TUNE_WRITE), 0);
    assert_int_equal(touch(0, GLOBAL, 4, TUNE_READ | TUNE_WRITE), 0); /* itself */
    assert_int_equal(touch(1, GLOBAL, 4, TUNE_READ), 1);
    assert_int_equal(conflicts[0].before.thread, 0);
    assert_int_equal(conflicts[0].before.code, 100);
    assert_int_equal(conflicts[0].now.thread, 1);
    assert_int_equal(conflicts[0].address, GLOBAL);
    assert_string_equal(conflicts[0].region->name, "x");
    happens_before_barrier(relation);
    assert_int_equal(touch(2, GLOBAL, 4, TUNE_WRITE), 0);
    assert_int_equal(touch(3, GLOBAL, 4, TUNE_WRITE), 1);
}

static void reads_do_not_conflict(void **state)
{
    (void)state;
    for (uint16_t thread = 0; thread < 64; thread++)
        assert_int_equal(touch(thread, GLOBAL, 4, TUNE_READ), 0);
}

/* The three readers that are kept: of these, each in turn is the only one that the writer races with. */
static void a_write_after_reads_conflicts_with_the_kept_readers(void **state)
{
    (void)state;
    touch(0, GLOBAL, 4, TUNE_READ);  /* another warp's */
    touch(40, GLOBAL, 4, TUNE_READ); /* the last one's warp */
    touch(41, GLOBAL, 4, TUNE_READ); /* the last */
    assert_int_equal(touch(50, GLOBAL, 4, TUNE_WRITE), 3);
    assert_int_equal(touch(50, GLOBAL, 4, TUNE_WRITE), 0); /* forgotten after the write */
}

static void only_overlapping_bytes_conflict(void **state)
{
    (void)state;
    touch(0, GLOBAL + 8, 4, TUNE_WRITE);
    assert_int_equal(touch(1, GLOBAL + 4, 4, TUNE_WRITE), 0);
    assert_int_equal(touch(1, GLOBAL + 12, 4, TUNE_WRITE), 0);
    /* Bytes of a word that was accessed whole, and then two neighbours. */
    assert_int_equal(touch(2, GLOBAL + 11, 1, TUNE_WRITE), 1);
    assert_int_equal(touch(3, GLOBAL + 20, 1, TUNE_WRITE), 0);
    assert_int_equal(touch(4, GLOBAL + 21, 1, TUNE_WRITE), 0);
    assert_int_equal(touch(5, GLOBAL + 20, 2, TUNE_WRITE), 2);
    /* Sixteen bytes over two pages of 1024. */
    touch(6, GLOBAL + 2044, 4, TUNE_WRITE);
    touch(6, GLOBAL + 2048, 4, TUNE_WRITE);
    assert_int_equal(touch(7, GLOBAL + 2040, 16, TUNE_WRITE), 2);
}

static void outside_of_regions_nothing_is_recorded(void **state)
{
    (void)state;
    assert_int_equal(touch(0, GLOBAL - 4, 4, TUNE_WRITE), 0);
    assert_int_equal(touch(1, GLOBAL - 4, 4, TUNE_WRITE), 0);
    assert_int_equal(touch(0, GLOBAL + BYTES - 4, 16, TUNE_WRITE), 0); /* cut at the end */
    assert_int_equal(touch(1, GLOBAL + BYTES - 4, 4, TUNE_WRITE), 1);
}

static void atomics_do_not_race_with_each_other(void **state)
{
    (void)state;
    const unsigned update = TUNE_READ | TUNE_WRITE | TUNE_ATOMIC;
    assert_int_equal(touch(0, GLOBAL, 4, update), 0);
    assert_int_equal(touch(1, GLOBAL, 4, update), 0);
    assert_int_equal(touch(2, GLOBAL, 4, TUNE_READ), 1); /* a plain read does */
    /* Volatile accesses may meet atomics and each other in global memory, but not in shared memory. */
    assert_int_equal(touch(3, GLOBAL + 8, 4, TUNE_WRITE | TUNE_VOLATILE), 0);
    assert_int_equal(touch(4, GLOBAL + 8, 4, TUNE_READ | TUNE_VOLATILE), 0);
    assert_int_equal(touch(3, SHARED, 4, TUNE_WRITE | TUNE_VOLATILE), 0);
    assert_int_equal(touch(4, SHARED, 4, TUNE_READ | TUNE_VOLATILE), 1);
}

static void a_fence_and_an_atomic_order_other_memory(void **state)
{
    (void)state;
    const unsigned update = TUNE_READ | TUNE_WRITE | TUNE_ATOMIC;
    touch(0, GLOBAL, 4, TUNE_WRITE);
    happens_before_fence(relation, 0);
    touch(0, GLOBAL + 64, 4, update);
    touch(40, GLOBAL + 64, 4, update);
    assert_int_equal(touch(40, GLOBAL, 4, TUNE_READ), 0);
    assert_int_equal(touch(41, GLOBAL, 4, TUNE_READ), 1); /* did not look at the counter */
}

static void blocks_share_global_but_not_shared_memory(void **state)
{
    (void)state;
    touch(0, GLOBAL, 4, TUNE_WRITE);
    touch(0, SHARED, 4, TUNE_WRITE);
    next_block();
    assert_int_equal(touch(1, SHARED, 4, TUNE_WRITE), 0);
    assert_int_equal(touch(1, GLOBAL, 4, TUNE_WRITE), 1);
    assert_int_equal(conflicts[0].before.block, 1);
    assert_int_equal(conflicts[0].now.block, 2);
}

static void unwritten_memory_is_noticed(void **state)
{
    (void)state;
    assert_int_equal(touch(0, GLOBAL, 4, TUNE_READ), 0); /* defined from the start */
    assert_int_equal(touch(0, SHARED, 4, TUNE_READ), 1);
    assert_int_equal(conflicts[0].before.kind, 0);
    assert_string_equal(conflicts[0].region->name, "tile");
    touch(0, SHARED, 3, TUNE_WRITE);
    assert_int_equal(touch(0, SHARED, 4, TUNE_READ), 1); /* the fourth byte is still missing */
    touch(0, SHARED + 3, 1, TUNE_WRITE);
    assert_int_equal(touch(0, SHARED, 4, TUNE_READ), 0);
    shadow_define(shadow, SHARED + 16, 8); /* by the host */
    assert_int_equal(touch(0, SHARED + 16, 8, TUNE_READ), 0);
    assert_int_equal(touch(0, SHARED + 24, 4, TUNE_READ), 1);
    next_block();
    assert_int_equal(touch(0, SHARED, 4, TUNE_READ), 1); /* a new block knows nothing */
}

static void dropped_regions_are_forgotten(void **state)
{
    (void)state;
    touch(0, SHARED, 4, TUNE_WRITE);
    shadow_drop(shadow, SPACE_STATIC_SHARED);
    assert_int_equal(touch(1, SHARED, 4, TUNE_READ), 0);
    touch(0, GLOBAL, 4, TUNE_WRITE);
    assert_int_equal(touch(1, GLOBAL, 4, TUNE_WRITE), 1); /* the others stay */
}

static void regions_are_bounded(void **state)
{
    (void)state;
    const struct shadow_region empty = {"empty", SPACE_MODULE, 0x100, 0};
    size_t added = 2;
    for (; added < 70000; added++) {
        const struct shadow_region region = {"r", SPACE_MODULE, 0x100000 + 16 * added, 16};
        if (!shadow_add(shadow, &region, true, &error))
            break;
    }
    assert_int_equal(added, 65536);
    assert_mentions(error.text, "65536");
    assert_true(shadow_add(shadow, &empty, true, &error)); /* takes no place */
}

static void a_removed_region_is_forgotten(void **state)
{
    (void)state;
    assert_int_equal(touch(0, SHARED, 4, TUNE_READ), 1); /* undefined */
    shadow_remove(shadow, SHARED + 4);
    assert_int_equal(touch(0, SHARED + 8, 4, TUNE_READ), 1);
    shadow_remove(shadow, SHARED);
    assert_int_equal(touch(0, SHARED + 16, 4, TUNE_READ), 0); /* not watched */
    assert_int_equal(touch(0, GLOBAL, 4, TUNE_WRITE), 0);
    assert_int_equal(touch(40, GLOBAL, 4, TUNE_WRITE), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_write_conflicts_with_what_nothing_orders, begin, end),
        cmocka_unit_test_setup_teardown(reads_do_not_conflict, begin, end),
        cmocka_unit_test_setup_teardown(a_write_after_reads_conflicts_with_the_kept_readers, begin, end),
        cmocka_unit_test_setup_teardown(only_overlapping_bytes_conflict, begin, end),
        cmocka_unit_test_setup_teardown(outside_of_regions_nothing_is_recorded, begin, end),
        cmocka_unit_test_setup_teardown(atomics_do_not_race_with_each_other, begin, end),
        cmocka_unit_test_setup_teardown(a_fence_and_an_atomic_order_other_memory, begin, end),
        cmocka_unit_test_setup_teardown(blocks_share_global_but_not_shared_memory, begin, end),
        cmocka_unit_test_setup_teardown(unwritten_memory_is_noticed, begin, end),
        cmocka_unit_test_setup_teardown(dropped_regions_are_forgotten, begin, end),
        cmocka_unit_test_setup_teardown(a_removed_region_is_forgotten, begin, end),
        cmocka_unit_test_setup_teardown(regions_are_bounded, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
