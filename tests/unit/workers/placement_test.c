/* SPDX-License-Identifier: Apache-2.0 */
/* The number of compile workers, and one core reserved for each measuring worker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/workers/placement.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Cores 2, 4, 6 ...: a process's affinity need not include all cores, or the first ones. */
static cpu_set_t even_cores(size_t count)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (size_t i = 1; i <= count; i++)
        CPU_SET(2 * i, &cores);
    return cores;
}

static void test_counts(void **state)
{
    (void)state;
    static const struct {
        size_t cores, measurers;
        unsigned jobs, expected;
        int pinned_to; /* cores; 0: not pinned */
        bool shares_cores;
    } cases[] = {
        {16, 1, 0, 15, 15, false},   {16, 2, 0, 14, 14, false}, {16, 8, 0, 8, 8, false},
        {4, 8, 0, 1, 0, false},      {2, 1, 0, 1, 1, false},    {1, 1, 0, 1, 0, false},
        {16, 1, 4, 4, 15, false}, /* fewer jobs: any of the 15 */
        {16, 1, 16, 16, 0, false},   {16, 1, 40, 40, 0, false}, {200, 1, 0, 64, 199, false},
        {16, 1, 1000, 64, 0, false}, {2, 1, 0, 2, 0, true},     {16, 1, 0, 16, 0, true},
        {0, 1, 0, 1, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cpu_set_t available = even_cores(cases[i].cores), outside;
        struct placement placement =
            placement_plan(&available, cases[i].shares_cores, cases[i].measurers, cases[i].jobs);
        assert_int_equal(placement.compile_jobs, cases[i].expected);
        assert_int_equal(placement.pinned, cases[i].pinned_to > 0);
        assert_int_equal(placement.yields, !cases[i].shares_cores);
        if (!placement.pinned)
            continue;
        assert_int_equal(CPU_COUNT(&placement.cores), cases[i].pinned_to);
        CPU_AND(&outside, &placement.cores, &available);
        assert_true(CPU_EQUAL(&outside, &placement.cores)); /* no core outside our own */
    }
}

static void test_parts(void **state)
{
    (void)state;
    static const struct {
        size_t cores;
        unsigned parts, sizes[3];
    } cases[] = {{6, 3, {2, 2, 2}}, {7, 3, {3, 2, 2}}, {8, 3, {3, 3, 2}}, {32, 2, {16, 16}}, {5, 1, {5}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cpu_set_t all = even_cores(cases[i].cores), covered;
        CPU_ZERO(&covered);
        for (unsigned part = 0; part < cases[i].parts; part++) {
            cpu_set_t cores = placement_part(&all, part, cases[i].parts), both;
            assert_int_equal(CPU_COUNT(&cores), cases[i].sizes[part]);
            CPU_AND(&both, &cores, &covered);
            assert_int_equal(CPU_COUNT(&both), 0);
            CPU_OR(&covered, &covered, &cores);
        }
        assert_true(CPU_EQUAL(&covered, &all));
    }
    cpu_set_t two = even_cores(2);
    for (unsigned part = 0; part < 3; part++) { /* not enough to divide */
        cpu_set_t cores = placement_part(&two, part, 3);
        assert_true(CPU_EQUAL(&cores, &two));
    }
    cpu_set_t whole = placement_part(&two, 0, 0);
    assert_true(CPU_EQUAL(&whole, &two));
}

static void apply(void)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* should the test fail */
        for (;;)
            pause();
    }
    cpu_set_t available = placement_cores(), found;
    struct placement placement = {.compile_jobs = 1, .yields = true, .pinned = true};
    size_t core = 0;
    while (!CPU_ISSET(core, &available))
        core++;
    CPU_ZERO(&placement.cores);
    CPU_SET(core, &placement.cores);
    placement_apply(&placement, child);
    assert_int_equal(sched_getaffinity(child, sizeof found, &found), 0);
    assert_true(CPU_EQUAL(&found, &placement.cores));
    assert_int_equal(sched_getscheduler(child), SCHED_BATCH);
    int own = getpriority(PRIO_PROCESS, 0);
    assert_int_equal(getpriority(PRIO_PROCESS, (id_t)child), own + 10 < 19 ? own + 10 : 19);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* Whatever the niceness of this process, its compilers yield to it. */
static void test_placement_applies_to_a_process(void **state)
{
    (void)state;
    apply();
    assert_int_equal(setpriority(PRIO_PROCESS, 0, 19), 0);
    apply();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_placement_applies_to_a_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
