/* SPDX-License-Identifier: Apache-2.0 */
/* Grids and blocks in all forms that Kernel Tuner and KTT know, as the launch of the imported template. */
#include "tests/unit/formats/t1_fixture.h"

#include "tuner/formats/t1_import.h"
#include "tuner/formats/t1_launch.h"

#include <stdio.h>

static const char head[] = "{\"ConfigurationSpace\": {\"TuningParameters\": ["
                           "{\"Name\": \"block_size_x\", \"Type\": \"int\", \"Values\": \"[32, 64]\"},"
                           "{\"Name\": \"tile\", \"Type\": \"int\", \"Values\": \"(1, 2)\", \"Default\": 2}]},"
                           "\"KernelSpecification\": {\"KernelName\": \"k\", \"KernelFile\": \"k.cu\", ";

/* The template's launch with these members of KernelSpecification. */
static void expect_launch(const char *members, const char *wanted)
{
    struct t1_import import;
    struct error error;
    char text[4096];
    int length = snprintf(text, sizeof text, "%s%s}}", head, members);
    assert_success(t1_import("T1.json", text, (size_t)length, &(struct t1_import_setting){0}, &import, &error),
                   &error);
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

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *message;
    } cases[] = {
        {"{}", "T1.json: the grid size is missing"},
        {"{'GlobalSize': {'X': [1]}}", "T1.json: GlobalSize.X must be a number or an expression"},
        {"{'ProblemSize': 8, 'GridDivX': [{}]}", "T1.json: GridDivX[0] must be a number or an expression"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct t1_fixture f;
        struct t1_launch launch;
        t1_fixture_create(&f);
        json_t *document = json_pack("{s:o}", "KernelSpecification", json_of(cases[i].kernel));
        const json_t *kernel = json_object_get(document, "KernelSpecification");
        if (json_object_get(kernel, "ProblemSize")) {
            f.t1.sizes[0] = "n";
            f.t1.size_values[0] = "8";
            f.t1.size_count = 1;
        }
        assert_success(t1_read_local(&f.t1, kernel, &f.error), &f.error);
        assert_refused(&f, t1_read_launch(document, &f.t1, NULL, &launch, &f.error), cases[i].message, "");
        f.t1.foreign = true; /* then it does not matter */
        assert_success(t1_read_launch(document, &f.t1, NULL, &launch, &f.error), &f.error);
        assert_string_equal(launch.grid[0], "1");
        json_decref(document);
        t1_fixture_free(&f);
    }
}

/* The reference's launch has values in place of parameters. */
static void test_fixed(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct t1_launch launch;
    const struct value fixed[] = {value_integer(64), value_integer(2)};
    t1_fixture_create(&f);
    json_t *document = json_of("{'KernelSpecification': {'GlobalSize': {'X': '1000 // tile', 'Z': 'block'}, "
                               "'LocalSize': {'X': 'block', 'Y': 'tile'}}}");
    assert_success(t1_read_local(&f.t1, json_object_get(document, "KernelSpecification"), &f.error), &f.error);
    assert_success(t1_read_launch(document, &f.t1, fixed, &launch, &f.error), &f.error);
    static const char *const grid[] = {"1000 // 2", "1", "64"}, *const block[] = {"64", "2", "1"};
    for (size_t i = 0; i < T1_DIMENSIONS; i++) {
        assert_string_equal(launch.grid[i], grid[i]);
        assert_string_equal(launch.block[i], block[i]);
    }
    expect_notes(&f, "");
    json_decref(document);
    t1_fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_fixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
