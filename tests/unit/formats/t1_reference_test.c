/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_fixture.h"

#include "tuner/formats/t1_reference.h"

#include <string.h>

/* Macros as program.c makes them for the kernel; one widening kernel for each type of output. */
static void test_reference(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct t1_import import = {.source_file = strdup("k.cu")};
    const struct value fixed[] = {value_integer(-32), value_string("fast")};
    struct t1_argument arguments[] = {
        {.name = "x", .element = ELEMENT_FLOAT, .type = "float", .width = 1, .access = T1_READ},
        {.name = "y", .element = ELEMENT_UINT, .type = "uint", .width = 1, .access = T1_WRITE},
        {.name = "z", .element = ELEMENT_UINT, .type = "uint", .width = 1, .access = T1_READ_WRITE},
        {.memory = T1_SCALAR, .element = ELEMENT_DOUBLE, .type = "double", .width = 1, .access = T1_READ_WRITE},
    };
    t1_fixture_create(&f);
    f.t1.arguments = arguments;
    f.t1.argument_count = 1;
    assert_true(t1_write_reference(&f.t1, fixed, &import, &f.error));
    assert_null(import.reference);
    f.t1.argument_count = 4;
    assert_true(t1_write_reference(&f.t1, fixed, &import, &f.error));
    assert_string_equal(import.reference,
                        "// The kernel in its default configuration, with which all others are compared.\n"
                        "#define block (-32)\n#define tile fast\n#define tile_fast 1\n#include \"k.cu\"\n"
                        "\n__global__ void tune_widen_uint(const unsigned int *values, double *expected, long long "
                        "count)\n{\n"
                        "    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n"
                        "    if (i < count)\n        expected[i] = (double)values[i];\n}\n");
    assert_true(import.compares_itself);
    t1_import_clear(&import);
    t1_fixture_free(&f);
}

/* Files stand for themselves; a kernel computes the others. */
static void test_answers(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct t1_import import = {.source_file = strdup("k.cu"), .reference_file = strdup("reference.cu")};
    const struct value fixed[] = {value_integer(32), value_integer(1)};
    struct t1_argument arguments[] = {
        {.name = "y", .access = T1_READ_WRITE, .answer = {.file = "y.npy"}},
        {.name = "z", .access = T1_READ_WRITE, .answer = {.file = "z.npy"}},
        {.name = "w", .element = ELEMENT_INT, .type = "int2", .width = 2, .access = T1_WRITE, .size = "n - 1"},
    };
    struct text_stream stream;
    t1_fixture_create(&f);
    f.t1.arguments = arguments;
    json_t *document = json_of("{'KernelSpecification': {'GlobalSize': {'X': 4}}}");
    static const char files[] = "\n# Expected values that are data hold for the sizes above.\n"
                                "reference y file(\"y.npy\"), z file(\"z.npy\")\n";
    for (size_t i = 2; i <= 3; i++) {
        f.t1.argument_count = i;
        f.t1.kernel = f.t1.shared = "k";
        for (size_t k = 0; k < T1_DIMENSIONS; k++)
            f.t1.local[k] = "1";
        assert_true(text_stream_open(&stream, &f.error));
        assert_success(t1_write_reference_block(&f.t1, document, &stream, fixed, &import, &f.error), &f.error);
        char *block = text_stream_close(&stream, &f.error);
        assert_int_equal(strncmp(block, files, strlen(files)), 0);
        assert_true((block[strlen(files)] == '\0') == (i == 2));
        if (i == 3)
            assert_mentions(
                block, "    tune_widen_int<<<ceil_div(2 * (n - 1), 256), 256>>>(w, ref(w), long(2 * (n - 1)))\n}\n");
        free(block);
        assert_true(t1_write_reference(&f.t1, fixed, &import, &f.error));
        assert_true((import.reference != NULL) == (i == 3));
        assert_int_equal(import.compares_itself, i == 3);
    }
    json_decref(document);
    t1_import_clear(&import);
    t1_fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference), cmocka_unit_test(test_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
