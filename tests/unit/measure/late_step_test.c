/* SPDX-License-Identifier: Apache-2.0 */
/* What formulas make of steps, up to the limits of buffers and of the device. */
#include "tests/unit/measure/fake_steps.h"
#include "tests/unit/measure/formulas.h"

#include "tuner/measure/late_step.h"

/* Resolve a step with m = `m`; NULL: it must succeed. */
static void resolve(struct formulas_fixture *f, const struct job_step *step, int64_t m, struct job_step *now,
                    enum error_code code, const char *message)
{
    f->values[0] = value_integer(m);
    error = (struct error){0};
    bool done = late_step_resolve(&validation, &program, step, &instance, now, &error);
    if (!message && !done)
        fail_msg("m = %lld: %s", (long long)m, error.text);
    if (message && (done || error.code != code || !strstr(error.text, message)))
        fail_msg("m = %lld: \"%s\", code %d, and not %s", (long long)m, error.text, (int)error.code, message);
    if (message)
        assert_int_equal(error.line, 7);
}

static void expect(struct formulas_fixture *f, const struct job_step *step, int64_t m, enum error_code code,
                   const char *message)
{
    struct job_step now;
    resolve(f, step, m, &now, code, message);
    late_step_release(step, &now);
}

static void launches(void **state)
{
    (void)state;
    struct formulas_fixture f;
    formulas_begin(&f);
    validation.description.max_grid_y = 40;
    validation.description.max_shared_per_block_optin = 4000;
    struct job_step step = {.kind = STEP_LAUNCH, .grid = {2, 1, 1}, .block = {1, 1, 1}, .cluster = {1, 4, 1}};
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_GRID_Y}, "m");
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_SHARED}, "1000 - 100 * (m - 8) ** 2");
    expect(&f, &step, 8, 0, NULL);
    expect(&f, &step, 0, ERROR_INPUT, "kernel k: the grid's y is 0; it must be at least 1");
    expect(&f, &step, -1, ERROR_INPUT, "the grid's y is -1");
    expect(&f, &step, 41, ERROR_RESOURCES, "the grid's y is 41; the device's limit is 40");
    expect(&f, &step, 40, ERROR_INPUT, "the dynamic shared memory is negative (-101400 bytes)");
    expect(&f, &step, 10, ERROR_RESOURCES, "the grid (2, 10, 1) is not a multiple of the cluster");
    step.late->formulas[1].use = FORMULA_VALUE; /* of no use for a launch */
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_SHARED}, "m * 100");
    expect(&f, &step, 40, 0, NULL);
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_GRID_X}, "2 ** m");
    expect(&f, &step, 32, ERROR_RESOURCES, "the grid's x is 4294967296; the device's limit is 4294967295");
    expect(&f, &step, 64, ERROR_INPUT, "the result of ** is too large");
    formulas_end(&f);
}

static void arguments(void **state)
{
    (void)state;
    struct formulas_fixture f;
    formulas_begin(&f);
    unsigned char value[16] = {1, 2, 3, 4};
    struct job_argument pointer = {.kind = ARGUMENT_BUFFER, .buffer = INTS, .at = 8};
    struct job_compound compound = {.value = value, .bytes = 16, .pointers = &pointer, .pointer_count = 1};
    struct job_argument passed[] = {{.kind = ARGUMENT_SCALAR, .element = ELEMENT_UCHAR},
                                    {.kind = ARGUMENT_BUFFER, .buffer = FLOATS},
                                    {.kind = ARGUMENT_COMPOUND, .compound = &compound}};
    struct job_step step = {.kind = STEP_LAUNCH,
                            .grid = {1, 1, 1},
                            .block = {1, 1, 1},
                            .arguments = passed,
                            .argument_count = 3},
                    now;
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_ARGUMENT, .index = 0}, "m * 2");
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_OFFSET, .index = 1}, "m");
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_PART, .index = 2, .at = 2, .element = ELEMENT_SHORT},
                "m - 9");
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_POINTER, .index = 2, .at = 0}, "m // 10");
    resolve(&f, &step, 100, &now, 0, NULL);
    assert_int_equal(now.arguments[0].bytes[0], 200);
    assert_int_equal(now.arguments[1].offset, 100); /* behind the last element */
    const unsigned char wanted[] = {1, 2, 91, 0};
    assert_memory_equal(now.arguments[2].compound->value, wanted, 4);
    assert_int_equal(now.arguments[2].compound->pointers[0].offset, 10);
    assert_int_equal(value[2], 3); /* the step itself stays as it was */
    assert_int_equal(pointer.offset, 0);
    late_step_release(&step, &now);
    expect(&f, &step, 101, ERROR_INPUT, "floats + 101 is outside the buffer, which has 100 elements");
    expect(&f, &step, -1, ERROR_INPUT, "-2 does not fit type uchar");
    step.late->formulas[0].use = FORMULA_VALUE;
    expect(&f, &step, -1, ERROR_INPUT, "floats + -1 is outside the buffer");
    formulas_end(&f);
}

static void copies_and_reads(void **state)
{
    (void)state;
    struct formulas_fixture f;
    formulas_begin(&f);
    struct job_step step = {.kind = STEP_COPY, .source = FLOATS, .target = FLOATS}, now;
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_FIRST}, "m");
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_LAST}, "2 * m");
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_AT}, "50");
    resolve(&f, &step, 25, &now, 0, NULL);
    assert_int_equal(now.first, 25);
    assert_int_equal(now.count, 25);
    assert_int_equal(now.target_first, 50);
    expect(&f, &step, 0, 0, NULL);
    expect(&f, &step, -1, ERROR_INPUT, "floats[-1 : -2] is not a range of the buffer, which has 100 elements");
    expect(&f, &step, 51, ERROR_INPUT, "floats[51 : 102] is not a range");
    expect(&f, &step, 26, ERROR_INPUT, "the source and target of the copy within buffer floats overlap");
    step.target = INTS;
    expect(&f, &step, 5, ERROR_INPUT, "5 elements at ints[50] do not fit in the buffer, which has 10 elements");
    struct job_step read = {.kind = STEP_READ, .target = INTS};
    formula_add(&f, &read, (struct job_formula){.use = FORMULA_FIRST}, "m");
    resolve(&f, &read, 9, &now, 0, NULL);
    assert_int_equal(now.first, 9);
    expect(&f, &read, 10, ERROR_INPUT, "ints has no element 10; its extent is 10");
    expect(&f, &read, -1, ERROR_INPUT, "ints has no element -1");
    struct job_step repeat = {.kind = STEP_WHILE};
    formula_add(&f, &repeat, (struct job_formula){.use = FORMULA_ROUNDS}, "m");
    resolve(&f, &repeat, 7, &now, 0, NULL);
    assert_int_equal(now.rounds, 7);
    expect(&f, &repeat, -7, ERROR_INPUT, "the repeat count is negative (-7)");
    formulas_end(&f);
}

/* As many values as Python's range has. */
static void ranges(void **state)
{
    (void)state;
    static const struct {
        int64_t first, last, stride;
        uint64_t count;
    } cases[] = {
        {0, 5, 1, 5},         {0, 5, 2, 3},  {0, 6, 2, 3},   {5, 0, 1, 0},
        {5, 0, -1, 5},        {5, 0, -2, 3}, {3, 3, 1, 0},   {3, 3, -1, 0},
        {0, 5, 100, 1},       {-7, 8, 5, 3}, {8, -7, -5, 3}, {INT64_MIN, INT64_MAX, INT64_MAX, 3},
        {1, 0, INT64_MIN, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct formulas_fixture f;
        struct late_range range;
        formulas_begin(&f);
        struct job_step step = {.kind = STEP_FOR};
        formula_add(&f, &step, (struct job_formula){.use = FORMULA_FIRST}, "m");
        formula_add(&f, &step, (struct job_formula){.use = FORMULA_LAST}, "k");
        formula_add(&f, &step, (struct job_formula){.use = FORMULA_STRIDE}, "i");
        f.values[0] = value_integer(cases[i].first);
        f.values[1] = value_integer(cases[i].last);
        f.values[2] = value_integer(cases[i].stride);
        assert_true(late_step_range(&step, &instance, &range, &error));
        assert_true(range.count == cases[i].count);
        f.values[2] = value_integer(0);
        assert_false(late_step_range(&step, &instance, &range, &error));
        assert_non_null(strstr(error.text, "step of 0"));
        formulas_end(&f);
    }
}

static void extents(void **state)
{
    (void)state;
    struct formulas_fixture f;
    formulas_begin(&f);
    validation.description.memory_bytes = 1000;
    struct job_step step = {.kind = STEP_ALLOCATE, .target = FLOATS};
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_VALUE}, "m");
    f.values[0] = value_integer(-1);
    assert_false(late_step_allocate(&validation, &step, &instance, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "buffer floats has a negative extent (-1)"));
    const int64_t large[] = {251, INT64_MAX};
    for (size_t i = 0; i < 2; i++) {
        f.values[0] = value_integer(large[i]);
        assert_false(late_step_allocate(&validation, &step, &instance, &error));
        assert_int_equal(error.code, ERROR_DOES_NOT_FIT);
    }
    formulas_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(launches, begin),         cmocka_unit_test_setup(arguments, begin),
        cmocka_unit_test_setup(copies_and_reads, begin), cmocka_unit_test_setup(ranges, begin),
        cmocka_unit_test_setup(extents, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
