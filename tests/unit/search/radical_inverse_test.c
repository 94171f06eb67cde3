/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/search/radical_inverse.h"

#include <stdbool.h>

/* Of b^2 points from a multiple of b^2 on, each b^2-th of the unit interval has one, whatever the shifts. */
static void points_are_spread(void **state)
{
    (void)state;
    for (uint64_t base = 2; base <= 7; base = prime_above(base)) {
        for (uint64_t seed = 0; seed < 3; seed++) {
            bool hit[49] = {false};
            for (uint64_t number = 3 * base * base; number < 4 * base * base; number++) {
                double value = radical_inverse(number, base, seed);
                assert_true(value >= 0 && value < 1);
                size_t part = (size_t)(value * (double)(base * base));
                assert_false(hit[part]);
                hit[part] = true;
            }
        }
    }
}

static void bases_are_primes(void **state)
{
    (void)state;
    static const uint64_t primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23};
    uint64_t base = 1;
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
        assert_int_equal(base = prime_above(base), primes[i]);
}

static void seeds_shift_points(void **state)
{
    (void)state;
    assert_true(radical_inverse(5, 3, 1) == radical_inverse(5, 3, 1));
    assert_true(radical_inverse(5, 3, 1) != radical_inverse(5, 3, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_spread),
        cmocka_unit_test(bases_are_primes),
        cmocka_unit_test(seeds_shift_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
