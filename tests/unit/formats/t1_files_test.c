/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_fixture.h"

#include "tuner/formats/t1_files.h"

#include <stdlib.h>
#include <unistd.h>

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *kernel_file, *source, *reference;
    } cases[] = {
        {"k.cu", "k.cu", "reference.cu"},
        {"../src/my kernel.cu", "my_kernel.cu", "reference.cu"},
        {"k.cu.hip", "k.cu", "reference.cu"},
        {"k.cl", "k.cu", "reference.cu"},
        {"reference.cu", "reference.cu", "by_default.cu"},
        {".cu", "kernel.cu", "reference.cu"},
        {"a/", "kernel.cu", "reference.cu"},
        {"\xc3\xa4.cu", "__.cu", "reference.cu"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct t1 t1 = {.name = "t", .kernel_file = cases[i].kernel_file};
        struct t1_import import = {0};
        struct error error;
        assert_true(t1_name_files(&t1, &import, &error));
        assert_string_equal(import.source_file, cases[i].source);
        assert_string_equal(import.reference_file, cases[i].reference);
        assert_string_equal(import.kernel_file, cases[i].kernel_file);
        assert_string_equal(import.name, "t");
        t1_import_clear(&import);
    }
}

static void test_space(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct t1_import import = {0};
    t1_fixture_create(&f);
    const char *conditions[] = {"block > tile", "tile < 4"};
    f.t1.name = "t";
    assert_true(t1_write_space(&f.t1, &import, &f.error));
    assert_string_equal(import.space, "space t of t \"as imported\"\n\n"
                                      "param block = [32, 64]\nparam tile = [1, 2, 4]\n\n\n");
    f.t1.conditions = conditions;
    f.t1.condition_count = 2;
    f.t1.parameters[0].default_text = "64";
    f.t1.parameters[1].default_text = "1";
    assert_true(t1_write_space(&f.t1, &import, &f.error));
    assert_string_equal(import.space, "space t of t \"as imported\"\n\n"
                                      "param block = [32, 64]\nparam tile = [1, 2, 4]\n\n"
                                      "where block > tile\nwhere tile < 4\n\ndefault block = 64, tile = 1\n");
    t1_import_clear(&import);
    t1_fixture_free(&f);
}

static void test_placeholder(void **state)
{
    (void)state;
    struct t1 t1 = {.kernel = "k", .kernel_file = "a\"b\\c\n.cl", .foreign = true};
    struct t1_import import = {0};
    struct error error;
    assert_true(t1_write_placeholder(&t1, &import, &error));
    assert_string_equal(import.source, "#error \"put the kernel here, in CUDA: a_b_c_.cl has k\"\n");
    t1_import_clear(&import);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_space),
                                       cmocka_unit_test(test_placeholder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
