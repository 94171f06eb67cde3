/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/scratch_folder.h"

#include "tuner/source/tree.h"

static void put(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(scratch_path(name), "w");
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
    assert_int_equal(mkdir(scratch_path("sub"), 0700), 0);
    put("sub/a", "x", 1);
    assert_int_equal(mkfifo(scratch_path("pipe"), 0600), 0);
    assert_int_equal(symlink("sub/a", scratch_path("link")), 0);
    assert_int_equal(symlink("nothing", scratch_path("nowhere")), 0);
    assert_int_equal(symlink("..", scratch_path("sub/up")), 0);
    assert_int_equal(symlink("sub", scratch_path("z")), 0);
    struct error error = {0};
    if (!tree_visit(scratch_folder, append, names, &error))
        fail_msg("%s", error.text);
    assert_string_equal(names, "README.md b.inl link sub/a z/a ");
    names[0] = '\0';
    assert_true(tree_visit(scratch_path("absent"), append, names, &error));
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
        snprintf(first, sizeof first, "%s", scratch_path("0"));
        snprintf(name, sizeof name, "%s/l%d", scratch_folder, i);
        assert_int_equal(symlink(first, name), 0);
    }
    assert_false(tree_visit(scratch_folder, count, &files, &error));
    assert_non_null(strstr(error.text, "holds more than 16384 files"));
    unlink(scratch_path("0")); /* the links lead nowhere now */
    assert_true(tree_visit(scratch_folder, count, &files, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files, scratch_folder_create, scratch_folder_remove),
        cmocka_unit_test_setup_teardown(test_bound, scratch_folder_create, scratch_folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
