/* SPDX-License-Identifier: Apache-2.0 */
/* Which file belongs to which buffer, and which types fit. */
#include "tests/unit/data/opened.h"

static void test_files(void **state)
{
    (void)state;
    struct opened o;
    opened_write("x.npy", "<f4", "False", "(16,)", 64);
    opened_write("other.raw", "", "", "", 80);
    opened_write("y.npy", "<f8", "False", "(16,)", 128);
    opened_open(&o, Y "buffer x : float[n] in file(\"x.npy\")\nbuffer z : float[n] in constant(1)\nreference "
                      "file(\"y.npy\")\n");
    assert_int_equal(inputs_count(o.inputs), 2);
    const struct input *y = inputs_of(o.inputs, 0, true), *x = inputs_of(o.inputs, 1, false);
    assert_null(inputs_of(o.inputs, 0, false));
    assert_null(inputs_of(o.inputs, 2, false));
    assert_int_equal(x->count, 16);
    assert_int_equal(x->element, ELEMENT_FLOAT);
    assert_int_equal(y->count, 16);
    assert_int_equal(y->element, ELEMENT_DOUBLE);
    opened_free(&o);
    assert_int_equal(inputs_count(NULL), 0);
    assert_null(inputs_of(NULL, 0, false));
    inputs_free(NULL);

    char path[512];
    snprintf(path, sizeof path, "%s", opened_path("other.raw"));
    const struct input_setting settings[] = {{"z", path}};
    assert_true(opened_try(&o,
                           Y "buffer x : float[n] in file(\"x.npy\")\nbuffer z : float[n] in uniform(0, 1)\n"
                             "reference file(\"y.npy\")\n",
                           settings, 1));
    const struct input *z = inputs_of(o.inputs, 2, false);
    assert_true(z->overrides);
    assert_int_equal(z->count, 20);
    opened_free(&o);
}

static void test_types(void **state)
{
    (void)state;
    static const struct {
        const char *type, *order, *shape, *element, *message; /* NULL: it fits */
    } cases[] = {
        {"<f4", "False", "(2, 3)", "float", NULL},
        {"=f8", "False", "(2, 3)", "double", NULL},
        {"|i1", "False", "(6,)", "char", NULL},
        {"|b1", "False", "(6,)", "uchar", NULL},
        {">u1", "False", "(6,)", "uchar", NULL},
        {"<f4", "True", "(6,)", "float", NULL},
        {"<f4", "True", "(1, 6)", "float", NULL},
        {"<f2", "False", "(6,)", "half", NULL},
        {"<f4", "False", "(3, 4)", "float4", NULL},
        {"<f4", "False", "(8,)", "float4", NULL},
        {"<c8", "False", "(6,)", "complex", NULL},
        {"<c8", "False", "(6,)", "float2", NULL},
        {"<c16", "False", "(6,)", "complex_double", NULL},
        {"|V2", "False", "(6,)", "bfloat16", NULL},
        {"|V16", "False", "(6,)", "float4", NULL},
        {"[('a', '<f4'), ('b', '<f4')]", "False", "(12,)", "float2", NULL},
        {"[('a', '<f4'), ('b', '<f4')]", "False", "(11,)", "float2",
         "a.npy holds records, but a is float2 (float32, a last dimension of 2)"},
        {"<f4", "False", "(3, 3)", "float4",
         "a.npy has 9 numbers, which is no whole number of elements of type float4"},
        {"<f8", "False", "(3, 4)", "float4", "a.npy holds float64, but a is float4 (float32, a last dimension of 4)"},
        {"<f2", "False", "(6,)", "bfloat16", "a.npy holds float16, but a is bfloat16 (void16)"},
        {"<i4", "False", "(6,)", "uint", "a.npy holds int32, but a is uint (uint32)"},
        {"<i8", "False", "(6,)", "int", "a.npy holds int64, but a is int (int32)"},
        {"<f2", "False", "(6,)", "short", "a.npy holds float16, but a is short (int16)"},
        {"<c8", "False", "(6,)", "double", "a.npy holds complex64, but a is double (float64)"},
        {"<U4", "False", "(1,)", "float", "a.npy holds text, but a is float (float32)"},
        {">f4", "False", "(6,)", "float", "a.npy is big-endian"},
        {"<f4", "True", "(2, 3)", "float", "a.npy is in Fortran order: its first index varies fastest"},
        {"|O", "False", "(6,)", "float", "a.npy holds Python objects, not plain numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        struct opened o;
        opened_write("a.npy", cases[i].type, cases[i].order, cases[i].shape, 96);
        snprintf(text, sizeof text, HEAD "buffer a : %s[n] in file(\"a.npy\")\n", cases[i].element);
        bool fits = opened_try(&o, text, NULL, 0);
        if (fits != !cases[i].message || (!fits && strcmp(o.error.text, cases[i].message) != 0))
            fail_msg("%s: %s", cases[i].type, o.error.text);
        if (!fits) {
            assert_int_equal(o.error.line, 6);
            assert_true(o.error.hint[0] || strstr(o.error.text, "no whole number"));
        }
        opened_free(&o);
    }
    struct opened o;
    opened_write("answer.npy", "<i8", "False", "(16,)", 128); /* expected values may have any type of numbers */
    opened_open(&o, Y "reference file(\"answer.npy\")\n");
    opened_free(&o);
    opened_write("answer.npy", "<U2", "False", "(16,)", 128);
    assert_false(opened_try(&o, Y "reference file(\"answer.npy\")\n", NULL, 0));
    opened_free(&o);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct input_setting settings[2];
        size_t count;
        const char *message;
        unsigned line;
    } cases[] = {
        {HEAD "buffer x : float[n] in file(\"no.npy\")\n",
         {{0}},
         0,
         "cannot read no.npy: No such file or directory",
         6},
        {HEAD "buffer x : float[n] in index()\n",
         {{"x", "no"}},
         1,
         "--input: cannot read no: No such file or directory",
         0},
        {HEAD "buffer x : float[n] in index()\n", {{"xx", "no"}}, 1, "--input: template t has no buffer xx", 0},
        {HEAD "buffer x : float[n] in index()\n", {{"x", "a"}, {"x", "b"}}, 2, "--input: x is given twice", 0},
        {HEAD "buffer x : float[n] temp\n", {{"x", "a"}}, 1, "--input: x has no initial values to replace", 0},
        {HEAD "buffer x : int[n] in file(\"odd\")\n",
         {{0}},
         0,
         "odd has 7 bytes, which is no whole number of elements of type int",
         6},
        {Y "buffer x : int[n] in uniform(0, 9)\nreference file(\"even\")\n",
         {{0}},
         0,
         "x is random, so no file can have the expected values",
         8},
    };
    opened_write("odd", "", "", "", 7);
    opened_write("even", "", "", "", 64);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        opened_refuses(cases[i].text, cases[i].settings, cases[i].count, cases[i].message, cases[i].line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files), cmocka_unit_test(test_types),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, opened_make_folder, opened_remove_folder);
}
