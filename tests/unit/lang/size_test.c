/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/templates.h"

#define HEAD "template t \"title\"\n"
#define TAIL "\nsource \"k.cu\"\nlaunch { k<<<1, 1>>>() }\n"

/* A size may read the sizes before it; an awkward one the same ones, wherever it stands. */
static void test_sizes(void **state)
{
    (void)state;
    struct template *t = parse_template_text(HEAD "size a = device.sm_count\nsize b = 2 * a\nsize c = a + b\n"
                                                  "awkward c = b + 1, a = 3" TAIL);
    assert_int_equal(t->size_count, 3);
    assert_string_equal(t->sizes[2].name, "c");
    expect_expr(t->sizes[2].value, "a + b");
    expect_expr(t->sizes[2].awkward, "b + 1");
    expect_expr(t->sizes[0].awkward, "3");
    assert_null(t->sizes[1].awkward);
    assert_true(t->sizes[0].slot < t->sizes[1].slot && t->sizes[1].slot < t->sizes[2].slot);
    template_free(t);
    expect_refused(HEAD "size a = a" TAIL, "unknown name a");
    expect_refused(HEAD "parameter P\nsize a = P" TAIL, "the default of a size cannot depend on P");
    expect_refused(HEAD "size a = 1\nlet l = a\nsize b = l" TAIL, "the default of a size cannot depend on l");
    expect_refused(HEAD "size a = 1\nsize b = 2\nawkward a = b" TAIL, "the awkward size of a cannot depend on b");
    expect_refused(HEAD "size a = 1\nawkward a = a" TAIL, "the awkward size of a cannot depend on a");
    expect_refused(HEAD "size a = 1\nparameter P\nawkward a = P" TAIL, "an awkward size cannot depend on P");
    expect_refused(HEAD "size a = 1\nawkward a = 2\nawkward a = 3" TAIL, "a already has an awkward size");
    expect_refused(HEAD "parameter P\nawkward P = 2" TAIL, "unknown size P");
}

/* Hundreds of sizes, each with its awkward one: the size of a slot is found among others. */
static void test_many_sizes(void **state)
{
    (void)state;
    enum { SIZES = 300 };
    static char text[SIZES * 64];
    size_t length = (size_t)sprintf(text, HEAD);
    for (int i = 0; i < SIZES; i++)
        length += (size_t)sprintf(text + length, "parameter P%d\nsize s%d = %d\n", i, i, i);
    for (int i = 0; i < SIZES; i++)
        length += (size_t)sprintf(text + length, "awkward s%d = %d\n", i, 1000 + i);
    strcpy(text + length, TAIL);
    struct template *t = parse_template_text(text);
    for (int i = 0; i < SIZES; i++) {
        char wanted[16];
        snprintf(wanted, sizeof wanted, "%d", 1000 + i);
        expect_expr(t->sizes[i].awkward, wanted);
    }
    template_free(t);
}

static void test_defined_sizes(void **state)
{
    (void)state;
    struct template *t = parse_template_text(HEAD "size n = 1\nsize m = 2\nsize k = 3\ndefine k, n" TAIL);
    assert_true(t->sizes[0].defined && !t->sizes[1].defined && t->sizes[2].defined);
    template_free(t);
    expect_refused(HEAD "size n = 1\ndefine n, n" TAIL, "n is a macro already");
    expect_refused(HEAD "size n = 1\ndefine m" TAIL, "unknown size m");
    expect_refused(HEAD "size n = 1\nparameter P\ndefine P" TAIL, "unknown size P");
    expect_refused(HEAD "define 4" TAIL, "expected the name of a size, found '4'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_many_sizes),
        cmocka_unit_test(test_defined_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
