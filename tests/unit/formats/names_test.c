/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/formats/names.h"

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool allowed;
    } cases[] = {{"block", true}, {"in", false}, {"float", false}, {"a b", false},
                 {"", false},     {"9a", false}, {"a.b", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool allowed;
        struct error error = {0};
        assert_true(name_is_allowed(cases[i].name, &allowed, &error));
        assert_int_equal(allowed, cases[i].allowed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
