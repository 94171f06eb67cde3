/* SPDX-License-Identifier: Apache-2.0 */
/*
 * T1 in memory: expressions of Kernel Tuner in the language's words, the launch in all its forms, and templates that
 * go out and come back.
 */
#include "tests/unit/fixture.h"
#include "tuner/formats/python_text.h"
#include "tuner/formats/t1_import.h"
#include "tuner/formats/t1_write.h"
#include "tuner/formats/timestamp.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- expressions ---- */

static void expect_text(const char *text, const char *wanted)
{
    struct value tiles[] = {value_integer(3), value_integer(-7), value_integer(5)};
    struct python_parameter parameters[] = {
        {"block_size_x", NULL, 0, {.kind = VALUE_UNSET}},
        {"tile", tiles, 3, {.kind = VALUE_UNSET}},
    };
    const char *const sizes[] = {"n", "m"};
    struct python_names names = {parameters, 2, sizes, 2, true};
    struct arena arena = {0};
    struct error error = {0};
    char got[1200];
    const char *result = python_text(&arena, text, &names, "here", &error);
    snprintf(got, sizeof got, "%s%s", result ? "" : "error: ", result ? result : error.text);
    if (strcmp(got, wanted) != 0)
        fail_msg("%s becomes %s, not %s", text, got, wanted);
    arena_free(&arena);
}

static void test_python_text(void **state)
{
    (void)state;
    expect_text("block_size_x*tile <= 1024", "block_size_x*tile <= 1024");
    expect_text("  1 <= block_size_x\n and True ", "1 <= block_size_x  and True");
    expect_text("lambda p: p[\"block_size_x\"] * p['tile'] <= 1024", "block_size_x * tile <= 1024");
    expect_text("lambda p : p[ 'tile' ]>1", "tile>1");
    expect_text("lambda block_size_x, tile: block_size_x % tile == 0", "block_size_x % tile == 0");
    expect_text("lambda p: pp[1] == 'p[\"tile\"]'", "pp[1] == 'p[\"tile\"]'");
    expect_text("math.ceil(tile / 2) + np.log2(4) + numpy.floor(1.5)", "ceil(tile / 2) + log2(4) + floor(1.5)");
    expect_text("ProblemSize[0] * ProblemSize[ 1 ]", "n * m");
    expect_text("ProblemSize[2]", "error: here: ProblemSize[2] is out of range: ProblemSize has 2 extents");
    expect_text("max(tile) - min( tile ) + max(tile, 1)", "5 - (-7) + max(tile, 1)");
    expect_text("maximum(tile)", "maximum(tile)");
    expect_text("0x1f + 1e3 + 1.max", "0x1f + 1e3 + 1.max");
    expect_text("'it\\'s block_size_x'", "'it\\'s block_size_x'");
    expect_text("'never closed", "'never closed");
    expect_text("lambda a, b: a < b",
                "error: here: this lambda cannot be converted to a constraint: lambda a, b: a < b");
    expect_text("lambda", "error: here: this lambda cannot be converted to a constraint: lambda");
}

static void test_fixed_values(void **state)
{
    (void)state;
    struct python_parameter parameters[] = {
        {"a", NULL, 0, {.kind = VALUE_INTEGER, .integer = -4}},
        {"b", NULL, 0, {.kind = VALUE_STRING, .string = "fast"}},
    };
    struct python_names names = {.parameters = parameters, .parameter_count = 2};
    struct arena arena = {0};
    struct error error = {0};
    assert_string_equal(python_text(&arena, "2 * a + ab if b == 'a' else a_", &names, "", &error),
                        "2 * (-4) + ab if \"fast\" == 'a' else a_");
    arena_free(&arena);
}

static void test_timestamps(void **state)
{
    (void)state;
    static const struct {
        const char *text, *utc;
    } cases[] = {
        {"2023-12-22 09:54:05.502007+00:00", "2023-12-22T09:54:05.502007Z"},
        {"2024-02-29T23:30:00.5-01:30", "2024-03-01T01:00:00.5Z"},
        {"2024-01-01 00:15:00+0530", "2023-12-31T18:45:00Z"},
        {"2024-01-01 00:15:00", "2024-01-01T00:15:00Z"},
        {"2024-01-01T00:15:00Z", "2024-01-01T00:15:00Z"},
        {"2024-01-01", NULL},
        {"2024-01-01 00:15:00 UTC", NULL},
        {"2024-01-01 00:15:00.123456789012345678901234567890", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char utc[TIMESTAMP_TEXT];
        bool read = timestamp_to_utc(cases[i].text, utc);
        if (read != (cases[i].utc != NULL) || (read && strcmp(utc, cases[i].utc) != 0))
            fail_msg("%s becomes %s", cases[i].text, read ? utc : "nothing");
    }
    char text[TIMESTAMP_TEXT];
    timestamp_from_utc("2023-12-22T09:54:05.502007Z", text);
    assert_string_equal(text, "2023-12-22 09:54:05.502007+00:00");
}

/* ---- files ---- */

static const char head[] = "{\"ConfigurationSpace\": {\"TuningParameters\": ["
                           "{\"Name\": \"block_size_x\", \"Type\": \"int\", \"Values\": \"[32, 64]\"},"
                           "{\"Name\": \"tile\", \"Type\": \"int\", \"Values\": \"(1, 2)\", \"Default\": 2}]},"
                           "\"KernelSpecification\": {\"KernelName\": \"k\", \"KernelFile\": \"k.cu\", ";

/* What the template launches, with these members of KernelSpecification. */
static void expect_launch(const char *members, const char *wanted)
{
    struct t1_import import;
    struct error error;
    char text[4096];
    int length = snprintf(text, sizeof text, "%s%s}}", head, members);
    assert_success(t1_import("T1.json", text, (size_t)length, &import, &error), &error);
    const char *launch = strstr(import.template, "launch {\n    ");
    assert_non_null(launch);
    launch += strlen("launch {\n    ");
    if (strncmp(launch, wanted, strlen(wanted)) != 0 || launch[strlen(wanted)] != '\n')
        fail_msg("%s\nlaunches %.200s", members, launch);
    t1_import_clear(&import);
}

static void test_launches(void **state)
{
    (void)state;
    expect_launch("\"GlobalSize\": {\"X\": \"1000 // tile\"}, \"LocalSize\": {\"X\": \"block_size_x\"}",
                  "k<<<1000 // tile, block_size_x>>>()");
    expect_launch("\"GlobalSize\": {\"X\": \"1000\", \"Y\": 8}, \"LocalSize\": {\"X\": \"64\", \"Y\": \"tile\"}, "
                  "\"GlobalSizeType\": \"OpenCL\", \"SharedMemory\": 128",
                  "k<<<(ceil_div(1000, 64), ceil_div(8, tile)), (64, tile), 128>>>()");
    expect_launch("\"Language\": \"OpenCL\", \"GlobalSize\": {\"X\": \"1000\"}, \"LocalSize\": {\"X\": \"64\"}",
                  "k<<<ceil_div(1000, 64), 64>>>()");
    /* Kernel Tuner 1.4, util.get_thread_block_dimensions: params.get("block_size_x", 256), the others 1. */
    expect_launch("\"GlobalSize\": {\"X\": \"9\"}, \"LocalSize\": {\"X\": \"block_size_x\", \"Y\": \"block_size_y\"}",
                  "k<<<9, block_size_x>>>()");
    expect_launch("\"ProblemSize\": 1000", "k<<<ceil_div(problem_size_x, block_size_x), block_size_x>>>()");
    expect_launch("\"ProblemSize\": [1000, 1, 5], \"GridDivX\": [\"block_size_x\", \"tile + 1\"], "
                  "\"GridDivY\": [\"block_size_y\"], \"GridDivZ\": null, \"GlobalSize\": {\"X\": \"7\"}",
                  "k<<<(ceil_div(problem_size_x, block_size_x * (tile + 1)), 1, ceil_div(problem_size_z, 1)), "
                  "block_size_x>>>()");
    expect_launch(
        "\"GlobalSize\": {\"X\": \"1\"}, \"Arguments\": ["
        "{\"Name\": \"tile\", \"Type\": \"float4\", \"MemoryType\": \"Vector\", \"AccessType\": \"ReadOnly\", "
        "\"Size\": \"max(tile) * 8\"}, "
        "{\"Type\": \"uint8\", \"MemoryType\": \"Scalar\", \"FillValue\": 3}, "
        "{\"Type\": \"double\", \"MemoryType\": \"Local\", \"Size\": \"tile\"}]",
        "k<<<1, block_size_x, (tile) * 8>>>(tile_, uchar(3))");
}

static void test_default_and_notes(void **state)
{
    (void)state;
    struct t1_import import;
    struct error error;
    char text[4096];
    int length = snprintf(text, sizeof text, "%s\"Language\": \"OpenCL\", \"ProblemSize\": 64}}", head);
    assert_success(t1_import("T1.json", text, (size_t)length, &import, &error), &error);
    assert_string_equal(import.space, "space k of k \"as declared in T1\"\n\nparam block_size_x = [32, 64]\n"
                                      "param tile = (1, 2)\n\ndefault tile = 2\n");
    assert_string_equal(import.notes, "the kernel is written in OpenCL, which tune cannot compile: only the space is "
                                      "usable\n");
    assert_true(import.foreign);
    assert_null(import.reference); /* there is nothing to compare */
    assert_string_equal(import.source_file, "k.cu");
    t1_import_clear(&import);
}

/* ---- there and back ---- */

/* Lets, sizes, device fields and functions of our own become Python of the parameters alone. */
static void test_export(void **state)
{
    (void)state;
    static const char template[] =
        "template t\nsize n = 100\nparameter A\nparameter B\nparameter MODE\nsource \"t.cu\"\n"
        "buffer x : float[n] in constant(0.5)\n"
        "let blocks = ceil_div(n, A)\n"
        "launch { k<<<blocks, (A, B), 4 * n>>>(x, n, float(1), A) }\n";
    static const char space[] = "space s of t\nset MODE = \"fast\"\nparam A = pow2(2, 8)\nparam B = [1, 2] + [n]\n"
                                "let area = A * B\n"
                                "where area <= device.max_threads_per_block // 2\n"
                                "where round_up(A, 4) in pow2(1, 4) or not true\n"
                                "where A < B or MODE == 'fast'\n"
                                "default B = 2, A = n // 25\n";
    static const char *const wanted[] = {"((A * B) <= 512)", "((((-(-A // 4)) * 4) in [1, 2, 4]) or False)",
                                         "A < B or MODE == 'fast'"};
    struct fixture f;
    json_t *document;
    char *notes;
    fixture_parse(&f, template, space);
    f.device.max_threads_per_block = 1024;
    assert_success(problem_create(f.template, f.space, &f.device, NULL, 0, &f.problem, &f.error), &f.error);
    assert_success(t1_export(f.problem, &document, &notes, &f.error), &f.error);
    assert_string_equal(notes, "");
    const json_t *conditions = json_object_get(json_object_get(document, "ConfigurationSpace"), "Conditions");
    assert_int_equal(json_array_size(conditions), 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(conditions, i), "Expression")),
                            wanted[i]);
    const json_t *parameters = json_object_get(json_object_get(document, "ConfigurationSpace"), "TuningParameters");
    assert_string_equal(json_string_value(json_object_get(json_array_get(parameters, 0), "Values")), "[2, 4, 8]");
    assert_int_equal(json_integer_value(json_object_get(json_array_get(parameters, 0), "Default")), 4);
    assert_string_equal(json_string_value(json_object_get(json_array_get(parameters, 1), "Values")), "[1, 2, 100]");
    assert_string_equal(json_string_value(json_object_get(json_array_get(parameters, 2), "Values")), "[\"fast\"]");
    const json_t *kernel = json_object_get(document, "KernelSpecification");
    assert_string_equal(json_string_value(json_object_get(json_object_get(kernel, "GlobalSize"), "X")),
                        "(-(-100 // A))");
    assert_int_equal(json_integer_value(json_object_get(kernel, "SharedMemory")), 400);
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(json_object_get(kernel, "Arguments"), 3), "DataSource")),
        "A");
    free(notes);
    json_decref(document);
    problem_free(f.problem);
    space_free(f.space);
    template_free(f.template);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_python_text),       cmocka_unit_test(test_fixed_values),
        cmocka_unit_test(test_timestamps),        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_default_and_notes), cmocka_unit_test(test_export),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
