/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions as they are written, with values for all names but those that are known late. */
#include "tests/unit/job/job_fixture.h"

/* The formula of a grid that is written as `text`, where k is a let of the block. */
static void expect_text(const char *text, const char *wanted)
{
    char whole[4096];
    struct fixture fixture;
    snprintf(whole, sizeof whole,
             COUNTED("let tile = A * 4\nlet blocks = ceil_div(m, tile)\nlet nested = blocks + blocks\n",
                     "launch { k<<<1, 1>>>(c)\nread m = c[0]\nlet k = m + 1\nfor i in [A] { k<<<%s, 1>>>(y) } }"),
             text);
    struct job *job = lower_text(&fixture, whole, "space s of t\nset A = -2\n");
    const struct job_steps *launch = &job->cases[JOB_TUNED].launch;
    const struct job_step *step = &launch->steps[launch->count - 1];
    assert_string_equal(formula_text(step, FORMULA_GRID_X), wanted);
    job_free(job);
    fixture_free(&fixture);
}

static void test_texts(void **state)
{
    (void)state;
    expect_text("m", "(m)");
    expect_text("ceil_div(m,  n)", "(ceil_div(m,  64))");
    expect_text("m * A ** 2 - i", "(m * (-2) ** 2 - (-2))");
    expect_text("blocks", "((ceil_div(m, (-8))))");
    expect_text("nested", "(((ceil_div(m, (-8))) + (ceil_div(m, (-8)))))");
    expect_text("k + tile", "(k + (-8))");
    expect_text("m if device.kind == \"cuda\" else 3 ", "(m if \"cuda\" == \"cuda\" else 3)");
    expect_text("max(j * m for j in [1, A + 4])", "(max(j * m for j in [1, (-2) + 4]))");
    expect_text("(m # a comment\n + 1)", "((m # a comment\n + 1))");
    expect_text("m +\n 1", "(m +\n 1)");
    expect_text("(m)", "((m))");
}

/* What short-circuits without a count is known beforehand. */
static void test_known(void **state)
{
    (void)state;
    expect_text("3 if A < 0 else m", "");
    expect_text("A < 0 or m", "");
}

/* Each let has two of the one before it. */
static void test_too_long(void **state)
{
    (void)state;
    char lets[2048] = "let a0 = m\n", whole[4096];
    size_t at = strlen(lets);
    struct fixture fixture;
    struct job *job;
    for (int i = 1; i <= 16; i++)
        at += (size_t)snprintf(lets + at, sizeof lets - at, "let a%d = a%d + a%d\n", i, i - 1, i - 1);
    snprintf(whole, sizeof whole, COUNTED("%s", "launch { k<<<1, 1>>>(c)\nread m = c[0]\nk<<<a16, 1>>>(y) }"), lets);
    fixture_create(&fixture, whole, "space s of t\nset A = 1\n");
    assert_false(job_lower(fixture.problem, 0, 1, &job, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_INPUT);
    assert_mentions(fixture.error.text, "with its lets this expression has more than 65536 bytes");
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
