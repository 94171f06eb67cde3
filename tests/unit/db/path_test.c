/* SPDX-License-Identifier: Apache-2.0 */
/* The path of the database, and its parent folders. */
#include "fixture.h"

#include "db/path.h"

#include <sys/stat.h>

static void expect_path(const char *argument, const char *expected)
{
    char *path = store_default_path(argument);
    assert_string_equal(path, expected);
    free(path);
}

static void the_path_comes_from_option_variable_or_home(void **state)
{
    (void)state;
    setenv("HOME", "/home/someone", 1);
    setenv("TUNE_DB", "/data/t.db", 1);
    setenv("XDG_DATA_HOME", "/xdg", 1);
    expect_path("here.db", "here.db");
    expect_path(NULL, "/data/t.db");
    setenv("TUNE_DB", "", 1);
    expect_path(NULL, "/xdg/tune/tune.db");
    setenv("XDG_DATA_HOME", "relative", 1);
    expect_path(NULL, "/home/someone/.local/share/tune/tune.db");
    unsetenv("XDG_DATA_HOME");
    unsetenv("TUNE_DB");
    expect_path(NULL, "/home/someone/.local/share/tune/tune.db");
}

static void folders_are_created_private_to_the_user(void **state)
{
    struct fixture *f = *state;
    char path[256];
    snprintf(path, sizeof path, "%s/a/b c/tune.db", f->folder);
    struct store *store;
    assert_true(store_open(path, false, &store, &f->error));
    assert_string_equal(store_path(store), path);
    store_close(store);
    *strrchr(path, '/') = '\0';
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(the_path_comes_from_option_variable_or_home),
        unit(folders_are_created_private_to_the_user),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
