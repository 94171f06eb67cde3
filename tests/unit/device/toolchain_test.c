/* SPDX-License-Identifier: Apache-2.0 */
/* Which compiler is found, and its version. */
#include "fake_compiler.h"

#include "tuner/device/cpu/toolchain.h"

static void expect_version(const char *name, const char *script, const char *expected)
{
    char version[64];
    struct error error = {0};
    use_compiler(name, script);
    if (!toolchain_version(version, sizeof version, &error))
        fail_msg("%s", error.text);
    assert_string_equal(version, expected);
}

/* First lines as Debian, Ubuntu, Fedora, Apple and the plain sources print them. */
static void versions_as_compilers_print_them(void **state)
{
    (void)state;
    expect_version("g++", "echo 'g++ (Debian 12.2.0-14+deb12u1) 12.2.0'; echo Copyright", "g++ 12.2.0");
    expect_version("g++-11", "echo 'g++-11 (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0'", "g++-11 11.4.0");
    expect_version("c++", "echo 'c++ (GCC) 14.1.1 20240607 (Red Hat 14.1.1-5)'", "c++ 14.1.1-5)");
    expect_version("clang++", "echo 'Debian clang version 14.0.6'; echo 'Target: x86_64-pc-linux-gnu'",
                   "clang++ 14.0.6");
    expect_version("c++", "echo 'clang version 18.1.3 (https://github.com/llvm/llvm-project 1234)'",
                   "clang++ 18.1.3");
    expect_version("g++", "echo 13", "g++ 13");
}

static void compilers_without_a_version(void **state)
{
    (void)state;
    expect_version("g++", "exit 1", "");
    expect_version("g++", "exit 0", "");
    expect_version("g++", "echo", "");
    expect_version("g++", "echo g++ 1.2.3; exit 1", "");
}

/* Rows are stored under the version, so killing the compiler once must not change it. */
static void a_killed_compiler_is_asked_again(void **state)
{
    (void)state;
    char script[256], version[64];
    snprintf(script, sizeof script, "if [ -e %s/once ]; then echo g++ 12.2.0; else touch %s/once; kill -9 $$; fi",
             fake_folder, fake_folder);
    expect_version("g++", script, "g++ 12.2.0");
    use_compiler("g++", "kill -9 $$");
    assert_true(toolchain_version(version, sizeof version, NULL));
    assert_string_equal(version, "");
}

static void where_the_compiler_comes_from(void **state)
{
    (void)state;
    char path[4096], before[4096];
    struct error error = {0};
    const char *script = use_compiler("my compiler", "echo");
    assert_true(toolchain_find(path, sizeof path, &error));
    assert_string_equal(path, script);

    assert_int_equal(setenv("TUNE_CXX", "/nowhere/g++", 1), 0);
    assert_false(toolchain_find(path, sizeof path, &error));
    assert_int_equal(error.code, ERROR_WORK);
    assert_non_null(strstr(error.text, "'/nowhere/g++'"));

    snprintf(before, sizeof before, "%s", getenv("PATH"));
    assert_int_equal(setenv("PATH", fake_folder, 1), 0);
    assert_int_equal(setenv("TUNE_CXX", "my compiler", 1), 0);
    assert_true(toolchain_find(path, sizeof path, &error)); /* a name without a slash is looked up */
    assert_string_equal(path, script);
    assert_int_equal(setenv("TUNE_CXX", "another", 1), 0);
    assert_false(toolchain_find(path, sizeof path, &error));

    /* Without TUNE_CXX g++ comes before c++ and clang++; an empty one is none. */
    assert_int_equal(setenv("TUNE_CXX", "", 1), 0);
    fake_compiler("clang++", "echo");
    fake_compiler("c++", "echo");
    script = fake_compiler("g++", "echo");
    assert_true(toolchain_find(path, sizeof path, &error));
    assert_string_equal(path, script);
    assert_int_equal(unlink(script), 0);
    assert_true(toolchain_find(path, sizeof path, &error));
    assert_string_equal(strrchr(path, '/'), "/c++");

    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    unsetenv("TUNE_CXX");
    char version[64];
    assert_false(toolchain_find(path, sizeof path, &error));
    assert_int_equal(error.code, ERROR_WORK);
    assert_non_null(strstr(error.hint, "TUNE_CXX"));
    assert_true(toolchain_version(version, sizeof version, &error)); /* no compiler, no version */
    assert_string_equal(version, "");
    assert_int_equal(setenv("PATH", before, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_as_compilers_print_them),
        cmocka_unit_test(compilers_without_a_version),
        cmocka_unit_test(a_killed_compiler_is_asked_again),
        cmocka_unit_test(where_the_compiler_comes_from),
    };
    return cmocka_run_group_tests(tests, fake_folder_open, fake_folder_close);
}
