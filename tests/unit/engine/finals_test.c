/* SPDX-License-Identifier: Apache-2.0 */
/* Finals without a device: elimination, termination and the winner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/engine/finals.h"

#include <math.h>
#include <string.h>

/* The value of a finalist in a round. */
typedef double value_of(size_t finalist, size_t round);

static bool play_round(struct finals *finals, value_of *value)
{
    size_t order[FINALISTS_MOST], count = finals_order(finals, order);
    for (size_t i = 0; i < count; i++)
        finals_record(finals, order[i], value(order[i], finals->rounds));
    return finals_go_on(finals);
}

static void play(struct finals *finals, size_t count, value_of *value)
{
    finals_begin(finals, &finals_default, count, 1);
    while (play_round(finals, value))
        ;
}

/* The clock drops by a third during the finals, far more than the finalists differ. */
static double drifting(size_t finalist, size_t round)
{
    return (1 + 0.01 * (double)finalist) * (1 + 0.05 * (double)(round % 7));
}

/* The sign test needs at least six ratios above 1 to reach 95 %: 1 - 2 / 2^6 = 0.969, and 1 - 2 / 2^5 = 0.9375. */
static void test_clock_drift_cancels_within_a_round(void **state)
{
    (void)state;
    struct finals finals;
    finals_begin(&finals, &finals_default, 4, 1);
    for (size_t round = 1; round < 6; round++) {
        assert_true(play_round(&finals, drifting));
        assert_int_equal(finals_left(&finals), 4);
    }
    assert_false(play_round(&finals, drifting));
    assert_int_equal(finals.rounds, 6);
    assert_int_equal(finals_left(&finals), 1);
    assert_int_equal(finals.leader, 0);
    for (size_t finalist = 1; finalist < 4; finalist++) {
        struct median ratio = finals_ratio(&finals, finalist, 0);
        assert_int_equal(finals.of[finalist].state, FINALIST_LOST);
        assert_true(fabs(ratio.value - 1 - 0.01 * (double)finalist) < 1e-12);
        assert_true(ratio.confidence > 0.95);
    }
}

/* Alternately a quarter of a percent either way. */
static double equal(size_t finalist, size_t round)
{
    return finalist == 1 ? 1 + (round % 2 ? 0.0025 : -0.0025) : 1;
}

static void test_practically_equal_finalists(void **state)
{
    (void)state;
    struct finals finals;
    play(&finals, 2, equal);
    assert_int_equal(finals.rounds, 6);
    assert_int_equal(finals_left(&finals), 2);
    assert_int_equal(finals.of[1].state, FINALIST_EQUAL);
}

/* Alternately three percent either way; a third finalist is clearly slower. */
static double noisy(size_t finalist, size_t round)
{
    static const double turns[] = {1.0, 0.97, 1.03};
    return finalist == 0 ? 1 : finalist == 1 ? turns[1 + round % 2] : 1.2;
}

static void test_the_number_of_rounds_is_limited(void **state)
{
    (void)state;
    struct finals finals;
    play(&finals, 3, noisy);
    assert_int_equal(finals.rounds, FINAL_ROUNDS_MOST);
    assert_int_equal(finals_left(&finals), 2);
    assert_int_equal(finals.of[2].state, FINALIST_LOST);
    assert_int_equal(finals.of[2].round_count, 6); /* eliminated after six */
}

/* The first leads in the first four rounds, the second in all others. */
static double overtaken(size_t finalist, size_t round)
{
    return finalist == 0 ? (round < 4 ? 0.9 : 1.1) : finalist == 1 ? 1 : 1.3;
}

static void test_the_lead_may_change(void **state)
{
    (void)state;
    struct finals finals;
    play(&finals, 3, overtaken);
    assert_int_equal(finals.leader, 1);
    assert_int_equal(finals.of[0].state, FINALIST_LOST);
    assert_int_equal(finals.of[1].state, FINALIST_IN);
}

static void test_the_order_within_rounds_is_random(void **state)
{
    (void)state;
    enum { ROUNDS = 4000, COUNT = 5 };
    struct finals finals, same, other;
    size_t order[FINALISTS_MOST], again[FINALISTS_MOST], places[COUNT][COUNT] = {{0}};
    bool differs = false;
    finals_begin(&finals, &finals_default, COUNT + 1, 3);
    finals_begin(&same, &finals_default, COUNT + 1, 3);
    finals_begin(&other, &finals_default, COUNT + 1, 4);
    finals_disqualify(&finals, COUNT);
    finals_disqualify(&same, COUNT);
    finals_disqualify(&other, COUNT);
    for (size_t round = 0; round < ROUNDS; round++) {
        unsigned seen = 0;
        assert_int_equal(finals_order(&finals, order), COUNT);
        assert_int_equal(finals_order(&same, again), COUNT);
        assert_memory_equal(order, again, COUNT * sizeof *order);
        assert_int_equal(finals_order(&other, again), COUNT);
        differs = differs || memcmp(order, again, COUNT * sizeof *order) != 0;
        for (size_t place = 0; place < COUNT; place++) {
            seen |= 1U << order[place];
            places[order[place]][place]++;
        }
        assert_int_equal(seen, (1U << COUNT) - 1);
    }
    assert_true(differs);
    double chi_squared = 0;
    for (size_t finalist = 0; finalist < COUNT; finalist++) {
        for (size_t place = 0; place < COUNT; place++) {
            double excess = (double)places[finalist][place] - (double)ROUNDS / COUNT;
            chi_squared += excess * excess * COUNT / ROUNDS;
        }
    }
    assert_true(chi_squared < 39.25); /* 16 degrees of freedom, p = 0.001 */
}

/* ---- the winner */

static struct finalist_needs needs(struct evaluation *evaluation, int64_t spill, int64_t local, int64_t registers,
                                   int64_t shared, const char *text)
{
    *evaluation = (struct evaluation){
        .spill_bytes = spill,
        .resources = {.local_bytes = local, .registers = registers, .shared_bytes = shared},
    };
    return (struct finalist_needs){evaluation, text};
}

/* Sorted from the fewest resources to the most. */
static void test_the_order_of_resource_usage(void **state)
{
    (void)state;
    static const struct {
        int64_t spill, local, registers, shared;
        const char *text, *resource; /* that distinguishes it from the previous one */
    } ascending[] = {
        {-1, 0, 32, 1024, "{\"A\":1}", NULL},
        {0, 0, 32, 1024, "{\"A\":2}", NULL},
        {0, -1, 32, 2048, "{\"A\":0}", "shared memory"},
        {0, 0, 40, 0, "{\"A\":0}", "registers"},
        {0, 8, 24, 0, "{\"A\":0}", "local memory"},
        {4, 0, 16, 0, "{\"A\":0}", "spilled bytes"},
    };
    enum { COUNT = sizeof ascending / sizeof *ascending };
    struct evaluation evaluations[COUNT];
    struct finalist_needs all[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        all[i] = needs(&evaluations[i], ascending[i].spill, ascending[i].local, ascending[i].registers,
                       ascending[i].shared, ascending[i].text);
    for (size_t i = 0; i < COUNT; i++) {
        const char *resource = "?";
        assert_int_equal(finals_compare_needs(&all[i], &all[i], &resource), 0);
        assert_null(resource);
        for (size_t j = i + 1; j < COUNT; j++) {
            assert_true(finals_compare_needs(&all[i], &all[j], &resource) < 0);
            assert_true(finals_compare_needs(&all[j], &all[i], NULL) > 0);
            if (j == i + 1 && ascending[j].resource)
                assert_string_equal(resource, ascending[j].resource);
        }
    }
}

/* The second is equal, the third 2 % slower in the median but not significantly so, the fourth slower. */
static double mixed(size_t finalist, size_t round)
{
    static const double slower[] = {0.98, 1.02, 1.03, 0.99, 1.02};
    switch (finalist) {
    case 0:
        return 1;
    case 1:
        return 1.001 + (round % 2 ? 0.002 : -0.002);
    case 2:
        return slower[round % 5];
    default:
        return 1.1;
    }
}

static void test_ties_go_to_the_finalist_with_lower_resource_usage(void **state)
{
    (void)state;
    struct finals finals;
    struct evaluation evaluations[4];
    struct finalist_needs all[4] = {
        needs(&evaluations[0], 0, 0, 64, 0, "a"), needs(&evaluations[1], 0, 0, 48, 0, "b"),
        needs(&evaluations[2], 0, 0, 32, 0, "c"), /* not significantly slower, but slower on the evidence */
        needs(&evaluations[3], 0, 0, 16, 0, "d"), /* eliminated */
    };
    size_t winner;
    play(&finals, 4, mixed);
    assert_int_equal(finals.leader, 0);
    assert_int_equal(finals_left(&finals), 3);
    assert_true(finals_winner(&finals, all, &winner));
    assert_int_equal(winner, 1);
    evaluations[1].resources.registers = 65;
    assert_true(finals_winner(&finals, all, &winner));
    assert_int_equal(winner, 0);
}

static void test_a_disqualified_finalist_does_not_win(void **state)
{
    (void)state;
    struct finals finals;
    struct evaluation evaluations[3];
    struct finalist_needs all[3] = {
        needs(&evaluations[0], 0, 0, 1, 0, "a"),
        needs(&evaluations[1], 0, 0, 2, 0, "b"),
        needs(&evaluations[2], 0, 0, 3, 0, "c"),
    };
    size_t winner, order[FINALISTS_MOST];
    finals_begin(&finals, &finals_default, 3, 1);
    assert_true(play_round(&finals, equal));
    finals_disqualify(&finals, 0);
    assert_int_equal(finals_order(&finals, order), 2);
    finals_record(&finals, 1, 1);
    finals_record(&finals, 2, 1);
    assert_true(finals_go_on(&finals));
    assert_true(finals_winner(&finals, all, &winner));
    assert_int_equal(winner, 1);
    finals_disqualify(&finals, 1);
    finals_record(&finals, 2, 1);
    assert_false(finals_go_on(&finals)); /* nothing left to compare with */
    assert_true(finals_winner(&finals, all, &winner));
    assert_int_equal(winner, 2);
    finals_disqualify(&finals, 2);
    assert_false(finals_go_on(&finals));
    assert_false(finals_winner(&finals, all, &winner));
}

/*
 * 200 finals of nine finalists up to 4 % slower than the fastest, with 0.3 % noise and a clock that drifts by 5 %:
 * the winner is never half a percent slower than the fastest.
 */
static void test_the_winner_is_within_half_a_percent_of_the_fastest(void **state)
{
    (void)state;
    static const double truth[] = {1.04, 1.002, 1.015, 1, 1.001, 1.008, 1.02, 1.01, 1.03};
    enum { COUNT = sizeof truth / sizeof *truth };
    struct generator generator = {.state = 17};
    struct evaluation evaluations[COUNT];
    struct finalist_needs all[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        all[i] = needs(&evaluations[i], 0, 0, (int64_t)(i * 7 % COUNT), 0, "");
    for (uint64_t repeat = 0; repeat < 200; repeat++) {
        struct finals finals;
        size_t winner;
        bool go_on = true;
        finals_begin(&finals, &finals_default, COUNT, repeat);
        while (go_on) {
            size_t order[FINALISTS_MOST], count = finals_order(&finals, order);
            double clock = 1 + 0.05 * (double)generator_below(&generator, 1000) / 1000;
            for (size_t i = 0; i < count; i++) {
                double noise = 0; /* nearly normal: the sum of twelve uniform variables (variance 1) */
                for (int part = 0; part < 12; part++)
                    noise += (double)generator_below(&generator, 1000000) / 1e6 - 0.5;
                finals_record(&finals, order[i], clock * truth[order[i]] * (1 + 0.003 * noise));
            }
            go_on = finals_go_on(&finals);
        }
        assert_true(finals_winner(&finals, all, &winner));
        assert_true(truth[winner] <= 1.005);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock_drift_cancels_within_a_round),
        cmocka_unit_test(test_practically_equal_finalists),
        cmocka_unit_test(test_the_number_of_rounds_is_limited),
        cmocka_unit_test(test_the_lead_may_change),
        cmocka_unit_test(test_the_order_within_rounds_is_random),
        cmocka_unit_test(test_the_order_of_resource_usage),
        cmocka_unit_test(test_ties_go_to_the_finalist_with_lower_resource_usage),
        cmocka_unit_test(test_a_disqualified_finalist_does_not_win),
        cmocka_unit_test(test_the_winner_is_within_half_a_percent_of_the_fastest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
