/* SPDX-License-Identifier: Apache-2.0 */
/* Small templates lowered to jobs, or refused with a certain error: what the tests of job_lower's parts share. */
#ifndef TUNE_TESTS_JOB_FIXTURE_H
#define TUNE_TESTS_JOB_FIXTURE_H

#include "tests/unit/fixture.h"

#include "tuner/job/formula.h"

/* Two buffers of 64 floats, x in and y out, more `buffers`, and a body of `launch`. */
#define SMALL(buffers, launch)                                                                                       \
    "template t\nsize n = 64\nparameter A\nsource \"k.cu\"\n"                                                        \
    "buffer x : float[n] in uniform(-1, 1)\nbuffer y : float[n] out\n" buffers "launch { " launch " }\n"             \
    "reference \"r.cu\" { r<<<1, 1>>>(x, ref(y)) }\ncheck y exact\n"

/* Counts m and w, of at most 50 and 8, and buffers to read them from and to use them for. */
#define COUNTED(buffers, blocks)                                                                                     \
    "template t\nsize n = 64\nparameter A\nsource \"k.cu\"\ncount m at most n - 14\ncount w at most 8\n"             \
    "buffer x : float[n] in uniform(-1, 1)\nbuffer y : float[n] out\nbuffer c : uint[4] temp\n" buffers blocks       \
    "\nreference \"r.cu\" { r<<<1, 1>>>(x, ref(y)) }\ncheck y exact\n"

static inline struct job *lower(struct fixture *fixture, size_t index)
{
    struct job *job;
    assert_success(job_lower(fixture->problem, index, 42, &job, &fixture->error), &fixture->error);
    return job;
}

/* Configuration 0 of a template and a space, lowered; free both. */
static inline struct job *lower_text(struct fixture *fixture, const char *template, const char *space)
{
    fixture_create(fixture, template, space);
    return lower(fixture, 0);
}

struct failure {
    const char *template;
    enum error_code code;
    const char *text;
};

/* With A = 9, on a device of 500 MiB: each template is refused with its error, which has a place. */
static inline void expect_failures(const struct failure *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct fixture fixture;
        struct job *job;
        fixture_parse(&fixture, cases[i].template, "space s of t\nset A = 9\n");
        fixture.device.memory_bytes = (int64_t)500 << 20;
        if (fixture_try(&fixture) && job_lower(fixture.problem, 0, 1, &job, &fixture.error))
            fail_msg("lowered: %s", cases[i].template);
        if (fixture.error.code != cases[i].code)
            fail_msg("code %d: %s", (int)fixture.error.code, fixture.error.text);
        assert_mentions(fixture.error.text, cases[i].text);
        assert_true(fixture.error.line > 0);
        fixture_free(&fixture);
    }
}

/* The text of a step's formula; "" if it has none. */
static inline const char *formula_text(const struct job_step *step, enum formula_use use)
{
    const struct job_formula *formula = formula_of(step, use);
    return formula ? formula->text : "";
}

#define EXPECT_FAILURES(cases) expect_failures(cases, sizeof(cases) / sizeof *(cases))

#endif
