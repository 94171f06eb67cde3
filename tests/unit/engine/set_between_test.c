/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/engine/set_between.h"

#include <math.h>

enum { CASES = 9 };

/* n from 16 to 4096 by octaves, each beside a size that is always 3. Configuration 0 loses a tenth for each octave of
 * n above 16, and 1 for each below 4096. */
static const int64_t sizes[2 * CASES] = {16, 3, 32, 3, 64, 3, 128, 3, 256, 3, 512, 3, 1024, 3, 2048, 3, 4096, 3};
static const double weights[CASES] = {1, 1, 1, 2, 1, 1, 1, 1, 1};

static struct tree_cases make(double loss[2 * CASES])
{
    for (size_t i = 0; i < CASES; i++) {
        loss[i] = 0.1 * (double)i;
        loss[CASES + i] = 0.1 * (double)(CASES - 1 - i);
    }
    return (struct tree_cases){
        .dimensions = 2, .configurations = 2, .count = CASES, .sizes = sizes, .loss = loss, .weights = weights};
}

static void sizes_lie_around_those_measured(void **state)
{
    (void)state;
    struct set_between between;
    double loss[2 * CASES];
    const struct tree_cases measured = make(loss);
    assert_true(set_between_make(&measured, &between, NULL));
    const struct tree_cases *cases = &between.cases;
    assert_int_equal(cases->measured, CASES);
    assert_int_equal(cases->count, 9 * CASES);
    double sum[CASES] = {0};
    for (size_t i = 0; i < cases->count; i++) {
        size_t around = cases->around[i];
        int64_t size = cases->sizes[2 * i], from = sizes[2 * around];
        assert_int_equal(cases->sizes[2 * i + 1], 3);
        assert_int_equal(size % (from < 1024 ? from : 1024), 0); /* units are kept */
        assert_in_range(size, from / 2, 2 * from);
        if (i < CASES)
            assert_int_equal(around, i);
        else
            sum[around] += cases->weights[i];
    }
    for (size_t i = 0; i < CASES; i++)
        assert_true(fabs(sum[i] - weights[i]) < 1e-9);
    set_between_clear(&between);
}

/* Between two measured sizes a configuration loses about what it loses there. */
static void losses_are_interpolated(void **state)
{
    (void)state;
    struct set_between between;
    double loss[2 * CASES];
    static const int64_t odd[2 * CASES] = {17, 3, 33, 3, 65, 3, 129, 3, 257, 3, 513, 3, 1025, 3, 2049, 3, 4097, 3};
    struct tree_cases measured = make(loss);
    measured.sizes = odd;
    assert_true(set_between_make(&measured, &between, NULL));
    const struct tree_cases *cases = &between.cases;
    for (size_t i = 0; i < CASES; i++)
        assert_true(cases->loss[i] == loss[i] && cases->loss[cases->count + i] == loss[CASES + i]);
    for (size_t i = CASES; i < cases->count; i++) {
        double octave = log2((double)cases->sizes[2 * i]) - log2(17);
        assert_true(fabs(octave) < 9.2);
        if (octave < 1 || octave > 7)
            continue;
        assert_true(fabs(cases->loss[i] - 0.1 * octave) < 0.05);
        assert_true(fabs(cases->loss[cases->count + i] - 0.1 * (8 - octave)) < 0.05);
    }
    set_between_clear(&between);
}

static void many_sizes_are_enough(void **state)
{
    (void)state;
    enum { MANY = 1100 };
    static int64_t many[MANY];
    static double loss[MANY], ones[MANY];
    struct set_between between;
    for (size_t i = 0; i < MANY; i++) {
        many[i] = (int64_t)i + 1;
        ones[i] = 1;
    }
    const struct tree_cases measured = {
        .dimensions = 1, .configurations = 1, .count = MANY, .sizes = many, .loss = loss, .weights = ones};
    assert_true(set_between_make(&measured, &between, NULL));
    assert_int_equal(between.cases.count, MANY);
    set_between_clear(&between);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_lie_around_those_measured),
        cmocka_unit_test(losses_are_interpolated),
        cmocka_unit_test(many_sizes_are_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
