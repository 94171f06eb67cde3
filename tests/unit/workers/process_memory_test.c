/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a process and its descendants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/workers/process_memory.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EACH = 24 << 20, REST = 16 << 20 };

/* Take memory, reserve much more, tell, and stay. */
static void take_and_stay(int done, int kind)
{
    void *taken = mmap(NULL, EACH, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
    void *reserved = mmap(NULL, (size_t)1 << 36, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (taken != MAP_FAILED && reserved != MAP_FAILED)
        memset(taken, 1, EACH);
    (void)!write(done, "", 1);
    for (;;)
        pause();
}

static void test_a_family(void **state)
{
    (void)state;
    int done[2];
    char told[2];
    assert_int_equal(pipe(done), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            take_and_stay(done[1], MAP_SHARED);
        }
        take_and_stay(done[1], MAP_PRIVATE);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(read(done[0], told + i, 1), 1);
    uint64_t bytes = process_memory(child);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(bytes >= 2 * (uint64_t)EACH);
    assert_true(bytes < 2 * (uint64_t)EACH + REST);
    assert_int_equal(process_memory(child), 0);
    close(done[0]);
    close(done[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_family),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
