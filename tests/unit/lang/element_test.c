/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/element.h"

#include <string.h>

/* Each row against the C type that it names, whose values say whether it is signed. */
static void test_types(void **state)
{
    (void)state;
#define ROW(type, floats)                                                                                            \
    {                                                                                                                \
#type, sizeof(type), (type)-1 < (type)1, floats                                                              \
    }
    static const struct {
        const char *c_name;
        size_t bytes;
        bool is_signed, floating;
    } rows[ELEMENT_COUNT] = {
        ROW(signed char, false), ROW(unsigned char, false), ROW(short, false),     ROW(unsigned short, false),
        ROW(int, false),         ROW(unsigned int, false),  ROW(long long, false), ROW(unsigned long long, false),
        ROW(float, true),        ROW(double, true),
    };
    for (int i = 0; i <= ELEMENT_DOUBLE; i++) {
        assert_string_equal(element_types[i].c_name, rows[i].c_name);
        assert_int_equal(element_types[i].bytes, rows[i].bytes);
        assert_int_equal(element_types[i].is_signed, rows[i].is_signed);
        assert_int_equal(element_types[i].floating, rows[i].floating);
    }
    for (int i = ELEMENT_HALF; i <= ELEMENT_BFLOAT16; i++) {
        assert_true(element_types[i].bytes == 2 && element_types[i].floating && element_types[i].is_signed);
        assert_false(element_is_reserved((enum element)i));
    }
    assert_true(element_is_reserved(ELEMENT_CHAR) && element_is_reserved(ELEMENT_DOUBLE));
}

static void test_find(void **state)
{
    (void)state;
    enum element element;
    for (int i = 0; i < ELEMENT_COUNT; i++) {
        assert_true(element_find(element_types[i].name, strlen(element_types[i].name), &element));
        assert_int_equal(element, i);
    }
    assert_true(element_find("ulong x", 5, &element) && element == ELEMENT_ULONG);
    assert_false(element_find("uin", 3, &element) || element_find("unsigned", 8, &element));
    assert_false(element_find("", 0, &element) || element_find("longer", 6, &element));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_types), cmocka_unit_test(test_find)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
