/* SPDX-License-Identifier: Apache-2.0 */
/* The search for AddressSanitizer's runtime, with compilers that are scripts. */
#include "tests/unit/fixture.h"

#include "tests/unit/scratch_folder.h"
#include "tuner/check/runtime.h"

static struct error error;

/* A compiler of a version that answers -print-file-name=NAME with a text. */
static void install(const char *version, const char *name, const char *answer)
{
    char body[1024];
    snprintf(body, sizeof body,
             "case $1 in --version) echo '%s';; -dumpfullversion) echo 12.2.0;;\n"
             "-print-file-name=%s) echo %s;; -print-file-name=*) echo ${1#*=};; esac",
             version, name, answer);
    setenv("TUNE_CXX", scratch_script("compiler", body), 1);
}

static void gcc_is_asked_for_libasan(void **state)
{
    (void)state;
    char path[256];
    const char *library = scratch_write("libasan.so", "");
    install("g++ (Debian 12.2.0-14) 12.2.0", "libasan.so", library);
    assert_success(runtime_find(path, sizeof path, &error), &error);
    assert_string_equal(path, library);
}

static void clang_is_asked_for_its_own(void **state)
{
    (void)state;
#if defined(__x86_64__)
    char path[256];
    const char *library = scratch_write("clang_rt", "");
    install("Debian clang version 14.0.6", "libclang_rt.asan-x86_64.so", library);
    assert_success(runtime_find(path, sizeof path, &error), &error);
    assert_string_equal(path, library);
    install("Debian clang version 14.0.6", "libasan.so", library); /* GCC's is not for clang */
    assert_false(runtime_find(path, sizeof path, &error));
    assert_mentions(error.hint, "libclang-rt-dev");
#endif
}

static void a_missing_library_is_an_error_with_a_hint(void **state)
{
    (void)state;
    char path[256];
    install("g++ (Debian 12.2.0-14) 12.2.0", "libasan.so", "libasan.so"); /* as GCC answers if it has none */
    assert_false(runtime_find(path, sizeof path, &error));
    assert_int_equal(error.code, ERROR_WORK);
    assert_mentions(error.hint, "apt-get install g++");
    install("g++ (Debian 12.2.0-14) 12.2.0", "libasan.so", "/nonexistent/libasan.so");
    assert_false(runtime_find(path, sizeof path, &error));
}

static void a_missing_compiler_is_an_error(void **state)
{
    (void)state;
    char path[256];
    setenv("TUNE_CXX", "/nonexistent/compiler", 1);
    assert_false(runtime_find(path, sizeof path, &error));
    assert_int_equal(error.code, ERROR_WORK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gcc_is_asked_for_libasan),
        cmocka_unit_test(clang_is_asked_for_its_own),
        cmocka_unit_test(a_missing_library_is_an_error_with_a_hint),
        cmocka_unit_test(a_missing_compiler_is_an_error),
    };
    return cmocka_run_group_tests(tests, scratch_folder_create, scratch_folder_remove);
}
