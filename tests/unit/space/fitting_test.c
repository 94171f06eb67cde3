/* SPDX-License-Identifier: Apache-2.0 */
/* One configuration by itself, and as problems with all configurations have it: a second, independent way. */
#include "tests/unit/fixture.h"

#include "tuner/space/fitting.h"

#include <jansson.h>
#include <stdlib.h>

static const char TEMPLATE[] = "template t\nsize n = 64\nparameter A\nparameter B\nparameter C\nsource \"k.cu\"\n"
                               "buffer y : float[n] out\nlaunch { k<<<1, A>>>(y) }\n"
                               "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n";

static bool has(struct fixture *files, int64_t n, const char *configuration)
{
    const struct size_setting sizes[] = {{"n", n}};
    struct fitting *fitting;
    bool fits = false;
    json_t *object = json_loads(configuration, 0, NULL);
    assert_success(fitting_create(files->template, &files->device, sizes, &fitting, &files->error), &files->error);
    assert_success(fitting_has(fitting, files->space, object, &fits, &files->error), &files->error);
    fitting_free(fitting);
    json_decref(object);
    return fits;
}

static bool problem_has(struct fixture *files, int64_t n, const char *configuration)
{
    const struct size_setting sizes[] = {{"n", n}};
    struct problem *problem;
    size_t index;
    assert_success(problem_create(files->template, files->space, &files->device, sizes, 1, &problem, &files->error),
                   &files->error);
    bool found = problem_configuration_find(problem, configuration, &index);
    problem_free(problem);
    return found;
}

static void as_a_problem_has_it(void **state)
{
    (void)state;
    struct fixture files;
    static const char *const texts[] = {
        "{\"A\":%d,\"B\":%d,\"C\":\"x\"}",         "{\"A\":%d,\"B\":%d.0,\"C\":\"x\"}",
        "{\"B\":%d,\"A\":%d,\"C\":\"y\"}",         "{\"A\":%d,\"B\":%d}",
        "{\"A\":%d,\"B\":%d,\"C\":\"x\",\"D\":1}", "{\"A\":%d,\"B\":[%d],\"C\":\"x\"}"};
    size_t valid = 0;
    fixture_parse(&files, TEMPLATE,
                  "space s of t\nset C = \"x\"\nparam A = range(1, 6)\nparam B = pow2(1, n // 2)\nlet both = A * B\n"
                  "where both <= n // 4\nwhere A % 2 == 1 or B > 2\n");
    for (int64_t n = 4; n <= 64; n *= 4) {
        for (int a = 0; a <= 6; a++) {
            for (int b = 0; b <= 16; b++) {
                for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
                    char text[128];
                    snprintf(text, sizeof text, texts[i], a, b);
                    bool fits = has(&files, n, text);
                    valid += fits;
                    assert_int_equal(fits, problem_has(&files, n, text));
                }
            }
        }
    }
    assert_true(valid > 20);
    fixture_free(&files);
}

/* What cannot be evaluated for others is of no concern, where a problem cannot be made at all. */
static void what_cannot_be_evaluated_is_not_valid(void **state)
{
    (void)state;
    struct fixture files;
    fixture_parse(&files, TEMPLATE, "space s of t\nset C = 1\nparam A = [0, 1]\nparam B = [1]\nwhere n // A > 0\n");
    assert_true(has(&files, 64, "{\"A\":1,\"B\":1,\"C\":1}"));
    assert_false(has(&files, 64, "{\"A\":0,\"B\":1,\"C\":1}"));
    fixture_free(&files);
    fixture_parse(&files, TEMPLATE, "space s of t\nset C = 1\nparam A = [1]\nparam B = range(0, 9, n - 64)\n");
    assert_false(has(&files, 64, "{\"A\":1,\"B\":1,\"C\":1}"));
    assert_true(has(&files, 65, "{\"A\":1,\"B\":1,\"C\":1}"));
    fixture_free(&files);
}

/* The text of the defaults; "" if there are none. */
static void expect_default(const char *space, int64_t n, const char *expected)
{
    struct fixture files;
    struct fitting *fitting;
    char *text;
    const struct size_setting sizes[] = {{"n", n}};
    fixture_parse(&files, TEMPLATE, space);
    assert_success(fitting_create(files.template, &files.device, sizes, &fitting, &files.error), &files.error);
    assert_success(fitting_default(fitting, files.space, &text, &files.error), &files.error);
    assert_string_equal(text ? text : "", expected);
    fitting_free(fitting);
    free(text);
    fixture_free(&files);
}

static void defaults_that_leave_nothing_open(void **state)
{
    (void)state;
    static const char space[] =
        "space s of t\nset C = true\nparam B = [0.5]\nparam A = [1, 2, n]\n%s\nwhere A < 64\n";
    char text[256];
    snprintf(text, sizeof text, space, "default A = 2");
    expect_default(text, 64, "{\"A\":2,\"B\":0.5,\"C\":true}");
    snprintf(text, sizeof text, space, "default A = n");
    expect_default(text, 16, "{\"A\":16,\"B\":0.5,\"C\":true}");
    expect_default(text, 64, ""); /* not valid */
    snprintf(text, sizeof text, space, "default A = 3");
    expect_default(text, 64, ""); /* no value of it */
    snprintf(text, sizeof text, space, "default B = 0.5");
    expect_default(text, 64, ""); /* A is open */
    snprintf(text, sizeof text, space, "");
    expect_default(text, 64, ""); /* none at all */
}

/* Of every shipped space the default and some others, at the sizes of the template and at awkward ones. */
static void as_shipped_spaces_have_it(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"gemm", "full"}, {"transpose", "full"}, {"reduction", "full"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture files = {.device = h100};
        char path[512];
        struct fitting *fitting;
        struct problem *problem;
        size_t chosen;
        bool named, fits;
        snprintf(path, sizeof path, "%s/templates/%s", TUNE_SOURCE_FOLDER, cases[i][0]);
        assert_success(template_read(path, &files.template, &files.error), &files.error);
        snprintf(path, sizeof path, "%s/spaces/%s/%s.space", TUNE_SOURCE_FOLDER, cases[i][0], cases[i][1]);
        assert_success(space_read(path, files.template, &files.space, &files.error), &files.error);
        assert_success(problem_create(files.template, files.space, &files.device, NULL, 0, &problem, &files.error),
                       &files.error);
        assert_success(fitting_create(files.template, &files.device, problem_sizes(problem), &fitting, &files.error),
                       &files.error);
        size_t count = problem_configuration_count(problem);
        for (size_t j = 0; j < count; j += 1 + count / 100) {
            char *text = problem_configuration_text(problem, j);
            json_t *object = json_loads(text, 0, NULL);
            assert_success(fitting_has(fitting, files.space, object, &fits, &files.error), &files.error);
            assert_true(fits);
            json_decref(object);
            free(text);
        }
        char *text;
        assert_success(fitting_default(fitting, files.space, &text, &files.error), &files.error);
        assert_true(problem_default(problem, &chosen, &named));
        if (text) {
            char *expected = problem_configuration_text(problem, chosen);
            assert_true(named);
            assert_string_equal(text, expected);
            free(expected);
        }
        free(text);
        fitting_free(fitting);
        problem_free(problem);
        fixture_free(&files);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_a_problem_has_it),
        cmocka_unit_test(what_cannot_be_evaluated_is_not_valid),
        cmocka_unit_test(defaults_that_leave_nothing_open),
        cmocka_unit_test(as_shipped_spaces_have_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
