/* SPDX-License-Identifier: Apache-2.0 */
/* Each right, tried in a child process that has no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/workers/remains.h"
#include "tuner/workers/landlock.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char folder[512], file[600], new[600];

/* What a process can do that may use `path` in that way: a bit each for list, read, write, make. */
static int abilities(const char *path, enum landlock_right right)
{
    pid_t child = fork();
    if (child == 0) {
        int rules = landlock_begin(LANDLOCK_ALL);
        landlock_allow(rules, path, right);
        landlock_allow(rules, "/no/such/path", right);
        if (rules < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !landlock_enforce(rules))
            _exit(100);
        int can = 0;
        can |= open(folder, O_RDONLY | O_DIRECTORY) >= 0 ? 1 : 0;
        can |= open(file, O_RDONLY) >= 0 ? 2 : 0;
        can |= open(file, O_WRONLY) >= 0 ? 4 : 0;
        can |= open(new, O_WRONLY | O_CREAT, 0600) >= 0 && unlink(new) == 0 ? 8 : 0;
        _exit(can);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_rights(void **state)
{
    (void)state;
    if (landlock_version() == 0)
        skip();
    assert_int_equal(abilities(folder, LANDLOCK_LIST), 1);
    assert_int_equal(abilities(folder, LANDLOCK_READ), 1 | 2);
    assert_int_equal(abilities(folder, LANDLOCK_DEVICE), 1 | 2 | 4);
    assert_int_equal(abilities(folder, LANDLOCK_WRITE), 1 | 2 | 4 | 8);
    assert_int_equal(abilities(file, LANDLOCK_READ), 2);
    assert_int_equal(abilities(file, LANDLOCK_WRITE), 2 | 4);
    assert_int_equal(abilities("/usr", LANDLOCK_WRITE), 0);
}

static void test_without_rules(void **state)
{
    (void)state;
    assert_false(landlock_enforce(-1));
    landlock_allow(-1, "/", LANDLOCK_READ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rights),
        cmocka_unit_test(test_without_rules),
    };
    if (remains_own_folder(folder, sizeof folder) != 0)
        return 1;
    snprintf(file, sizeof file, "%s/file", folder);
    snprintf(new, sizeof new, "%s/new", folder);
    close(open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return unlink(file) == 0 && rmdir(folder) == 0 ? failed : 1;
}
