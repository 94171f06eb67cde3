/* SPDX-License-Identifier: Apache-2.0 */
/* A process group that was stopped while its deadline passed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/workers/stopped.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that leads its own group, as workers do; with a member besides, whose process id it tells. */
static pid_t start_group(pid_t *member)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t leader = fork();
    if (leader == 0) {
        setpgid(0, 0);
        pid_t child = fork();
        if (child != 0 && write(ends[1], &child, sizeof child) != sizeof child)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ends[0], member, sizeof *member), sizeof *member);
    close(ends[0]);
    close(ends[1]);
    return leader;
}

static void end_group(pid_t leader)
{
    kill(-leader, SIGKILL);
    assert_int_equal(waitpid(leader, NULL, 0), leader);
}

static void test_a_running_group(void **state)
{
    (void)state;
    pid_t member, leader = start_group(&member);
    assert_false(group_was_stopped(leader));
    end_group(leader);
}

static void test_a_stopped_leader(void **state)
{
    (void)state;
    siginfo_t info;
    pid_t member, leader = start_group(&member);
    kill(leader, SIGSTOP);
    assert_int_equal(waitid(P_PID, (id_t)leader, &info, WSTOPPED | WNOWAIT), 0);
    assert_true(group_was_stopped(leader));
    kill(leader, SIGCONT);
    assert_int_equal(waitid(P_PID, (id_t)leader, &info, WCONTINUED | WNOWAIT), 0);
    assert_true(group_was_stopped(leader)); /* it was */
    end_group(leader);
}

/* A compiler alone, say. The stop of a grandchild cannot be waited for. */
static void test_a_stopped_member(void **state)
{
    (void)state;
    bool stopped = false;
    pid_t member, leader = start_group(&member);
    kill(member, SIGSTOP);
    for (int i = 0; i < 1000 && !stopped; i++) {
        stopped = group_was_stopped(leader);
        usleep(10000);
    }
    assert_true(stopped);
    end_group(leader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_running_group),
        cmocka_unit_test(test_a_stopped_leader),
        cmocka_unit_test(test_a_stopped_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
