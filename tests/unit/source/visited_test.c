/* SPDX-License-Identifier: Apache-2.0 */
/* A file is the same by whatever path, and another one in another folder. */
#include "tests/unit/scratch_folder.h"

#include "tuner/source/visited.h"

static struct visited_file identify(struct visited *visited, const char *path)
{
    struct stat status;
    struct visited_file file;
    assert_int_equal(stat(path, &status), 0);
    assert_true(visited_identify(visited, path, &status, &file));
    return file;
}

static void test_files(void **state)
{
    (void)state;
    struct visited visited = {0};
    char first[256];
    assert_int_equal(mkdir(scratch_path("sub"), 0700), 0);
    snprintf(first, sizeof first, "%s", scratch_write("a.h", ""));
    assert_int_equal(link(first, scratch_path("b.h")), 0);
    assert_int_equal(link(first, scratch_path("sub/a.h")), 0);
    struct visited_file own = identify(&visited, first), elsewhere = identify(&visited, scratch_path("sub/a.h"));
    assert_int_equal(visited_number(&visited, &own), SIZE_MAX);
    assert_true(visited_add(&visited, &own));
    assert_int_equal(visited_number(&visited, &own), 0);
    assert_int_equal(visited_number(&visited, &elsewhere), SIZE_MAX);
    assert_true(visited_add(&visited, &elsewhere));
    struct visited_file alias = identify(&visited, scratch_path("b.h")),
                        around = identify(&visited, scratch_path("sub/../a.h"));
    assert_int_equal(visited_number(&visited, &alias), 0);
    assert_int_equal(visited_number(&visited, &around), 0);
    assert_int_equal(visited_number(&visited, &elsewhere), 1);
    visited_clear(&visited);
}

static void test_many(void **state)
{
    (void)state;
    enum { MANY = 100 };
    struct visited visited = {0};
    for (ino_t i = 0; i < MANY; i++)
        assert_true(visited_add(&visited, &(struct visited_file){.node = i}));
    for (ino_t i = 0; i < MANY; i++) {
        const struct visited_file file = {.node = i}, other_folder = {.node = i, .folder_node = 1},
                                  other_device = {.node = i, .device = 1};
        assert_int_equal(visited_number(&visited, &file), i);
        assert_int_equal(visited_number(&visited, &other_folder), SIZE_MAX);
        assert_int_equal(visited_number(&visited, &other_device), SIZE_MAX);
    }
    visited_clear(&visited);
}

static void test_folders(void **state)
{
    (void)state;
    assert_int_equal(visited_folder_length("a.h"), 0);
    assert_int_equal(visited_folder_length("/a.h"), 1);
    assert_int_equal(visited_folder_length("b/c/a.h"), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files, scratch_folder_create, scratch_folder_remove),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
