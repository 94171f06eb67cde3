/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of conv1d, conv2d: each input goes to the outputs around it, weighted. */
#include "tests/unit/measure/references.h"

/* The mask's middle, `radius` rows and columns from its edge, is on the output; `radius_y` is 0 in one dimension. */
static void check_convolution(const struct fixture *fixture, int height, int width, int radius_y, int radius)
{
    int mask_width = 2 * radius + 1, mask_height = 2 * radius_y + 1, count = height * width;
    float *input = fetch_input(fixture, "input", count);
    float *mask = fetch_input(fixture, "weights", mask_width * mask_height);
    struct expected output = fetch_expected(fixture, "output", count, false);
    struct sum *sums = calloc((size_t)count, sizeof *sums);
    assert_non_null(sums);
    for (int at = 0; at < count; at++) {
        for (int weight = 0; weight < mask_width * mask_height; weight++) {
            int row = at / width + radius_y - weight / mask_width, column = at % width + radius - weight % mask_width;
            long double term = (long double)input[at] * mask[weight];
            if (row >= 0 && row < height && column >= 0 && column < width)
                add(&sums[row * width + column], term, fabsl(term));
        }
    }
    for (int i = 0; i < count; i++)
        assert_sum(&output, i, sums[i], mask_width * mask_height);
    free(sums);
    free_expected(&output);
    free(mask);
    free(input);
}

static void check_conv1d(const struct fixture *fixture)
{
    check_convolution(fixture, 1, size_of(fixture, "N"), 0, size_of(fixture, "MASK") / 2);
}

static void conv1d(void **state)
{
    const struct size_setting odd[] = {{"N", 101}, {"MASK", 7}}, wide[] = {{"N", 5}, {"MASK", 15}};
    (void)state;
    check_template("conv1d", NULL, 0, check_conv1d);
    check_template("conv1d", odd, 2, check_conv1d);
    check_template("conv1d", wide, 2, check_conv1d);
}

static void check_conv2d(const struct fixture *fixture)
{
    int radius = size_of(fixture, "MASK") / 2;
    check_convolution(fixture, size_of(fixture, "HEIGHT"), size_of(fixture, "WIDTH"), radius, radius);
}

static void conv2d(void **state)
{
    const struct size_setting odd[] = {{"HEIGHT", 19}, {"WIDTH", 23}, {"MASK", 5}},
                              wide[] = {{"HEIGHT", 3}, {"WIDTH", 11}, {"MASK", 9}};
    (void)state;
    check_template("conv2d", NULL, 0, check_conv2d);
    check_template("conv2d", odd, 3, check_conv2d);
    check_template("conv2d", wide, 3, check_conv2d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conv1d),
        cmocka_unit_test(conv2d),
    };
    return cmocka_run_group_tests_name("references of convolution", tests, open_kernels, close_kernels);
}
