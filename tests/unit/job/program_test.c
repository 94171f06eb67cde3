/* SPDX-License-Identifier: Apache-2.0 */
/* The source that is chosen, parameters as C literals, options, and lists of names. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/program.h"

#include <stdio.h>
#include <stdlib.h>

/* As a C compiler reads them: an int where it fits, long long where it does not. */
static void test_literals(void **state)
{
    (void)state;
    const struct {
        const char *value, *define;
    } cases[] = {
        {"5", "#define A 5\n"},
        {"-5", "#define A (-5)\n"},
        {"2 ** 31 - 1", "#define A 2147483647\n"},
        {"2 ** 31", "#define A 2147483648LL\n"},
        {"1 - 2 ** 31", "#define A (-2147483647)\n"},
        {"-(2 ** 31)", "#define A (-2147483648LL)\n"},
        {"-(2 ** 40)", "#define A (-1099511627776LL)\n"},
        {"-(2 ** 63 - 1) - 1 if false else -9223372036854775807 - 1", "#define A (-9223372036854775807LL - 1)\n"},
        {"0.1", "#define A 0.1\n"},
        {"-1e-20", "#define A (-1e-20)\n"},
        {"3.0", "#define A 3.0\n"},
        {"false", "#define A 0\n"},
        {"\"fast\"", "#define A fast\n#define A_fast 1\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char space[128];
        struct fixture fixture;
        snprintf(space, sizeof space, "space s of t\nset A = %s\n", cases[i].value);
        struct job *job = lower_text(&fixture, SMALL("", "k<<<1, 1>>>(y)"), space);
        assert_string_equal(job->program.defines, cases[i].define);
        job_free(job);
        fixture_free(&fixture);
    }
}

#define SOURCES(sources)                                                                                             \
    "template t\nsize n = 64\nparameter A\n" sources "buffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\n"          \
    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

static void test_source_and_options(void **state)
{
    (void)state;
    static const char sources[] = SOURCES("source \"one.cu\" if A == 1\nsource \"two.cu\" if A <= 2\n"
                                          "source \"rest.cu\"\noption \"-a\" if A >= 2\noption \"-b\"\n"
                                          "option \"-a\"\n");
    static const struct {
        const char *path, *options[2];
        size_t count;
    } expected[] = {{"folder/one.cu", {"-b", "-a"}, 2},
                    {"folder/two.cu", {"-a", "-b"}, 2}, /* an option given twice counts once */
                    {"folder/rest.cu", {"-a", "-b"}, 2}};
    for (size_t i = 0; i < 3; i++) {
        struct fixture fixture;
        fixture_create(&fixture, sources, "space s of t\nparam A = [1, 2, 3]\n");
        struct job *job = lower(&fixture, i);
        assert_string_equal(job->program.path, expected[i].path);
        assert_string_equal(job->program.folder, "folder");
        assert_int_equal(job->program.option_count, expected[i].count);
        for (size_t k = 0; k < expected[i].count; k++)
            assert_string_equal(job->program.options[k], expected[i].options[k]);
        assert_string_equal(job->reference.path, "folder/r.cu");
        assert_string_equal(job->reference.defines, "");
        assert_int_equal(job->reference.option_count, 0);
        job_free(job);
        fixture_free(&fixture);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    const struct {
        const char *space, *text, *hint;
    } cases[] = {
        {"space s of t\nset A = \"a b\"\n", "parameter A: \"a b\" cannot be passed", "#if A_"},
        {"space s of t\nset A = \"\"\n", "parameter A: \"\" cannot be passed", "#if A_"},
        {"space s of t\nset A = \"1a\"\n", "parameter A: \"1a\" cannot be passed", "#if A_"},
        {"space s of t\nset A = \"c\"\n", "no source file", "unconditional"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture fixture;
        struct job *job;
        fixture_create(&fixture, SOURCES("source \"k.cu\" if A != \"c\"\n"), cases[i].space);
        assert_false(job_lower(fixture.problem, 0, 1, &job, &fixture.error));
        assert_null(job);
        assert_int_equal(fixture.error.code, ERROR_INPUT);
        assert_mentions(fixture.error.text, cases[i].text);
        assert_mentions(fixture.error.hint, cases[i].hint);
        fixture_free(&fixture);
    }
}

static void test_names(void **state)
{
    (void)state;
    char **names = NULL;
    size_t count = 0, index;
    static const struct {
        const char *name;
        size_t index;
    } steps[] = {{"b", 0}, {"a", 1}, {"b", 0}, {"", 2}, {"a", 1}, {"ab", 3}, {"", 2}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_true(program_name(&names, &count, steps[i].name, &index));
        assert_int_equal(index, steps[i].index);
    }
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_literals),
        cmocka_unit_test(test_source_and_options),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
