/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes that a check validates at; expectations worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"

#include "tuner/check/size_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

static void expect(const char *sizes, const char *expected)
{
    static const struct device_description device = {.kind = "cpu"};
    char source[1024], all[1024] = "";
    struct template *template;
    struct size_list list;
    snprintf(source, sizeof source,
             "template t\n%ssource \"t.cu\"\nbuffer x : float[n] inout constant(0)\nlaunch { k<<<1, 1>>>(x) }\n"
             "reference \"r.cu\" { r<<<1, 1>>>(ref(x)) }\ncheck x exact\n",
             sizes);
    assert_success(template_parse("t.template", ".", source, strlen(source), &template, &error), &error);
    assert_success(size_list_create(template, &device, NULL, &list, &error), &error);
    for (size_t i = 0; i < list.count; i++) {
        char *text = sizes_text(&list.values[i * list.dimensions], list.dimensions);
        assert_non_null(text);
        strcat(strcat(all, text), " ");
        free(text);
    }
    assert_string_equal(all, expected);
    size_list_clear(&list);
    template_free(template);
}

static void one_dimension_at_a_time_and_all(void **state)
{
    (void)state;
    expect("size n = 1000\nsize m = 10\nawkward n = 129\nawkward m = 3\n",
           "n=1,m=3 n=160,m=3 n=129,m=1 n=129,m=32 n=1,m=1 ");
    expect("size n = 1000\nawkward n = 65\n", "n=1 n=96 ");
}

static void multiples_stay_multiples(void **state)
{
    (void)state;
    expect("size n = 1024\nawkward n = 192\n", "n=64 "); /* 192 is a multiple of 32 already */
    expect("size n = 1024\nawkward n = 130\n", "n=2 n=160 ");
    expect("size n = 1024\nawkward n = 64\n", "");
}

static void other_dimensions_stay(void **state)
{
    (void)state;
    expect("size n = 1024\nsize m = 7\nawkward n = 33\n", "n=1,m=7 n=64,m=7 ");
    expect("size n = 1024\n", "");
    expect("size n = 1024\nsize m = 5\nawkward m = 5\n", ""); /* as it is tuned */
}

static void derived_ones_follow(void **state)
{
    (void)state;
    expect("size k = 7\nsize e = 2 * k\nsize n = 1024\nawkward k = 9, n = 33\n"
           "buffer s : int[k + 1] in\nbuffer c : int[e] in\nmatrix A[k, k, e] = csr(s, c)\n"
           "setup \"s.cu\" { if not given(A) { k<<<1, 1>>>(s, c) } }\n",
           "k=1,n=33 k=32,n=33 k=9,n=1 k=9,n=64 k=1,n=1 ");
}

static void there_is_no_overflow(void **state)
{
    (void)state;
    expect("size n = 1024\nsize m = 7\nawkward m = 9223372036854775807\n", "n=1024,m=1 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_dimension_at_a_time_and_all),
        cmocka_unit_test(multiples_stay_multiples),
        cmocka_unit_test(other_dimensions_stay),
        cmocka_unit_test(derived_ones_follow),
        cmocka_unit_test(there_is_no_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
