/* SPDX-License-Identifier: Apache-2.0 */
/* Scratch folders disappear with their owner, even a killed one; others are left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/workers/remains.h"
#include "tuner/workers/scratch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

static void make_file(const char *folder, const char *name)
{
    char path[700];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(file >= 0);
    close(file);
}

static void test_created_and_removed(void **state)
{
    (void)state;
    struct scratch scratch;
    struct error error = {0};
    struct stat status;
    assert_true(scratch_create(&scratch, &error));
    assert_int_equal(stat(scratch.path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    make_file(scratch.path, "file");
    scratch_remove(&scratch);
    assert_false(exists(scratch.path[0] ? scratch.path : "/nowhere"));
    scratch_remove(&scratch); /* removing twice is harmless */
    assert_int_equal(remains_now().folders, 0);
}

static void test_links_are_not_followed(void **state)
{
    (void)state;
    char target[600], link[700];
    snprintf(target, sizeof target, "%s/.kept", getenv("TMPDIR"));
    assert_int_equal(mkdir(target, 0700), 0);
    make_file(target, "precious");
    struct scratch scratch;
    struct error error = {0};
    assert_true(scratch_create(&scratch, &error));
    snprintf(link, sizeof link, "%s/link", scratch.path);
    assert_int_equal(symlink(target, link), 0);
    scratch_remove(&scratch);
    snprintf(link, sizeof link, "%s/precious", target);
    assert_true(exists(link));
    folder_remove(target);
    assert_false(exists(target));
}

/* Fork a child that creates a folder and then dies or lives on. */
static pid_t start_owner(char path[512], bool dies)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct scratch scratch;
        if (!scratch_create(&scratch, NULL) || write(ends[1], scratch.path, 512) != 512)
            _exit(1);
        if (dies)
            kill(getpid(), SIGKILL);
        for (;;)
            pause();
    }
    assert_int_equal(read(ends[0], path, 512), 512);
    close(ends[0]);
    close(ends[1]);
    if (dies)
        assert_int_equal(waitpid(child, NULL, 0), child);
    return child;
}

static void test_the_next_owner_removes_abandoned_folders(void **state)
{
    (void)state;
    char dead[512], living[512];
    start_owner(dead, true);
    pid_t owner = start_owner(living, false); /* also removes the dead owner's folder */
    assert_false(exists(dead));
    start_owner(dead, true);
    assert_true(exists(dead));
    struct scratch scratch;
    struct error error = {0};
    assert_true(scratch_create(&scratch, &error));
    assert_false(exists(dead));
    assert_true(exists(living));
    scratch_remove(&scratch);
    kill(owner, SIGKILL);
    assert_int_equal(waitpid(owner, NULL, 0), owner);
    folder_remove(living);
}

static void test_a_folder_that_cannot_be_created(void **state)
{
    (void)state;
    char *folder = strdup(getenv("TMPDIR"));
    assert_non_null(folder);
    struct scratch scratch;
    struct error error = {0};
    setenv("TMPDIR", "/nowhere", 1);
    assert_false(scratch_create(&scratch, &error));
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_non_null(strstr(error.text, "/nowhere"));
    assert_non_null(strstr(error.hint, "TMPDIR"));
    setenv("TMPDIR", folder, 1);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_created_and_removed),
        cmocka_unit_test(test_links_are_not_followed),
        cmocka_unit_test(test_the_next_owner_removes_abandoned_folders),
        cmocka_unit_test(test_a_folder_that_cannot_be_created),
    };
    char folder[512];
    if (remains_own_folder(folder, sizeof folder) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return rmdir(folder) == 0 ? failed : 1;
}
