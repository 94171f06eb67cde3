/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of copies against a byte-by-byte model: what fits is lowered, what overlaps or overruns is refused. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/step_copy.h"

#include <stdio.h>

/* copy y[at] <- y[first : last] for all small numbers; y has 4 elements. */
static void test_all_copies_within(void **state)
{
    (void)state;
    enum { EXTENT = 4 };
    size_t lowered = 0;
    for (int at = -1; at <= EXTENT + 1; at++) {
        for (int first = -1; first <= EXTENT + 1; first++) {
            for (int last = -1; last <= EXTENT + 1; last++) {
                char text[512];
                struct fixture fixture;
                struct job *job = NULL;
                snprintf(text, sizeof text,
                         "template t\nsize n = %d\nparameter A\nsource \"k.cu\"\nbuffer y : float[n] out\n"
                         "launch { k<<<1, 1>>>(y)\n copy y[%d] <- y[%d : %d] }\n"
                         "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n",
                         EXTENT, at, first, last);
                bool valid = first >= 0 && first <= last && last <= EXTENT && at >= 0 && at + last - first <= EXTENT;
                for (int i = first; i < last && valid; i++)
                    valid = !(i >= at && i < at + last - first); /* reads an element that it writes */
                fixture_create(&fixture, text, "space s of t\nset A = 1\n");
                bool done = job_lower(fixture.problem, 0, 1, &job, &fixture.error);
                if (done != valid)
                    fail_msg("y[%d] <- y[%d : %d]: %s", at, first, last, done ? "lowered" : fixture.error.text);
                if (done) {
                    const struct job_steps *launch = &job->cases[JOB_TUNED].launch;
                    assert_int_equal(launch->count, first < last ? 2 : 1); /* an empty copy is no step */
                    if (first < last) {
                        assert_int_equal(launch->steps[1].kind, STEP_COPY);
                        assert_int_equal(launch->steps[1].target_first, at);
                        assert_int_equal(launch->steps[1].first, first);
                        assert_int_equal(launch->steps[1].count, last - first);
                    }
                    lowered++;
                }
                job_free(job);
                fixture_free(&fixture);
            }
        }
    }
    assert_true(lowered > 20);
}

static void test_symbols_and_fills(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job =
        lower_text(&fixture,
                   SMALL("buffer b : uchar[n] temp\n",
                         "copy c <- x\n copy d <- x[3 :]\n copy c <- x[: 0]\n fill b = 200\n k<<<1, 1>>>(y, b)"),
                   "space s of t\nset A = 1\n");
    const struct job_steps *launch = &job->cases[JOB_TUNED].launch;
    assert_int_equal(launch->count, 4);
    assert_int_equal(launch->steps[0].kind, STEP_COPY_SYMBOL);
    assert_int_equal(launch->steps[0].count, 64);
    assert_int_equal(launch->steps[1].symbol, 1);
    assert_int_equal(launch->steps[1].first, 3);
    assert_int_equal(launch->steps[1].count, 61);
    assert_int_equal(launch->steps[2].kind, STEP_FILL);
    assert_int_equal(launch->steps[2].target, 2);
    assert_int_equal(launch->steps[2].bytes[0], 200);
    assert_int_equal(job->program.symbol_count, 2);
    job_free(job);
    fixture_free(&fixture);
}

static void test_refusals(void **state)
{
    (void)state;
    const struct failure cases[] = {
        {SMALL("", "k<<<1, 1>>>(y)\n copy c <- y[0 : 65]"), ERROR_INPUT, "y[0 : 65] is not a range of the buffer"},
        {SMALL("", "k<<<1, 1>>>(y)\n copy c <- y[3 : 2]"), ERROR_INPUT, "y[3 : 2] is not a range"},
        {SMALL("", "k<<<1, 1>>>(y)\n copy y[1] <- x"), ERROR_INPUT, "64 elements at y[1] do not fit in the buffer"},
        {SMALL("", "k<<<1, 1>>>(y)\n copy y[1] <- y[0 : 4]"), ERROR_INPUT, "within buffer y overlap"},
        {SMALL("", "k<<<1, 1>>>(y)\n copy x <- y"), ERROR_INPUT, "x is an input and cannot be written"},
        {SMALL("", "k<<<1, 1>>>(y)\n fill x = 1"), ERROR_INPUT, "x is an input"},
        {SMALL("buffer b : uchar[n] temp\n", "fill b = 256\n k<<<1, 1>>>(y, b)"), ERROR_INPUT,
         "does not fit type uchar"},
    };
    EXPECT_FAILURES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_copies_within),
        cmocka_unit_test(test_symbols_and_fills),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
