/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of work: names, and the members that they stand for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/h100.h"
#include "tuner/evaluation/work.h"

#include <string.h>

static void a_figure_is_reached_by_name_and_number(void **state)
{
    (void)state;
    const struct work work = {.flops = 1, .bytes = 2, .special_ops = 3, .shared_traffic = 4, .integer_ops = 5};
    static const char *const names[] = {"flops", "bytes", "special", "shared", "integer"};
    assert_int_equal(WORK_COUNT, 5);
    for (size_t i = 0; i < WORK_COUNT; i++) {
        assert_true(work.of[i] == (double)(i + 1));
        assert_string_equal(work_kinds[i].name, names[i]);
    }
    assert_string_equal(work_kinds[WORK_SHARED].column, "shared_traffic");
    assert_string_equal(work_kinds[WORK_SHARED].pipe, "shared-memory");
    assert_string_equal(work_kinds[WORK_SPECIAL].unit, "op");
}

static void each_figure_has_its_peak(void **state)
{
    (void)state;
    assert_true(work_peak(&h100, WORK_FLOPS) == h100.peak_flops);
    assert_true(work_peak(&h100, WORK_BYTES) == h100.peak_bandwidth);
    assert_true(work_peak(&h100, WORK_SPECIAL) == h100.peak_special);
    assert_true(work_peak(&h100, WORK_SHARED) == h100.peak_shared);
    assert_true(work_peak(&h100, WORK_INTEGER) == h100.peak_integer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_figure_is_reached_by_name_and_number),
        cmocka_unit_test(each_figure_has_its_peak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
