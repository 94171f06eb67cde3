/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/formats/draft_values.h"

static void require(enum draft_purpose purpose, enum draft_axis axis, unsigned dimensions, bool known,
                    long long value, const char *values, long long begin)
{
    char text[64];
    long long first;
    draft_values(purpose, axis, dimensions, known, value, text, sizeof text, &first);
    assert_string_equal(text, values);
    assert_int_equal(first, begin);
}

static void test_purposes(void **state)
{
    (void)state;
    assert_int_equal(draft_purpose_of("THREADS_PER_BLOCK"), DRAFT_BLOCK);
    assert_int_equal(draft_purpose_of("block_size_x"), DRAFT_BLOCK);
    assert_int_equal(draft_purpose_of("BLOCKS_PER_SM"), DRAFT_OTHER);
    assert_int_equal(draft_purpose_of("ITEMS_PER_THREAD"), DRAFT_ITEMS);
    assert_int_equal(draft_purpose_of("TILE_K"), DRAFT_TILE);
    assert_int_equal(draft_purpose_of("USE_LDG"), DRAFT_SWITCH);
    assert_int_equal(draft_purpose_of("RADIUS"), DRAFT_OTHER);
    assert_int_equal(draft_axis_of("block_size_y"), DRAFT_Y);
    assert_int_equal(draft_axis_of("BLOCK"), DRAFT_NO_AXIS);
}

static void test_values(void **state)
{
    (void)state;
    require(DRAFT_BLOCK, DRAFT_NO_AXIS, 1, true, 128, "pow2(32, 1024)", 128);
    require(DRAFT_BLOCK, DRAFT_NO_AXIS, 1, false, 0, "pow2(32, 1024)", 256);
    require(DRAFT_BLOCK, DRAFT_X, 2, true, 16, "pow2(8, 32)", 16);
    require(DRAFT_BLOCK, DRAFT_Y, 2, false, 0, "pow2(1, 32)", 16);
    require(DRAFT_BLOCK, DRAFT_NO_AXIS, 1, true, 96, "[96]", 96);
    require(DRAFT_ITEMS, DRAFT_NO_AXIS, 1, true, 4, "pow2(1, 16)", 4);
    require(DRAFT_ITEMS, DRAFT_NO_AXIS, 1, true, 0, "[0]", 0);
    require(DRAFT_SWITCH, DRAFT_NO_AXIS, 1, true, 1, "[0, 1]", 1);
    require(DRAFT_OTHER, DRAFT_NO_AXIS, 1, true, 17, "[17]", 17);
    require(DRAFT_OTHER, DRAFT_NO_AXIS, 1, false, 0, "[1, 2, 4]", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_purposes), cmocka_unit_test(test_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
