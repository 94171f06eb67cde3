/* SPDX-License-Identifier: Apache-2.0 */
/* Sources that redefine parameters, compiled by the host's compiler and, where there is one, by NVRTC. */
#include "cpu_fixture.h"

#include "tuner/device/cuda/compiler.h"
#include "tuner/device/cuda/driver.h"
#include "tuner/device/parameter_check.h"

#include <fcntl.h>
#include <stdio.h>

#define KERNEL "__global__ void k(float *x) { *x = 1; }\n"

static const char defines[] = "#define UNROLL 8\n#define SCALE 0.5\n#define SHIFT (-3)\n#define LARGE 4294967296LL\n"
                              "#define LEAST (-9223372036854775807LL - 1)\n#define VARIANT joint\n"
                              "#define VARIANT_joint 1\n#define n 7\n#define a 2\n#define tune 3\n";

/* The log of a compilation that must fail, or that must succeed without a message if `fails` is false. */
static char *log_of(const struct device_driver *driver, const struct device_description *description,
                    struct compile_request *request, bool fails)
{
    struct compile_result result;
    struct error error = {0};
    assert_success(driver->compile(description, request, &result, &error), &error);
    if (result.compiled == fails)
        fail_msg("%s: %s\n%s", driver->kind, request->text, result.log);
    if (!fails)
        assert_string_equal(result.log, "");
    free(result.image);
    return result.log;
}

static void expect_log(const char *log, const char *const *wanted)
{
    for (; *wanted; wanted++) {
        if (!strstr(log, *wanted))
            fail_msg("'%s' is not in:\n%s", *wanted, log);
    }
}

/* `place` is the line of the file that the message names; NULL: the source must compile. */
static void compile_text(struct cpu_fixture *fixture, const char *text, const char *place, const char *message)
{
    static const struct device_description sm90 = {.kind = "cuda", .architecture = "sm_90"};
    const char *kernel = "k";
    char on_cpu[128], on_cuda[128], name[128];
    struct compile_request request = request_for(fixture, text, &kernel);
    request.defines = defines;
    snprintf(on_cpu, sizeof on_cpu, "%s:", place ? place : "");
    const char *colon = place ? strrchr(place, ':') : NULL;
    snprintf(on_cuda, sizeof on_cuda, "%.*s(%s): error", colon ? (int)(colon - place) : 0, place ? place : "",
             colon ? colon + 1 : "");
    char *log = log_of(cpu, &fixture->description, &request, place != NULL);
    if (place)
        expect_log(log, (const char *const[]){on_cpu, message, NULL});
    free(log);
    cuda_compiler_name(name, sizeof name);
    if (!name[0])
        return;
    log = log_of(&cuda_driver, &sm90, &request, place != NULL);
    if (place)
        expect_log(log, (const char *const[]){on_cuda, message, NULL});
    free(log);
}

static void untouched_parameters_compile(void **state)
{
    static const char *const texts[] = {
        KERNEL,
        "#undef UNROLL\n#undef VARIANT\n#undef SCALE\n" KERNEL,
        "#ifndef UNROLL\n#define UNROLL 4\n#endif\n" KERNEL,
        "#ifndef OTHER\n#define OTHER 4\n#endif\n" KERNEL,
        "#if 0\n#define UNROLL 4\n#endif\n" KERNEL,
        "#define UNROLL 8\n" KERNEL,
        "#undef UNROLL\n#define UNROLL (4 + 4)\n#undef SCALE\n#define SCALE (1.0 / 2)\n" KERNEL,
        "#undef LEAST\n#define LEAST (-LARGE * 2147483648)\n" KERNEL,
        "constexpr int rolls = UNROLL;\n#undef UNROLL\n#define UNROLL rolls\n" KERNEL,
        "#define joint 2\n#if VARIANT == joint\n" KERNEL "#endif\n",
        "__global__ void k(float *x) { *x = VARIANT_joint + n + a + tune; }",
        "#if 0\n#undef UNROLL\n#define UNROLL 4\n" KERNEL "#undef UNROLL\n#endif\n" KERNEL,
        "#define UNROLL 8\n" KERNEL "#undef UNROLL\n",
        "#if !defined(UNROLL)\n// a default\n#define UNROLL 4\n#endif\n" KERNEL "#undef UNROLL\n",
        "__global__ void k(float *x) { const char *s = R\"(\n#define UNROLL 1\n)\"; *x = s[0]; }\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        compile_text(*state, texts[i], NULL, NULL);
}

static void overrides_are_errors_at_their_line(void **state)
{
    static const struct {
        const char *text, *place, *message;
    } cases[] = {
        {"\n#undef UNROLL\n#define UNROLL 4\n" KERNEL, "kernels/test.cu:3",
         "parameter UNROLL is 8 in this configuration, but this #define makes it '4'"},
        {KERNEL "#undef UNROLL\n#define UNROLL\n", "kernels/test.cu:3", "but this #define makes it ''"},
        {"#undef SCALE\n#define SCALE 0.25f\n" KERNEL, "kernels/test.cu:2",
         "parameter SCALE is 0.5 in this configuration, but this #define makes it '0.25f'"},
        {"#undef SHIFT\n#define SHIFT 3\n" KERNEL, "kernels/test.cu:2", "parameter SHIFT is (-3)"},
        {"#undef LEAST\n#define LEAST 0\n" KERNEL, "kernels/test.cu:2", "parameter LEAST is (-922337203685"},
        {"#undef VARIANT\n#define VARIANT smem\n" KERNEL, "kernels/test.cu:2",
         "parameter VARIANT is joint in this configuration, but this #define makes it 'smem'"},
        {"#undef VARIANT\n#define VARIANT \\\n join\n" KERNEL, "kernels/test.cu:2", "makes it 'join'"},
        {"#undef VARIANT_joint\n#define VARIANT_joint 0\n" KERNEL, "kernels/test.cu:2",
         "parameter VARIANT_joint is 1"},
        {"#undef UNROLL\n#define UNROLL blockDim.x\n" KERNEL, "kernels/test.cu:2", ""},
        {"#ifndef UNROLL\n#define UNROLL 2\n#endif\n#undef UNROLL\n/*\n*/ # define /* */ UNROLL 4\n" KERNEL,
         "kernels/test.cu:6", "but this #define makes it '4'"},
        /* Used with another value, and gone or right again at the end. */
        {"#undef UNROLL\n#define UNROLL 4\n" KERNEL "#undef UNROLL\n", "kernels/test.cu:2", "makes it '4'"},
        {"#undef UNROLL\n#define UNROLL 4\n" KERNEL "#undef UNROLL\n#define UNROLL 8\n", "kernels/test.cu:2",
         "makes it '4'"},
        {"#pragma push_macro(\"UNROLL\")\n#undef UNROLL\n#define UNROLL 4\n" KERNEL "#pragma pop_macro(\"UNROLL\")\n",
         "kernels/test.cu:3", "makes it '4'"},
        {"_Pragma(\"push_macro(\\\"UNROLL\\\")\")\n#undef UNROLL\n%:define UNROLL 4\n" KERNEL
         "_Pragma(\"pop_macro(\\\"UNROLL\\\")\")\n",
         "kernels/test.cu:3", "makes it '4'"},
        {"__global__ void k(float *x) {\n#undef VARIANT\n#define VARIANT smem\n*x = 1;\n#undef VARIANT\n}\n",
         "kernels/test.cu:3", "makes it 'smem'"},
        {"#undef UNROLL\n#ifndef UNROLL\n#define UNROLL 4\n#endif\n" KERNEL "#undef UNROLL\n", "kernels/test.cu:3",
         "makes it '4'"},
        {"const char *s = R\"(\n#define SCALE 1\n)\";\n#undef UNROLL\n#define UNROLL 4\n" KERNEL "#undef UNROLL\n",
         "kernels/test.cu:5", "which is removed again, can make it something else"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        compile_text(*state, cases[i].text, cases[i].place, cases[i].message);
}

/* In a file that the source includes: its own line; by a name that only the compiler sees: the source. */
static void overrides_in_included_files(void **state)
{
    char path[] = "/tmp/tune-override-XXXXXXR", text[256], place[64]; /* before the quote no raw string begins */
    int file = mkstemps(path, 1);
    assert_true(file >= 0);
    static const char header[] = "\n#undef UNROLL\n#define UNROLL 4\n";
    assert_int_equal(write(file, header, sizeof header - 1), sizeof header - 1);
    close(file);
    snprintf(place, sizeof place, "%s:3", path);
    snprintf(text, sizeof text, "#include \"%s\"\n" KERNEL, path + strlen("/tmp/"));
    compile_text(*state, text, place, "this #define makes it '4'");
    snprintf(text, sizeof text, "#include \"%s\"\n" KERNEL "#undef UNROLL\n#define UNROLL 8\n",
             path + strlen("/tmp/"));
    compile_text(*state, text, place, "this #define makes it '4'");
    snprintf(text, sizeof text,
             "const char *raw = R\"()\";\n#include \"%s\"\n" KERNEL "#undef UNROLL\n#define UNROLL 8\n",
             path + strlen("/tmp/"));
    compile_text(*state, text, place, "which is removed again, can make it something else");
    static const char undone[] = "\n#undef UNROLL\n#define UNROLL 4\n#undef UNROLL\n#define UNROLL 8\n";
    file = open(path, O_WRONLY | O_TRUNC);
    assert_int_equal(write(file, undone, sizeof undone - 1), sizeof undone - 1);
    close(file);
    snprintf(text, sizeof text, "#include \"%s\"\n" KERNEL, path + strlen("/tmp/"));
    compile_text(*state, text, place, "which is removed again, can make it something else");
    file = open(path, O_WRONLY | O_TRUNC);
    assert_int_equal(write(file, header, sizeof header - 1), sizeof header - 1);
    close(file);
    snprintf(text, sizeof text, "#define HEADER \"%s\"\n#include HEADER\n" KERNEL, path);
    compile_text(*state, text, "kernels/test.cu:4", "an included file makes it '4'");
    unlink(path);
}

/* What the compiler finds wrong at the end of the text keeps its line. */
static void the_end_keeps_its_line(void **state)
{
    struct cpu_fixture *fixture = *state;
    const char *kernel = "k";
    struct compile_request request = request_for(fixture, "#define UNROLL 8\n" KERNEL "#if 1\n", &kernel);
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    request.defines = defines;
    assert_true(parameter_check_write(&request, request.text, request.length, stream));
    assert_int_equal(fclose(stream), 0);
    static const char last[] = "#line 4 \"kernels/test.cu\"\n";
    assert_true(size > sizeof last);
    assert_string_equal(text + size - (sizeof last - 1), last);
    free(text);
}

/* Nothing to check: no parameters, as for a reference, or none that the source defines. */
static void nothing_without_a_define(void **state)
{
    static const char *const none[] = {NULL, "", "\n\n", "#define F(x) x\n", "#define EMPTY\n", "#define A 1\n"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const char *kernel = "k";
        struct compile_request request = request_for(*state, KERNEL, &kernel);
        char *text = NULL;
        size_t size;
        FILE *stream = open_memstream(&text, &size);
        assert_non_null(stream);
        request.defines = none[i];
        assert_true(parameter_check_write(&request, request.text, request.length, stream));
        assert_int_equal(fclose(stream), 0);
        assert_string_equal(text, "#line 1 \"kernels/test.cu\"\n" KERNEL "\n");
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untouched_parameters_compile), cmocka_unit_test(overrides_are_errors_at_their_line),
        cmocka_unit_test(overrides_in_included_files),  cmocka_unit_test(the_end_keeps_its_line),
        cmocka_unit_test(nothing_without_a_define),
    };
    return cmocka_run_group_tests(tests, cpu_fixture_open, cpu_fixture_close);
}
