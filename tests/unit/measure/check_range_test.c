/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of checks, known or left by the reference. */
#include "tests/unit/measure/fake_steps.h"
#include "tests/unit/measure/formulas.h"

#include "tuner/measure/check_range.h"

static void ranges_follow_the_reference(void **state)
{
    (void)state;
    struct formulas_fixture f;
    struct value found[3];
    formulas_begin(&f);
    instance.found = found;
    struct job_step holder = {0};
    formula_add(&f, &holder, (struct job_formula){.use = FORMULA_FIRST}, "m - 4");
    formula_add(&f, &holder, (struct job_formula){.use = FORMULA_LAST}, "2 * m");
    struct job_buffer wanted = {.name = buffer_names[FLOATS], .extent = 100};
    struct job_check check = {.buffer = FLOATS,
                              .partial = true,
                              .late = holder.late,
                              .file = (char[]){"t.template"},
                              .line = 3,
                              .column = 7};
    const struct job_case one = {.buffers = &wanted, .buffer_count = 1, .checks = &check, .check_count = 1};
    f.values[0] = value_integer(50);
    assert_true(check_ranges_keep(&instance, &one, &error));
    f.values[0] = value_integer(20); /* a configuration has read it, too */
    struct check_range range = check_range(&instance, &check);
    assert_int_equal(range.first, 46);
    assert_int_equal(range.count, 54);
    check.late = NULL;
    check.first = 5;
    check.count = 6;
    range = check_range(&instance, &check);
    assert_true(range.first == 5 && range.count == 6);
    check.partial = false;
    range = check_range(&instance, &check);
    assert_true(range.first == 0 && range.count == 100);

    const int64_t outside[] = {3, 51};
    const char *const texts[] = {"floats[-1 : 6] is not a range of the buffer, which has 100 elements",
                                 "floats[47 : 102] is not a range of the buffer"};
    check.late = holder.late;
    for (size_t i = 0; i < 2; i++) {
        f.values[0] = value_integer(outside[i]);
        assert_false(check_ranges_keep(&instance, &one, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_non_null(strstr(error.text, texts[i]));
        assert_string_equal(error.file, "t.template");
        assert_int_equal(error.line, 3);
    }
    formulas_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(ranges_follow_the_reference, begin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
