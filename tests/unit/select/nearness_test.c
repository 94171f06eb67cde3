/* SPDX-License-Identifier: Apache-2.0 */
/* How far problems are from each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/h100.h"
#include "tuner/select/nearness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double between_points(const char *known, const char *asked)
{
    struct size_point *one = size_point_parse(known), *other = size_point_parse(asked);
    assert_true(one && other);
    double octaves = nearness_of_points(one, other);
    free(one);
    free(other);
    return octaves;
}

static void sizes_count_octaves_and_factors_of_two(void **state)
{
    (void)state;
    const struct {
        const char *known, *asked;
        double octaves;
    } cases[] = {
        {"M=1024,N=1024", "M=1024,N=1024", 0},
        {"M=2048,N=512", "M=1024,N=1024", 2}, /* the same volume */
        {"N=512,M=2048", "M=1024,N=1024", 2},
        {"M=1024", "M=1024,N=1024", 1},
        {"M=1024,K=7", "M=1024,N=1024", 2},
        {"M=96,N=1024", "M=48,N=1024", 1 + 0.125}, /* divisible by 32 and by 16 */
        {"M=1025", "M=1024", log2(1025.0 / 1024) + 5 * 0.125},
        {"M=1025", "M=1027", log2(1027.0 / 1025)},
        {"MASK=0", "MASK=0", 0},
        {"MASK=0", "MASK=5", 1},
        {"MASK=-1", "MASK=5", 1},
        {"", "", 0},
        {"", "M=1", 1},
        {"MM=4", "M=4", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(fabs(nearness_of_sizes(cases[i].known, cases[i].asked) - cases[i].octaves) < 1e-12);
        assert_true(fabs(nearness_of_sizes(cases[i].asked, cases[i].known) - cases[i].octaves) < 1e-12);
        assert_true(fabs(between_points(cases[i].known, cases[i].asked) - cases[i].octaves) < 1e-12);
        assert_true(fabs(between_points(cases[i].asked, cases[i].known) - cases[i].octaves) < 1e-12);
    }
}

static void devices_count_their_resources(void **state)
{
    (void)state;
    struct device_description h200 = h100, a100 = h100, half = h100;
    assert_true(nearness_of_devices(&h100, &half) == 0);
    strcpy(h200.name, "NVIDIA H200");
    h200.memory_bus_bits = 2 * h100.memory_bus_bits;
    assert_true(fabs(nearness_of_devices(&h100, &h200) - 2) < 1e-12);
    strcpy(half.name, "half of an H100");
    half.sm_count = h100.sm_count / 2;
    half.clock_khz = 2 * h100.clock_khz;
    assert_true(fabs(nearness_of_devices(&half, &h100) - 3) < 1e-12);
    strcpy(a100.name, "NVIDIA A100");
    strcpy(a100.architecture, "sm_80");
    a100.memory_clock_khz = 0; /* not known */
    assert_true(fabs(nearness_of_devices(&a100, &h100) - 3) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_count_octaves_and_factors_of_two),
        cmocka_unit_test(devices_count_their_resources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
