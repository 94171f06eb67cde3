/* SPDX-License-Identifier: Apache-2.0 */
/* What a killed program left is removed, and nothing else. */
#include "tests/unit/scratch_folder.h"
#include "tuner/error/partial_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

static int open_folder(void)
{
    int folder = open(scratch_folder, O_PATH | O_DIRECTORY);
    assert_true(folder >= 0);
    return folder;
}

static void put(int folder, const char *name)
{
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(file >= 0);
    close(file);
}

static bool is_there(int folder, const char *name)
{
    struct stat status;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

static void what_is_being_written_stays(void **state)
{
    (void)state;
    int folder = open_folder();
    char *partial;
    int file = partial_create(folder, "x.db", 0600, &partial);
    assert_true(file >= 0 && is_there(folder, partial));
    assert_int_equal(strlen(partial), strlen("x.db.0123456789abcdef.partial"));
    partial_remove_abandoned(folder, "x.db");
    assert_true(is_there(folder, partial));
    /* that another opens and closes it does not matter */
    close(openat(folder, partial, O_RDWR));
    partial_remove_abandoned(folder, "x.db");
    assert_true(is_there(folder, partial));
    close(file);
    partial_remove_abandoned(folder, "x.db");
    assert_false(is_there(folder, partial));
    free(partial);
    close(folder);
}

static void what_a_killed_program_left_goes(void **state)
{
    (void)state;
    int folder = open_folder(), ends[2];
    char name[300] = "", side[320];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        char *partial;
        if (partial_create(folder, "x.db", 0600, &partial) < 0 || write(ends[1], partial, strlen(partial)) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    assert_true(read(ends[0], name, sizeof name - 1) > 0);
    snprintf(side, sizeof side, "%s-wal", name);
    put(folder, side);
    partial_remove_abandoned(folder, "x.db");
    assert_true(is_there(folder, name) && is_there(folder, side));
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    partial_remove_abandoned(folder, "x.db");
    assert_false(is_there(folder, name) || is_there(folder, side));
    close(ends[0]);
    close(ends[1]);
    close(folder);
}

static void other_names_stay(void **state)
{
    (void)state;
    int folder = open_folder();
    static const char *const names[] = {"x.db",
                                        "x.db.partial",
                                        "x.db.0123456789abcde.partial",
                                        "x.db.0123456789abcdefa.partial",
                                        "x.db.0123456789ABCDEF.partial",
                                        "x.db.0123456789abcdef.partial2",
                                        "y.db.0123456789abcdef.partial",
                                        "xx.db.0123456789abcdef.partial"};
    static const char link[] = "x.db.0000000000000000.partial";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        put(folder, names[i]);
    assert_int_equal(symlinkat("x.db", folder, link), 0);
    partial_remove_abandoned(folder, "x.db");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(is_there(folder, names[i]));
    assert_true(is_there(folder, link));
    close(folder);
}

static void names_may_be_long(void **state)
{
    (void)state;
    int folder = open_folder();
    char name[255], *partial;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    int file = partial_create(folder, name, 0600, &partial);
    assert_true(file >= 0);
    close(file);
    partial_remove_abandoned(folder, name);
    assert_false(is_there(folder, partial));
    free(partial);
    close(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_being_written_stays, scratch_folder_create, scratch_folder_remove),
        cmocka_unit_test_setup_teardown(what_a_killed_program_left_goes, scratch_folder_create,
                                        scratch_folder_remove),
        cmocka_unit_test_setup_teardown(other_names_stay, scratch_folder_create, scratch_folder_remove),
        cmocka_unit_test_setup_teardown(names_may_be_long, scratch_folder_create, scratch_folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
