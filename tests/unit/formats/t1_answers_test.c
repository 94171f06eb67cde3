/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_fixture.h"

#include "tuner/formats/t1_answers.h"

#include <string.h>

/* Where a file may be read there is none, so that expected values are lost with a note. */
static void test_bounds(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct t1_argument arguments[] = {
        {.memory = T1_VECTOR, .name = "x", .access = T1_READ},
        {.memory = T1_VECTOR, .name = "y", .access = T1_READ},
        {.memory = T1_VECTOR, .name = "z", .access = T1_READ_WRITE},
    };
    t1_fixture_create(&f);
    f.t1.arguments = arguments;
    f.t1.argument_count = 3;
    json_t *names = json_of("[{'Name': 'x'}, {'Name': 'y'}, {}]");
    json_t *references = json_of(
        "[{'TargetName': 'x', 'ValidationMethod': 'SideBySideRelativeComparison', 'ValidationThreshold': 0.25},"
        " {'TargetName': 'y', 'ValidationMethod': 'SideBySideComparison', 'ValidationThreshold': 0.5, 'FillType': "
        "'BinaryRaw', 'DataSource': 'y.bin'},"
        " {'TargetArgument': 2, 'ValidationMethod': 'AllClose', 'ValidationThreshold': 1e-4}, {'TargetName': 'w'}]");
    assert_success(t1_read_answers(&f.t1, names, references, &f.error), &f.error);
    static const double tolerances[][2] = {{0.25, 0}, {0, 0.5}, {1e-5, 1e-4}};
    for (size_t i = 0; i < 3; i++) {
        assert_true(arguments[i].answer.relative == tolerances[i][0]);
        assert_true(arguments[i].answer.absolute == tolerances[i][1]);
    }
    assert_int_equal(arguments[0].access, T1_READ_WRITE);
    expect_notes(&f,
                 "the expected values of x are not imported\nthe expected values of y are not imported: there is no "
                 "file y.bin\nthe expected values of z are not imported\nReferenceArguments[3] is for no argument, "
                 "and is not imported\n");
    json_decref(names);
    json_decref(references);
    t1_fixture_free(&f);
}

/* They belong to certain inputs. */
static void test_random_inputs(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct t1_argument arguments[] = {
        {.memory = T1_VECTOR, .name = "w", .access = T1_WRITE, .fill = T1_RANDOM}, /* which is ignored */
        {.memory = T1_VECTOR, .name = "x", .access = T1_READ, .fill = T1_RANDOM},
        {.memory = T1_VECTOR, .name = "y", .access = T1_READ_WRITE},
    };
    t1_fixture_create(&f);
    f.t1.arguments = arguments;
    f.t1.argument_count = 3;
    json_t *names = json_of("[{}, {}, {}]");
    json_t *references = json_of("[{'TargetArgument': 2, 'FillType': 'BinaryRaw', 'DataSource': 'y.bin'}]");
    assert_success(t1_read_answers(&f.t1, names, references, &f.error), &f.error);
    assert_null(arguments[2].answer.file);
    assert_false(arguments[2].ignored);
    expect_notes(&f, "the expected values of y are not imported: x has random values\n");
    json_decref(names);
    json_decref(references);
    t1_fixture_free(&f);
}

/* Of several outputs only those with answers are compared; one whose answer is lost is, too. */
static void test_outputs_without_answers(void **state)
{
    (void)state;
    struct t1_fixture f;
    struct t1_argument arguments[] = {
        {.memory = T1_VECTOR, .name = "x", .access = T1_READ},
        {.memory = T1_VECTOR, .name = "y", .access = T1_READ_WRITE},
        {.memory = T1_VECTOR, .name = "z", .access = T1_WRITE},
        {.memory = T1_SCALAR, .access = T1_READ_WRITE},
        {.memory = T1_VECTOR, .name = "w", .access = T1_READ_WRITE},
    };
    t1_fixture_create(&f);
    f.t1.arguments = arguments;
    f.t1.argument_count = 5;
    json_t *names = json_of("[{}, {}, {}, {}, {}]"), *none = json_of("[]"), *wrong = json_of("[{'TargetName': 'v'}]");
    json_t *references = json_of("[{'TargetArgument': 4, 'Lost': true}]");
    assert_success(t1_read_answers(&f.t1, names, none, &f.error), &f.error);
    assert_success(t1_read_answers(&f.t1, names, wrong, &f.error), &f.error);
    for (size_t i = 0; i < 5; i++)
        assert_false(arguments[i].ignored);
    assert_success(t1_read_answers(&f.t1, names, references, &f.error), &f.error);
    static const bool ignored[] = {false, true, true, false, false};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(arguments[i].ignored, ignored[i]);
    assert_true(t1_is_output(&arguments[4]) && !t1_is_output(&arguments[1]));
    expect_notes(&f, "ReferenceArguments[0] is for no argument, and is not imported\n");
    json_decref(names);
    json_decref(none);
    json_decref(wrong);
    json_decref(references);
    t1_fixture_free(&f);
}

static void test_reference_kernel(void **state)
{
    (void)state;
    struct t1_fixture f;
    t1_fixture_create(&f);
    json_t *kernel = json_of(
        "{'ReferenceKernel': {'KernelName': 'naive', 'Defines': {'block': 16, 'bad name': 1, 'evil': 'a\\nb'}, "
        "'Grid': ['ceil_div(ProblemSize[0], 16)', 2], 'Block': [16, -1, 1]}}");
    f.t1.sizes[0] = "n";
    f.t1.size_count = 1;
    assert_success(t1_read_reference_kernel(&f.t1, kernel, &f.error), &f.error);
    assert_string_equal(f.t1.reference.name, "naive");
    assert_string_equal(f.t1.reference.defines, "#define block 16\n");
    assert_string_equal(f.t1.reference.grid[0], "ceil_div(n, 16)");
    assert_string_equal(f.t1.reference.grid[1], "2");
    assert_string_equal(f.t1.reference.grid[2], "1");
    assert_string_equal(f.t1.reference.block[1], "1");
    json_decref(kernel);
    t1_fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds), cmocka_unit_test(test_random_inputs),
                                       cmocka_unit_test(test_outputs_without_answers),
                                       cmocka_unit_test(test_reference_kernel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
