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

/* At the awkward size the macros have other values, if they are of sizes that have one. */
static void test_defined_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *define, *tuned, *awkward, *reference, *reference_awkward;
    } cases[] = {
        {"n", "#define n 64\n#define A 9\n", "#define n 7\n#define A 9\n", "#define n 64\n", "#define n 7\n"},
        {"m", "#define m 5000000000LL\n#define A 9\n", NULL, "#define m 5000000000LL\n", NULL},
        {"m, n", "#define n 64\n#define m 5000000000LL\n#define A 9\n",
         "#define n 7\n#define m 5000000000LL\n#define A 9\n", "#define n 64\n#define m 5000000000LL\n",
         "#define n 7\n#define m 5000000000LL\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        struct fixture fixture;
        snprintf(text, sizeof text,
                 "template t\nsize n = 64\nawkward n = 7\nsize m = 5000000000\ndefine %s\nparameter A\n"
                 "source \"k.cu\"\nbuffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\n"
                 "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n",
                 cases[i].define);
        struct job *job = lower_text(&fixture, text, "space s of t\nset A = 9\n");
        const struct {
            const struct job_program *program;
            const char *tuned, *awkward;
        } programs[] = {{&job->program, cases[i].tuned, cases[i].awkward},
                        {&job->reference, cases[i].reference, cases[i].reference_awkward}};
        for (size_t k = 0; k < 2; k++) {
            struct job_program now = job_program_for(programs[k].program, JOB_TUNED);
            assert_string_equal(now.defines, programs[k].tuned);
            assert_int_equal(programs[k].program->awkward_defines != NULL, programs[k].awkward != NULL);
            now = job_program_for(programs[k].program, JOB_AWKWARD);
            assert_string_equal(now.defines, programs[k].awkward ? programs[k].awkward : programs[k].tuned);
        }
        job_free(job);
        fixture_free(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_literals), cmocka_unit_test(test_source_and_options), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_names),    cmocka_unit_test(test_defined_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
