/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tests/unit/scratch_folder.h"
#include "tuner/cli/new_files.h"

static void test_all_or_none(void **state)
{
    (void)state;
    struct new_files files = {0};
    struct error error = {0};
    const char *folder = scratch_path("a/b");
    assert_true(new_files_add(&files, folder, "one", "1\n", 2, &error));
    assert_true(new_files_add(&files, folder, "sub/two", "22", 2, &error));
    assert_success(new_files_write(&files, &error), &error);
    FILE *file = fopen(scratch_path("a/b/sub/two"), "r");
    assert_non_null(file);
    assert_int_equal(fgetc(file), '2');
    fclose(file);
    assert_false(new_files_write(&files, &error));
    assert_mentions(error.text, "already exists");
    new_files_clear(&files);

    scratch_write("file", "");
    assert_true(new_files_add(&files, scratch_path("c"), "one", "", 0, &error));
    assert_true(new_files_add(&files, scratch_path("file"), "two", "", 0, &error)); /* below a file */
    assert_false(new_files_write(&files, &error));
    assert_int_not_equal(access(scratch_path("c/one"), F_OK), 0);
    new_files_clear(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_or_none)};
    return cmocka_run_group_tests(tests, scratch_folder_create, scratch_folder_remove);
}
