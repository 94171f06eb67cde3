/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices as inputs: which buffers they have, the sizes that they give, and what they do not fit. */
#include "tests/unit/data/opened.h"

#define SIZES                                                                                                        \
    "template t\nsize rows = 9\nsize columns = 8\nsize entries = 70\nsource \"k.cu\"\nlaunch { k<<<1, 1>>>() }\n"
#define PARTS(starts, columns, values)                                                                               \
    "buffer s : " starts "[rows + 1] in\nbuffer c : " columns "[entries] in\nbuffer v : " values "[entries] in\n"
#define MATRIX "matrix A[rows, columns] = csr(s, c, v)"
#define GIVEN  "setup \"s.cu\" { if not given(A) { k<<<1, 1>>>(s) } }\n"

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(opened_path(name), "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char small[] = "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 5\n3 3 7\n";
static const char wide[] = "%%MatrixMarket matrix coordinate real general\n2 300 2\n1 1 5\n2 300 7\n";

static void expect_size(struct opened *o, size_t size, int64_t wanted)
{
    int64_t value;
    assert_true(inputs_size(o->inputs, size, &value, &o->error));
    assert_int_equal(value, wanted);
}

static void test_csr(void **state)
{
    (void)state;
    struct opened o;
    const char *held, *named;
    write_text("a.mtx", small);
    opened_open(&o, SIZES PARTS("int", "int", "float") MATRIX " file(\"a.mtx\")\n" GIVEN);
    assert_int_equal(inputs_count(o.inputs), 1);
    const struct input *a = inputs_of(o.inputs, 0, false);
    assert_non_null(a);
    assert_ptr_equal(a, inputs_of(o.inputs, 2, false));
    assert_null(inputs_of(o.inputs, 0, true));
    assert_int_equal(input_array(a, 0), MATRIX_STARTS);
    assert_int_equal(input_array(a, 1), MATRIX_COLUMNS);
    assert_int_equal(input_array(a, 2), MATRIX_VALUES);
    assert_int_equal(input_array(a, 3), MATRIX_NONE);
    assert_int_equal(input_count(a, 0), 4);
    assert_int_equal(input_count(a, 1), 3); /* with its mirror image */
    expect_size(&o, 0, 3);
    expect_size(&o, 1, 3);
    expect_size(&o, 2, 3);
    assert_true(inputs_give(o.inputs, &o.template->givens[0]));
    assert_true(inputs_are_whole(o.inputs));
    assert_true(inputs_identify(o.inputs, &held, &named, &o.error));
    assert_int_equal(strncmp(held, "A=", 2), 0);
    assert_int_equal(strncmp(named, "A = a.mtx (", 11), 0);
    opened_free(&o);
}

static void test_setting(void **state)
{
    (void)state;
    struct opened o;
    char path[512];
    write_text("wide.mtx", wide);
    snprintf(path, sizeof path, "%s", opened_path("wide.mtx"));
    const struct input_setting setting = {"A", path};
    static const char text[] = SIZES PARTS("int", "ushort", "float2") MATRIX "\n" GIVEN;
    assert_true(opened_try(&o, text, &setting, 1));
    expect_size(&o, 0, 2);
    expect_size(&o, 1, 300);
    expect_size(&o, 2, 2);
    assert_true(inputs_give(o.inputs, &o.template->givens[0]));
    opened_free(&o);
    assert_true(opened_try(&o, text, NULL, 0));
    expect_size(&o, 0, 0);
    assert_false(inputs_give(o.inputs, &o.template->givens[0]));
    assert_false(inputs_are_whole(o.inputs));
    opened_free(&o);
    assert_false(inputs_give(NULL, &(struct given_declaration){0}));
    assert_false(inputs_are_whole(NULL));
}

/* A matrix has derived sizes, whatever other files have the length of a buffer. */
static void test_derived(void **state)
{
    (void)state;
    struct opened o;
    write_text("long.mtx",
               "%%MatrixMarket matrix coordinate real symmetric\n5 5 6\n4 1 1\n4 2 1\n4 3 1\n5 5 1\n4 4 1\n"
               "5 2 1\n");
    opened_write("w.npy", "<f4", "False", "(9,)", 36);
    opened_open(&o, SIZES "size longest = 2\nbuffer w : float[entries] in file(\"w.npy\")\n" PARTS(
                        "int", "int", "float") "matrix A[rows, columns, entries, longest] = csr(s, c, v) "
                                               "file(\"long.mtx\")\n");
    expect_size(&o, 0, 5);
    expect_size(&o, 1, 5);
    expect_size(&o, 2, 10); /* with mirror images, and not 9 */
    expect_size(&o, 3, 4);
    opened_free(&o);
    opened_open(&o, SIZES "size longest = 2\nbuffer w : float[entries] in file(\"w.npy\")\n" PARTS(
                        "int", "int", "float") "matrix A[rows, columns, entries] = csr(s, c, v)\n" GIVEN);
    expect_size(&o, 2, 0);
    opened_free(&o);
}

/* Rows in place of starts, and no values. */
static void test_coo(void **state)
{
    (void)state;
    struct opened o;
    write_text("a.mtx", small);
    opened_open(&o, SIZES "buffer r : int[entries] in\nbuffer c : int[entries] in\n"
                          "matrix A[rows, rows] = coo(r, c) file(\"a.mtx\")\n");
    const struct input *a = inputs_of(o.inputs, 0, false);
    assert_int_equal(input_array(a, 0), MATRIX_ROWS);
    assert_int_equal(input_count(a, 0), 3);
    expect_size(&o, 0, 3);
    expect_size(&o, 1, 0);
    opened_free(&o);
}

static void test_dense(void **state)
{
    (void)state;
    struct opened o;
    write_text("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n");
    write_text("wide.mtx", wide);
    opened_open(&o, SIZES "buffer x : float[rows] in file(\"b.mtx\")\n"
                          "buffer w : double[entries, columns] in file(\"wide.mtx\")\n");
    const struct input *x = inputs_of(o.inputs, 0, false), *w = inputs_of(o.inputs, 1, false);
    assert_int_equal(input_array(x, 0), MATRIX_DENSE);
    assert_int_equal(input_array(x, 1), MATRIX_NONE);
    assert_int_equal(input_count(x, 0), 3);
    expect_size(&o, 0, 3);
    expect_size(&o, 1, 300);
    expect_size(&o, 2, 2);
    assert_false(inputs_are_whole(o.inputs)); /* a prefix will do */
    assert_true(inputs_suffice(o.inputs, x, 0, 2, NULL, "s", &o.error));
    assert_false(inputs_suffice(o.inputs, x, 0, 4, NULL, "s", &o.error));
    assert_true(inputs_suffice(o.inputs, w, 1, 600, (int64_t[]){2, 300}, "s", &o.error));
    assert_false(inputs_suffice(o.inputs, w, 1, 598, (int64_t[]){2, 299}, "s", &o.error));
    assert_string_equal(o.error.text, "wide.mtx has the shape 2 x 300, but dimension 2 of w is 299 at size s");
    opened_free(&o);
}

static void test_fits(void **state)
{
    (void)state;
    struct opened o;
    write_text("a.mtx", small);
    opened_open(&o, SIZES PARTS("int", "int", "float") MATRIX " file(\"a.mtx\")\n");
    const struct input *a = inputs_of(o.inputs, 0, false);
    assert_true(inputs_suffice(o.inputs, a, 0, 4, NULL, "s", &o.error));
    assert_true(inputs_suffice(o.inputs, a, 1, 3, NULL, "s", &o.error));
    assert_true(inputs_suffice(o.inputs, a, 2, 5, NULL, "s", &o.error)); /* the rest is 0 */
    assert_false(inputs_suffice(o.inputs, a, 2, 2, NULL, "s", &o.error));
    assert_string_equal(o.error.text, "a.mtx has 3 entries, but v has 2 elements at size s");
    assert_false(inputs_suffice(o.inputs, a, 0, 5, NULL, "s", &o.error));
    assert_string_equal(o.error.text, "a.mtx has 4 starts of rows, the end included, but s has 5 elements at size s");
    struct value *slots = calloc(scope_count(o.template->scope), sizeof *slots);
    assert_non_null(slots);
    slots[o.template->sizes[0].slot] = slots[o.template->sizes[1].slot] = value_integer(3);
    assert_true(inputs_have_shapes(o.inputs, slots, "s", &o.error));
    slots[o.template->sizes[1].slot] = value_integer(4);
    assert_false(inputs_have_shapes(o.inputs, slots, "s", &o.error));
    assert_string_equal(o.error.text, "a.mtx has 3 rows and 3 columns, but A has 3 and 4 at size s");
    assert_int_equal(o.error.line, 10);
    free(slots);
    opened_free(&o);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct input_setting setting;
        const char *message;
        unsigned line;
    } cases[] = {
        {SIZES PARTS("int", "char", "float") MATRIX " file(\"wide.mtx\")\n",
         {0},
         "wide.mtx needs numbers up to 299 in c, which is of type char",
         10},
        {SIZES PARTS("uchar", "int", "float") MATRIX " file(\"many.mtx\")\n",
         {0},
         "many.mtx needs numbers up to 256 in s, which is of type uchar",
         10},
        {SIZES PARTS("int", "int", "float") MATRIX " file(\"none.mtx\")\n", {0}, "none.mtx has no entries", 10},
        {SIZES PARTS("int", "int", "float") MATRIX " file(\"bad.mtx\")\n",
         {0},
         "bad.mtx, line 3: row 2 of a matrix of 1 rows",
         10},
        {SIZES PARTS("int", "int", "float") MATRIX "\n" GIVEN,
         {"A", "no.mtx"},
         "--input: cannot read no.mtx: No such file or directory",
         0},
        {SIZES PARTS("int", "int", "float") MATRIX "\n" GIVEN, {"c", "no.mtx"}, "--input: c is part of matrix A", 0},
        {SIZES PARTS("int", "int", "float") MATRIX "\n" GIVEN,
         {"B", "no.mtx"},
         "--input: template t has no buffer B",
         0},
        {SIZES "buffer x : float[rows] in\nsetup \"s.cu\" { k<<<1, 1>>>(x) }\n",
         {"x", "no.mtx"},
         "--input: setup writes x, whatever a file holds",
         0},
        {SIZES "buffer x : float4[rows] in file(\"wide.mtx\")\n",
         {0},
         "wide.mtx has numbers, but x is of type float4",
         7},
    };
    write_text("wide.mtx", wide);
    write_text("none.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 0\n");
    write_text("bad.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n2 1 5\n");
    FILE *file = fopen(opened_path("many.mtx"), "wb");
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix array integer general\n16 16\n");
    for (int i = 0; i < 256; i++)
        fprintf(file, "%d\n", i + 1);
    assert_int_equal(fclose(file), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        opened_refuses(cases[i].text, &cases[i].setting, cases[i].setting.file ? 1 : 0, cases[i].message,
                       cases[i].line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_csr),     cmocka_unit_test(test_setting),
                                       cmocka_unit_test(test_derived), cmocka_unit_test(test_coo),
                                       cmocka_unit_test(test_dense),   cmocka_unit_test(test_fits),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, opened_make_folder, opened_remove_folder);
}
