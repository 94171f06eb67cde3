/* SPDX-License-Identifier: Apache-2.0 */
/* A whole file: notes, the default configuration, the reference and the placeholder. */
#include "tests/unit/formats/t1_fixture.h"

#include "tuner/formats/t1_import.h"

#include <stdio.h>

static const char head[] = "{\"ConfigurationSpace\": {\"TuningParameters\": ["
                           "{\"Name\": \"block_size_x\", \"Type\": \"int\", \"Values\": \"[32, 64]\"},"
                           "{\"Name\": \"tile\", \"Type\": \"int\", \"Values\": \"(1, 2)\", \"Default\": 2}]},"
                           "\"KernelSpecification\": {\"KernelName\": \"k\", \"KernelFile\": \"k.cu\", ";

static void test_default_and_notes(void **state)
{
    (void)state;
    struct t1_import import;
    struct error error;
    char text[4096];
    int length = snprintf(text, sizeof text, "%s\"Language\": \"OpenCL\", \"ProblemSize\": 64}}", head);
    assert_success(t1_import("T1.json", text, (size_t)length, &(struct t1_import_setting){0}, &import, &error),
                   &error);
    assert_string_equal(import.space, "space k of k \"as imported\"\n\nparam block_size_x = [32, 64]\n"
                                      "param tile = (1, 2)\n\ndefault tile = 2\n");
    assert_string_equal(import.notes, "the kernel is written in OpenCL, which tune cannot compile: only the space is "
                                      "usable\n");
    assert_true(import.foreign);
    assert_null(import.reference); /* there is nothing to compare */
    assert_string_equal(import.source_file, "k.cu");
    t1_import_clear(&import);
}

static void test_is_t1(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is;
    } cases[] = {
        {"{\"ConfigurationSpace\": {}}", true},
        {"{\"a\": 1, \"ConfigurationSpace\"\n : {}}", true},
        {"{\"ConfigurationSpace\": {}, \"results\": []}", false},      /* T4 */
        {"{\"ConfigurationSpace\": {}, \"Name\": \"results\"}", true}, /* a string, not a member */
        {"[\"ConfigurationSpace\"]", false},
        {"{\"ConfigurationSpaces\": {}}", false},
        {"\"ConfigurationSpace\"", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(t1_is(cases[i].text, strlen(cases[i].text)), cases[i].is);
    assert_false(t1_is("{\"ConfigurationSpace\": {}}", strlen("{\"ConfigurationSpace\""))); /* the colon is cut off */
}

/* The default counts if it is valid; otherwise the first valid configuration does. */
static void test_default_configuration(void **state)
{
    (void)state;
    static const struct {
        const char *condition, *defines;
    } cases[] = {
        {"True", "#define block_size_x 32\n#define tile 2\n"},
        {"tile == 1", "#define block_size_x 32\n#define tile 1\n"},
        {"block_size_x > 32", "#define block_size_x 64\n#define tile 2\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct t1_import import;
        struct error error;
        char text[4096];
        int length = snprintf(text, sizeof text,
                              "%s\"GlobalSize\": {\"X\": 4}, \"Arguments\": [{\"Name\": \"y\", \"Type\": \"float\", "
                              "\"MemoryType\": \"Vector\", \"Size\": 8}]}}",
                              head);
        char *space = strstr(text, "]},\"KernelSpecification\"");
        char rest[2048];
        strcpy(rest, space + 1);
        length += snprintf(space + 1, sizeof text - (size_t)(space - text) - 1, ", \"Conditions\": [\"%s\"]%s",
                           cases[i].condition, rest) -
                  (int)strlen(rest);
        assert_success(t1_import("T1.json", text, (size_t)length, &(struct t1_import_setting){0}, &import, &error),
                       &error);
        assert_non_null(import.reference);
        assert_mentions(import.reference, cases[i].defines);
        assert_mentions(import.reference, "#include \"k.cu\"");
        assert_mentions(import.reference, "__global__ void tune_around_float(const float *values, double *expected");
        assert_string_equal(import.source, "#error \"put the kernel here: k.cu has k\"\n");
        t1_import_clear(&import);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    struct t1_import import;
    struct error error;
    static const char broken[] = "{\n  \"ConfigurationSpace\": {,}\n}\n";
    assert_false(t1_import("T1.json", broken, strlen(broken), &(struct t1_import_setting){0}, &import, &error));
    assert_mentions(error.text, "invalid JSON");
    assert_string_equal(error.file, "T1.json");
    assert_int_equal(error.line, 2);
    t1_import_clear(&import);
    static const char twice[] = "{\"ConfigurationSpace\": {}, \"ConfigurationSpace\": {}}";
    assert_false(t1_import("T1.json", twice, strlen(twice), &(struct t1_import_setting){0}, &import, &error));
    assert_mentions(error.text, "duplicate");
    t1_import_clear(&import);
    static const char bare[] = "{\"ConfigurationSpace\": []}";
    assert_false(t1_import("T1.json", bare, strlen(bare), &(struct t1_import_setting){0}, &import, &error));
    assert_string_equal(error.text, "T1.json: \"ConfigurationSpace\" is missing or not an object");
    t1_import_clear(&import);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is_t1),
        cmocka_unit_test(test_default_and_notes),
        cmocka_unit_test(test_default_configuration),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
