/* SPDX-License-Identifier: Apache-2.0 */
/* Times by hand: configuration i is submitted as number i. */
#include "tests/unit/simulate/by_hand.h"

#include "tuner/simulate/machine.h"

/* Submits `count` configurations as room allows; when each finishes, 0: not at all. */
static void run_machine(const struct machine_plan *plan, const double *compile, const double *measure, size_t count,
                        double *finished)
{
    const struct machine_times times = {compile, measure};
    struct machine *machine = machine_create(plan, &times);
    size_t submitted = 0, index;
    assert_non_null(machine);
    for (size_t i = 0; i < count; i++)
        finished[i] = 0;
    do {
        while (machine_finished(machine, &index)) {
            assert_near(finished[index], 0, 0);
            finished[index] = machine_seconds(machine);
        }
        for (; submitted < count && machine_room(machine) > 0; submitted++)
            machine_submit(machine, submitted);
    } while (machine_step(machine));
    machine_free(machine);
}

static void expect(const struct machine_plan *plan, const double *compile, const double *measure, size_t count,
                   const double *expected)
{
    double finished[8];
    run_machine(plan, compile, measure, count, finished);
    for (size_t i = 0; i < count; i++)
        assert_near(finished[i], expected[i], 1e-12);
}

static const double compile[] = {3, 1, 2, 5}, measure[] = {2, 4, -1, 1};

/* One after the other; the third fails to compile. */
static void test_one_at_a_time(void **state)
{
    (void)state;
    static const double expected[] = {5, 10, 12, 18};
    expect(&(struct machine_plan){0}, compile, measure, 4, expected);
}

/*
 * Compiled by two: the first from 0 to 3 beside the second, 0 to 1, and the third, 1 to 3; the fourth from 3 to 8.
 * Measured: the second from 1 to 5, the first from 5 to 7, the fourth from 8 to 9.
 */
static void test_compiling_beside_measuring(void **state)
{
    (void)state;
    static const double expected[] = {7, 5, 3, 9};
    expect(&(struct machine_plan){.compilers = 2}, compile, measure, 4, expected);
}

/* The same compiled by 3 and, when they have done all four, measured from 6: the fourth is compiled from 1 to 6. */
static void test_turns(void **state)
{
    (void)state;
    static const double expected[] = {12, 10, 2, 13};
    expect(&(struct machine_plan){.compilers = 3, .takes_turns = true}, compile, measure, 4, expected);
}

/* 16 images take a second each; those before them were in the cache, and taught that few workers are needed. With a
 * worker for each, all of them are ready after little more than that second. */
static void test_slow_ones_side_by_side(void **state)
{
    (void)state;
    enum { CACHED = 40, COLD = 16 };
    double image[CACHED + COLD], rest[CACHED + COLD], finished[CACHED + COLD];
    for (size_t i = 0; i < CACHED + COLD; i++) {
        image[i] = i < CACHED ? 0.002 : 1;
        rest[i] = 0.002;
    }
    run_machine(&(struct machine_plan){.compilers = COLD}, image, rest, CACHED + COLD, finished);
    for (size_t i = CACHED; i < CACHED + COLD; i++)
        assert_true(finished[i] > 1 && finished[i] < 1.5);
}

static void test_room(void **state)
{
    (void)state;
    static const double none[32] = {0};
    const struct machine_times times = {none, none};
    static const struct {
        struct machine_plan plan;
        size_t room;
    } cases[] = {{{0, false}, 1}, {{1, false}, 3}, {{3, false}, 5}, {{3, true}, 32}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine *machine = machine_create(&cases[i].plan, &times);
        assert_non_null(machine);
        for (int round = 0; round < 2; round++, machine_reset(machine)) {
            assert_int_equal(machine_room(machine), cases[i].room);
            for (size_t index = 0; index < cases[i].room; index++)
                machine_submit(machine, index);
            assert_int_equal(machine_room(machine), 0);
            assert_true(machine_step(machine));
        }
        assert_false(machine_step(machine));
        machine_free(machine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_at_a_time), cmocka_unit_test(test_compiling_beside_measuring),
        cmocka_unit_test(test_turns),         cmocka_unit_test(test_slow_ones_side_by_side),
        cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
