/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's name before <<<. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/launch_name.h"

#include <stdio.h>
#include <string.h>

static void the_name_is_found_behind_template_arguments(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } cases[] = {
        {"child<<<", "child"},
        {"if (n > 0) child <<<", "child"},
        {"x; ns::inner::child<<<", "ns::inner::child"},
        {"::child<<<", "::child"},
        {"child<3><<<", "child"},
        {"child<pair<int, 4>, T> \n <<<", "child"},
        {"f(a, b); child_2<N\n><<<", "child_2"},
        {"(*kernel)<<<", ""},
        {"<<<", ""},
        {"><<<", ""},
        {"{ > <<<", ""},
        {"a; >><<<", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length;
        const char *text = cases[i].text, *name = launch_name(text, text + strlen(text) - 3, &length);
        char got[64];
        snprintf(got, sizeof got, "%.*s", (int)length, name);
        assert_string_equal(got, cases[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_name_is_found_behind_template_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
