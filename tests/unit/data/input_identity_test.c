/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/data/opened.h"

#include <inttypes.h>
#include <xxhash.h>

#define X_AND_Y Y "buffer x : float[n] in file(\"x.npy\")\nreference file(\"y.npy\")\n"

static void identify(char held[256], char named[256])
{
    struct opened o;
    const char *a, *b;
    opened_open(&o, X_AND_Y);
    assert_true(inputs_identify(o.inputs, &a, &b, &o.error));
    assert_true(inputs_same(o.inputs, &o.error));
    snprintf(held, 256, "%s", a);
    snprintf(named, 256, "%s", b);
    opened_free(&o);
}

/* What the files hold, whatever their headers; and the type, where it may be any. */
static void test_identity(void **state)
{
    (void)state;
    unsigned char bytes[64];
    char held[256], named[256], again[256], wanted[64];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)i;
    opened_write("x.npy", "<f4", "False", "(16,)", 64);
    opened_write("y.npy", "<i4", "False", "(16,)", 64);
    identify(held, named);
    snprintf(wanted, sizeof wanted, ",x=%016" PRIx64, (uint64_t)XXH3_64bits(bytes, sizeof bytes));
    assert_memory_equal(held, "ref(y)=", 7);
    assert_non_null(strstr(held, wanted));
    snprintf(wanted, sizeof wanted, ", x = x.npy (%016" PRIx64 ")", (uint64_t)XXH3_64bits(bytes, sizeof bytes));
    assert_memory_equal(named, "ref(y) = y.npy (", 16);
    assert_non_null(strstr(named, wanted));
    opened_write("x.npy", "<f4", "False", "(4, 4)", 64);
    identify(again, named);
    assert_string_equal(again, held);
    opened_write("y.npy", "<u4", "False", "(16,)", 64);
    identify(again, named);
    assert_string_not_equal(again, held);
    const char *a, *b;
    assert_true(inputs_identify(NULL, &a, &b, NULL));
    assert_string_equal(a, "");
    assert_string_equal(b, "");
    assert_true(inputs_same(NULL, NULL));
}

static void test_change(void **state)
{
    (void)state;
    struct opened o;
    const char *held, *named;
    opened_write("x.npy", "<f4", "False", "(16,)", 64);
    opened_write("y.npy", "<i4", "False", "(16,)", 64);
    opened_open(&o, X_AND_Y);
    assert_true(inputs_identify(o.inputs, &held, &named, &o.error));
    assert_true(inputs_same(o.inputs, &o.error));
    opened_write("x.npy", "<f4", "False", "(16,)", 64); /* the same again */
    assert_true(inputs_same(o.inputs, &o.error));
    opened_write("x.npy", "<f4", "False", "(17,)", 68);
    assert_false(inputs_same(o.inputs, &o.error));
    assert_non_null(strstr(o.error.text, "x.npy has changed while it was in use"));
    assert_int_equal(o.error.line, 8);
    opened_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_identity), cmocka_unit_test(test_change)};
    return cmocka_run_group_tests(tests, opened_make_folder, opened_remove_folder);
}
