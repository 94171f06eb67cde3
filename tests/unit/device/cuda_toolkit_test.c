/* SPDX-License-Identifier: Apache-2.0 */
/* Where the Toolkit's headers and its device run-time library are found, in Toolkits made for the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cuda/toolkit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/tune-toolkit-XXXXXX";

static void run(const char *format)
{
    char command[400];
    assert_true(snprintf(command, sizeof command, format, folder) < (int)sizeof command);
    assert_int_equal(system(command), 0);
}

static int open_toolkits(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    run("cd %s && mkdir -p a/lib64 a/include b/nvrtc/lib b/cuda_runtime/include empty");
    run("cd %s && echo 1 > a/include/cuda_fp16.h && echo 2 > b/cuda_runtime/include/cuda_fp16.h");
    run("cd %s && mkdir -p b/cuda_runtime/lib b/nvjitlink/lib && echo 3 > a/lib64/libcudadevrt.a && "
        "echo 4 > b/cuda_runtime/lib/libcudadevrt.a");
    return 0;
}

static int close_toolkits(void **state)
{
    (void)state;
    run("rm -r %s");
    return 0;
}

static char *below(const char *name)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void beside_the_library_or_where_the_environment_says(void **state)
{
    (void)state;
    char found[PATH_MAX];
    unsetenv("CUDA_PATH");
    assert_int_equal(setenv("CUDA_HOME", below("a"), 1), 0);
    assert_true(toolkit_find(below("a/lib64"), found, sizeof found));
    assert_string_equal(found, below("a/lib64/../include"));
    assert_true(toolkit_find(below("b/nvrtc/lib"), found, sizeof found));
    assert_string_equal(found, below("b/nvrtc/lib/../../cuda_runtime/include"));
    assert_true(toolkit_find("", found, sizeof found));
    assert_string_equal(found, below("a/include"));
}

static void the_run_time_library_likewise(void **state)
{
    (void)state;
    char found[PATH_MAX];
    unsetenv("CUDA_HOME");
    assert_int_equal(setenv("CUDA_PATH", below("a"), 1), 0);
    assert_true(toolkit_find_runtime(below("a/lib64"), found, sizeof found));
    assert_string_equal(found, below("a/lib64/libcudadevrt.a"));
    assert_true(toolkit_find_runtime(below("b/nvrtc/lib"), found, sizeof found));
    assert_string_equal(found, below("b/nvrtc/lib/../../cuda_runtime/lib/libcudadevrt.a"));
    assert_true(toolkit_find_runtime("", found, sizeof found));
    assert_string_equal(found, below("a/lib64/libcudadevrt.a"));
    assert_false(toolkit_find_runtime("", found, 8));
    unsetenv("CUDA_PATH");
}

static void add(void *context, const char *path)
{
    strncat(context, strstr(path, "/b/"), 200);
}

static void the_places_of_libraries_are_visited(void **state)
{
    (void)state;
    char list[600], visited[600] = "";
    snprintf(list, sizeof list, ":%s/b/nvrtc/lib:%s/empty:/absent", folder, folder);
    assert_int_equal(setenv("LD_LIBRARY_PATH", list, 1), 0);
    toolkit_visit_places(add, visited);
    assert_string_equal(visited, "/b/nvrtc/lib/../../cuda_runtime/include"
                                 "/b/nvrtc/lib/../../cuda_runtime/lib/libcudadevrt.a"
                                 "/b/nvrtc/lib/../../nvjitlink/lib");
    unsetenv("LD_LIBRARY_PATH");
}

static char *stamps(void)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    toolkit_write_stamps(stream);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void exchanged_files_change_the_stamps(void **state)
{
    (void)state;
    assert_int_equal(setenv("CUDA_HOME", below("a"), 1), 0);
    char *before = stamps(), *again = stamps();
    assert_string_equal(before, again);
    run("echo 345 > %s/a/include/cuda_fp16.h");
    char *after = stamps();
    assert_string_not_equal(before, after);
    run("echo 678 > %s/a/lib64/libcudadevrt.a");
    char *exchanged = stamps();
    assert_string_not_equal(exchanged, after);
    run("echo 9 > %s/a/lib64/libnvJitLink.so.13");
    char *linker = stamps();
    assert_string_not_equal(linker, exchanged);
    free(linker);
    free(before);
    free(again);
    free(after);
    free(exchanged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside_the_library_or_where_the_environment_says),
        cmocka_unit_test(the_run_time_library_likewise),
        cmocka_unit_test(the_places_of_libraries_are_visited),
        cmocka_unit_test(exchanged_files_change_the_stamps),
    };
    return cmocka_run_group_tests(tests, open_toolkits, close_toolkits);
}
