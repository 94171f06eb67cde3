/* SPDX-License-Identifier: Apache-2.0 */
/* When the words of CUDA are precompiled, by a script that stands in for the compiler. */
#include "fake_compiler.h"

#include "tuner/device/cpu/words.h"

#include <limits.h>

/* With a compiler's arguments and room for more. */
static bool prepare(const char *folder, const char *compiler, char *path)
{
    const char *arguments[16] = {compiler, "-x", "c++-header"};
    return words_prepare(folder, arguments, 3, path);
}

/* As often as does not pay. */
static void prepare_in_vain(const char *folder, const char *compiler)
{
    char path[PATH_MAX];
    for (int i = 0; i < 8; i++)
        assert_false(prepare(folder, compiler, path));
}

static long size_of(const char *folder, const char *name)
{
    char path[PATH_MAX];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &status) == 0 ? (long)status.st_size : -1;
}

static void make_folder(char *folder, size_t size, const char *name)
{
    snprintf(folder, size, "%s/%s", fake_folder, name);
    assert_int_equal(mkdir(folder, 0700), 0);
}

/* Eight kernels read the header themselves, the ninth precompiles it, the tenth finds it. */
static void the_ninth_time_precompiles(void **state)
{
    (void)state;
    char folder[128], path[PATH_MAX], expected[512];
    const char *compiler = fake_compiler("compiler", "[ \"$3\" = -o ] && echo \"$*\" >> \"$4\"");
    make_folder(folder, sizeof folder, "good");
    prepare_in_vain(folder, compiler);
    assert_int_equal(size_of(folder, "cuda_words.hpp.gch"), -1);
    assert_true(prepare(folder, compiler, path));
    assert_true(size_of(folder, "cuda_words.hpp") > 10000);
    snprintf(expected, sizeof expected, "%s/cuda_words.hpp", folder);
    assert_string_equal(path, expected);
    long once = size_of(folder, "cuda_words.hpp.gch");
    snprintf(expected, sizeof expected, "-x c++-header -o %s/cuda_words.hpp.gch %s/cuda_words.hpp\n", folder, folder);
    assert_int_equal(once, strlen(expected));
    assert_true(prepare(folder, compiler, path));
    assert_int_equal(size_of(folder, "cuda_words.hpp.gch"), once); /* it ran once */
}

/* GCC ignores an empty precompiled header; it is not tried again. */
static void a_failure_is_not_repeated(void **state)
{
    (void)state;
    char folder[128], path[PATH_MAX], script[256];
    make_folder(folder, sizeof folder, "bad");
    snprintf(script, sizeof script, "echo x >> %s/runs; echo partly > \"$4\"; exit 1", folder);
    const char *compiler = fake_compiler("failing", script);
    prepare_in_vain(folder, compiler);
    for (int i = 0; i < 3; i++)
        assert_true(prepare(folder, compiler, path));
    assert_int_equal(size_of(folder, "runs"), 2);
    assert_int_equal(size_of(folder, "cuda_words.hpp.gch"), 0);
}

static void a_folder_that_is_gone(void **state)
{
    (void)state;
    char path[PATH_MAX];
    static char longest[PATH_MAX + 10];
    for (int i = 0; i < 10; i++)
        assert_false(prepare("/nowhere/at/all", "/bin/true", path));
    memset(longest, 'a', sizeof longest - 1);
    assert_false(prepare(longest, "/bin/true", path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ninth_time_precompiles),
        cmocka_unit_test(a_failure_is_not_repeated),
        cmocka_unit_test(a_folder_that_is_gone),
    };
    return cmocka_run_group_tests(tests, fake_folder_open, fake_folder_close);
}
