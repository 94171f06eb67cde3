/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/source/tree.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[32];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/tune-tree-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static bool append(void *context, const char *path, const char *name, const struct stat *status, struct error *error)
{
    char *names = context;
    (void)error;
    assert_true(S_ISREG(status->st_mode));
    assert_int_equal(access(path, F_OK), 0);
    strcat(strcat(names, name), " ");
    return true;
}

static void test_files(void **state)
{
    (void)state;
    char names[256] = "";
    static const char database[16] = "SQLite format 3";
    put("b.inl", "", 0);
    put("README.md", "x", 1);
    put(".hidden", "x", 1);
    put("k.template", "x", 1);
    put("my.space", "x", 1);
    put("results", database, sizeof database);
    put("results-wal", "x", 1);
    assert_int_equal(mkdir(in_folder("sub"), 0700), 0);
    put("sub/a", "x", 1);
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    assert_int_equal(symlink("sub/a", in_folder("link")), 0);
    assert_int_equal(symlink("nothing", in_folder("nowhere")), 0);
    assert_int_equal(symlink("..", in_folder("sub/up")), 0);
    assert_int_equal(symlink("sub", in_folder("z")), 0);
    struct error error = {0};
    if (!tree_visit(folder, append, names, &error))
        fail_msg("%s", error.text);
    assert_string_equal(names, "README.md b.inl link sub/a z/a ");
    names[0] = '\0';
    assert_true(tree_visit(in_folder("absent"), append, names, &error));
    assert_string_equal(names, "");
}

static bool count(void *context, const char *path, const char *name, const struct stat *status, struct error *error)
{
    (void)path;
    (void)name;
    (void)status;
    (void)error;
    ++*(size_t *)context;
    return true;
}

static void test_bound(void **state)
{
    (void)state;
    size_t files = 0;
    struct error error = {0};
    put("0", "", 0);
    for (int i = 1; i <= TREE_FILES_MOST; i++) {
        char name[160], first[128];
        snprintf(first, sizeof first, "%s", in_folder("0"));
        snprintf(name, sizeof name, "%s/l%d", folder, i);
        assert_int_equal(symlink(first, name), 0);
    }
    assert_false(tree_visit(folder, count, &files, &error));
    assert_non_null(strstr(error.text, "holds more than 16384 files"));
    unlink(in_folder("0")); /* the links lead nowhere now */
    assert_true(tree_visit(folder, count, &files, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bound, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
