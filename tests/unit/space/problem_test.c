/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include "tuner/space/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define REST                                                                                                         \
    "source \"k.cu\"\n"                                                                                              \
    "buffer y : float[n] out\n"                                                                                      \
    "launch { k<<<1, 1>>>(y) }\n"                                                                                    \
    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\n"                                                                   \
    "check y exact\n"

#define TEMPLATE                                                                                                     \
    "template t\n"                                                                                                   \
    "size n = 100 if device.kind == \"cpu\" else 4096\n"                                                             \
    "size m = 2 * n\n"                                                                                               \
    "awkward n = 7\n"                                                                                                \
    "parameter KIND\nparameter A\nparameter B\nparameter C\n" REST

static void assert_text(const struct problem *problem, size_t index, const char *expected)
{
    char *text = problem_configuration_text(problem, index);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

/* Python: [(a, b) for a in range(1, 13) for b in (1, 2, 4, 8, 16) if 8 <= a * b <= 64 and 48 % a == 0], by C loops.
 */
static void test_enumeration(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, TEMPLATE,
                   "space s of t\n"
                   "param A = range(1, 13)\n"
                   "param B = pow2(1, 16)\n"
                   "let product = A * B\n"
                   "let unused = 1 // (A - A)\n"
                   "where 8 <= product <= 64\n"
                   "where 48 % A == 0\n");
    size_t count = 0;
    for (int a = 1; a < 13; a++) {
        for (int b = 1; b <= 16; b *= 2) {
            char expected[64];
            size_t index;
            snprintf(expected, sizeof expected, "{\"A\":%d,\"B\":%d}", a, b);
            bool valid = a * b >= 8 && a * b <= 64 && 48 % a == 0;
            assert_int_equal(problem_configuration_find(fixture.problem, expected, &index), valid);
            if (!valid)
                continue;
            assert_int_equal(index, count);
            assert_text(fixture.problem, count++, expected);
        }
    }
    assert_int_equal(problem_configuration_count(fixture.problem), count);
    assert_true(problem_cartesian_count(fixture.problem) == 12 * 5);
    fixture_free(&fixture);
}

/* Values of 2 bytes, and a third that depends on both. */
static void test_many_values(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, TEMPLATE,
                   "space s of t\nparam B = range(0, 1000)\nparam C = [0, 1]\nparam A = range(0, 300)\n"
                   "where A * 3 == B + C\n");
    size_t count = 0;
    bool seen[599] = {false};
    for (int b = 0; b < 1000; b++) {
        for (int c = 0; c < 2; c++) {
            for (int a = 0; a < 300; a++) {
                char expected[64];
                if (a * 3 != b + c)
                    continue;
                snprintf(expected, sizeof expected, "{\"A\":%d,\"B\":%d,\"C\":%d}", a, b, c);
                size_t index;
                assert_true(problem_configuration_find(fixture.problem, expected, &index));
                assert_true(index < 599 && !seen[index]);
                seen[index] = true;
                assert_text(fixture.problem, index, expected);
                count++;
            }
        }
    }
    assert_int_equal(count, 599);
    assert_int_equal(problem_configuration_count(fixture.problem), count);
    fixture_free(&fixture);
}

/* Equal numbers are one value, whatever their kind, at the place of the first. */
static void test_repeated_values(void **state)
{
    (void)state;
    static const char *const expected[] = {"{\"A\":5}", "{\"A\":3}", "{\"A\":\"x\"}", "{\"A\":1}", "{\"A\":0.5}"};
    struct fixture fixture;
    fixture_create(&fixture, TEMPLATE,
                   "space s of t\nparam A = [5, 3, 5.0, \"x\", 1, 3, true, 0.5, \"x\", 1.0, 5]\n");
    assert_int_equal(problem_configuration_count(fixture.problem), 5);
    for (size_t i = 0; i < 5; i++)
        assert_text(fixture.problem, i, expected[i]);
    fixture_free(&fixture);
    fixture_create(&fixture, TEMPLATE,
                   "space s of t\nparam A = range(60000, 0, -1)\nparam B = [1, 2, 3]\nwhere A % B == 0\n");
    assert_int_equal(problem_configuration_count(fixture.problem), 60000 + 30000 + 20000);
    fixture_free(&fixture);
}

static void test_values_of_all_kinds(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, TEMPLATE,
                   "space s of t\nset KIND = \"a\\\"b\"\nparam A = [0.1, 1e-7, 2.0]\nparam B = [true]\n"
                   "param C = [-3, 3, -3]\n");
    assert_int_equal(problem_configuration_count(fixture.problem), 6); /* -3 counts once */
    assert_text(fixture.problem, 0, "{\"KIND\":\"a\\\"b\",\"A\":0.1,\"B\":true,\"C\":-3}");
    assert_text(fixture.problem, 3, "{\"KIND\":\"a\\\"b\",\"A\":1e-07,\"B\":true,\"C\":3}");
    for (size_t i = 0; i < 6; i++) {
        char *text = problem_configuration_text(fixture.problem, i);
        struct problem *single;
        size_t index;
        assert_true(problem_configuration_find(fixture.problem, text, &index));
        assert_int_equal(index, i);
        assert_success(problem_from_configuration(
                           &(struct problem_request){.template = fixture.template, .device = &fixture.device}, text,
                           &single, &fixture.error),
                       &fixture.error);
        assert_int_equal(problem_configuration_count(single), 1);
        assert_text(single, 0, text);
        problem_free(single);
        free(text);
    }
    size_t index;
    assert_false(
        problem_configuration_find(fixture.problem, "{\"KIND\":\"a\\\"b\",\"A\":0.2,\"B\":true,\"C\":3}", &index));
    assert_false(problem_configuration_find(fixture.problem, "{\"A\":0.1,\"B\":true,\"C\":3}", &index));
    assert_false(problem_configuration_find(fixture.problem, "[1]", &index));
    assert_false(problem_configuration_find(fixture.problem, "{", &index));
    fixture_free(&fixture);
}

static void test_sizes(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, TEMPLATE, "space s of t\nparam A = [n, m]\n");
    assert_string_equal(problem_size_text(fixture.problem), "n=4096,m=8192");
    assert_int_equal(problem_size(fixture.problem, 1), 8192);
    struct value slots[64];
    size_t n, m, a;
    assert_true(scope_find(fixture.space->scope, "n", &n));
    assert_true(scope_find(fixture.space->scope, "m", &m));
    assert_true(scope_find(fixture.space->scope, "A", &a));
    assert_true(scope_count(fixture.space->scope) <= 64);
    assert_true(problem_slots(fixture.problem, 1, true, slots, &fixture.error));
    assert_int_equal(slots[n].integer, 7);
    assert_int_equal(slots[m].integer, 8192); /* no awkward m */
    assert_int_equal(slots[a].integer, 8192);
    assert_false(problem_slots(fixture.problem, 2, true, slots, &fixture.error));
    problem_free(fixture.problem);
    const struct size_setting settings[] = {{"n", 5}};
    assert_true(
        problem_create(fixture.template, NULL, &fixture.device, settings, 1, &fixture.problem, &fixture.error));
    assert_string_equal(problem_size_text(fixture.problem), "n=5,m=10");
    assert_int_equal(problem_configuration_count(fixture.problem), 0);
    problem_free(fixture.problem);
    snprintf(fixture.device.kind, sizeof fixture.device.kind, "cpu");
    assert_true(problem_create(fixture.template, NULL, &fixture.device, NULL, 0, &fixture.problem, &fixture.error));
    assert_string_equal(problem_size_text(fixture.problem), "n=100,m=200");
    fixture_free(&fixture);
}

struct bad_size {
    struct size_setting settings[2];
    size_t count;
    const char *text, *hint;
};

static void test_bad_sizes(void **state)
{
    (void)state;
    const struct bad_size cases[] = {
        {{{"n", 0}}, 1, "size n is 0", "positive integers"},
        {{{"n", -4}}, 1, "size n is -4", "positive integers"},
        {{{"k", 4}}, 1, "no size k", "did you mean"},
        {{{"width", 4}}, 1, "no size width", "its sizes are n, m"},
        {{{"n", 4}, {"n", 5}}, 2, "size n is given twice", ""},
        {{{"n", INT64_MAX}}, 1, "too large", ""}, /* in the default of m */
        {{{"n", INT64_MAX}, {"m", 1}}, 2, "more than can be addressed", ""},
    };
    struct fixture fixture;
    fixture_parse(&fixture, TEMPLATE, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(problem_create(fixture.template, NULL, &fixture.device, cases[i].settings, cases[i].count,
                                    &fixture.problem, &fixture.error));
        assert_null(fixture.problem);
        assert_int_equal(fixture.error.code, ERROR_INPUT);
        assert_mentions(fixture.error.text, cases[i].text);
        assert_mentions(fixture.error.hint, cases[i].hint);
    }
    fixture_free(&fixture);
}

static void test_extent_overflow(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_parse(&fixture,
                  "template t\nsize n = 4\nparameter A\nlet cells = n * n * n\n"
                  "source \"k.cu\"\nbuffer y : float[cells] out\nbuffer z : float[n // (A - A)] temp\n"
                  "launch { k<<<1, 1>>>(y, z) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n",
                  NULL);
    const struct size_setting settings[] = {{"n", 3000000}};
    assert_false(
        problem_create(fixture.template, NULL, &fixture.device, settings, 1, &fixture.problem, &fixture.error));
    assert_mentions(fixture.error.text, "too large"); /* the let's own error */
    assert_int_equal(fixture.error.line, 4);
    assert_mentions(fixture.error.hint, "n=3000000");
    fixture_free(&fixture);
}

struct bad_space {
    const char *space;
    const char *text;
    unsigned line;
};

static void test_bad_spaces(void **state)
{
    (void)state;
    const struct bad_space cases[] = {
        {"space s of t\nparam A = range(5, 5)\n", "parameter A has no values", 2},
        {"space s of t\nparam A = [1, n // 0]\n", "division by zero", 2},
        {"space s of t\nparam A = range(0, 70000)\n", "70000 values", 2},
        {"space s of t\nparam A = [0, 1]\nparam B = [5, 6]\nwhere B % A == 0\n", "(A = 0, B = 5)", 4},
        {"space s of t\nparam A = [0, 1]\nlet q = 8 // A\nwhere q > 2\n", "division by zero (A = 0)", 3},
        {"space s of t\nparam A = [1]\ndefault A = 1 // 0\n", "division by zero", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture fixture;
        fixture_parse(&fixture, TEMPLATE, cases[i].space);
        assert_false(fixture_try(&fixture));
        assert_int_equal(fixture.error.code, ERROR_INPUT);
        assert_mentions(fixture.error.text, cases[i].text);
        assert_int_equal(fixture.error.line, cases[i].line);
        fixture_free(&fixture);
    }
}

/* A constraint need not be decidable for configurations that another one removes, before or after it. */
static void test_undecided(void **state)
{
    (void)state;
    const char *const spaces[] = {
        "space s of t\nparam A = [0, 2]\nparam B = [4, 5]\nwhere 8 % A == 0\nwhere A > 0 or B > 5\n",
        "space s of t\nparam A = [0, 2]\nparam B = [4, 5]\nlet q = 8 % A\nwhere A != 0\nwhere q == 0\n",
        "space s of t\nparam A = [0, 2]\nparam B = [4, 5]\nlet q = 8 % A\nwhere A != 0 and q == 0\n",
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        struct fixture fixture;
        fixture_create(&fixture, TEMPLATE, spaces[i]);
        assert_int_equal(problem_configuration_count(fixture.problem), 2);
        assert_text(fixture.problem, 1, "{\"A\":2,\"B\":5}");
        fixture_free(&fixture);
    }
}

static void test_defaults(void **state)
{
    (void)state;
    const struct {
        const char *defaults;
        size_t index;
        bool named;
    } cases[] = {
        {"", 0, false},
        {"default A = 2, B = 4\n", 2, true},  /* (1,4) (2,1) (2,4) (3,1) (3,4) */
        {"default A = 3\n", 3, true},         /* the first with it */
        {"default A = 1, B = 1\n", 0, false}, /* removed by the constraint */
        {"default A = 17\n", 0, false},       /* no value of it */
        {"default A = 1 + 1, B = n // 1024\n", 2, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        struct fixture fixture;
        size_t index = 99;
        bool named;
        snprintf(text, sizeof text, "space s of t\nparam A = [1, 2, 3]\nparam B = [1, 4]\nwhere A * B > 1\n%s",
                 cases[i].defaults);
        fixture_create(&fixture, TEMPLATE, text);
        assert_true(problem_default(fixture.problem, &index, &named));
        assert_int_equal(index, cases[i].index);
        assert_int_equal(named, cases[i].named);
        fixture_free(&fixture);
    }
}

static void test_constraint_report(void **state)
{
    (void)state;
    struct fixture fixture;
    /* The second is decided before the first, which all the same is credited with what both remove. */
    fixture_create(&fixture, TEMPLATE,
                   "space s of t\nparam A = range(0, 10)\nparam B = range(0, 10)\nparam C = range(0, 5)\n"
                   "where A + C < 10\nwhere A >= 4\nwhere B != 3\nwhere A * B != 30 or C == 0\n");
    double expected[4] = {0};
    for (int a = 0; a < 10; a++) {
        for (int b = 0; b < 10; b++) {
            for (int c = 0; c < 5; c++) {
                if (!(a + c < 10))
                    expected[0]++;
                else if (!(a >= 4))
                    expected[1]++;
                else if (!(b != 3))
                    expected[2]++;
                else if (!(a * b != 30 || c == 0))
                    expected[3]++;
            }
        }
    }
    double left = 500;
    assert_int_equal(problem_constraint_count(fixture.problem), 4);
    for (size_t i = 0; i < 4; i++) {
        struct constraint_report report;
        problem_constraint_report(fixture.problem, i, &report);
        assert_ptr_equal(report.space, fixture.space);
        assert_ptr_equal(report.constraint, &fixture.space->constraints[i]);
        assert_true(report.removed == expected[i]);
        left -= report.removed;
    }
    assert_true(left == (double)problem_configuration_count(fixture.problem));
    fixture_free(&fixture);
}

static void test_explain_empty(void **state)
{
    (void)state;
    struct fixture fixture;
    size_t index;
    bool named;
    fixture_create(&fixture, TEMPLATE,
                   "space s of t\nparam A = range(0, 10)\nparam B = range(0, 4)\n"
                   "where A > 3\nwhere A != B\nwhere A * B > 1000\n");
    assert_int_equal(problem_configuration_count(fixture.problem), 0);
    assert_false(problem_default(fixture.problem, &index, &named));
    assert_false(explain_empty(fixture.problem, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_INPUT);
    assert_mentions(fixture.error.text, "none of its 40 configurations");
    assert_mentions(fixture.error.text, "where A > 3 removes 16");
    assert_mentions(fixture.error.text, "where A * B > 1000 removes 24");
    assert_null(strstr(fixture.error.text, "A != B"));
    assert_int_equal(fixture.error.line, 6);
    fixture_free(&fixture);
}

static void test_awkward_validity(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, TEMPLATE,
                   "space s of t\nparam A = [1, 4, 16]\nlet q = 1 / (n - 7)\n"
                   "where n >= A\nwhere A == 1 or q > 0\n");
    assert_int_equal(problem_configuration_count(fixture.problem), 3);
    static const bool expected[] = {true, false, false}; /* 4 cannot be decided at n = 7 */
    for (size_t i = 0; i < 3; i++) {
        bool valid = !expected[i];
        assert_true(problem_valid_awkward(fixture.problem, i, &valid, &fixture.error));
        assert_int_equal(valid, expected[i]);
        const char *text = NULL;
        assert_true(problem_awkward_text(fixture.problem, i, &text, &fixture.error));
        assert_string_equal(text, expected[i] ? "n=7,m=8192" : "");
    }
    fixture_free(&fixture);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void remove_file(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

/* As problem_valid_awkward, wherever one asks; lets follow. */
static void test_other_sizes(void **state)
{
    (void)state;
    struct fixture fixture;
    struct value slots[64];
    bool valid;
    fixture_create(&fixture, TEMPLATE, "space s of t\nparam A = [1, 4, 16]\nlet q = n // A\nwhere n >= A\n");
    size_t slot = fixture.space->lets[0].slot;
    assert_in_range(slot, 0, 63);
    assert_true(problem_slots_at(fixture.problem, 2, (int64_t[]){15, 1}, slots, &valid, &fixture.error));
    assert_false(valid);
    assert_true(problem_slots_at(fixture.problem, 2, (int64_t[]){50, 1}, slots, &valid, &fixture.error));
    assert_true(valid);
    assert_int_equal(slots[slot].integer, 3);
    assert_false(problem_slots_at(fixture.problem, 3, (int64_t[]){50, 1}, slots, &valid, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_INPUT);
    fixture_free(&fixture);
}

static void test_union(void **state)
{
    (void)state;
    struct fixture fixture;
    char folder[] = "/tmp/tune-union-XXXXXX", path[512];
    assert_non_null(mkdtemp(folder));
    write_file(folder, "one.space", "space one of t\nset KIND = \"x\"\nparam A = [1, 2, 3]\nwhere A != 2\n");
    write_file(folder, "two.space",
               "space two of t\nset KIND = \"y\"\nparam A = [5, 6]\nparam B = [7, 8]\ndefault A = 6, B = 8\n");
    write_file(folder, "three.space", "space three of t\nparam KIND = [\"z\", \"x\"]\nparam A = [3, 4]\n");
    write_file(folder, "all.space", "space all of t\nunion one, two, three\n");
    snprintf(path, sizeof path, "%s/all.space", folder);
    fixture_parse(&fixture, TEMPLATE, NULL);
    assert_success(space_read(path, fixture.template, &fixture.space, &fixture.error), &fixture.error);
    assert_success(fixture_try(&fixture), &fixture.error);

    /* {"KIND":"x","A":3} is in the first and in the third: it counts once. */
    const char *const expected[] = {
        "{\"KIND\":\"x\",\"A\":1}",         "{\"KIND\":\"x\",\"A\":3}",         "{\"KIND\":\"y\",\"A\":5,\"B\":7}",
        "{\"KIND\":\"y\",\"A\":5,\"B\":8}", "{\"KIND\":\"y\",\"A\":6,\"B\":7}", "{\"KIND\":\"y\",\"A\":6,\"B\":8}",
        "{\"KIND\":\"z\",\"A\":3}",         "{\"KIND\":\"z\",\"A\":4}",         "{\"KIND\":\"x\",\"A\":4}",
    };
    enum { COUNT = sizeof expected / sizeof *expected };
    assert_int_equal(problem_configuration_count(fixture.problem), COUNT);
    assert_true(problem_cartesian_count(fixture.problem) == 3 + 4 + 4);
    for (size_t i = 0; i < COUNT; i++) {
        size_t index;
        assert_text(fixture.problem, i, expected[i]);
        assert_true(problem_configuration_find(fixture.problem, expected[i], &index));
        assert_int_equal(index, i);
        const char *name = problem_configuration_space(fixture.problem, i)->name;
        assert_string_equal(name, i < 2 ? "one" : i < 6 ? "two" : "three");
    }
    size_t index;
    bool named;
    assert_true(problem_default(fixture.problem, &index, &named));
    assert_true(named);
    assert_int_equal(index, 5);
    assert_int_equal(problem_constraint_count(fixture.problem), 1);
    assert_int_equal(problem_parameter_count(fixture.problem), 7);
    struct parameter_values parameter;
    problem_parameter(fixture.problem, 4, &parameter);
    assert_string_equal(parameter.declaration->name, "B");
    assert_int_equal(parameter.count, 2);
    assert_false(parameter.fixed);
    problem_parameter(fixture.problem, 2, &parameter);
    assert_string_equal(parameter.space->name, "two");
    assert_true(parameter.fixed);
    assert_string_equal(parameter.values[0].string, "y");
    fixture_free(&fixture);

    static const char *const names[] = {"one.space", "two.space", "three.space", "all.space"};
    for (size_t i = 0; i < 4; i++)
        remove_file(folder, names[i]);
    rmdir(folder);
}

static void test_bad_configurations(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {"", "not a configuration"},
        {"[1]", "not a configuration"},
        {"{\"A\":1", "not a configuration"},
        {"{\"A\":1,\"A\":2}", "not a configuration"},
        {"{\"D\":1}", "no parameter D"},
        {"{\"A\":[1]}", "not a number, a boolean or a string"},
        {"{\"A\":null}", "not a number, a boolean or a string"},
        {"{\"A b = 1\\nset B\":1}", "no parameter"},
    };
    struct fixture fixture;
    fixture_parse(&fixture, TEMPLATE, NULL);
    const struct problem_request request = {.template = fixture.template, .device = &fixture.device};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(problem_from_configuration(&request, cases[i].text, &fixture.problem, &fixture.error));
        assert_null(fixture.problem);
        assert_int_equal(fixture.error.code, ERROR_INPUT);
        assert_mentions(fixture.error.text, cases[i].message);
    }
    fixture_free(&fixture);
}

/* Names may come in any order in the text; the problem's own text is canonical. */
static void test_from_configuration(void **state)
{
    (void)state;
    struct fixture fixture;
    bool named;
    size_t index;
    fixture_parse(&fixture, TEMPLATE, NULL);
    const struct size_setting settings[] = {{"n", 64}};
    const struct problem_request request = {
        .template = fixture.template, .device = &fixture.device, .sizes = settings, .size_count = 1};
    assert_success(problem_from_configuration(&request, "{\"C\": 0.5, \"KIND\": \"line\\nbreak\", \"A\": -9}",
                                              &fixture.problem, &fixture.error),
                   &fixture.error);
    assert_string_equal(problem_size_text(fixture.problem), "n=64,m=128");
    assert_text(fixture.problem, 0, "{\"KIND\":\"line\\nbreak\",\"A\":-9,\"C\":0.5}");
    assert_true(problem_default(fixture.problem, &index, &named));
    assert_int_equal(index, 0);
    assert_non_null(problem_configuration_space(fixture.problem, 0));
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enumeration),
        cmocka_unit_test(test_many_values),
        cmocka_unit_test(test_repeated_values),
        cmocka_unit_test(test_values_of_all_kinds),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_bad_sizes),
        cmocka_unit_test(test_extent_overflow),
        cmocka_unit_test(test_bad_spaces),
        cmocka_unit_test(test_undecided),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_constraint_report),
        cmocka_unit_test(test_explain_empty),
        cmocka_unit_test(test_awkward_validity),
        cmocka_unit_test(test_other_sizes),
        cmocka_unit_test(test_union),
        cmocka_unit_test(test_bad_configurations),
        cmocka_unit_test(test_from_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
