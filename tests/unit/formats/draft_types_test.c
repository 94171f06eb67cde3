/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/formats/draft_types.h"

static void test_types(void **state)
{
    (void)state;
    struct draft_type type;
    assert_true(draft_type_find("unsigned int", &type));
    assert_string_equal(type.name, "uint");
    assert_true(type.integer);
    assert_true(draft_type_find("size_t", &type));
    assert_string_equal(type.name, "ulong");
    assert_string_equal(draft_type_c_name(type.name), "unsigned long long");
    assert_true(draft_type_find("float4", &type));
    assert_string_equal(type.name, "float");
    assert_string_equal(type.whole, "float4");
    assert_int_equal(type.width, 4);
    assert_true(type.floating);
    assert_true(draft_type_find("ulonglong2", &type));
    assert_string_equal(type.whole, "ulong2");
    assert_true(draft_type_find("int1", &type));
    assert_string_equal(type.whole, "int");
    assert_true(draft_type_find("__half2", &type));
    assert_string_equal(type.name, "half");
    assert_string_equal(type.whole, "half2");
    assert_true(draft_type_find("cuDoubleComplex", &type));
    assert_string_equal(type.whole, "complex_double");
    assert_int_equal(type.width, 2);
    assert_false(draft_type_find("float5", &type));
    assert_false(draft_type_find("Body", &type));
    assert_false(draft_type_find("", &type));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
