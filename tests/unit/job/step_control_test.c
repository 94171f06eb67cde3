/* SPDX-License-Identifier: Apache-2.0 */
/* Loops and conditions that depend on counts and flags, and the swaps in them. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/step_control.h"

#define READ "k<<<1, 1>>>(c)\nread m = c[0]\n"

static const struct job_step *last_of(const struct job *job)
{
    const struct job_steps *launch = &job->cases[JOB_TUNED].launch;
    return &launch->steps[launch->count - 1];
}

static void test_conditions(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(&fixture,
                                 COUNTED("", "launch { " READ "if m > n { k<<<1, 1>>>(y) } elif A == 3 { l<<<m, "
                                             "1>>>(y) } else { never<<<1, 1>>>(y) } }"),
                                 "space s of t\nset A = 3\n");
    const struct job_step *step = last_of(job);
    assert_int_equal(step->kind, STEP_IF);
    assert_string_equal(formula_text(step, FORMULA_VALUE), "(m > 64)");
    assert_int_equal(step->body_count, 1);
    assert_int_equal(step->otherwise_count, 1);
    assert_int_equal(job->program.kernel_count, 2); /* what cannot be launched is not compiled */
    assert_string_equal(job->program.kernels[step->otherwise[0].kernel], "l");
    assert_string_equal(formula_text(&step->otherwise[0], FORMULA_GRID_X), "(m)");
    job_free(job);
    fixture_free(&fixture);
}

static void test_loops(void **state)
{
    (void)state;
    static const struct {
        const char *range, *first, *last, *stride;
    } cases[] = {
        {"range(m)", "0", "(m)", "1"},
        {"range(A, 2 * m)", "(3)", "(2 * m)", "1"},
        {"range(m, 0, -1)", "(m)", "(0)", "(-1)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        struct fixture fixture;
        snprintf(text, sizeof text, COUNTED("", "launch { " READ "for i in %s { k<<<i + 1, 1>>>(y) } }"),
                 cases[i].range);
        struct job *job = lower_text(&fixture, text, "space s of t\nset A = 3\n");
        const struct job_step *step = last_of(job);
        assert_int_equal(step->kind, STEP_FOR);
        assert_string_equal(step->late->name, "i");
        assert_string_equal(formula_text(step, FORMULA_FIRST), cases[i].first);
        assert_string_equal(formula_text(step, FORMULA_LAST), cases[i].last);
        assert_string_equal(formula_text(step, FORMULA_STRIDE), cases[i].stride);
        assert_string_equal(formula_text(&step->body[0], FORMULA_GRID_X), "(i + 1)");
        job_free(job);
        fixture_free(&fixture);
    }
}

static void test_repeats(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(
        &fixture, COUNTED("", "launch { repeat n while m > A { " READ "}\nrepeat m while c { k<<<1, 1>>>(y) } }"),
        "space s of t\nset A = 3\n");
    const struct job_step *steps = job->cases[JOB_TUNED].launch.steps;
    assert_int_equal(steps[0].kind, STEP_WHILE);
    assert_int_equal(steps[0].rounds, 64);
    assert_string_equal(formula_text(&steps[0], FORMULA_VALUE), "(m > 3)");
    assert_int_equal(steps[1].kind, STEP_REPEAT);
    assert_int_equal(steps[1].target, 2);
    assert_string_equal(formula_text(&steps[1], FORMULA_ROUNDS), "(m)");
    job_free(job);
    fixture_free(&fixture);
}

/* Without counts, too. */
static void test_numbered(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(&fixture,
                                 SMALL("buffer f : int[1] temp\n",
                                       "repeat n as i while f { k<<<1, 1>>>(y, i)\nrepeat 3 as j while i < 5 { "
                                       "k<<<i + j + 1, 1>>>(y) } }"),
                                 "space s of t\nset A = 3\n");
    const struct job_step *step = last_of(job), *inner = &step->body[1];
    assert_int_equal(step->kind, STEP_REPEAT);
    assert_string_equal(step->late->name, "i");
    assert_int_equal(step->late->slot, 0);
    assert_string_equal(formula_text(&step->body[0], FORMULA_ARGUMENT), "(i)");
    assert_int_equal(inner->kind, STEP_WHILE);
    assert_string_equal(inner->late->name, "j");
    assert_string_equal(formula_text(inner, FORMULA_VALUE), "(i < 5)");
    assert_string_equal(formula_text(&inner->body[0], FORMULA_GRID_X), "(i + j + 1)");
    assert_int_equal(job->count_count, 0);
    job_free(job);
    fixture_free(&fixture);
}

/* The kernels' first buffers and the swaps of a body, as "y<>z" and so on. */
static void describe(const struct job_step *steps, size_t count, char *text)
{
    static const char names[] = "xyczv";
    for (size_t i = 0; i < count; i++) {
        if (steps[i].kind == STEP_LAUNCH)
            sprintf(text + strlen(text), "%c ", names[steps[i].arguments[0].buffer]);
        if (steps[i].kind == STEP_SWAP)
            sprintf(text + strlen(text), "%c<>%c ", names[steps[i].target], names[steps[i].source]);
        if (steps[i].body_count > 0 || steps[i].otherwise_count > 0)
            strcat(text, "{ ");
        describe(steps[i].body, steps[i].body_count, text);
        if (steps[i].otherwise_count > 0)
            strcat(text, "| ");
        describe(steps[i].otherwise, steps[i].otherwise_count, text);
        if (steps[i].body_count > 0 || steps[i].otherwise_count > 0)
            strcat(text, "} ");
    }
}

#define K "k<<<1, 1>>>(y)\n"

/* Renamed where that is enough; else the buffers are swapped when the loop runs. */
static void test_swaps(void **state)
{
    (void)state;
    static const struct {
        const char *launch, *wanted;
        size_t result; /* the buffer that is compared */
    } cases[] = {
        {"repeat 9 while c { " K "swap y, z\n" K "swap z, y }\n" K, "{ y z } y ", 1},
        {"repeat 9 while c { " K "swap y, z }\n" K, "{ y y<>z } y ", 1},
        {"swap y, z\nrepeat 9 while c { " K "swap y, z }\n" K, "{ z z<>y } z ", 3},
        {"repeat 9 while c { for i in range(2) { " K "swap y, z\nswap z, v } }", "{ y y<>z z<>v y y<>z z<>v } ", 1},
        {"repeat 9 while c { repeat 9 while c { swap y, z\n" K "}\n" K "}", "{ { y<>z y } y } ", 1},
        {"repeat 9 while c { repeat 9 while c { swap y, z\n" K "}\nswap y, z }", "{ { y<>z y } y<>z } ", 1},
        {READ "if m { swap y, z } else { " K "swap y, z }\n" K, "c { | y } z ", 3},
        {READ "if m { swap y, z }\n" K, "c { y<>z } y ", 1},
        {READ "if m { swap y, z } else { swap y, v }\n" K, "c { y<>z | y<>v } y ", 1},
        {READ "for i in range(m) { " K "swap y, z }\n" K, "c { y y<>z } y ", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char template[1024], text[1024] = "";
        struct fixture fixture;
        snprintf(template, sizeof template,
                 COUNTED("buffer z : float[n] temp\nbuffer v : float[n] temp\n", "launch { " K "%s }"),
                 cases[i].launch);
        struct job *job = lower_text(&fixture, template, "space s of t\nset A = 3\n");
        const struct job_case *tuned = &job->cases[JOB_TUNED];
        describe(tuned->launch.steps + 1, tuned->launch.count - 1, text);
        if (strcmp(text, cases[i].wanted) != 0)
            fail_msg("%s\nis lowered to %s\nand not %s", cases[i].launch, text, cases[i].wanted);
        assert_int_equal(tuned->checks[0].buffer, cases[i].result);
        job_free(job);
        fixture_free(&fixture);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    const struct failure cases[] = {
        {COUNTED("", "launch { " READ "for i in [m] { " K "} }"), ERROR_INPUT,
         "a list that depends on counts can only be a range"},
        {COUNTED("", "launch { " READ "repeat 9 while n > 3 { " K "} }"), ERROR_INPUT,
         "no round changes this condition"},
        {COUNTED("buffer z : float[n] temp\n", "launch { repeat 9 while c { k<<<1, 1>>>(texture(z))\nswap y, z } }"),
         ERROR_INPUT, "z is read as a texture, which cannot follow a swap"},
        {COUNTED("buffer z : float[n] temp\n",
                 "launch { repeat 9 while c { " K "swap y, z }\nk<<<1, 1>>>(texture(z)) }"),
         ERROR_INPUT, "a buffer that is swapped in a loop or under a condition cannot be a texture"},
        {COUNTED("", "launch { repeat 9 while c { " K "swap x, y } }"), ERROR_INPUT, "x is an input"},
    };
    EXPECT_FAILURES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_loops), cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_numbered),   cmocka_unit_test(test_swaps), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
