/* SPDX-License-Identifier: Apache-2.0 */
/* What a launch on the CPU device may ask for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/launch_limits.h"

#include <string.h>

#define GRID  .grid = {1, 1, 1}
#define BLOCK .block = {32, 1, 1}

static void sizes_end_at_those_of_a_gpu(void **state)
{
    (void)state;
    static const struct {
        struct launch_shape shape;
        int64_t static_shared;
        const char *message; /* NULL: it fits */
    } cases[] = {
        {{GRID, .block = {1024, 1, 1}}, 0, NULL},
        {{GRID, .block = {1, 1024, 1}}, 0, NULL},
        {{GRID, .block = {16, 1, 64}}, 0, NULL},
        {{GRID, .block = {1025, 1, 1}}, 0, "a block of 1025 x 1 x 1 is outside"},
        {{GRID, .block = {1, 1, 65}}, 0, "a block of 1 x 1 x 65 is outside"},
        {{GRID, .block = {0, 1, 1}}, 0, "a block of 0 x 1 x 1 is outside"},
        {{GRID, .block = {32, 33, 1}}, 0, "1056 threads per block; the limit is 1024"},
        {{.grid = {2147483647, 65535, 65535}, BLOCK}, 0, NULL},
        {{.grid = {1, 65536, 1}, BLOCK}, 0, "a grid of 1 x 65536 x 1 is outside"},
        {{.grid = {1, 1, 0}, BLOCK}, 0, "a grid of 1 x 1 x 0 is outside"},
        {{GRID, BLOCK, .dynamic_shared = 227 << 10}, 0, NULL},
        {{GRID, BLOCK, .dynamic_shared = (227 << 10) - 4}, 8, "needs 8 + 232444 bytes of shared memory"},
        {{GRID, BLOCK}, 48 << 10, NULL},
        {{GRID, BLOCK}, (48 << 10) + 1, "49153 bytes of static shared memory"},
        {{.grid = {513, 1, 1}, BLOCK}, 0, NULL},
        {{.grid = {513, 1, 1}, BLOCK, .cooperative = true}, 0, "a cooperative grid of 513 blocks"},
        {{.grid = {3, 1, 1}, BLOCK, .cluster = {2, 1, 1}}, 0, "not a multiple of its clusters"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct device_kernel kernel = {.name = "k", .shared_bytes = cases[i].static_shared};
        struct error error = {0};
        bool fits = launch_limits_check(&kernel, &cases[i].shape, &error);
        assert_int_equal(fits, cases[i].message == NULL);
        if (fits)
            continue;
        assert_int_equal(error.code, ERROR_RESOURCES);
        if (!strstr(error.text, cases[i].message) || !strstr(error.text, "kernel 'k'"))
            fail_msg("%s", error.text);
    }
}

static void a_launch_s_cluster_stands_before_the_kernel_s(void **state)
{
    (void)state;
    const struct device_kernel plain = {.name = "k", .shared_alignment = 64},
                               own = {.name = "k", .cluster = {2, 1, 1}};
    const struct launch_shape shape = {.grid = {8, 2, 1}, BLOCK, .dynamic_shared = 40};
    const struct launch_shape clustered = {.grid = {8, 2, 1}, BLOCK, .cluster = {4, 2, 1}, .cooperative = true};
    const struct block_work alone = launch_limits_work(&plain, &shape), twos = launch_limits_work(&own, &shape),
                            fours = launch_limits_work(&own, &clustered);
    assert_int_equal(alone.cluster.x * 100 + alone.cluster.y * 10 + alone.cluster.z, 111);
    assert_int_equal(twos.cluster.x * 100 + twos.cluster.y * 10 + twos.cluster.z, 211);
    assert_int_equal(fours.cluster.x * 100 + fours.cluster.y * 10 + fours.cluster.z, 421);
    assert_int_equal(alone.grid.x * 100 + alone.grid.y * 10 + alone.grid.z, 821);
    assert_true(fours.cooperative && !alone.cooperative);
    assert_int_equal(alone.dynamic_shared, 40);
    assert_int_equal(alone.shared_alignment, 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_end_at_those_of_a_gpu),
        cmocka_unit_test(a_launch_s_cluster_stands_before_the_kernel_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
