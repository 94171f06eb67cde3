/* SPDX-License-Identifier: Apache-2.0 */
/* The identity changes with everything that changes an image, and with nothing else. */
#include "fake_compiler.h"

#include "tuner/device/cpu/identity.h"

#include <time.h>

static char *identity(void)
{
    static const struct device_description description = {.kind = "cpu"};
    struct error error = {0};
    char *text = NULL;
    if (!cpu_compile_identity(&description, &text, &error))
        fail_msg("%s", error.text);
    return text;
}

static void expect(const char *before, bool same)
{
    char *now = identity();
    assert_int_equal(strcmp(before, now) == 0, same);
    free(now);
}

static void the_same_is_the_same(void **state)
{
    (void)state;
    use_compiler("g++", "exit 1"); /* which is never started */
    char *first = identity();
    assert_int_equal(setenv("SOME_VARIABLE", "1", 1), 0);
    expect(first, true);
    assert_true(strlen(first) > 10000); /* it has the words of CUDA */
    free(first);
}

static void the_compilers_file_counts(void **state)
{
    (void)state;
    const char *path = use_compiler("g++", "exit 1");
    const struct timespec times[] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    assert_int_equal(utimensat(0, path, times, 0), 0);
    char *first = identity();
    const struct timespec later[] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000, .tv_nsec = 1}};
    assert_int_equal(utimensat(0, path, later, 0), 0);
    expect(first, false);
    assert_int_equal(utimensat(0, path, times, 0), 0);
    expect(first, true);
    path = use_compiler("g++", "exit 1; true"); /* another size */
    assert_int_equal(utimensat(0, path, times, 0), 0);
    expect(first, false);
    path = use_compiler("c++", "exit 1"); /* another path */
    assert_int_equal(utimensat(0, path, times, 0), 0);
    expect(first, false);
    free(first);
}

static void variables_of_the_compiler_count(void **state)
{
    (void)state;
    static const char *const names[] = {"CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "SOURCE_DATE_EPOCH"};
    use_compiler("g++", "exit 1");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    char *first = identity();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(setenv(names[i], "/some/folder", 1), 0);
        expect(first, false);
        assert_int_equal(unsetenv(names[i]), 0);
        expect(first, true);
    }
    free(first);
}

static void processor_and_options_are_in_it(void **state)
{
    (void)state;
    use_compiler("g++", "exit 1");
    char *text = identity(), line[4096];
    assert_non_null(strstr(text, "-std=c++17\n"));
    assert_non_null(strstr(text, "__syncthreads"));
    FILE *processors = fopen("/proc/cpuinfo", "r");
    bool seen = !processors;
    while (processors && !seen && fgets(line, sizeof line, processors))
        seen = strncmp(line, "flags", 5) == 0 || strncmp(line, "Features", 8) == 0;
    if (processors)
        fclose(processors);
    if (seen && processors)
        assert_non_null(strstr(text, line));
    free(text);
}

static void without_a_compiler_there_is_none(void **state)
{
    (void)state;
    struct error error = {0};
    char *text = "not touched";
    assert_int_equal(setenv("TUNE_CXX", "/nowhere/g++", 1), 0);
    assert_false(cpu_compile_identity(&(struct device_description){0}, &text, &error));
    assert_null(text);
    assert_int_equal(error.code, ERROR_WORK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_the_same),
        cmocka_unit_test(the_compilers_file_counts),
        cmocka_unit_test(variables_of_the_compiler_count),
        cmocka_unit_test(processor_and_options_are_in_it),
        cmocka_unit_test(without_a_compiler_there_is_none),
    };
    return cmocka_run_group_tests(tests, fake_folder_open, fake_folder_close);
}
