/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

/* The sequence that the authors' Java class gives for the seed 1234567 (also in Rosetta Code's "Pseudo-random
 * numbers/Splitmix64"). */
static void test_sequence(void **state)
{
    (void)state;
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                        4593380528125082431u, 16408922859458223821u};
    struct generator generator = {.state = 1234567};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_true(generator_next(&generator) == expected[i]);
    for (uint64_t bound = 1; bound < 100; bound++)
        assert_true(generator_below(&generator, bound) < bound);
}

/* Every bound, among them 1 and the largest, holds. */
static void test_below_its_bound(void **state)
{
    (void)state;
    struct generator generator = {.state = 7};
    assert_int_equal(generator_below(&generator, 1), 0);
    for (int i = 0; i < 1000; i++) {
        assert_true(generator_below(&generator, UINT64_MAX) < UINT64_MAX);
        assert_true(generator_below(&generator, 3) < 3);
    }
}

/*
 * With a bound of 3 * 2^62, a plain remainder would return each number below 2^62 twice as often as the others: half
 * of all numbers instead of a third. 3000 draws: a third is 1000, its standard deviation 26.
 */
static void test_below_is_unbiased(void **state)
{
    (void)state;
    struct generator generator = {.state = 11};
    int low = 0;
    for (int i = 0; i < 3000; i++)
        low += generator_below(&generator, UINT64_C(3) << 62) < UINT64_C(1) << 62;
    assert_in_range(low, 1000 - 5 * 26, 1000 + 5 * 26);
}

/* The mean is 1/2 with a standard deviation of 1 / sqrt(12 * 10000) = 0.0029, and 1 is never reached. */
static void test_real(void **state)
{
    (void)state;
    struct generator generator = {.state = 5};
    double sum = 0, least = 1, most = 0;
    for (int i = 0; i < 10000; i++) {
        double real = generator_real(&generator);
        assert_true(real >= 0 && real < 1);
        sum += real;
        least = fmin(least, real);
        most = fmax(most, real);
    }
    assert_true(fabs(sum / 10000 - 0.5) < 5 * 0.0029);
    assert_true(least < 0.002 && most > 0.998);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_below_its_bound),
        cmocka_unit_test(test_below_is_unbiased),
        cmocka_unit_test(test_real),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
