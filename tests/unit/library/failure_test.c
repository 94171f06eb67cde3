/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/library/failure.h"

#include <string.h>

static void every_code_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(tune_code_name(TUNE_OK), "ok");
    assert_string_equal(tune_code_name(TUNE_ERROR_CAPTURING), "capturing");
    for (int code = TUNE_OK; code <= TUNE_ERROR_SYSTEM; code++) {
        assert_string_not_equal(tune_code_name((enum tune_code)code), "unknown");
        for (int other = TUNE_OK; other < code; other++)
            assert_string_not_equal(tune_code_name((enum tune_code)code), tune_code_name((enum tune_code)other));
    }
    assert_string_equal(tune_code_name((enum tune_code)(TUNE_ERROR_SYSTEM + 1)), "unknown");
    assert_string_equal(tune_code_name((enum tune_code) - 1), "unknown");
}

static void an_error_keeps_text_hint_and_place(void **state)
{
    (void)state;
    static const char text[] = "one\ntwo\n";
    struct error own;
    struct tune_error error;
    error_at(&own, ERROR_INPUT, (struct place){.file = "a.template", .text = text, .offset = 5, .length = 1}, "no %s",
             "sense");
    error_hint(&own, "write another");
    assert_int_equal(failure_of(&own, &error), TUNE_ERROR_INPUT);
    assert_int_equal(error.code, TUNE_ERROR_INPUT);
    assert_string_equal(error.text, "no sense");
    assert_string_equal(error.hint, "write another");
    assert_string_equal(error.file, "a.template");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 2);
}

static void codes_correspond(void **state)
{
    (void)state;
    static const struct {
        enum error_code own;
        enum tune_code code;
    } cases[] = {
        {ERROR_INPUT, TUNE_ERROR_INPUT},       {ERROR_WORK, TUNE_ERROR_DEVICE},
        {ERROR_SYSTEM, TUNE_ERROR_SYSTEM},     {ERROR_OUT_OF_MEMORY, TUNE_ERROR_MEMORY},
        {ERROR_RESOURCES, TUNE_ERROR_COMPILE}, {ERROR_DOES_NOT_FIT, TUNE_ERROR_MEMORY},
        {ERROR_FAULT, TUNE_ERROR_DEVICE},      {ERROR_DEVICE, TUNE_ERROR_DEVICE},
        {ERROR_MESSAGE, TUNE_ERROR_SYSTEM},    {ERROR_NONE, TUNE_ERROR_SYSTEM}, /* never TUNE_OK */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error own = {.code = cases[i].own, .text = "why"};
        assert_int_equal(failure_of(&own, NULL), cases[i].code);
    }
}

static void the_caller_may_know_better_than_the_code_but_not_about_memory(void **state)
{
    (void)state;
    struct error own = {.code = ERROR_SYSTEM, .text = "locked"};
    struct tune_error error;
    assert_int_equal(failure_as(TUNE_ERROR_DATABASE, &own, &error), TUNE_ERROR_DATABASE);
    assert_int_equal(error.code, TUNE_ERROR_DATABASE);
    assert_string_equal(error.text, "locked");
    error_out_of_memory(&own);
    assert_int_equal(failure_as(TUNE_ERROR_DATABASE, &own, &error), TUNE_ERROR_MEMORY);
    assert_int_equal(error.code, TUNE_ERROR_MEMORY);
    assert_int_equal(failure_out_of_memory(&error), TUNE_ERROR_MEMORY);
    assert_int_equal(failure_out_of_memory(NULL), TUNE_ERROR_MEMORY);
}

static void wrong_use_is_formatted_and_cut(void **state)
{
    (void)state;
    struct tune_error error;
    char many[2 * sizeof error.text];
    memset(many, 'x', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    assert_int_equal(failure_argument(NULL, "%d", 1), TUNE_ERROR_ARGUMENT);
    assert_int_equal(failure_argument(&error, "%s has %d", "gemm", 3), TUNE_ERROR_ARGUMENT);
    assert_string_equal(error.text, "gemm has 3");
    assert_string_equal(error.hint, "");
    failure_argument(&error, "%s", many);
    assert_in_range(strlen(error.text), 1, sizeof error.text - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_has_a_name),
        cmocka_unit_test(an_error_keeps_text_hint_and_place),
        cmocka_unit_test(codes_correspond),
        cmocka_unit_test(the_caller_may_know_better_than_the_code_but_not_about_memory),
        cmocka_unit_test(wrong_use_is_formatted_and_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
