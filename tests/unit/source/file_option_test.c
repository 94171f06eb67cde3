/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/source/file_option.h"

#include <stdlib.h>

/* Spellings of NVRTC's, GCC's and Clang's manuals. */
static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *option;
        enum file_option use;
        const char *path;
    } cases[] = {
        {"-Iparts", OPTION_FOLDER, "parts"},
        {"-I", OPTION_FOLDER, ""},
        {"-I/a b", OPTION_FOLDER, "/a b"},
        {"--include-path=parts", OPTION_FOLDER, "parts"},
        {"--include-directory=parts", OPTION_FOLDER, "parts"},
        {"-iquoteparts", OPTION_FOLDER, "parts"},
        {"-isystem=parts", OPTION_FOLDER, "parts"},
        {"-idirafterparts", OPTION_FOLDER, "parts"},
        {"-include=a.cuh", OPTION_FILE, "a.cuh"},
        {"-includea.cuh", OPTION_FILE, "a.cuh"},
        {"--include=a.cuh", OPTION_FILE, "a.cuh"},
        {"--pre-include=a.cuh", OPTION_FILE, "a.cuh"},
        {"-imacrosa.h", OPTION_FILE, "a.h"},
        {"-include-pch", OPTION_OPAQUE, NULL},
        {"-isysroot/x", OPTION_OPAQUE, NULL},
        {"-Llib", OPTION_OPAQUE, NULL},
        {"-lfoo", OPTION_OPAQUE, NULL},
        {"@options", OPTION_OPAQUE, NULL},
        {"-Wl,-z,now", OPTION_OPAQUE, NULL},
        {"-Xlinker", OPTION_OPAQUE, NULL},
        {"-fprofile-use=k.gcda", OPTION_OPAQUE, NULL},
        {"-DX=/a", OPTION_OPAQUE, NULL},
        {"-lineinfo", OPTION_PLAIN, NULL},
        {"-Xptxas", OPTION_PLAIN, NULL},
        {"-O3", OPTION_PLAIN, NULL},
        {"--use_fast_math", OPTION_PLAIN, NULL},
        {"-DX=1", OPTION_PLAIN, NULL},
        {"", OPTION_PLAIN, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path;
        if (file_option_classify(cases[i].option, &path) != cases[i].use)
            fail_msg("%s", cases[i].option);
        if (cases[i].path)
            assert_string_equal(path, cases[i].path);
    }
}

static void expect_in(const char *option, const char *folder, const char *wanted)
{
    char *got = file_option_in(option, folder);
    assert_string_equal(got, wanted);
    free(got);
}

static void test_relative_paths(void **state)
{
    (void)state;
    expect_in("-Iparts", "/k", "-I/k/parts");
    expect_in("-Iparts", "k/", "-Ik/parts");
    expect_in("--include-path=../x", "k", "--include-path=k/../x");
    expect_in("-include=a.cuh", "k", "-include=k/a.cuh");
    expect_in("-I/abs", "k", "-I/abs");
    expect_in("-Iparts", "", "-Iparts");
    expect_in("-I", "k", "-I");
    expect_in("-Llib", "k", "-Llib");
    expect_in("-O3", "k", "-O3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_relative_paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
