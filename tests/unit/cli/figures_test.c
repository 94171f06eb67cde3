/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#include "tuner/cli/figures.h"

#include <math.h>

static void expect_time(double nanoseconds, const char *expected)
{
    char text[FIGURE_TEXT];
    figure_time(nanoseconds, text, sizeof text);
    assert_string_equal(text, expected);
}

static void times(void **state)
{
    (void)state;
    expect_time(0, "-");
    expect_time(-1, "-");
    expect_time(NAN, "-");
    expect_time(0.5, "0.5 ns");
    expect_time(999, "999 ns");
    expect_time(1000, "1 us");
    expect_time(56583, "56.58 us");
    expect_time(1.5e6, "1.5 ms");
    expect_time(2e9, "2 s");
    expect_time(123456e9, "1.235e+05 s");
}

static void rates(void **state)
{
    (void)state;
    char text[FIGURE_TEXT];
    figure_rate(2e6, 4e6, 8e6, text, sizeof text); /* 4 Mflop in 2 ms */
    assert_string_equal(text, "2.0 GFLOP/s");
    figure_rate(2e6, 0, 8e6, text, sizeof text);
    assert_string_equal(text, "4.0 GB/s");
    figure_rate(2e6, 0, 0, text, sizeof text);
    assert_string_equal(text, "-");
    figure_rate(0, 4e6, 8e6, text, sizeof text);
    assert_string_equal(text, "-");
}

static void energies(void **state)
{
    (void)state;
    char text[FIGURE_TEXT];
    figure_energy(-1, text, sizeof text);
    assert_string_equal(text, "-");
    figure_energy(2.5e-5, text, sizeof text);
    assert_string_equal(text, "25 uJ");
    figure_energy(1.234, text, sizeof text);
    assert_string_equal(text, "1.234 J");
    figure_per_second(4.1667e12, "op/s", text, sizeof text);
    assert_string_equal(text, "4.167 Top/s");
    figure_per_second(999e9, "B/s", text, sizeof text);
    assert_string_equal(text, "999 GB/s");
    figure_per_second(0, "B/s", text, sizeof text);
    assert_string_equal(text, "-");
    figure_per_watt(0.5, 1e9, 0, text, sizeof text); /* 1 Gflop for half a joule */
    assert_string_equal(text, "2 GFLOP/s/W");
    figure_per_watt(0.5, 0, 1e9, text, sizeof text);
    assert_string_equal(text, "2 GB/s/W");
    figure_per_watt(0, 1e9, 0, text, sizeof text);
    assert_string_equal(text, "-");
}

static void shares_of_what_the_device_can_do(void **state)
{
    (void)state;
    char text[FIGURE_TEXT], sentence[FIGURE_SENTENCE];
    struct share share = {.percent = 77.14, .figure = WORK_SPECIAL, .ceiling = {4e12, true}};
    figure_share(&share, text, sizeof text);
    assert_string_equal(text, "77.1 % special-function");
    figure_share_sentence(&share, sentence, sizeof sentence);
    assert_string_equal(sentence, "77.1 % of the special-function limit");
    share.ceiling.measured = false;
    figure_share(&share, text, sizeof text);
    assert_string_equal(text, "77.1 % special-function*");
    figure_share_sentence(&share, sentence, sizeof sentence);
    assert_string_equal(sentence, "77.1 % of the special-function limit of the data sheet");
    share.percent = -1;
    figure_share(&share, text, sizeof text);
    assert_string_equal(text, "-");
    figure_share_sentence(&share, sentence, sizeof sentence);
    assert_string_equal(sentence, "");
}

static void values_of_objectives(void **state)
{
    (void)state;
    const struct {
        const char *objective;
        double value;
        const char *expected;
    } cases[] = {
        {"time", 1.5e6, "1.5 ms"},
        {"energy", 2.5e-3, "2.5 mJ"},
        {"edp", 1.25e-5, "1.25e-05 J s"},
        {"rate", 123456, "1.235e+05"},
        {"rate", 0, "-"},
        {"rate", INFINITY, "-"},
        {"edp", -1, "-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[FIGURE_TEXT];
        figure_objective(cases[i].objective, cases[i].value, text, sizeof text);
        assert_string_equal(text, cases[i].expected);
    }
}

static void durations(void **state)
{
    (void)state;
    const struct {
        double seconds;
        const char *expected;
    } cases[] = {
        {-1, "0 s"},          {0, "0 s"},
        {59.4, "59 s"},       {59.6, "1 min 0 s"},
        {185, "3 min 5 s"},   {3599.9, "1 h 0 min"},
        {7800, "2 h 10 min"}, {INFINITY, "1000000 h 0 min"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[FIGURE_TEXT];
        figure_duration(cases[i].seconds, text, sizeof text);
        assert_string_equal(text, cases[i].expected);
    }
}

static void bytes(void **state)
{
    (void)state;
    static const struct {
        double bytes;
        const char *expected;
    } cases[] = {{0, "0 B"},         {999, "999 B"},     {1000, "1.0 kB"},   {99949, "99.9 kB"}, {123456, "123 kB"},
                 {999960, "1.0 MB"}, {9.17e8, "917 MB"}, {2.5e12, "2.5 TB"}, {5e15, "5000 TB"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[FIGURE_TEXT];
        figure_bytes(cases[i].bytes, text, sizeof text);
        assert_string_equal(text, cases[i].expected);
    }
}

static void ratios(void **state)
{
    (void)state;
    static const struct {
        double ratio;
        const char *expected;
    } cases[] = {{0, "-"},
                 {1, "1.00x"},
                 {0.0996, "0.10x"},
                 {0.0994, "0.099x"},
                 {1234.5, "1234.50x"},
                 {1.0 / 5300, "0.00019x"},
                 {1.0 / 53000, "1.9e-05x"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[FIGURE_TEXT];
        figure_times(cases[i].ratio, text, sizeof text);
        assert_string_equal(text, cases[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times),     cmocka_unit_test(bytes),
        cmocka_unit_test(ratios),    cmocka_unit_test(rates),
        cmocka_unit_test(energies),  cmocka_unit_test(shares_of_what_the_device_can_do),
        cmocka_unit_test(durations), cmocka_unit_test(values_of_objectives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
