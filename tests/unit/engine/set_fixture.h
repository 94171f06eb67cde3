/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_fixture.h - nine sizes of a template, and what configurations cost at them by a formula.
 *
 * n goes from 8 to 2048 by octaves. The best A is an eighth of n, each octave off it costs half an octave, and B = 1
 * costs a fifth more; A may not be above n.
 */
#ifndef TUNE_TESTS_SET_FIXTURE_H
#define TUNE_TESTS_SET_FIXTURE_H

#include "tests/unit/fixture.h"
#include "tuner/engine/set_forecast.h"

#include <math.h>
#include <stdlib.h>

#define SET_TEMPLATE                                                                                                 \
    "template t\nsize n = 64\nsize d = 3\nparameter A\nparameter B\nlet tiles = n / A\nsource \"k.cu\"\n"            \
    "buffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y "       \
    "exact\n"
#define SET_SPACE "space s of t\nparam A = pow2(1, 512)\nparam B = [0, 1]\nwhere A <= n\n"

enum { SET_SIZES = 9 };

struct set_fixture {
    struct fixture f;
    struct size_set set;
    struct problem *problems[SET_SIZES];
    struct cost_table table;
    struct set_known known;
};

/* What it loses. */
static inline double set_fixture_loss(int a, int b, int64_t n)
{
    return 0.5 * fabs(log2(8.0 * a / (double)n)) * log(2) + b * log(1.2);
}

static inline void set_fixture_open(struct set_fixture *fixture)
{
    static const char sizes[] = "n=8\nn=16\nn=32\nn=64\nn=128\nn=256\nn=512\nn=1024\nn=2048\n";
    *fixture = (struct set_fixture){0};
    fixture_parse(&fixture->f, SET_TEMPLATE, SET_SPACE);
    assert_success(size_set_parse("sizes", sizes, strlen(sizes), fixture->f.template, &fixture->f.device,
                                  &fixture->set, &fixture->f.error),
                   &fixture->f.error);
    for (size_t s = 0; s < SET_SIZES; s++)
        assert_success(problem_create(fixture->f.template, fixture->f.space, &fixture->f.device,
                                      &fixture->set.values[2 * s], 2, &fixture->problems[s], &fixture->f.error),
                       &fixture->f.error);
    assert_true(cost_table_create(&fixture->table, (const char *const *)fixture->set.texts, SET_SIZES, NULL));
    fixture->known = (struct set_known){fixture->problems, &fixture->set, &fixture->table, 1};
}

static inline void set_fixture_close(struct set_fixture *fixture)
{
    for (size_t s = 0; s < SET_SIZES; s++)
        problem_free(fixture->problems[s]);
    cost_table_clear(&fixture->table);
    size_set_clear(&fixture->set);
    fixture_free(&fixture->f);
}

/* Measure a configuration at a size. */
static inline void set_fixture_put(struct set_fixture *fixture, int a, int b, size_t size)
{
    char text[40];
    int64_t n = problem_size(fixture->problems[size], 0);
    snprintf(text, sizeof text, "{\"A\":%d,\"B\":%d}", a, b);
    assert_true(cost_table_put(&fixture->table, text, size, (double)n * exp(set_fixture_loss(a, b, n)), NULL));
}

/* Measure every A that a size has, but those above `most`. */
static inline void set_fixture_sweep(struct set_fixture *fixture, size_t size, int most, int b)
{
    for (int a = 1; a <= most && a <= 512 && a <= problem_size(fixture->problems[size], 0); a *= 2)
        set_fixture_put(fixture, a, b, size);
}

#endif
