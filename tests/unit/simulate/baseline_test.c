/* SPDX-License-Identifier: Apache-2.0 */
/* The baseline against enumeration. */
#include "tests/unit/simulate/by_hand.h"

#include "tuner/simulate/baseline.h"

static double enumerated(unsigned count, unsigned valid, unsigned draws)
{
    double sum = 0, sets = 0;
    for (unsigned set = 0; set < 1U << count; set++) {
        if ((unsigned)__builtin_popcount(set) != draws)
            continue;
        unsigned best = set ? (unsigned)__builtin_ctz(set) : count;
        sum += best < valid ? best : valid - 1;
        sets++;
    }
    return sum / sets;
}

static void test_is_the_expectation(void **state)
{
    (void)state;
    for (unsigned count = 1; count <= 10; count++) {
        for (unsigned valid = 1; valid <= count; valid++) {
            for (unsigned draws = 0; draws <= count; draws++)
                assert_near(baseline_rank(count, valid, draws), enumerated(count, valid, draws), 1e-9);
        }
    }
}

static void test_falls(void **state)
{
    (void)state;
    double last = baseline_rank(11130, 9000, 0);
    assert_near(last, 8999, 1e-6);
    for (double draws = 0.25; draws <= 11130; draws += 0.25) {
        double place = baseline_rank(11130, 9000, draws);
        assert_true(place <= last && place >= 0);
        last = place;
    }
    assert_near(last, 0, 1e-9);
}

/*
 * Costs that correlate with ranks, and a failure: all orders of four configurations. Ranks 0 to 2 cost 1, 2 and 4
 * seconds, the failure 3.
 */
static void test_all_orders(void **state)
{
    (void)state;
    enum { COUNT = 4, TIMES = 21 };
    static const double none[COUNT] = {0};
    static const double costs[COUNT] = {4, 1, 3, 2};
    static const uint32_t places[COUNT] = {2, 0, 3, 1};
    double expected[TIMES] = {0}, found[TIMES];
    for (unsigned code = 0; code < 256; code++) { /* four digits: 24 of them are orders */
        unsigned order[COUNT], seen = 0;
        for (unsigned i = 0; i < COUNT; i++)
            seen |= 1U << (order[i] = code >> 2 * i & 3);
        for (int time = 0; seen == 15 && time < TIMES; time++) {
            double now = 0.5 + time * 0.5, end = 0;
            uint32_t best = 2;
            for (unsigned i = 0; i < COUNT && (end += costs[order[i]]) <= now; i++)
                best = places[order[i]] < best ? places[order[i]] : best;
            expected[time] += best / 24.0;
        }
    }
    const struct random_searches searches = {{0}, {costs, none}, places, COUNT, 3, 0.5, 10.5, TIMES, 4};
    assert_true(baseline_ranks(&searches, found));
    for (int time = 0; time < TIMES; time++) /* five standard errors */
        assert_near(found[time], expected[time], 5 * 0.9 / sqrt(20000));
}

/* With as many compile workers as configurations all begin at once: the best so far is the best that costs no more
 * than the time. */
static void test_all_at_once(void **state)
{
    (void)state;
    enum { COUNT = 4, TIMES = 4 };
    static const double none[COUNT] = {0};
    static const double costs[COUNT] = {4, 1, 3, 2};
    static const uint32_t ranks[COUNT] = {0, 2, 3, 1};
    static const double expected[TIMES] = {2, 1, 1, 0}; /* after 1, 2, 3 and 4 seconds; rank 3 is a failure */
    double found[TIMES];
    const struct random_searches searches = {{COUNT, false}, {costs, none}, ranks, COUNT, 3, 1, 4, TIMES, 4};
    assert_true(baseline_ranks(&searches, found));
    for (int time = 0; time < TIMES; time++)
        assert_near(found[time], expected[time], 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is_the_expectation),
        cmocka_unit_test(test_falls),
        cmocka_unit_test(test_all_orders),
        cmocka_unit_test(test_all_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
