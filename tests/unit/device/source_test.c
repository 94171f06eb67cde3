/* SPDX-License-Identifier: Apache-2.0 */
/* The translation unit made from a request. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/source.h"

#include <stdlib.h>
#include <string.h>

static const char text[] = "__global__ void k(float *x) { *x = table[0]; }";
static const char *const kernels[] = {"k", "other"}, *const symbols[] = {"table"};

static struct compile_request usual(void)
{
    return (struct compile_request){
        .path = "a \"b\"\\c.cu",
        .text = text,
        .length = sizeof text - 1,
        .defines = "#define N 3\n",
        .kernels = kernels,
        .kernel_count = 2,
        .symbols = symbols,
        .symbol_count = 1,
    };
}

static char *unit_of(const struct compile_request *request, bool words_ahead)
{
    char *unit = NULL;
    size_t size;
    struct error error = {0};
    FILE *stream = open_memstream(&unit, &size);
    assert_non_null(stream);
    if (!source_write(request, words_ahead, stream, &error))
        fail_msg("%s", error.text);
    assert_int_equal(fclose(stream), 0);
    return unit;
}

static void without_the_words_it_is_short(void **state)
{
    (void)state;
    struct compile_request request = usual();
    char *unit = unit_of(&request, true);
    assert_string_equal(
        unit,
        "#line 1 \"defines\"\n"
        "#define N 3\n"
        "\n"
        "#line 1 \"a \\\"b\\\"\\\\c.cu\"\n"
        "__global__ void k(float *x) { *x = table[0]; }\n"
        "#line 1 \"kernels and symbols that the template asks for\"\n"
        "extern \"C\" __attribute__((visibility(\"default\"))) const struct tune_kernel tune_module_kernels[] = {\n"
        "TUNE_KERNEL(\"k\", k)\n"
        "TUNE_KERNEL(\"other\", other)\n"
        "{}};\n"
        "extern \"C\" __attribute__((visibility(\"default\"))) const struct tune_symbol tune_module_symbols[] = {\n"
        "TUNE_SYMBOL(\"table\", table)\n"
        "{}};\n"
        "extern \"C\" __attribute__((visibility(\"default\"))) const struct tune_cluster_of tune_module_clusters[] = "
        "{\n"
        "{}};\n"
        "extern \"C\" __attribute__((visibility(\"default\"))) const char *const tune_module_launched[] = {\n"
        "0};\n"
        "extern \"C\" __attribute__((visibility(\"default\"))) const size_t tune_module_alignment = 0;\n");
    free(unit);
}

static void parameters_are_checked_between_text_and_tables(void **state)
{
    (void)state;
    struct compile_request request = usual();
    static const char with_define[] = "__global__ void k(float *x) { *x = N; }\n#define N 4\n";
    request.defines = "#define N 3\n";
    request.text = with_define;
    request.length = sizeof with_define - 1;
    char *unit = unit_of(&request, true);
    const char *body = strstr(unit, with_define), *check = strstr(unit, "\n#ifdef N\n"),
               *table = strstr(unit, "extern \"C\"");
    assert_non_null(body);
    assert_true(body < check && check < table);
    free(unit);
}

static void with_the_words_they_come_first(void **state)
{
    (void)state;
    struct compile_request request = usual();
    char *unit = unit_of(&request, false), *words = NULL;
    size_t size;
    FILE *stream = open_memstream(&words, &size);
    assert_non_null(stream);
    source_write_words(stream);
    assert_int_equal(fclose(stream), 0);
    assert_true(size > 10000);
    assert_memory_equal(unit, words, size);
    assert_int_equal(strncmp(unit + size, "#line 1 \"defines\"\n", 18), 0);
    free(words);
    free(unit);
}

/* Names are written into the unit unchanged. */
static void invalid_names_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "3k", "k x", "k)", "k\n", "a-b", "k(int)"};
    static const char *const right[] = {"k", "_k", "a::b", "k3", "$k"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        for (int symbol = 0; symbol < 2; symbol++) {
            struct compile_request request = usual();
            struct error error = {0};
            request.kernels = symbol ? kernels : &wrong[i];
            request.symbols = symbol ? &wrong[i] : symbols;
            request.kernel_count = 1;
            assert_false(source_write(&request, true, stderr, &error));
            assert_int_equal(error.code, ERROR_INPUT);
            assert_non_null(strstr(error.text, symbol ? "name of a symbol" : "name of a kernel"));
        }
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        struct compile_request request = usual();
        request.kernels = &right[i];
        request.kernel_count = 1;
        free(unit_of(&request, true));
    }
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    struct compile_request request = usual();
    struct error error = {0};
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    assert_false(source_write(&request, false, full, &error));
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_non_null(strstr(error.text, "No space left"));
    fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_the_words_it_is_short),
        cmocka_unit_test(parameters_are_checked_between_text_and_tables),
        cmocka_unit_test(with_the_words_they_come_first),
        cmocka_unit_test(invalid_names_are_refused),
        cmocka_unit_test(a_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
