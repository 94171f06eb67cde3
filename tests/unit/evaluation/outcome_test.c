/* SPDX-License-Identifier: Apache-2.0 */
/* Outcomes: each has a unique name that parses back to it, and a description. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/evaluation/outcome.h"

#include <string.h>

static void names_parse_back_to_their_outcomes(void **state)
{
    (void)state;
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        enum outcome found = OUTCOME_COUNT;
        assert_true(strlen(outcome_name((enum outcome)i)) > 0);
        assert_true(strlen(outcome_meaning((enum outcome)i)) > 0);
        assert_true(outcome_find(outcome_name((enum outcome)i), &found));
        assert_int_equal(found, i);
    }
}

static void unknown_names(void **state)
{
    (void)state;
    static const char *const names[] = {"", "OK", "ok ", "compile", "compile_errors"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        enum outcome found = OUTCOME_CRASH;
        assert_false(outcome_find(names[i], &found));
        assert_int_equal(found, OUTCOME_CRASH);
    }
}

/* Existing databases contain these. */
static void names_never_change(void **state)
{
    (void)state;
    assert_string_equal(outcome_name(OUTCOME_OK), "ok");
    assert_string_equal(outcome_name(OUTCOME_MEMORY), "memory");
    assert_string_equal(outcome_name(OUTCOME_WRONG_RESULT), "wrong_result");
    assert_string_equal(outcome_name(OUTCOME_TIMEOUT), "timeout");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_parse_back_to_their_outcomes),
        cmocka_unit_test(unknown_names),
        cmocka_unit_test(names_never_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
