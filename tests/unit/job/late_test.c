/* SPDX-License-Identifier: Apache-2.0 */
/* Where counts are known, and what is said where they are not. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/late.h"

#define READ "k<<<1, 1>>>(c)\nread m = c[0]\n"
#define USE  "k<<<m, 1>>>(y)\n"

/* Lowered with A = 9. */
static void expect_known(const char *template)
{
    struct fixture fixture;
    struct job *job = lower_text(&fixture, template, "space s of t\nset A = 9\n");
    job_free(job);
    fixture_free(&fixture);
}

static void test_known(void **state)
{
    (void)state;
    expect_known(COUNTED("", "launch { " READ USE "}"));
    expect_known(COUNTED("", "launch { " USE "}\nprepare { " READ "}"));
    expect_known(COUNTED("", "launch { " READ "}\nfinish { " USE "}"));
    expect_known(COUNTED("", "launch { " READ "}\nverify \"v.cu\" { " USE "}"));
    expect_known(COUNTED("", "launch { " USE "}\nsetup \"s.cu\" { " READ "}"));
    expect_known(COUNTED("", "launch { if A == 9 { " READ "}\n" USE "}"));
    expect_known(COUNTED("", "launch { for i in range(3) { " READ "}\n" USE "}"));
    expect_known(COUNTED("", "launch { repeat 3 while c { " READ "}\n" USE "}"));
    expect_known(COUNTED("", "launch { " READ "if m > 2 { read w = c[1] } else { read w = c[2] }\nk<<<w, 1>>>(y) }"));
    expect_known(COUNTED("", "launch { repeat m while m > 0 { " READ "} }\nprepare { read m = c[3] }"));
}

#define UNREAD(template)                                                                                             \
    {                                                                                                                \
        template, ERROR_INPUT, "depends on m, which has not been read here"                                          \
    }

static void test_unknown(void **state)
{
    (void)state;
    const struct failure cases[] = {
        UNREAD(COUNTED("", "launch { " USE READ "}")),
        UNREAD(COUNTED("", "launch { " READ "}\nprepare { " USE "}")),
        UNREAD(COUNTED("", "launch { " USE "}\nfinish { " READ "}")),
        UNREAD(COUNTED("let more = m + 1\n", "launch { k<<<more, 1>>>(y) }")),
        UNREAD(COUNTED("", "launch { if A > 9 { " READ "}\n" USE "}")),
        UNREAD(COUNTED("", "launch { " READ "}\nsetup \"s.cu\" { " USE "}")),
        UNREAD(COUNTED("", "launch { repeat 0 while c { " READ "}\n" USE "}")),
        UNREAD(COUNTED("", "launch { read w = c[0]\nrepeat w while c { " READ "}\n" USE "}")),
        UNREAD(COUNTED("", "launch { read w = c[0]\nif w { " READ "}\n" USE "}")),
        UNREAD(COUNTED("", "launch { read w = c[0]\nfor i in range(w) { " READ "}\n" USE "}")),
        UNREAD(COUNTED("", "launch { read w = c[0]\nk<<<m + w, 1>>>(y) }")),
        {COUNTED("", "launch { " READ "k<<<1, m>>>(y) }"), ERROR_INPUT,
         "this cannot depend on m, which is known only when the launches run"},
        {COUNTED("", "launch { " READ "fill y = m }"), ERROR_INPUT, "this cannot depend on m"},
        {COUNTED("", "launch { " READ "let k = m + 1\nk<<<1, 1, stream = k>>>(y) }"), ERROR_INPUT,
         "this cannot depend on k"},
        {COUNTED("", "launch { " READ "}\nwork flops = m"), ERROR_INPUT, "m"},
        /* two comprehensions with the same variable, one of them in a let */
        {COUNTED("let most = max(i * m for i in [1, 2])\n", "launch { " READ "for i in range(m) { k<<<most + i, "
                                                            "1>>>(y) } }"),
         ERROR_INPUT, "i is already"},
    };
    EXPECT_FAILURES(cases);
}

/* Of an argument without a type: what it has at the bound. */
static void test_types_of_arguments(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(
        &fixture, COUNTED("", "launch { " READ "let half = m / 2\nk<<<1, 1>>>(m, half, m // 2, uint(m), half / m) }"),
        "space s of t\nset A = 1\n");
    const struct job_steps *launch = &job->cases[JOB_TUNED].launch;
    static const enum element types[] = {ELEMENT_INT, ELEMENT_FLOAT, ELEMENT_INT, ELEMENT_UINT, ELEMENT_FLOAT};
    assert_int_equal(launch->count, 4);
    const struct job_step *step = &launch->steps[3];
    assert_string_equal(step->late->name, "k");
    assert_string_equal(step->late->file, "test.template");
    assert_int_equal(step->late->formula_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(step->late->formulas[i].use, FORMULA_ARGUMENT);
        assert_int_equal(step->late->formulas[i].index, i);
        assert_int_equal(step->arguments[i].element, types[i]);
    }
    assert_int_equal(launch->steps[2].kind, STEP_LET);
    assert_int_equal(job->count_count, 2);
    assert_int_equal(job->name_count, 3);
    assert_int_equal(launch->steps[2].late->slot, 2);
    assert_string_equal(job->names[2], "half");
    job_free(job);
    fixture_free(&fixture);
}

static void test_without_counts(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(&fixture, SMALL("", "k<<<1, 1>>>(y)"), "space s of t\nset A = 1\n");
    assert_int_equal(job->name_count, 0);
    assert_null(job->formulas);
    assert_null(job->cases[JOB_TUNED].launch.steps[0].late);
    job_free(job);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_types_of_arguments),
        cmocka_unit_test(test_without_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
