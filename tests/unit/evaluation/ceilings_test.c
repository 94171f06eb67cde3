/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of what a device can do, and the limit that binds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/h100.h"
#include "tuner/evaluation/ceilings.h"

#include <math.h>

static void the_data_sheet_is_not_measured(void **state)
{
    (void)state;
    const struct ceilings ceilings = ceilings_of_data_sheet(&h100);
    assert_true(ceilings.of[WORK_FLOPS].rate == h100.peak_flops);
    assert_true(ceilings.of[WORK_SHARED].rate == h100.peak_shared);
    for (size_t i = 0; i < WORK_COUNT; i++)
        assert_string_equal(ceiling_source(&ceilings.of[i]), "data sheet");
}

/* 1 Gflop at 1 Tflop/s takes 1 ms, 4 GB at 2 TB/s take 2 ms, 3 G special functions at 1 T/s take 3 ms. */
static void the_longest_time_binds(void **state)
{
    (void)state;
    struct ceilings ceilings = {0};
    ceilings.of[WORK_FLOPS] = (struct ceiling){1e12, false};
    ceilings.of[WORK_BYTES] = (struct ceiling){2e12, true};
    ceilings.of[WORK_SPECIAL] = (struct ceiling){1e12, true};
    const struct {
        struct work work;
        double percent;
        enum work_figure figure;
    } cases[] = {
        {{.flops = 1e9}, 25, WORK_FLOPS},
        {{.flops = 1e9, .bytes = 4e9}, 50, WORK_BYTES},
        {{.flops = 1e9, .bytes = 4e9, .special_ops = 3e9}, 75, WORK_SPECIAL},
        {{.flops = 1e9, .bytes = 4e9, .shared_traffic = 1e30}, 50, WORK_BYTES}, /* no ceiling */
        {{.flops = 8e9, .bytes = 4e9, .special_ops = 3e9}, 200, WORK_FLOPS},    /* faster than it could be */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct share share = ceilings_share(&ceilings, &cases[i].work, 4e6);
        assert_true(fabs(share.percent - cases[i].percent) < 1e-9);
        assert_int_equal(share.figure, cases[i].figure);
        assert_true(share.ceiling.rate == ceilings.of[cases[i].figure].rate);
        assert_true(share.ceiling.measured == ceilings.of[cases[i].figure].measured);
    }
}

static void an_unknown_share(void **state)
{
    (void)state;
    const struct ceilings none = {0}, some = {.of[WORK_FLOPS] = {1e12, true}};
    const struct work work = {.flops = 1e9}, other = {.bytes = 1e9};
    assert_true(ceilings_share(&none, &work, 1e6).percent == -1);
    assert_true(ceilings_share(&some, &other, 1e6).percent == -1);
    assert_true(ceilings_share(&some, &work, 0).percent == -1);
    assert_true(ceilings_share(&some, &work, -1).percent == -1);
    assert_true(fabs(ceilings_share(&some, &work, 1e6).percent - 100) < 1e-9);
    const struct ceilings tiny = {.of[WORK_FLOPS] = {1e-300, true}};
    assert_true(ceilings_share(&tiny, &(struct work){.flops = 1e300}, 1e-6).percent == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_data_sheet_is_not_measured),
        cmocka_unit_test(the_longest_time_binds),
        cmocka_unit_test(an_unknown_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
