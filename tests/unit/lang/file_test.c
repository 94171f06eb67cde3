/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/templates.h"

#define HEAD   "template t\nsize n = 16\nsource \"k.cu\"\nlaunch { k<<<1, 1>>>() }\n"
#define Y      HEAD "buffer y : float[n] out\ncheck y exact\n"
#define Y_Z    Y "buffer z : int[n] inout constant(0)\ncheck z exact\n"
#define SOURCE "reference \"r.cu\" { k<<<1, 1>>>(ref(y)) }\n"

static void test_initial(void **state)
{
    (void)state;
    struct template *t = parse_template_text(HEAD "buffer x : float[n, 3, 2 * n] in file(\"data/x.npy\")\n");
    const struct buffer_declaration *x = t->buffers;
    assert_int_equal(x->initial, INITIAL_FILE);
    assert_string_equal(x->file, "data/x.npy");
    expect_span(x->file_place, "\"data/x.npy\"");
    assert_int_equal(x->dimension_count, 3);
    expect_expr(x->dimensions[0], "n");
    expect_expr(x->dimensions[1], "3");
    expect_expr(x->dimensions[2], "2 * n");
    expect_expr(x->extent, "n, 3, 2 * n");
    struct value slots[64] = {{0}};
    int64_t extent;
    struct error error = {0};
    slots[t->sizes[0].slot] = value_integer(16);
    assert_true(scope_count(t->scope) <= 64);
    assert_true(expr_integer(x->extent, slots, &extent, &error));
    assert_int_equal(extent, 16 * 3 * 32);
    template_free(t);
    expect_refused(HEAD "buffer x : float[n] in file()\n", "expected a file name in quotes, found ')'");
    expect_refused(HEAD "buffer x : float[n] in file(\"\")\n", "the file's name is empty");
    expect_refused(HEAD "buffer x : float[n,] in index()\n", "expected a value, found ']'");
    expect_refused(HEAD "buffer x : float[n] temp file(\"x.npy\")\n",
                   "x is poisoned before every validated run and cannot have initial values");
}

static void test_expected(void **state)
{
    (void)state;
    struct template *t = parse_template_text(Y "reference file(\"answer.npy\")\n");
    assert_int_equal(t->expected_count, 1);
    assert_int_equal(t->expected[0].buffer, 0);
    assert_string_equal(t->expected[0].file, "answer.npy");
    expect_span(t->expected[0].place, "\"answer.npy\"");
    assert_false(t->reference.present);
    template_free(t);
    t = parse_template_text(Y_Z "reference z file(\"z.npy\"), y file(\"y.bin\")\n");
    assert_int_equal(t->expected_count, 2);
    assert_int_equal(t->expected[0].buffer, 1);
    assert_int_equal(t->expected[1].buffer, 0);
    template_free(t);
    expect_refused(Y_Z "reference file(\"z.npy\")\n", "whose expected values are in z.npy?");
    expect_refused(Y_Z "reference y file(\"z.npy\")\n", "no file has the expected values of z");
    expect_refused(Y "reference y file(\"a\"), y file(\"b\")\n", "y has two files of expected values");
    expect_refused(Y "buffer x : int[n] in index()\nreference x file(\"a\")\n",
                   "x is not an output and has no expected values");
    expect_refused(Y "reference file(\"a\")\nreference file(\"b\")\n",
                   "the template has files of expected values already");
    expect_refused(Y "reference y \"a\"\n", "expected 'file', found '\"a\"'");
}

/* Of each buffer from one of the two, in either order; a kernel may write magnitudes for the values of a file. */
static void test_expected_and_computed(void **state)
{
    (void)state;
    static const char *const texts[] = {Y_Z SOURCE "reference z file(\"z.npy\")\n",
                                        Y_Z "reference z file(\"z.npy\")\n" SOURCE,
                                        Y_Z "reference z file(\"z.npy\")\n"
                                            "reference \"r.cu\" { k<<<1, 1>>>(ref(y), mag(z)) }\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct template *t = parse_template_text(texts[i]);
        assert_true(t->reference.present);
        assert_int_equal(t->expected_count, 1);
        assert_int_equal(t->expected[0].buffer, 1);
        template_free(t);
    }
    expect_refused(Y SOURCE "reference y file(\"a\")\n", "y has expected values from a file and from the reference");
    expect_refused(Y "reference file(\"a\")\n" SOURCE, "y has expected values from a file and from the reference");
    expect_refused(Y_Z "reference z file(\"z.npy\")\nreference \"r.cu\" { k<<<1, 1>>>() }\n",
                   "the reference never writes ref(y)");
}

/* What a file holds counts, not its name; any other string does. */
static void test_hash(void **state)
{
    (void)state;
    static const struct {
        const char *one, *other;
        bool same;
    } cases[] = {
        {Y "reference file(\"a.npy\")\n", Y "reference file(\"b.npy\")\n", true},
        {Y "buffer x : int[n] in file(\"a\")\n" SOURCE, Y "buffer x : int[n] in file( \"b\" )\n" SOURCE, true},
        {Y "buffer x : int[n] in file(\"a\")\n" SOURCE, Y "buffer x : int[n] in index()\n" SOURCE, false},
        {Y "option \"a\"\n" SOURCE, Y "option \"b\"\n" SOURCE, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct template *one = parse_template_text(cases[i].one), *other = parse_template_text(cases[i].other);
        assert_int_equal(strcmp(one->hash, other->hash) == 0, cases[i].same);
        template_free(one);
        template_free(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_initial), cmocka_unit_test(test_expected),
                                       cmocka_unit_test(test_expected_and_computed), cmocka_unit_test(test_hash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
