/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_fixture.h"

#include "tuner/formats/t1_arguments.h"

static bool read_arguments(struct t1_fixture *f, const char *kernel, json_t **json)
{
    t1_fixture_create(f);
    *json = json_of(kernel);
    return t1_read_arguments(&f->t1, *json, &f->error);
}

#define VECTOR(type, more)                                                                                           \
    "{'Arguments': [{'Name': 'v', 'Type': '" type "', 'MemoryType': 'Vector', 'Size': 10" more "}]}"

/* Vectors that templates do not have are so many numbers. */
static void test_types(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        const char *type, *size;
    } cases[] = {
        {VECTOR("uint16", ""), "ushort", "10"},
        {VECTOR("float4", ""), "float4", "10"},
        {VECTOR("double16", ""), "double", "(10) * 16"},
        {VECTOR("custom", ", 'TypeSize': 12"), "uchar", "(10) * 12"},
        {"{'Arguments': [{'Type': 'float4', 'MemoryType': 'Local', 'Size': 10}]}", "float4", "((10) * 4) * 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct t1_fixture f;
        json_t *json;
        assert_success(read_arguments(&f, cases[i].kernel, &json), &f.error);
        assert_string_equal(f.t1.arguments[0].type, cases[i].type);
        assert_string_equal(f.t1.arguments[0].size, cases[i].size);
        json_decref(json);
        t1_fixture_free(&f);
    }
    static const char *const unknown[] = {"quad", "float17", "float1", "float4x", "floats", "custom"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        char kernel[200], message[200];
        struct t1_fixture f;
        json_t *json;
        snprintf(kernel, sizeof kernel, VECTOR("%s", ""), unknown[i]);
        snprintf(message, sizeof message, "T1.json: argument 0 (v): unknown Type \"%s\"", unknown[i]);
        assert_refused(&f, read_arguments(&f, kernel, &json), message, "float4");
        json_decref(json);
        t1_fixture_free(&f);
    }
}

static void test_memories(void **state)
{
    (void)state;
    struct t1_fixture f;
    json_t *json;
    assert_success(
        read_arguments(
            &f,
            "{'Arguments': ["
            "{'Name': 'block', 'Type': 'float', 'MemoryType': 'Vector', 'Size': 'max(tile) * 2',"
            " 'AccessType': 'WriteOnly'},"
            "{'Name': 'n', 'Type': 'int32', 'MemoryType': 'Scalar', 'FillValue': 7},"
            "{'Type': 'double', 'MemoryType': 'Scalar', 'DataSource': 'block / 2'},"
            "{'Type': 'double', 'MemoryType': 'Local', 'Size': 'tile'},"
            "{'Name': 'table', 'Type': 'int32', 'MemoryType': 'Symbol', 'Size': 4, 'AccessType': 'ReadWrite'},"
            "{'Name': 'c', 'Type': 'float', 'MemoryType': 'Vector', 'MemType': 'Constant', 'Size': 4},"
            "{'Type': 'uint8', 'MemoryType': 'Vector', 'Size': 4, 'AccessType': 'ReadOnly'}]}",
            &json),
        &f.error);
    const struct t1_argument *a = f.t1.arguments;
    assert_int_equal(f.t1.argument_count, 7);
    assert_string_equal(a[0].name, "block_"); /* block is a parameter */
    assert_string_equal(a[0].size, "4 * 2");
    assert_int_equal(a[0].access, T1_WRITE);
    assert_true(t1_is_output(&a[0]));
    assert_int_equal(a[1].memory, T1_SCALAR);
    assert_null(a[1].name);
    assert_string_equal(a[1].value, "7");
    assert_string_equal(a[2].value, "block / 2");
    assert_int_equal(a[3].memory, T1_LOCAL);
    assert_string_equal(a[3].size, "(tile) * 8");
    assert_string_equal(a[4].symbol, "table");
    assert_string_equal(a[4].name, "table_values");
    assert_false(t1_is_output(&a[4])); /* an upload is an input, whatever the file says */
    assert_int_equal(a[5].memory, T1_VECTOR);
    assert_string_equal(a[5].symbol, "c");
    assert_string_equal(a[6].name, "argument_6");
    expect_notes(&f, "");
    json_decref(json);
    t1_fixture_free(&f);
}

static void test_fills(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        enum t1_fill fill;
        const char *value;
        double high;
        const char *notes;
    } cases[] = {
        {VECTOR("float", ""), T1_CONSTANT, "0", 1, ""},
        {VECTOR("float", ", 'FillType': 'Constant', 'FillValue': 0.1"), T1_CONSTANT, "0.10000000000000001", 0.1, ""},
        {VECTOR("int32", ", 'FillType': 'Constant', 'FillValue': -3.9"), T1_CONSTANT, "-3", 2, ""},
        {VECTOR("float", ", 'FillType': 'Random', 'FillValue': 5"), T1_RANDOM, "5", 5, ""},
        {VECTOR("int32", ", 'FillType': 'Random', 'FillValue': 1"), T1_RANDOM, "1", 2, ""}, /* [0, 2): 0 and 1 */
        {VECTOR("int32", ", 'FillType': 'Generator', 'DataSource': 'i'"), T1_INDEX, "0", 2, ""},
        {VECTOR("int32", ", 'FillType': 'Generator', 'DataSource': 'i*i'"), T1_RANDOM, "0", 2,
         "argument 0 (v): FillType Generator i*i is not supported: imported with random values\n"},
        {VECTOR("int32", ", 'FillType': 'Script', 'AccessType': 'WriteOnly'"), T1_RANDOM, "0", 2, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct t1_fixture f;
        json_t *json;
        assert_success(read_arguments(&f, cases[i].kernel, &json), &f.error);
        assert_int_equal(f.t1.arguments[0].fill, cases[i].fill);
        assert_string_equal(f.t1.arguments[0].value, cases[i].value);
        assert_true(f.t1.arguments[0].high == cases[i].high);
        expect_notes(&f, cases[i].notes);
        json_decref(json);
        t1_fixture_free(&f);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *message, *hint;
    } cases[] = {
        {"{'Arguments': 1}", "T1.json: \"Arguments\" is not an array", ""},
        {"{'Arguments': [{}]}", "T1.json: argument 0 (unnamed): \"MemoryType\" is missing, empty or not a string",
         ""},
        {"{'Arguments': [{'MemoryType': 'Texture'}]}",
         "T1.json: argument 0 (unnamed): unknown MemoryType \"Texture\"", "Vector, Scalar, Local and Symbol"},
        {"{'Arguments': [{'MemoryType': 'Symbol', 'Type': 'int32'}]}",
         "T1.json: argument 0 (unnamed): a constant or symbol needs a \"Name\"", ""},
        {"{'Arguments': [{'MemoryType': 'Vector', 'Type': 'int32'}]}",
         "T1.json: argument 0 (unnamed): \"Size\" must be a number or an expression", ""},
        {"{'Arguments': [{'MemoryType': 'Scalar', 'Type': 'int32', 'Name': 'n'}]}",
         "T1.json: argument 0 (n): a scalar needs a \"FillValue\"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct t1_fixture f;
        json_t *json;
        assert_refused(&f, read_arguments(&f, cases[i].kernel, &json), cases[i].message, cases[i].hint);
        json_decref(json);
        t1_fixture_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_memories),
        cmocka_unit_test(test_fills),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
