/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#include "tuner/cli/best.h"

#include <jansson.h>
#include <unistd.h>

static json_t *row(const char *device, const char *configuration)
{
    json_t *row = json_pack("{s:s, s:s, s:s, s:f, s:s, s:s, s:s, s:s, s:o}", "template", "gemm", "size",
                            "M=64,MN=7,N=4294967296", "device", device, "time_ns", 1.5e6, "rate", "22.4 GFLOP/s",
                            "origin", "measured", "measured_at", "2026-01-02T03:04:05.678Z", "template_hash", "abc",
                            "configuration", json_loads(configuration, 0, NULL));
    assert_non_null(row);
    return row;
}

static const struct size_declaration sizes[] = {
    {.name = "M", .defined = true}, {.name = "MN"}, {.name = "N", .defined = true}};
static const struct template template = {.sizes = sizes, .size_count = 3};

/* The header of these rows, which are freed; "" after an error. */
static void header_of(json_t *rows, char *text, size_t size, struct error *error)
{
    char path[] = "/tmp/tune-header-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    const struct options options = {.output = path, .subject = "gemm"};
    bool written = best_header(&options, &template, rows, error);
    size_t length = 0;
    if (written) {
        FILE *stream = fopen(path, "r");
        length = fread(text, 1, size - 1, stream);
        fclose(stream);
    }
    text[length] = '\0';
    close(file);
    unlink(path);
    json_decref(rows);
}

static void a_define_for_each_parameter(void **state)
{
    (void)state;
    char text[1000];
    struct error error;
    json_t *rows =
        json_pack("[o]", row("GPU", "{\"V\": \"joint\", \"A\": 64, \"F\": 0.1, \"T\": true, \"N\": false}"));
    header_of(rows, text, sizeof text, &error);
    assert_string_equal(
        text,
        "/* The best known configuration of gemm at M=64,MN=7,N=4294967296 on GPU: 1.5 ms, 22.4 GFLOP/s; measured "
        "2026-01-02T03:04:05.678Z, kernel abc. */\n"
        "#pragma once\n"
        "#define M 64\n"
        "#define N 4294967296LL\n"
        "#define V joint\n"
        "#define V_joint 1\n"
        "#define A 64\n"
        "#define F 0.1\n"
        "#define T 1\n"
        "#define N 0\n");
}

/* What is best is named, with its value. */
static void the_value_of_the_objective(void **state)
{
    (void)state;
    static const char *const expected[][2] = {
        {"energy", ": 1.5 ms, 22.4 GFLOP/s, 2.5 mJ; measured"},
        {"points", ": 1.5 ms, 22.4 GFLOP/s, 0.0025 points; measured"},
    };
    for (size_t i = 0; i < 2; i++) {
        char text[1000];
        struct error error;
        json_t *best = row("GPU", "{}");
        assert_int_equal(json_object_set_new(best, "objective", json_string(expected[i][0])), 0);
        assert_int_equal(json_object_set_new(best, "value", json_real(2.5e-3)), 0);
        header_of(json_pack("[o]", best), text, sizeof text, &error);
        assert_non_null(strstr(text, expected[i][1]));
    }
}

/* A database may come from a stranger. */
static void texts_end_no_comment(void **state)
{
    (void)state;
    char text[1000];
    struct error error;
    header_of(json_pack("[o]", row("x */ int y;\n#error \033[2J", "{\"A\": 1}")), text, sizeof text, &error);
    assert_non_null(strstr(text, " on x  / int y;\\n#error \\x1b[2J: 1.5 ms"));
    const char *end = strstr(text, "*/");
    assert_true(end && strcmp(end, "*/\n#pragma once\n#define M 64\n#define N 4294967296LL\n#define A 1\n") == 0);
}

/* Nothing but names, words and numbers gets into a program. */
static void damaged_configurations_are_refused(void **state)
{
    (void)state;
    static const char *const configurations[] = {
        "{\"V\\n#error\": \"a\"}",
        "{\"V\": \"a\\n#error\"}",
        "{\"V\": \"system(\\\"x\\\")\"}",
        "{\"1V\": 1}",
        "{\"\": 1}",
        "{\"V(x)\": 1}",
        "{\"V\": [1]}",
        "{\"V\": null}",
        "{\"V\": \"\"}",
        "[1]",
        "{\"V\": \"7up\"}",
    };
    for (size_t i = 0; i < sizeof configurations / sizeof *configurations; i++) {
        char text[1000];
        struct error error = {0};
        header_of(json_pack("[o]", row("GPU", configurations[i])), text, sizeof text, &error);
        assert_string_equal(text, "");
        assert_int_equal(error.code, ERROR_INPUT);
    }
}

static void one_row_alone(void **state)
{
    (void)state;
    char text[100];
    struct error error = {0};
    header_of(json_pack("[o, o]", row("a", "{}"), row("b", "{}")), text, sizeof text, &error);
    assert_string_equal(error.text, "--header: 2 rows match, but a header holds only one");
    assert_string_equal(error.hint, "choose with --device and --size; 'tune best gemm' shows the rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_define_for_each_parameter),
        cmocka_unit_test(the_value_of_the_objective),
        cmocka_unit_test(texts_end_no_comment),
        cmocka_unit_test(damaged_configurations_are_refused),
        cmocka_unit_test(one_row_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
