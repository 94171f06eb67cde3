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

/* Values from files need no magnitudes: the check says what error they may have. */
static void test_answers(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct t1_import import = {.source_file = strdup("k.cu"), .reference_file = strdup("reference.cu")};
    const struct value fixed[] = {value_integer(32), value_integer(1)};
    struct t1_argument arguments[] = {
        {.name = "y",
         .element = ELEMENT_FLOAT,
         .type = "float",
         .width = 1,
         .access = T1_READ_WRITE,
         .size = "7",
         .answer = {.file = "y.npy", .buffer = "y_answer", .relative = 1e-5, .absolute = 1e-6}},
        {.name = "z",
         .element = ELEMENT_INT,
         .type = "int",
         .width = 1,
         .access = T1_READ_WRITE,
         .size = "9",
         .answer = {.file = "z.npy", .buffer = "z_answer"}},
    };
    struct text_stream stream;
    t1_fixture_create(&f);
    f.t1.arguments = arguments;
    f.t1.argument_count = 2;
    assert_true(text_stream_open(&stream, &f.error));
    assert_success(t1_write_reference_block(&f.t1, NULL, &stream, fixed, &import, &f.error), &f.error);
    char *block = text_stream_close(&stream, &f.error);
    assert_non_null(strstr(block, "reference \"reference.cu\" {\n"
                                  "    tune_widen_float<<<ceil_div(7, 256), 256>>>(y_answer, ref(y), long(7))\n"
                                  "    tune_widen_int<<<ceil_div(9, 256), 256>>>(z_answer, ref(z), long(9))\n}\n"));
    free(block);
    assert_true(t1_write_reference(&f.t1, fixed, &import, &f.error));
    assert_false(import.compares_itself);
    assert_null(strstr(import.reference, "#include"));
    assert_null(strstr(import.reference, "magnitude"));
    t1_import_clear(&import);
    t1_fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference), cmocka_unit_test(test_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
