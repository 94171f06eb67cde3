/* SPDX-License-Identifier: Apache-2.0 */
/* Which parameters had no effect, told from made-up images. */
#include "tests/unit/fixture.h"
#include "tuner/engine/effect.h"

#include <stdlib.h>

static struct fixture fixture;
static struct effects effects;

static void open_problem(const char *kind, const char *space)
{
    char text[300];
    fixture = (struct fixture){.device = fixture_device()};
    snprintf(fixture.device.kind, sizeof fixture.device.kind, "%s", kind);
    snprintf(text, sizeof text, "space s of idle\n%s\n", space);
    assert_success(
        template_read(TUNE_SOURCE_FOLDER "/tests/unit/engine/templates/idle", &fixture.template, &fixture.error),
        &fixture.error);
    assert_success(space_parse("s.space", text, strlen(text), fixture.template, &fixture.space, &fixture.error),
                   &fixture.error);
    assert_success(fixture_try(&fixture), &fixture.error);
}

static void close_problem(void)
{
    effects_clear(&effects);
    fixture_free(&fixture);
}

static void note(size_t index, const char *image)
{
    char bytes[100];
    snprintf(bytes, sizeof bytes, "%s", image);
    const struct candidate candidate = {.index = index, .image = bytes, .image_bytes = strlen(bytes)};
    assert_true(effects_note(&effects, &candidate));
}

static void note_failure(size_t index, enum outcome outcome, unsigned transient)
{
    const struct candidate candidate = {.index = index, .evaluation = {.outcome = outcome, .transient = transient}};
    assert_true(effects_note(&effects, &candidate));
}

/* Every configuration's image is its text, without the parameters named in `ignored` ("B", "C", ...). */
static void note_all(const char *ignored)
{
    for (size_t i = 0; i < problem_configuration_count(fixture.problem); i++) {
        char *text = problem_configuration_text(fixture.problem, i);
        assert_non_null(text);
        for (const char *name = ignored; *name; name++) {
            char *value = strchr(text, *name);
            for (value = value ? value + 1 : NULL; value && *value && !strchr(",}", *value); value++)
                *value = ' ';
        }
        note(i, text);
        free(text);
    }
}

/* `expected`: "B 3, D 0", names with their pairs. */
static void expect_idle(const char *expected)
{
    struct idle_parameters idle;
    char text[200] = "";
    assert_success(effects_find(&effects, fixture.problem, &idle, &fixture.error), &fixture.error);
    for (size_t i = 0; i < idle.count; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s %zu", i ? ", " : "", idle.list[i].name,
                 idle.list[i].pairs);
    }
    assert_string_equal(text, expected);
    idle_parameters_clear(&idle);
}

/* By hand: with 2 x 3 x 2 configurations, B has 4 groups of 3 (3 pairs each), and C 6 groups of 2. */
static void test_whole_spaces(void **state)
{
    (void)state;
    static const struct {
        const char *ignored, *expected;
    } cases[] = {{"", ""}, {"B", "B 12"}, {"C", "C 6"}, {"BC", "B 12, C 6"}, {"A", ""}, {"ABC", "B 12, C 6"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_problem("cuda", "param A = [32, 64]\nparam B = [1, 2, 3]\nparam C = [1, 2]\nset D = 1");
        note_all(cases[i].ignored);
        expect_idle(cases[i].expected);
        close_problem();
    }
}

static void test_one_difference_suffices(void **state)
{
    (void)state;
    open_problem("cuda", "param A = [32, 64]\nset B = 1\nparam C = range(1, 9)\nset D = 1");
    note_all("AC");
    expect_idle("C 56"); /* two groups of 8 */
    note(15, "another");
    expect_idle("");
    note(15, ""); /* an image of no bytes is one, too */
    expect_idle("");
    close_problem();
}

static void test_few_pairs(void **state)
{
    (void)state;
    open_problem("cuda", "param A = [32, 64]\nset B = 1\nparam C = range(1, 9)\nset D = 1");
    expect_idle("");
    for (size_t i = 0; i < 3; i++) {
        expect_idle("");
        note(i, "same");
    }
    expect_idle("C 3");
    note(2, "same"); /* twice */
    expect_idle("C 3");
    close_problem();
    open_problem("cuda", "set A = 32\nset B = 1\nparam C = [1, 2]\nset D = 1"); /* all there is */
    note(0, "same");
    expect_idle("");
    note(1, "same");
    expect_idle("C 1");
    close_problem();
}

static void test_configurations_without_an_image(void **state)
{
    (void)state;
    open_problem("cuda", "set A = 32\nset B = 1\nparam C = range(1, 9)\nset D = 1");
    for (size_t i = 0; i < 4; i++)
        note_failure(i, OUTCOME_COMPILE_ERROR, 0);
    expect_idle(""); /* errors are not images */
    effects_clear(&effects);
    for (size_t i = 0; i < 3; i++)
        note(i, "same");
    note_failure(3, OUTCOME_COMPILE_CRASH, 0);
    note_failure(4, OUTCOME_COMPILE_TIMEOUT, 0);
    note_failure(5, OUTCOME_COMPILE_ERROR, 1);
    note_failure(6, OUTCOME_RESOURCES, 0);
    expect_idle("C 3");
    note_failure(7, OUTCOME_COMPILE_ERROR, 0);
    expect_idle("");
    close_problem();
}

/* Only configurations that agree in everything else are compared: here B decides C. */
static void test_parameters_that_vary_together(void **state)
{
    (void)state;
    open_problem("cuda", "set A = 32\nparam B = range(1, 5)\nparam C = range(1, 5)\nset D = 1\nwhere B == C");
    note_all("BC");
    expect_idle("");
    close_problem();
}

static void test_what_nothing_mentions(void **state)
{
    (void)state;
    open_problem("cuda", "param A = [32, 64]\nparam B = [1, 2]\nset C = 1\nparam D = [1, 2]");
    expect_idle("D 0");
    note_all("BD");
    expect_idle("B 4, D 0");
    close_problem();
    open_problem("cuda",
                 "set A = 32\nset B = 1\nparam C = [1, 2]\nset D = 1"); /* one value has no effect by design */
    expect_idle("");
    close_problem();
}

static void expect_text(size_t pairs, const char *expected)
{
    const struct idle_parameter idle = {"C", pairs};
    char *text = idle_parameter_text(&idle, fixture.problem);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void test_texts(void **state)
{
    (void)state;
    static const char space[] = "set A = 32\nset B = 1\nparam C = [1, 2]\nset D = 1";
    open_problem("cuda", space);
    expect_text(0, "C has no effect: no source of template idle mentions it, nor does its text");
    expect_text(1,
                "C had no effect: the images of the only pair of configurations that differ only in it are the same");
    expect_text(7,
                "C had no effect: the images of all 7 pairs of configurations that differ only in it are the same");
    close_problem();
    open_problem("cpu", space);
    expect_text(7, "C had no effect on this device: the images of all 7 pairs of configurations that differ only in "
                   "it are the same (the CPU device ignores #pragma unroll and __launch_bounds__)");
    close_problem();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_spaces),
        cmocka_unit_test(test_one_difference_suffices),
        cmocka_unit_test(test_few_pairs),
        cmocka_unit_test(test_configurations_without_an_image),
        cmocka_unit_test(test_parameters_that_vary_together),
        cmocka_unit_test(test_what_nothing_mentions),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
