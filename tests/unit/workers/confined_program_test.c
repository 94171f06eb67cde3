/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tests/unit/scratch_folder.h"
#include "tuner/workers/confined_program.h"
#include "tuner/workers/landlock.h"

#include <sys/wait.h>

/* The exit status of a shell that runs `command`; -1: killed for its time. */
static int run(const char *command, double seconds, bool unconfined)
{
    char folder[96], output[128];
    snprintf(folder, sizeof folder, "%s/own", scratch_folder);
    snprintf(output, sizeof output, "%s/output", folder);
    mkdir(folder, 0700);
    char *const arguments[] = {"sh", "-c", (char *)(uintptr_t)command, NULL};
    struct confined_program program = {arguments, folder, output, seconds, unconfined};
    struct error error = {0};
    int status;
    bool late;
    assert_success(confined_program_run(&program, &status, &late, &error), &error);
    if (late)
        return -1;
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_ends(void **state)
{
    (void)state;
    assert_int_equal(run("exit 3", 60, false), 3);
    assert_int_equal(run("sleep 60", 0.1, false), -1);
    assert_int_equal(
        run("echo \"$TMPDIR\" > \"$TMPDIR/told\" && test -s \"$TMPDIR/output\" -o -e \"$TMPDIR/told\"", 60, false),
        0);
}

static void test_what_it_may_write(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "echo x > %s/outside", scratch_folder);
    if (landlock_version() > 0)
        assert_int_not_equal(run(command, 60, false), 0);
    assert_int_equal(run(command, 60, true), 0);
    snprintf(command, sizeof command, "cat %s/outside > \"$TMPDIR/copy\"", scratch_folder);
    assert_int_equal(run(command, 60, false), 0);
}

static void test_no_such_program(void **state)
{
    (void)state;
    char *const arguments[] = {"/no/such/program", NULL};
    struct confined_program program = {arguments, scratch_folder, scratch_path("output"), 60, false};
    struct error error = {0};
    int status;
    bool late;
    assert_success(confined_program_run(&program, &status, &late, &error), &error);
    assert_int_equal(WEXITSTATUS(status), 127);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends), cmocka_unit_test(test_what_it_may_write),
                                       cmocka_unit_test(test_no_such_program)};
    return cmocka_run_group_tests(tests, scratch_folder_create, scratch_folder_remove);
}
