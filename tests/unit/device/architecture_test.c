/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of an architecture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cuda/architecture.h"

#include <string.h>

/* A compiler that knows 7.5, 8.0, 8.6, 9.0 and 12.0. */
static const int known[] = {75, 80, 86, 90, 120};

static enum nvrtc_result count_known(int *count)
{
    *count = sizeof known / sizeof *known;
    return NVRTC_SUCCESS;
}

static enum nvrtc_result list_known(int *architectures)
{
    memcpy(architectures, known, sizeof known);
    return NVRTC_SUCCESS;
}

static void test_architectures(void **state)
{
    (void)state;
    const struct nvrtc_library old = {
        .version = "0.1", .architecture_count = count_known, .architectures = list_known};
    static const struct {
        const char *wanted, *given; /* NULL: refused */
    } cases[] = {
        {"sm_90", "sm_90"},    {"sm_90a", "sm_90a"}, {"sm_89", "sm_86"}, {"sm_87", "sm_86"}, {"sm_121", "sm_120"},
        {"sm_121a", "sm_120"}, {"sm_60", NULL},      {"sm_72", NULL},    {"sm_100", NULL},   {"x86-64", NULL},
        {"sm_", NULL},         {"sm_90ab", NULL},    {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char given[32] = "";
        struct error error = {0};
        bool found = architecture_choose(&old, cases[i].wanted, given, sizeof given, &error);
        assert_int_equal(found, cases[i].given != NULL);
        if (found)
            assert_string_equal(given, cases[i].given);
        else
            assert_true(strlen(error.text) > 0);
    }
}

static enum nvrtc_result count_none(int *count)
{
    *count = 0;
    return NVRTC_SUCCESS;
}

static enum nvrtc_result count_fails(int *count)
{
    *count = 3;
    return NVRTC_INVALID_OPTION;
}

static const char *text_of(enum nvrtc_result result)
{
    return result == NVRTC_INVALID_OPTION ? "NVRTC_ERROR_INVALID_OPTION" : "NVRTC_SUCCESS";
}

static void test_a_compiler_without_a_list(void **state)
{
    (void)state;
    char given[32];
    struct error error = {0};
    struct nvrtc_library nvrtc = {.architecture_count = count_none, .error_string = text_of};
    assert_false(architecture_choose(&nvrtc, "sm_90", given, sizeof given, &error));
    assert_int_equal(error.code, ERROR_WORK);
    nvrtc.architecture_count = count_fails;
    assert_false(architecture_choose(&nvrtc, "sm_90", given, sizeof given, &error));
    assert_non_null(strstr(error.text, "NVRTC_ERROR_INVALID_OPTION"));
}

static void test_the_hint_says_which_toolkit(void **state)
{
    (void)state;
    char given[32];
    struct error error = {0};
    const struct nvrtc_library nvrtc = {
        .version = "0.1", .architecture_count = count_known, .architectures = list_known};
    assert_false(architecture_choose(&nvrtc, "sm_60", given, sizeof given, &error));
    assert_non_null(strstr(error.text, "it knows sm_75 to sm_120"));
    assert_non_null(strstr(error.hint, "an older CUDA Toolkit"));
    assert_false(architecture_choose(&nvrtc, "sm_130", given, sizeof given, &error));
    assert_non_null(strstr(error.hint, "a newer CUDA Toolkit"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_architectures),
        cmocka_unit_test(test_a_compiler_without_a_list),
        cmocka_unit_test(test_the_hint_says_which_toolkit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
