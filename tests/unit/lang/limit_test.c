/* SPDX-License-Identifier: Apache-2.0 */
/* A limit is one condition over what is measured, up to the end of its text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/limit.h"
#include "tuner/lang/measured_name.h"

#include <string.h>

static void one_condition(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool parses;
    } cases[] = {
        {"registers <= 64", true},
        {"\n (registers <= 64 and\n time < 1e-3) # in brackets a condition may go on\n\n", true},
        {"measured.registers in [32, 64]", true},
        {"registers <= 64 and\n time < 1e-3", false},
        {"registers <= 64\ntime < 1", false},
        {"device.sm_count > registers", false}, /* the scope has nothing else */
        {"[registers]", false},
        {"registers <= 64,", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct text text = {.file = "limit", .data = cases[i].text, .length = strlen(cases[i].text)};
        struct scope *scope = scope_create(&arena);
        const struct expr *expr;
        struct error error = {0};
        size_t slot;
        assert_true(scope && scope_add_measured(scope));
        bool parsed = limit_parse(&text, &arena, scope, &expr, &error);
        if (parsed != cases[i].parses)
            fail_msg("%s: %s", text.data, error.text);
        assert_true(scope_find(scope, "measured.registers", &slot));
        assert_true(parsed ? expr_uses(expr, slot) : error.line > 0);
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_condition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
