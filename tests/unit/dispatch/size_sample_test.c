/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"
#include "tuner/dispatch/size_sample.h"

#include <math.h>

#define TEMPLATE                                                                                                     \
    "template t\nsize M = 64\nsize N = 8\nparameter A\nsource \"k.cu\"\nbuffer y : float[M - N] out\n"               \
    "launch { k<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

struct drawing {
    struct fixture f;
    struct size_builder builder;
    struct size_set set;
};

static bool draw(struct drawing *d, const struct size_sample *sample)
{
    fixture_parse(&d->f, TEMPLATE, NULL);
    assert_true(size_builder_begin(&d->builder, d->f.template, &d->f.device, &d->set, &d->f.error));
    return size_sample_draw(sample, &d->builder, &d->f.error);
}

static void end(struct drawing *d)
{
    size_builder_end(&d->builder);
    size_set_clear(&d->set);
    fixture_free(&d->f);
}

/* Of 64 sizes over six octaves, each octave of M has 64 / 6, and each pair of octaves of M and N hardly more than one
 * or two: 64 / 36. */
static void samples_are_spread_over_the_octaves(void **state)
{
    (void)state;
    static const struct size_range ranges[] = {{"M", 4096, 262143}, {"N", 32, 2047}};
    const struct size_sample sample = {ranges, 2, 64, false, 1, 1, 2};
    struct drawing d;
    int octaves[6] = {0}, pairs[36] = {0};
    assert_success(draw(&d, &sample), &d.f.error);
    assert_int_equal(d.set.count, 64);
    for (size_t i = 0; i < d.set.count; i++) {
        int64_t m = d.set.values[2 * i].value, n = d.set.values[2 * i + 1].value;
        assert_in_range(m, 4096, 262143);
        assert_in_range(n, 32, 2047);
        assert_true(d.set.weights[i] == 2);
        octaves[(int)log2((double)m / 4096)]++;
        pairs[6 * (int)log2((double)m / 4096) + (int)log2((double)n / 32)]++;
    }
    for (size_t i = 0; i < 6; i++)
        assert_in_range(octaves[i], 9, 12);
    for (size_t i = 0; i < 36; i++)
        assert_in_range(pairs[i], 0, 5);
    end(&d);
}

static void linear_samples_are_spread_over_the_values(void **state)
{
    (void)state;
    static const struct size_range ranges[] = {{"M", 1001, 2000}, {"N", 3, 3}};
    const struct size_sample sample = {ranges, 2, 50, true, 1, 7, 1};
    struct drawing d;
    int tenths[10] = {0};
    assert_success(draw(&d, &sample), &d.f.error);
    for (size_t i = 0; i < d.set.count; i++) {
        tenths[(d.set.values[2 * i].value - 1001) / 100]++;
        assert_int_equal(d.set.values[2 * i + 1].value, 3);
    }
    for (size_t i = 0; i < 10; i++)
        assert_in_range(tenths[i], 3, 7);
    end(&d);
}

/* 96, 104 .. 200: all fourteen of them, once each. */
static void multiples_are_all_that_is_drawn(void **state)
{
    (void)state;
    static const struct size_range ranges[] = {{"M", 90, 200}};
    const struct size_sample sample = {ranges, 1, 14, false, 8, 1, 1};
    struct drawing d;
    bool hit[14] = {false};
    assert_success(draw(&d, &sample), &d.f.error);
    for (size_t i = 0; i < d.set.count; i++) {
        int64_t m = d.set.values[2 * i].value;
        assert_int_equal(m % 8, 0);
        assert_false(hit[(m - 96) / 8]);
        hit[(m - 96) / 8] = true;
    }
    end(&d);
}

static void seeds_draw_other_sizes_and_the_same_again(void **state)
{
    (void)state;
    static const struct size_range ranges[] = {{"M", 100, 100000}};
    struct drawing d[3];
    for (size_t i = 0; i < 3; i++) {
        const struct size_sample sample = {ranges, 1, 9, false, 1, 1 + i / 2, 1};
        assert_success(draw(&d[i], &sample), &d[i].f.error);
    }
    bool differs = false;
    for (size_t i = 0; i < 9; i++) {
        assert_string_equal(d[0].set.texts[i], d[1].set.texts[i]);
        differs = differs || strcmp(d[0].set.texts[i], d[2].set.texts[i]) != 0;
    }
    assert_true(differs);
    for (size_t i = 0; i < 3; i++)
        end(&d[i]);
}

/* A buffer of M - N elements: where M < N there is none. */
static void what_the_template_refuses_is_drawn_again(void **state)
{
    (void)state;
    static const struct size_range ranges[] = {{"M", 1, 1000}, {"N", 1, 1000}};
    const struct size_sample sample = {ranges, 2, 100, false, 1, 1, 1};
    struct drawing d;
    assert_success(draw(&d, &sample), &d.f.error);
    assert_int_equal(d.set.count, 100);
    for (size_t i = 0; i < d.set.count; i++)
        assert_true(d.set.values[2 * i].value >= d.set.values[2 * i + 1].value);
    end(&d);
}

static void what_cannot_be_drawn_is_an_error(void **state)
{
    (void)state;
    static const struct size_range few[] = {{"M", 100, 109}}, none[] = {{"M", 9, 15}},
                                   refused[] = {{"M", 1, 9}, {"N", 10, 20}}, huge[] = {{"M", 1, INT64_MAX}};
    static const struct {
        struct size_sample sample;
        const char *text, *hint;
    } cases[] = {
        {{few, 1, 11, false, 1, 1, 1}, "hardly more than 10 different sizes to draw 11 from", "fewer"},
        {{none, 1, 1, false, 8, 1, 1}, "between 9 and 15 there is no multiple of 8", ""},
        {{refused, 2, 5, false, 1, 1, 1}, "only 0 could be drawn: the template refuses others", "buffer y"},
        {{few, 1, SIZE_SET_MOST + 1, false, 1, 1, 1}, "more than 4096 sizes", ""},
    };
    struct drawing d;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(draw(&d, &cases[i].sample));
        assert_int_equal(d.f.error.code, ERROR_INPUT);
        assert_mentions(d.f.error.text, cases[i].text);
        assert_mentions(d.f.error.hint, cases[i].hint);
        end(&d);
    }
    const struct size_sample sample = {huge, 1, 20, true, 3, 1, 1};
    draw(&d, &sample); /* some are more than can be addressed; none overflows */
    for (size_t i = 0; i < d.set.count; i++)
        assert_true(d.set.values[2 * i].value > 0 && d.set.values[2 * i].value % 3 == 0);
    end(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_spread_over_the_octaves),
        cmocka_unit_test(linear_samples_are_spread_over_the_values),
        cmocka_unit_test(multiples_are_all_that_is_drawn),
        cmocka_unit_test(seeds_draw_other_sizes_and_the_same_again),
        cmocka_unit_test(what_the_template_refuses_is_drawn_again),
        cmocka_unit_test(what_cannot_be_drawn_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
