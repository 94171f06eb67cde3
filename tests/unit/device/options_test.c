/* SPDX-License-Identifier: Apache-2.0 */
/* The host compiler's command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/options.h"

#include <stdlib.h>
#include <string.h>

static bool has(const struct arguments *arguments, const char *option)
{
    for (size_t i = 0; i < arguments->count; i++) {
        if (strcmp(arguments->list[i], option) == 0)
            return true;
    }
    return false;
}

/* Options that the host's compiler would refuse are dropped or translated, the others kept. */
static void options_of_a_request(void **state)
{
    (void)state;
    static const struct {
        const char *given, *passed; /* NULL: dropped */
    } cases[] = {
        {"-DVALUE=7", "-DVALUE=7"},
        {"-O1", "-O1"},
        {"-Iinclude", "-Iinclude"},
        {"--fmad=false", "-ffp-contract=off"},
        {"-fmad=false", "-ffp-contract=off"},
        {"--fmad=true", NULL},
        {"--use_fast_math", NULL},
        {"-use_fast_math", NULL},
        {"--gpu-architecture=sm_90", NULL},
        {"-arch=sm_90a", NULL},
        {"--maxrregcount=64", NULL},
        {"--std=c++20", NULL},
        {"-std=c++20", "-std=c++20"},
        {"-Xptxas=-v", NULL},
        {"-lineinfo", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct compile_request request = {.options = &cases[i].given, .option_count = 1};
        struct arguments arguments;
        assert_true(arguments_begin(&arguments, &request, NULL));
        size_t added = arguments_add_request(&arguments, &request);
        assert_int_equal(added, cases[i].passed != NULL);
        assert_int_equal(arguments.count, added);
        if (cases[i].passed)
            assert_string_equal(arguments.list[0], cases[i].passed);
        free(arguments.list);
    }
}

/* NVRTC's spellings of an include option are two words here. */
static void options_that_include(void **state)
{
    (void)state;
    static const char *const cases[][3] = {{"--include-path=/parts", "-I", "/parts"},
                                           {"-include=/a.h", "-include", "/a.h"},
                                           {"--pre-include=/a.h", "-include", "/a.h"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct compile_request request = {.options = &cases[i][0], .option_count = 1};
        struct arguments arguments;
        assert_true(arguments_begin(&arguments, &request, NULL));
        assert_int_equal(arguments_add_request(&arguments, &request), 2);
        assert_string_equal(arguments.list[0], cases[i][1]);
        assert_string_equal(arguments.list[1], cases[i][2]);
        free(arguments.list);
    }
}

/* Room for everything and a final NULL; the address sanitizer sees a step beyond. */
static void everything_fits(void **state)
{
    (void)state;
    static const char *const options[] = {"-DA", "-DB", "-DC"};
    const struct compile_request request = {.options = options, .option_count = 3};
    struct arguments arguments;
    assert_true(arguments_begin(&arguments, &request, NULL));
    arguments_add_base(&arguments, false);
    arguments_add_link(&arguments);
    assert_int_equal(arguments_add_request(&arguments, &request), 3);
    arguments_add_libraries(&arguments);
    for (int i = 0; i < ARGUMENTS_SPARE - 1; i++)
        arguments_add(&arguments, "spare");
    assert_null(arguments.list[arguments.count]);
    free(arguments.list);
}

static void clang_gets_no_options_of_gcc(void **state)
{
    (void)state;
    const struct compile_request request = {0};
    struct arguments gcc, clang;
    assert_true(arguments_begin(&gcc, &request, NULL));
    assert_true(arguments_begin(&clang, &request, NULL));
    arguments_add_base(&gcc, false);
    arguments_add_base(&clang, true);
    assert_true(has(&gcc, "-fno-gnu-unique") && !has(&clang, "-fno-gnu-unique"));
    assert_true(has(&gcc, "-O3") && has(&clang, "-O2"));
    assert_true(has(&gcc, "-ffp-contract=fast") && has(&clang, "-ffp-contract=fast"));
    assert_false(has(&gcc, "-ffast-math"));
    free(gcc.list);
    free(clang.list);
}

static void all_options_are_written(void **state)
{
    (void)state;
    const struct compile_request request = {0};
    struct arguments all;
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    options_write(stream);
    assert_int_equal(fclose(stream), 0);
    assert_true(arguments_begin(&all, &request, NULL));
    arguments_add_base(&all, false);
    arguments_add_link(&all);
    arguments_add_libraries(&all);
    size_t lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, all.count);
    const char *at = text;
    for (size_t i = 0; i < all.count; i++) {
        assert_memory_equal(at, all.list[i], strlen(all.list[i]));
        at += strlen(all.list[i]);
        assert_int_equal(*at++, '\n');
    }
    free(all.list);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_a_request),    cmocka_unit_test(options_that_include),
        cmocka_unit_test(everything_fits),         cmocka_unit_test(clang_gets_no_options_of_gcc),
        cmocka_unit_test(all_options_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
