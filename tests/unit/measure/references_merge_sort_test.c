/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inputs of merge_sort, and its reference: keys are what their shape promises, values the keys' places, and of a
 * sorted array no element is at fault. That verify.cu finds the faults of others is for merge_sort.test.mjs.
 */
#include "tests/unit/measure/references.h"

enum { UNIFORM = 1, FEW, CONSTANT, RISING, FALLING };

static uint32_t *fetch_words(const struct fixture *fixture, const char *name, int count)
{
    const struct instance_buffer *buffer = buffer_of(fixture, name);
    assert_int_equal(buffer->extent, count);
    assert_true(layout_equal(buffer->layout, &scalar_layouts[ELEMENT_UINT]));
    return fetch(buffer->memory.address, (size_t)count * sizeof(uint32_t));
}

/* Of how many neighbours the second key is less, and of how many it is the same. */
static void count_neighbours(const uint32_t *keys, int n, int *falls, int *same)
{
    *falls = *same = 0;
    for (int i = 1; i < n; i++) {
        *falls += keys[i] < keys[i - 1];
        *same += keys[i] == keys[i - 1];
    }
}

static void check_keys(const uint32_t *keys, int n, int shape)
{
    int falls, same;
    count_neighbours(keys, n, &falls, &same);
    if (shape == UNIFORM)
        assert_true(falls > n / 3 && falls < 2 * n / 3 && same == 0);
    else if (shape == FEW)
        assert_true(falls > n / 3 && same > n / 32 && same < n / 8);
    else if (shape == CONSTANT)
        assert_int_equal(same, n - 1);
    else
        assert_int_equal(falls + same, shape == RISING ? same : n - 1);
    for (int i = 0; shape == FEW && i < n; i++)
        assert_int_equal(keys[i] % 0x11111111u, 0);
}

static void check_merge_sort(const struct fixture *fixture)
{
    int n = size_of(fixture, "n"), words = size_of(fixture, "WORDS"), values_count = words == 2 ? n : 1;
    uint32_t *keys = fetch_words(fixture, "keys", n), *values = fetch_words(fixture, "values", values_count);
    struct expected faults = fetch_expected(fixture, "faults", n, true),
                    lost = fetch_expected(fixture, "lost", 1, true);
    if (n > 4000)
        check_keys(keys, n, size_of(fixture, "SHAPE"));
    for (int i = 0; i < values_count; i++)
        assert_int_equal(values[i], i);
    for (int i = 0; i < n; i++)
        assert_within("value", &faults, i, faults.values[i], 0, 0);
    assert_within("value", &lost, 0, lost.values[0], 0, 0);
    free_expected(&faults);
    free_expected(&lost);
    free(values);
    free(keys);
}

static void merge_sort(void **state)
{
    (void)state;
    for (int shape = UNIFORM; shape <= FALLING; shape++) {
        const struct size_setting sizes[] = {
            {"n", shape == UNIFORM ? 1 : 4999}, {"WORDS", 1 + shape % 2}, {"SHAPE", shape}};
        check_template("merge_sort", sizes, 3, check_merge_sort);
    }
    check_template("merge_sort", &(struct size_setting){"n", 5000}, 1, check_merge_sort);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merge_sort),
    };
    return cmocka_run_group_tests_name("references of merge_sort", tests, open_kernels, close_kernels);
}
