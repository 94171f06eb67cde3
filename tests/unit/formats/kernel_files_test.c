/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tests/unit/scratch_folder.h"
#include "tuner/formats/kernel_files.h"

static void test_headers_of_its_own(void **state)
{
    (void)state;
    struct kernel_files files;
    struct error error = {0};
    static const char text[] =
        "#include \"a.cuh\"\n#include <cuda_runtime.h>\n#include \"parts/b.h\"\n#include \"a.cuh\"\n"
        "#include \"../outside.h\"\n";
    mkdir(scratch_path("k"), 0700);
    mkdir(scratch_path("k/parts"), 0700);
    scratch_write("k/a.cuh", "#pragma once\n#include \"parts/c.h\"\n");
    scratch_write("k/parts/b.h", "// b\n");
    scratch_write("k/parts/c.h", "#include \"b.h\"\n");
    scratch_write("outside.h", "// not copied\n");
    const char *source = scratch_write("k/k.cu", text);
    assert_success(kernel_files_find(source, text, strlen(text), NULL, 0, &files, &error), &error);
    assert_int_equal(files.count, 3);
    static const char *const names[] = {"a.cuh", "parts/c.h", "parts/b.h"};
    for (size_t i = 0; i < 3; i++) {
        size_t k = 0;
        while (k < files.count && strcmp(files.items[k].name, names[i]) != 0)
            k++;
        assert_true(k < files.count);
        if (i == 2)
            assert_string_equal(files.items[k].bytes, "// b\n");
    }
    assert_mentions(files.notes, "outside.h from outside of its folder");
    assert_true(files.closed);
    kernel_files_clear(&files);
}

static void test_a_link_to_elsewhere_is_left_behind(void **state)
{
    (void)state;
    struct kernel_files files;
    struct error error = {0};
    static const char text[] = "#include \"link.h\"\n#include NAME\n";
    mkdir(scratch_path("l"), 0700);
    scratch_write("secret.h", "// mine\n");
    assert_int_equal(symlink(scratch_path("secret.h"), scratch_path("l/link.h")), 0);
    const char *source = scratch_write("l/k.cu", text);
    assert_success(kernel_files_find(source, text, strlen(text), NULL, 0, &files, &error), &error);
    assert_int_equal(files.count, 0);
    assert_mentions(files.notes, "link.h");
    assert_false(files.closed);
    kernel_files_clear(&files);
    assert_false(kernel_files_find(scratch_path("none.cu"), "", 0, NULL, 0, &files, &error));
    kernel_files_clear(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_headers_of_its_own),
                                       cmocka_unit_test(test_a_link_to_elsewhere_is_left_behind)};
    return cmocka_run_group_tests(tests, scratch_folder_create, scratch_folder_remove);
}
