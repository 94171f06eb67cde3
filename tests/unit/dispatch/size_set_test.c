/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/dispatch/refused.h"
#include "tests/unit/scratch_folder.h"
#include "tuner/dispatch/size_set.h"

#include <stdio.h>

static bool parse(struct fixture *f, const char *text, struct size_set *set)
{
    return size_set_parse("sizes.txt", text, strlen(text), f->template, &f->device, set, &f->error);
}

static void lines_are_sizes_with_weights(void **state)
{
    (void)state;
    struct fixture f;
    struct size_set set;
    fixture_parse(&f, TEMPLATE, NULL);
    assert_success(parse(&f,
                         "# of a network\n\n  M=8,N=16 2.5 # often\r\nN=3,M=7\nM=5\n\tM=8,N=16\t0.25\nN=9 # "
                         "rarely",
                         &set),
                   &f.error);
    static const char *const texts[] = {"M=8,N=16", "M=7,N=3", "M=5,N=10", "M=64,N=9"};
    static const double weights[] = {2.75, 1, 1, 1};
    assert_int_equal(set.count, 4);
    assert_int_equal(set.dimensions, 2);
    for (size_t i = 0; i < set.count; i++) {
        assert_string_equal(set.texts[i], texts[i]);
        assert_true(set.weights[i] == weights[i]);
    }
    assert_string_equal(set.values[4].name, "M");
    assert_int_equal(set.values[4].value, 5);
    assert_int_equal(set.values[5].value, 10);
    size_set_clear(&set);
    fixture_free(&f);
}

static void a_line_may_be_ranges(void **state)
{
    (void)state;
    struct fixture f;
    struct size_set set;
    fixture_parse(&f, TEMPLATE, NULL);
    assert_success(
        parse(&f, "M=7\nM=4..15,N=3 sample 3 weight 0.5 multiple of 4 linear seed 9 # all\nM=4,N=3 2\n", &set),
        &f.error);
    assert_int_equal(set.count, 4);
    double sum = 0;
    for (size_t i = 1; i < 4; i++) {
        assert_int_equal(set.values[2 * i].value % 4, 0);
        assert_int_equal(set.values[2 * i + 1].value, 3);
        assert_true(set.weights[i] == (set.values[2 * i].value == 4 ? 2.5 : 0.5));
        sum += (double)set.values[2 * i].value;
    }
    assert_true(sum == 4 + 8 + 12);
    size_set_clear(&set);
    fixture_free(&f);
}

static void bad_lines_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct refusal cases[] = {
        {"M=8\nM 8\n", "this is not NAME=NUMBER", 2, 1},
        {"M=8,\n", "this is not NAME=NUMBER", 1, 5},
        {"=8\n", "this is not NAME=NUMBER", 1, 1},
        {"M=\n", "this is not NAME=NUMBER", 1, 1},
        {"N=1,M=8x\n", "not a whole number", 1, 5},
        {"M=1e3\n", "not a whole number", 1, 1},
        {"M=9223372036854775808\n", "fits 64 bits", 1, 1},
        {"\n  K=8", "template t has no size K", 2, 3},
        {"M=8 x\n", "the weight is not a number above 0, at most 1e9", 1, 5},
        {"M=8 0\n", "the weight is not a number above 0, at most 1e9", 1, 5},
        {"M=8 -1\n", "the weight is not a number above 0, at most 1e9", 1, 5},
        {"M=8 nan\n", "the weight is not a number above 0, at most 1e9", 1, 5},
        {"M=8 inf\n", "the weight is not a number above 0, at most 1e9", 1, 5},
        {"M=8 1 2\n", "something follows the weight", 1, 7},
        {"M=8,N=1,M=9\n", "more sizes than the template has", 1, 9},
        {"M=8\n\nM=8,M=9\n", "size M is given twice", 3, 1},
        {"M=0\n", "size M is 0", 1, 1},
        {"M=2147483648,N=2147483648\n", "more than can be addressed", 6, 18}, /* of the template */
        {"M=1..\n", "not a whole number", 1, 1},
        {"M=..4 sample 2\n", "not a whole number", 1, 1},
        {"M=4..2 sample 2\n", "a range is LOW..HIGH, from 1 on", 1, 1},
        {"M=0..2 sample 2\n", "a range is LOW..HIGH, from 1 on", 1, 1},
        {"\nN=3,M=4..9 2\n", "how many sizes are to be sampled from this range?", 2, 1},
        {"M=4 sample 2\n", "there is no range, LOW..HIGH, to sample from", 1, 1},
        {"M=4..9 sample\n", "how many sizes to sample is a number from 1 to 4096", 1, 14},
        {"M=4..9 sample 0\n", "how many sizes to sample is a number from 1 to 4096", 1, 15},
        {"M=4..9 sample 2 3\n", "behind 'sample COUNT' there may be log", 1, 17},
        {"M=4..9 sample 2 multiple 3\n", "behind 'sample COUNT' there may be log", 1, 17},
        {"M=4..9 sample 2 multiple of 0\n", "no whole number above 0", 1, 29},
        {"M=4..9 sample 2 seed x\n", "the seed is no whole number above 0", 1, 22},
        {"M=4..9 sample 2 weight -1\n", "the weight is not a number above 0", 1, 24},
        {"M=4\n M=4..9 sample 7 # all but M=4\n", "hardly more than 5 different sizes to draw 7 from", 2, 1},
        {"# nothing\n", "sizes.txt has no sizes", 0, 0},
        {"", "sizes.txt has no sizes", 0, 0},
    };
    assert_refused(cases, sizeof cases / sizeof *cases, parse);
}

static void a_zero_byte_ends_nothing(void **state)
{
    (void)state;
    static const char text[] = "M=8\0\nM=9\n";
    struct fixture f;
    struct size_set set;
    fixture_parse(&f, TEMPLATE, NULL);
    assert_false(size_set_parse("sizes.txt", text, sizeof text - 1, f.template, &f.device, &set, &f.error));
    assert_int_equal(f.error.line, 1);
    size_set_clear(&set);
    fixture_free(&f);
}

static void sizes_can_be_taken_out(void **state)
{
    (void)state;
    struct fixture f;
    struct size_set set;
    fixture_parse(&f, TEMPLATE, NULL);
    assert_success(parse(&f, "M=1 5\nM=2 6\nM=3 7\n", &set), &f.error);
    size_set_remove(&set, 1);
    assert_int_equal(set.count, 2);
    assert_string_equal(set.texts[1], "M=3,N=6");
    assert_int_equal(set.values[2].value, 3);
    assert_true(set.weights[0] == 5 && set.weights[1] == 7);
    size_set_remove(&set, 1);
    assert_int_equal(set.count, 1);
    assert_string_equal(set.texts[0], "M=1,N=2");
    size_set_clear(&set);
    fixture_free(&f);
}

static void sizes_can_be_stated_anew(void **state)
{
    (void)state;
    struct fixture f;
    struct size_set set;
    fixture_parse(&f, TEMPLATE, NULL);
    assert_success(parse(&f, "M=1 5\nM=2 6\n", &set), &f.error);
    const struct size_setting sizes[] = {{"M", 2}, {"N", 9}};
    assert_success(size_set_restate(&set, 1, sizes, &f.error), &f.error);
    assert_string_equal(set.texts[0], "M=1,N=2");
    assert_string_equal(set.texts[1], "M=2,N=9");
    assert_true(set.values[1].value == 2 && set.values[3].value == 9 && set.weights[1] == 6);
    size_set_clear(&set);
    fixture_free(&f);
}

static void there_is_a_limit(void **state)
{
    (void)state;
    struct fixture f;
    struct size_set set;
    char *text = calloc(SIZE_SET_MOST + 2, 8);
    assert_non_null(text);
    size_t length = 0;
    for (int i = 1; i <= SIZE_SET_MOST + 1; i++)
        length += (size_t)sprintf(text + length, "M=%d\n", i);
    fixture_parse(&f, TEMPLATE, NULL);
    assert_false(parse(&f, text, &set));
    assert_mentions(f.error.text, "more than 4096 sizes");
    size_set_clear(&set);
    free(text);
    fixture_free(&f);
}

static void a_file_is_read(void **state)
{
    (void)state;
    struct fixture f;
    struct size_set set;
    const char *path = scratch_path("sizes.txt");
    fixture_parse(&f, TEMPLATE, NULL);
    assert_false(size_set_read(path, f.template, &f.device, &set, &f.error));
    assert_mentions(f.error.text, path);
    assert_success(size_set_read(scratch_write("sizes.txt", "M=3\n"), f.template, &f.device, &set, &f.error),
                   &f.error);
    assert_string_equal(set.texts[0], "M=3,N=6");
    size_set_clear(&set);
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_sizes_with_weights),
        cmocka_unit_test(a_line_may_be_ranges),
        cmocka_unit_test(bad_lines_are_refused_with_their_place),
        cmocka_unit_test(a_zero_byte_ends_nothing),
        cmocka_unit_test(sizes_can_be_taken_out),
        cmocka_unit_test(sizes_can_be_stated_anew),
        cmocka_unit_test(there_is_a_limit),
        cmocka_unit_test_setup_teardown(a_file_is_read, scratch_folder_create, scratch_folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
