/* SPDX-License-Identifier: Apache-2.0 */
/* Calls under the filter, in a child process: refused, missing, or as before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/workers/syscall_filter.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int attempt(void);

/* The errno of an attempt, or 0. */
static int result(attempt *attempt, bool local_sockets)
{
    pid_t child = fork();
    if (child == 0) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !syscall_filter_enforce(local_sockets))
            _exit(255);
        errno = 0;
        _exit(attempt() >= 0 ? 0 : errno);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_not_equal(WEXITSTATUS(status), 255);
    return WEXITSTATUS(status);
}

static int internet(void)
{
    return socket(AF_INET, SOCK_STREAM, 0);
}

static int packets(void)
{
    return socket(AF_PACKET, SOCK_RAW, 0);
}

static int local(void)
{
    return socket(AF_UNIX, SOCK_STREAM, 0);
}

static int netlink(void)
{
    return socket(AF_NETLINK, SOCK_RAW, 0);
}

static int pair(void)
{
    int ends[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static int ring(void)
{
    return (int)syscall(SYS_io_uring_setup, 0, NULL);
}

static int namespace(void)
{
    return unshare(CLONE_NEWUSER);
}

static int segment(void)
{
    int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    if (id >= 0)
        shmctl(id, IPC_RMID, NULL);
    return id;
}

static int program(void)
{
    return system("exit 0");
}

static void test_calls(void **state)
{
    (void)state;
    if (!syscall_filter_possible())
        skip();
    const struct {
        attempt *attempt;
        int alone, with_local;
    } cases[] = {
        {internet, EPERM, EPERM}, {packets, EPERM, EPERM},   {local, EPERM, 0},   {netlink, EPERM, 0}, {pair, 0, 0},
        {ring, ENOSYS, ENOSYS},   {namespace, EPERM, EPERM}, {segment, EPERM, 0}, {program, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(result(cases[i].attempt, false), cases[i].alone);
        assert_int_equal(result(cases[i].attempt, true), cases[i].with_local);
    }
}

#if defined(__x86_64__)
/* getpid by its number in the x32 numbering: not a way around. */
static int other_numbering(void)
{
    return (int)syscall(0x40000000L + SYS_socket, AF_INET, SOCK_STREAM, 0);
}

static void test_other_numberings_are_refused(void **state)
{
    (void)state;
    if (syscall_filter_possible())
        assert_int_equal(result(other_numbering, true), EPERM);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),
#if defined(__x86_64__)
        cmocka_unit_test(test_other_numberings_are_refused),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
