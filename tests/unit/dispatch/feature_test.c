/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/dispatch/feature.h"

#include <string.h>

static void features_of_three_sizes(void **state)
{
    (void)state;
    static const char *const names[] = {"M", "N", "K"};
    static const int64_t sizes[] = {12, 4096, 7};
    static const struct {
        const char *text;
        double value;
    } expected[] = {
        {"M", 12},
        {"N", 4096},
        {"K", 7},
        {"M / N", 12.0 / 4096},
        {"M / K", 12.0 / 7},
        {"N / K", 4096.0 / 7},
        {"M * N", 12.0 * 4096},
        {"M * K", 84},
        {"N * K", 28672},
        {"power of two in M", 4},
        {"power of two in N", 1024},
        {"power of two in K", 1},
    };
    assert_int_equal(feature_count(3), sizeof expected / sizeof *expected);
    for (size_t i = 0; i < feature_count(3); i++) {
        const struct feature feature = feature_number(3, i);
        char text[40];
        enum feature_kind kind;
        feature_text(&feature, names, text, sizeof text);
        assert_string_equal(text, expected[i].text);
        assert_true(feature_value(&feature, sizes) == expected[i].value);
        assert_true(feature_kind_of(feature_kind_name(feature.kind), &kind));
        assert_int_equal(kind, feature.kind);
        assert_int_equal(feature_has_two(kind), feature.a != feature.b);
    }
}

static void one_size_has_no_pairs(void **state)
{
    (void)state;
    enum feature_kind kind;
    assert_int_equal(feature_count(1), 2);
    assert_int_equal(feature_number(1, 0).kind, FEATURE_SIZE);
    assert_int_equal(feature_number(1, 1).kind, FEATURE_UNIT);
    assert_int_equal(feature_count(2), 6);
    assert_false(feature_kind_of("volume", &kind));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_of_three_sizes),
        cmocka_unit_test(one_size_has_no_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
