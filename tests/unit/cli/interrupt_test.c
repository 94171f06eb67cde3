/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#include "tuner/cli/interrupt.h"

#include <sys/wait.h>
#include <unistd.h>

/* The status of a child that catches interrupts and raises `signals`, with `ignored` ignored from the start (0:
 * none): it exits with the number of interrupts. */
static int status_after(const int *signals, size_t count, int ignored)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (ignored)
            signal(ignored, SIG_IGN);
        const volatile sig_atomic_t *interrupts = interrupts_catch();
        for (size_t i = 0; i < count; i++)
            raise(signals[i]);
        _exit((int)*interrupts);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void interrupts_are_counted(void **state)
{
    (void)state;
    static const int signals[] = {SIGUSR1, SIGTERM, SIGHUP};
    for (size_t count = 0; count <= 2; count++) {
        int status = status_after(signals, count, 0);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), count);
    }
}

static void the_third_ends_the_program(void **state)
{
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    int status = status_after(signals, 3, 0);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGHUP);
}

static void what_is_ignored_stays_ignored(void **state)
{
    (void)state;
    static const int signals[] = {SIGHUP, SIGHUP, SIGINT}; /* as under nohup */
    int status = status_after(signals, 3, SIGHUP);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
}

static void before_a_sweep_the_first_ends_the_program(void **state)
{
    (void)state;
    for (int when = 0; when < 3; when++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            (void)interrupts_catch();
            if (when == 0)
                raise(SIGUSR1);
            interrupts_end_program();
            if (when == 1)
                raise(SIGTERM);
            const volatile sig_atomic_t *interrupts = interrupts_catch();
            raise(SIGUSR1);
            _exit((int)*interrupts);
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), when < 2 ? STATUS_INTERRUPTED : 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interrupts_are_counted),
        cmocka_unit_test(the_third_ends_the_program),
        cmocka_unit_test(before_a_sweep_the_first_ends_the_program),
        cmocka_unit_test(what_is_ignored_stays_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
