/* SPDX-License-Identifier: Apache-2.0 */
/* What shapes say of sizes, and whether they fit. */
#include "tests/unit/data/opened.h"

#define A(extent) HEAD "buffer a : float[" extent "] in file(\"a.npy\")\n"

static void expect_sizes(const char *text, int64_t n, int64_t m)
{
    struct opened o;
    int64_t value;
    opened_open(&o, text);
    assert_true(inputs_size(o.inputs, 0, &value, &o.error));
    assert_int_equal(value, n);
    assert_true(inputs_size(o.inputs, 1, &value, &o.error));
    assert_int_equal(value, m);
    opened_free(&o);
}

static void test_sizes(void **state)
{
    (void)state;
    opened_write("a.npy", "<f4", "False", "(2, 3)", 24);
    opened_write("a.raw", "", "", "", 24);
    expect_sizes(A("n, m"), 2, 3);
    expect_sizes(A("m, n"), 3, 2);
    expect_sizes(A("m, n + 1"), 0, 2); /* only a size alone */
    expect_sizes(A("n"), 6, 0);        /* flat */
    expect_sizes(A("n, m, 1"), 0, 0);
    expect_sizes(HEAD "buffer a : float[n] in file(\"a.raw\")\n", 6, 0);
    expect_sizes(HEAD "buffer a : float[n, m] in file(\"a.raw\")\n", 0, 0);
    opened_write("v.npy", "<f4", "False", "(5, 4)", 80);
    expect_sizes(HEAD "buffer v : float4[n] in file(\"v.npy\")\n", 5, 0); /* components are a last dimension */
    expect_sizes(HEAD "buffer v : float2[n] in file(\"v.npy\")\n", 10, 0);
    expect_sizes(HEAD "buffer v : float[n, m] in file(\"v.npy\")\n", 5, 4);
    struct opened o;
    int64_t value;
    opened_write("b.npy", "<f4", "False", "(4, 3)", 48);
    opened_open(&o, A("n, m") "buffer b : float[n, m] in file(\"b.npy\")\n");
    assert_false(inputs_size(o.inputs, 0, &value, &o.error));
    assert_string_equal(o.error.text, "size n is 2 by the shape of a.npy, but 4 by that of b.npy");
    assert_string_equal(o.error.hint, "say which: --size n=2");
    assert_int_equal(o.error.line, 7);
    assert_true(inputs_size(o.inputs, 1, &value, &o.error));
    assert_int_equal(value, 3);
    opened_free(&o);
    assert_true(inputs_size(NULL, 0, &value, NULL));
    assert_int_equal(value, 0);
}

static void test_suffice(void **state)
{
    (void)state;
    struct opened o;
    opened_write("a.npy", "<f4", "False", "(2, 3)", 24);
    opened_write("y.npy", "<f4", "False", "(6,)", 24);
    opened_open(&o, Y "buffer a : float[n, m] in file(\"a.npy\")\nreference file(\"y.npy\")\n");
    const struct input *a = inputs_of(o.inputs, 1, false), *y = inputs_of(o.inputs, 0, true);
    assert_true(inputs_suffice(o.inputs, a, 1, 6, (int64_t[]){2, 3}, "s", &o.error));
    assert_true(inputs_suffice(o.inputs, a, 1, 3, (int64_t[]){1, 3}, "s", &o.error));
    assert_true(inputs_suffice(o.inputs, a, 1, 2, NULL, "s", &o.error)); /* a prefix, at the awkward size */
    assert_false(inputs_suffice(o.inputs, a, 1, 2, (int64_t[]){1, 2}, "s", &o.error));
    assert_string_equal(o.error.text, "a.npy has the shape 2 x 3, but dimension 2 of a is 2 at size s");
    assert_false(inputs_suffice(o.inputs, a, 1, 7, NULL, "s", &o.error));
    assert_string_equal(o.error.text, "a.npy has 6 elements, but a has 7 at size s");
    assert_true(inputs_suffice(o.inputs, y, 0, 6, (int64_t[]){6}, "s", &o.error));
    assert_false(inputs_suffice(o.inputs, y, 0, 5, (int64_t[]){5}, "s", &o.error));
    assert_string_equal(o.error.text, "y.npy has 6 elements, but y has 5 at size s");
    opened_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes), cmocka_unit_test(test_suffice)};
    return cmocka_run_group_tests(tests, opened_make_folder, opened_remove_folder);
}
