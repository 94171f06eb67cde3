/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/formats/time_unit.h"

static void test_units(void **state)
{
    (void)state;
    assert_true(time_unit_find("ms")->seconds == 1e-3);
    assert_true(time_unit_find("Microseconds")->nanoseconds == 1e3);
    assert_true(time_unit_find("SECONDS")->nanoseconds == 1e9);
    assert_true(time_unit_find("nanoseconds")->seconds == 1e-9);
    assert_null(time_unit_find("m"));
    assert_null(time_unit_find(""));
    assert_null(time_unit_find(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
