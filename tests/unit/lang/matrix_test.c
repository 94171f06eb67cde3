/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/templates.h"

#define HEAD                                                                                                         \
    "template t\nsize n = 16\nparameter P\nsource \"k.cu\"\nlaunch { k<<<1, 1>>>() }\nbuffer s : int[n + 1] in\n"    \
    "buffer c : uint[n] inout\nbuffer v : float[n] scratch\nbuffer w : float4[n] in\nbuffer t1 : int[n] temp\n"      \
    "buffer i : int[n] in index()\n"
#define CHECKED "check c exact\nreference \"r.cu\" { k<<<1, 1>>>(ref(c)) }\n"

static void test_matrices(void **state)
{
    (void)state;
    size_t part;
    struct template *t = parse_template_text(HEAD CHECKED "matrix A[n, 2 * n] = csr(s, c, v) file(\"a.mtx\")\n"
                                                          "setup \"s.cu\" { k<<<1, 1>>>(w) }\n");
    assert_int_equal(t->matrix_count, 1);
    const struct matrix_declaration *matrix = t->matrices;
    assert_string_equal(matrix->name, "A");
    assert_int_equal(matrix->format, MATRIX_CSR);
    expect_expr(matrix->rows, "n");
    expect_expr(matrix->columns, "2 * n");
    assert_int_equal(matrix->part_count, 3);
    assert_int_equal(matrix->parts[2], 2);
    assert_string_equal(matrix->file, "a.mtx");
    expect_span(matrix->file_place, "\"a.mtx\"");
    expect_span(matrix->place, "A");
    assert_int_equal(t->buffers[1].initial, INITIAL_FILE); /* needs no setup */
    assert_ptr_equal(template_matrix_of(t, 1, &part), matrix);
    assert_int_equal(part, 1);
    assert_null(template_matrix_of(t, 3, &part));
    template_free(t);
    t = parse_template_text(HEAD CHECKED "matrix A[n, n] = coo(s, c)\n"
                                         "setup \"s.cu\" { if not given(A) and not given(v) { k<<<1, 1>>>(w) }\n"
                                         "if given(A) { fill w = 0 } }\n");
    assert_int_equal(t->matrices->format, MATRIX_COO);
    assert_int_equal(t->matrices->part_count, 2);
    assert_null(t->matrices->file);
    assert_int_equal(t->given_count, 2);
    assert_true(t->givens[0].of_matrix && !t->givens[1].of_matrix);
    assert_int_equal(t->givens[0].index, 0);
    assert_int_equal(t->givens[1].index, 2);
    assert_true(expr_uses(t->setup.body.statements[0].value, t->givens[1].slot));
    assert_true(expr_uses(t->setup.body.statements[1].value, t->givens[0].slot));
    template_free(t);
}

/* Sizes that a file has, or else the template, and nobody sets. */
static void test_derived_sizes(void **state)
{
    (void)state;
    static const char setup[] = "setup \"s.cu\" { if not given(A) { k<<<1, 1>>>(w) } }\n";
    char text[1024];
    snprintf(text, sizeof text, "%s%s%s%s", HEAD "size e = 3 * n\nsize l = 3\nsize m = 2\n", CHECKED,
             "matrix A[n, m, e, l] = csr(s, c, v)\n", setup);
    struct template *t = parse_template_text(text);
    assert_int_equal(t->matrices->size_count, 2);
    assert_int_equal(t->matrices->sizes[MATRIX_ENTRIES], t->sizes[1].slot);
    assert_int_equal(t->matrices->sizes[MATRIX_LONGEST], t->sizes[2].slot);
    assert_true(!t->sizes[0].derived && t->sizes[1].derived && t->sizes[2].derived && !t->sizes[3].derived);
    template_free(t);
    expect_refused(HEAD "matrix A[n, n, P] = csr(s, c, v)\n", "unknown size P");
    expect_refused(HEAD "matrix A[n, n, 2 * n] = csr(s, c, v)\n", "expected the name of a size, found '2'");
    expect_refused(HEAD "matrix A[2 * n, 4, n] = csr(s, c, v)\n", "the shape of the matrix depends on n");
    expect_refused(HEAD "size e = 1\nmatrix A[n, n, e, e] = csr(s, c, v)\n", "e belongs to a matrix already");
    expect_refused(HEAD "size e = 1\nsize l = 1\nsize m = 1\nmatrix A[n, n, e, l, m] = csr(s, c, v)\n",
                   "expected ']', found ','");
    expect_refused(HEAD "size e = 1\nawkward e = 2\nmatrix A[n, n, e] = csr(s, c, v)\n",
                   "e is derived, so it has no awkward size of its own");
    expect_refused(HEAD "size e = 1\nmatrix A[n, n, e] = csr(s, c, v)\nawkward e = 2\n",
                   "e is derived, so it has no awkward size of its own");
}

/* The words are no more reserved than others. */
static void test_names(void **state)
{
    (void)state;
    template_free(parse_template_text("template matrix\nsize given = 16\nsource \"k.cu\"\n"
                                      "buffer csr : int[given] in\nbuffer matrix : int[given] in\n"
                                      "matrix file[given, given] = coo(csr, matrix) file(\"a.mtx\")\n"
                                      "launch { matrix<<<given, 1>>>(csr, matrix) }\n"));
}

static void test_errors(void **state)
{
    (void)state;
    expect_refused(HEAD "matrix n[n, n] = csr(s, c, v)\n", "n is already a size");
    expect_refused(HEAD "matrix A[n] = csr(s, c, v)\n", "expected ',', found ']'");
    expect_refused(HEAD "matrix A[n, P] = csr(s, c, v)\n", "the shape of a matrix cannot depend on P");
    expect_refused(HEAD "matrix A[n, n] = ell(s, c, v)\n", "expected csr or coo, found 'ell'");
    expect_refused(HEAD "matrix A[n, n] = csr(s)\n", "expected ',' and the buffer of the columns, found ')'");
    expect_refused(HEAD "matrix A[n, n] = csr(s, c, v, w)\n", "a matrix consists of three buffers at most");
    expect_refused(HEAD "matrix A[n, n] = csr(s, x, v)\n", "unknown buffer x");
    expect_refused(HEAD "matrix A[n, n] = csr(s, v, v)\n", "v is of type float, which holds no indices");
    expect_refused(HEAD "matrix A[n, n] = csr(s, c, w)\n", "w is of type float4, which holds no value of a matrix");
    expect_refused(HEAD "matrix A[n, n] = csr(s, s, v)\n", "s is part of a matrix already");
    expect_refused(HEAD "matrix A[n, n] = csr(s, t1, v)\n",
                   "t1 has no initial values, so it cannot be part of a matrix");
    expect_refused(HEAD "matrix A[n, n] = csr(s, i, v)\n",
                   "i has initial values of its own, so it cannot be part of a matrix");
    expect_refused(HEAD "matrix A[n, n] = csr(s, c, v) file()\n", "expected a file name in quotes, found ')'");
    expect_refused(HEAD CHECKED "matrix A[n, n] = csr(s, c, v)\nsetup \"s.cu\" { k<<<1, 1>>>(w) }\n",
                   "no file has matrix A, and setup would overwrite one that --input names");
    expect_refused(HEAD "matrix A[n, n] = csr(s, c, v)\nlet a = A\n", "A is a matrix, not a value");
    expect_refused(HEAD "matrix A[n, n] = csr(s, c, v)\nlet a = given(A)\n",
                   "given() can be asked in the setup block only");
    expect_refused(HEAD "setup \"s.cu\" { if given(n) { k<<<1, 1>>>(w) } }\n", "n is neither a buffer nor a matrix");
    expect_refused(HEAD "setup \"s.cu\" { if given(3) { k<<<1, 1>>>(w) } }\n",
                   "expected the name of a buffer or matrix, found '3'");
    expect_refused(HEAD "setup \"s.cu\" { if given(w { k<<<1, 1>>>(w) } }\n", "expected ')', found '{'");
    expect_refused(HEAD "matrix A[n, n] = csr(s, c, v)\nmatrix A[n, n] = csr(s, c, v)\n", "A is already a matrix");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_matrices), cmocka_unit_test(test_derived_sizes),
                                       cmocka_unit_test(test_names), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
