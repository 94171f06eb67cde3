/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to an inaccessible page reach the function of their thread, or end the process as ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/trap.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile char *page;
static sigjmp_buf back;
static const void *told;

static void leave(void *context, const void *address)
{
    told = address;
    assert_ptr_equal(context, &told);
    siglongjmp(back, 1);
}

static void stay(void *context, const void *address)
{
    (void)context, (void)address;
}

static void the_thread_is_told_where(void **state)
{
    (void)state;
    trap_call(leave, &told);
    for (int i = 0; i < 3; i++) { /* SIGSEGV must not stay blocked */
        trap_set();
        told = NULL;
        if (sigsetjmp(back, 0) == 0)
            page[100 + i] = 1;
        trap_clear();
        assert_ptr_equal(told, page + 100 + i);
    }
    trap_call(NULL, NULL);
}

/* How a child ends that touches the page. */
static int end_of_child(trap_function *function, bool set, bool clear)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGSEGV, SIG_DFL);
        trap_call(function, NULL);
        if (set)
            trap_set();
        if (clear)
            trap_clear();
        page[0] = 1;
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void other_faults_end_the_process(void **state)
{
    (void)state;
    assert_int_equal(end_of_child(NULL, false, false), SIGSEGV);
    assert_int_equal(end_of_child(NULL, true, false), SIGSEGV);
    assert_int_equal(end_of_child(stay, true, false), SIGSEGV);
    assert_int_equal(end_of_child(leave, true, true), SIGSEGV);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_thread_is_told_where),
        cmocka_unit_test(other_faults_end_the_process),
    };
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? EXIT_FAILURE : cmocka_run_group_tests(tests, NULL, NULL);
}
