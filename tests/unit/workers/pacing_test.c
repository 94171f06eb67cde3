/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/pacing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static size_t room_after(size_t compilers, size_t measurers, double compile, double measure)
{
    struct pacing pacing = {.compilers = compilers, .measurers = measurers};
    pacing_learn(&pacing.compile, compile);
    pacing_learn(&pacing.measure, measure);
    size_t room = pacing_room(&pacing, &(struct pacing_load){0});
    assert_true(room <= pacing_most(&pacing));
    return room;
}

/* Those measured, compiled, being compiled and waiting. */
static void test_room_follows_from_what_takes_time(void **state)
{
    (void)state;
    assert_int_equal(room_after(16, 1, 0.5, 2.5), 1 + 1 + 1);
    assert_int_equal(room_after(16, 1, 2.5, 1), 1 + 1 + 6);
    assert_int_equal(room_after(16, 2, 2.5, 1), 2 + 2 + 11);
    assert_int_equal(room_after(16, 1, 2.5, 0.1), 1 + 1 + 16 + 1);
    assert_int_equal(room_after(16, 1, 0.02, 0.001), 1 + 2 + 16 + 9);
    assert_int_equal(room_after(16, 1, 0, 0), 1 + 2 + 3);
    assert_int_equal(room_after(1, 1, 5, 1), 1 + 1 + 1 + 1);
    const struct pacing unknown = {.compilers = 5, .measurers = 2};
    assert_int_equal(pacing_room(&unknown, &(struct pacing_load){0}), 9);
}

static void test_what_is_inside_takes_room(void **state)
{
    (void)state;
    const struct pacing pacing = {.compilers = 9, .measurers = 2};
    const struct pacing_load load = {.waiting = 4, .compiling = 3, .compiled = 2, .measuring = 1, .finished = 2};
    assert_int_equal(pacing_inside(&load), 10);
    assert_int_equal(pacing_room(&pacing, &load), 1);
    assert_int_equal(pacing_room(&pacing, &(struct pacing_load){.compiled = 40}), 0);
}

/* Most images come from the cache: as long as others are compiled anew, they do not count, until all workers are at
 * these and as many more wait. */
static void test_slow_ones_leave_room_for_others(void **state)
{
    (void)state;
    struct pacing pacing = {.compilers = 16, .measurers = 1};
    assert_true(isinf(pacing_patience(&pacing)));
    pacing_learn(&pacing.compile, 0.002);
    pacing_learn(&pacing.measure, 0.002);
    const size_t most = 1 + 3 + 2; /* measured, compiled, waiting to be measured */
    assert_int_equal(pacing_room(&pacing, &(struct pacing_load){.compiling = most}), 0);
    assert_int_equal(pacing_room(&pacing, &(struct pacing_load){.compiling = most, .slow = 4}), 4);
    assert_int_equal(pacing_room(&pacing, &(struct pacing_load){.compiling = 16, .slow = 16}), most);
    assert_int_equal(pacing_room(&pacing, &(struct pacing_load){.waiting = 19, .compiling = 16, .slow = 16}), 0);
    assert_true(pacing_patience(&pacing) > 2 * 0.002 && pacing_patience(&pacing) < 0.1);
    pacing.takes_turns = true;
    assert_true(isinf(pacing_patience(&pacing)));
}

/* The first took long, and what comes later is what counts. */
static void test_typical_times(void **state)
{
    (void)state;
    struct pacing_times times = {0};
    pacing_learn(&times, 60);
    assert_true(times.median == 60);
    pacing_learn(&times, 2);
    assert_true(times.median == 2);
    for (int i = 0; i < 100; i++)
        pacing_learn(&times, i % 3 == 0 ? 7 : i % 3 == 1 ? 9 : 8);
    assert_true(times.median == 8);
}

/* While others are measured, compiling goes on as long as images fit. */
static void test_without_turns(void **state)
{
    (void)state;
    struct pacing pacing = {.compilers = 5, .measurers = 1};
    struct pacing_load load = {.waiting = 1, .compiled = 40, .measuring = 1};
    pacing_change_turns(&pacing, &load, 100);
    assert_true(pacing_may_compile(&pacing, &load, 100) && pacing_may_measure(&pacing));
    load.is_full = true;
    assert_true(!pacing_may_compile(&pacing, &load, 100) && pacing_may_measure(&pacing));
    load = (struct pacing_load){.compiled = 1};
    assert_false(pacing_may_compile(&pacing, &load, 100));
}

/* A turn of compiling that began at 10 s, later. */
static void test_the_turn_of_compiling_ends(void **state)
{
    (void)state;
    static const struct {
        struct pacing_load load;
        double now;
        bool may_compile, measuring_turn;
    } cases[] = {
        {{.waiting = 3}, 99, true, false},                                   /* nothing to measure yet */
        {{.waiting = 3, .compiled = 1, .compiling = 1}, 11.9, true, false},  /* early */
        {{.waiting = 3, .compiled = 1, .compiling = 1}, 12.1, false, false}, /* one is still being compiled */
        {{.waiting = 3, .compiled = 2}, 12.1, false, true},
        {{.compiled = 1}, 10.1, false, true}, /* all are compiled */
        {{.waiting = 3, .compiled = 31, .compiling = 1}, 10.1, false, false},
        {{.waiting = 3, .compiled = 32}, 10.1, false, true}, /* a batch */
        {{.waiting = 3, .compiled = 1, .is_full = true}, 10.1, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pacing pacing = {.compilers = 2, .measurers = 1, .takes_turns = true, .turn_start = 10};
        assert_int_equal(pacing_may_compile(&pacing, &cases[i].load, cases[i].now), cases[i].may_compile);
        pacing_change_turns(&pacing, &cases[i].load, cases[i].now);
        assert_int_equal(pacing_may_measure(&pacing), cases[i].measuring_turn);
    }
}

static void test_the_turn_of_measuring_ends(void **state)
{
    (void)state;
    struct pacing pacing = {.compilers = 2, .measurers = 1, .takes_turns = true, .measuring_turn = true};
    struct pacing_load load = {.waiting = 3, .measuring = 1};
    pacing_change_turns(&pacing, &load, 7);
    assert_true(pacing_may_measure(&pacing) && !pacing_may_compile(&pacing, &load, 7));
    assert_int_equal(pacing_room(&pacing, &load), 0); /* before all is known */
    assert_true(pacing_room(&pacing, &(struct pacing_load){.finished = 1}) > 0);
    load = (struct pacing_load){.waiting = 3, .compiled = 1};
    pacing_change_turns(&pacing, &load, 8);
    assert_true(pacing_may_measure(&pacing));
    load = (struct pacing_load){.waiting = 3};
    pacing_change_turns(&pacing, &load, 9);
    assert_true(!pacing_may_measure(&pacing) && pacing_may_compile(&pacing, &load, 9));
    assert_true(pacing.turn_start == 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_room_follows_from_what_takes_time),
        cmocka_unit_test(test_what_is_inside_takes_room),
        cmocka_unit_test(test_slow_ones_leave_room_for_others),
        cmocka_unit_test(test_typical_times),
        cmocka_unit_test(test_without_turns),
        cmocka_unit_test(test_the_turn_of_compiling_ends),
        cmocka_unit_test(test_the_turn_of_measuring_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
