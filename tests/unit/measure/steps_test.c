/* SPDX-License-Identifier: Apache-2.0 */
/* Copies, fills, loops, conditions and counts on a fake device. */
#include "tests/unit/measure/fake_steps.h"
#include "tests/unit/measure/formulas.h"
#include "tuner/measure/instance_run.h"

static void copies_count_elements_of_the_source(void **state)
{
    (void)state;
    struct job_step step = {
        .kind = STEP_COPY, .source = DOUBLES, .first = 2, .target = FLOATS, .target_first = 1, .count = 3};
    assert_run(&step, "copy 1008 4010 24;");
    step = (struct job_step){.kind = STEP_COPY_SYMBOL, .source = INTS, .first = 1, .target_first = 2, .count = 8};
    assert_run(&step, "copy 9008 3004 32;"); /* up to the last byte */
    step.count = 9;
    assert_refused(&step, ERROR_RESOURCES, "44 bytes exceeds its symbol of 40");
    step.symbol = 1;
    assert_refused(&step, ERROR_WORK, "symbol 1 of 1");
}

/* A value whose bytes are all equal is the device's own fill, any other one a kernel. */
static void fills_take_the_quick_way(void **state)
{
    (void)state;
    struct job_step step = {.kind = STEP_FILL, .target = DOUBLES};
    assert_run(&step, "fill 4000 0 80;");
    memset(step.bytes, 0x7f, sizeof step.bytes);
    step.target = FLOATS;
    assert_run(&step, "fill 1000 7f 400;");
    step.bytes[3] = 0x3f;
    assert_run(&step, "validation;");
    step.bytes[3] = 0x7f;
    step.bytes[4] = 1; /* beyond the four bytes of a float */
    assert_run(&step, "fill 1000 7f 400;");
}

static void repeats_look_at_their_flag(void **state)
{
    (void)state;
    struct job_step body = {.kind = STEP_COPY, .source = INTS, .target = INTS, .count = 1};
    struct job_step step = {.kind = STEP_REPEAT, .target = INTS, .rounds = 3, .body = &body, .body_count = 1};
#define ROUND "copy 3000 3000 4;flag;"
    fake.flags[0] = 5; /* and then 0 */
    assert_run(&step, ROUND ROUND);
    fake.downloads = 0;
    fake.flags[0] = fake.flags[1] = fake.flags[2] = 1;
    assert_run(&step, ROUND ROUND ROUND); /* at most */
    step.rounds = 0;
    assert_run(&step, "");

    /* -0.0 is 0, and only the bytes of the type count. */
    step.rounds = 2;
    step.target = FLOATS;
    fake.downloads = 0;
    fake.flags[0] = 0x80000000;
    assert_run(&step, ROUND);
    step.target = DOUBLES;
    fake.downloads = 0;
    fake.flags[0] = UINT64_C(1) << 63;
    assert_run(&step, ROUND);
    step.target = INTS;
    fake.downloads = 0;
    fake.flags[0] = 0x80000000;
    fake.flags[1] = UINT64_C(1) << 32;
    assert_run(&step, ROUND ROUND);
}

/* ---- what counts decide ---- */

/* The device answers 3, then 2, ... : m is read from INTS[1]. */
static const struct job_step *read_m(struct formulas_fixture *f)
{
    return fixed_step(f, (struct job_step){.kind = STEP_READ, .target = INTS, .first = 1, .count = 5}, "m");
}

static void counts_are_read_and_used(void **state)
{
    (void)state;
    struct formulas_fixture f;
    formulas_begin(&f);
    struct job_argument arguments[] = {{.kind = ARGUMENT_SCALAR, .element = ELEMENT_INT},
                                       {.kind = ARGUMENT_BUFFER, .buffer = FLOATS}};
    struct job_step steps[] = {
        *read_m(&f),
        {.kind = STEP_LAUNCH, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = arguments, .argument_count = 2},
    };
    formula_add(&f, &steps[1], (struct job_formula){.use = FORMULA_GRID_X}, "m * 2");
    formula_add(&f, &steps[1], (struct job_formula){.use = FORMULA_SHARED}, "16 * m");
    formula_add(&f, &steps[1], (struct job_formula){.use = FORMULA_ARGUMENT, .index = 0}, "m + 1");
    formula_add(&f, &steps[1], (struct job_formula){.use = FORMULA_OFFSET, .index = 1}, "m");
    fake.flags[0] = 3;
    assert_run_all(&f, steps, 2, "flag;launch 6,1,1 x 32,1,1 + 48 (4,100c);");
    fake.downloads = 0;
    fake.flags[0] = 5; /* the bound itself */
    assert_run_all(&f, steps, 2, "flag;launch 10,1,1 x 32,1,1 + 80 (6,1014);");
    fake.downloads = 0;
    fake.flags[0] = 6;
    assert_fails(&f, steps, 2, "m is 6, read from ints[1]; it is declared to be at most 5");
    fake.downloads = 0;
    fake.flags[0] = 0xffffffff; /* of an int */
    assert_fails(&f, steps, 2, "m is -1, read from ints[1]; a count is not negative");
    fake.downloads = 0;
    fake.flags[0] = 0;
    assert_fails(&f, steps, 2, "kernel k: the grid's x is 0; it must be at least 1");
    fake.downloads = 0;
    buffers[INTS].role = BUFFER_TEMP;
    fake.flags[0] = 0x5eeda5c3; /* poison */
    assert_fails(&f, steps, 2, "m is read from ints[1], which nothing has written");
    formulas_end(&f);
}

/* Two rounds of a loop that goes on while m > 1; after each the two buffers exchange their memory. */
static void loops_go_on_while_a_condition_holds(void **state)
{
    (void)state;
    struct formulas_fixture f;
    formulas_begin(&f);
    buffers[FLOATS].home = FLOATS;
    buffers[INTS].home = INTS;
    buffers[DOUBLES].home = DOUBLES;
    struct job_step body[] = {
        {.kind = STEP_FILL, .target = FLOATS}, {.kind = STEP_SWAP, .target = FLOATS, .source = DOUBLES}, *read_m(&f)};
    struct job_step step = {.kind = STEP_WHILE, .rounds = 9, .body = body, .body_count = 3};
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_VALUE}, "m > 1");
    fake.flags[0] = 2;
    fake.flags[1] = 3;
    fake.flags[2] = 1;
    assert_run_all(&f, &step, 1, "fill 1000 0 400;flag;fill 4000 0 400;flag;fill 1000 0 400;flag;");
    assert_int_equal(buffers[FLOATS].home, DOUBLES); /* an odd number of swaps */
    instance_settle(&instance);
    assert_int_equal(buffers[FLOATS].memory.address, 0x4000);
    assert_int_equal(buffers[FLOATS].home, FLOATS);
    step.rounds = 2;
    fake.downloads = 0;
    assert_run_all(&f, &step, 1, "fill 4000 0 400;flag;fill 1000 0 400;flag;");
    formulas_end(&f);
}

static void conditions_lets_and_ranges(void **state)
{
    (void)state;
    struct formulas_fixture f;
    formulas_begin(&f);
    struct job_step let = *fixed_step(&f, (struct job_step){.kind = STEP_LET}, "k");
    formula_add(&f, &let, (struct job_formula){.use = FORMULA_VALUE}, "10 - m");
    struct job_step copy = {.kind = STEP_COPY, .source = FLOATS, .target = FLOATS};
    formula_add(&f, &copy, (struct job_formula){.use = FORMULA_FIRST}, "i");
    formula_add(&f, &copy, (struct job_formula){.use = FORMULA_LAST}, "i + m");
    formula_add(&f, &copy, (struct job_formula){.use = FORMULA_AT}, "50 + k");
    struct job_step range = *fixed_step(&f, (struct job_step){.kind = STEP_FOR, .body = &copy, .body_count = 1}, "i");
    formula_add(&f, &range, (struct job_formula){.use = FORMULA_FIRST}, "m");
    formula_add(&f, &range, (struct job_formula){.use = FORMULA_LAST}, "0");
    formula_add(&f, &range, (struct job_formula){.use = FORMULA_STRIDE}, "-2");
    struct job_step fill = {.kind = STEP_FILL, .target = INTS};
    struct job_step branch = {
        .kind = STEP_IF, .body = &range, .body_count = 1, .otherwise = &fill, .otherwise_count = 1};
    formula_add(&f, &branch, (struct job_formula){.use = FORMULA_VALUE}, "m > 2");
    struct job_step steps[] = {*read_m(&f), let, branch};
    fake.flags[0] = 3; /* i = 3, then 1; k = 7 */
    assert_run_all(&f, steps, 3, "flag;copy 10e4 100c 12;copy 10e4 1004 12;");
    fake.flags[1] = 2;
    assert_run_all(&f, steps, 3, "flag;fill 3000 0 40;");
    formulas_end(&f);
}

static void rounds_are_numbered(void **state)
{
    (void)state;
    struct formulas_fixture f;
    formulas_begin(&f);
    struct job_step copy = {.kind = STEP_COPY, .source = FLOATS, .target = FLOATS};
    formula_add(&f, &copy, (struct job_formula){.use = FORMULA_LAST}, "1");
    formula_add(&f, &copy, (struct job_formula){.use = FORMULA_AT}, "50 + i");
    struct job_step step = {.kind = STEP_REPEAT, .target = INTS, .rounds = 3, .body = &copy, .body_count = 1};
    step = *fixed_step(&f, step, "i");
    fake.flags[0] = fake.flags[1] = 1;
    assert_run_all(&f, &step, 1, "copy 10c8 1000 4;flag;copy 10cc 1000 4;flag;copy 10d0 1000 4;flag;");
    step.kind = STEP_WHILE;
    formula_add(&f, &step, (struct job_formula){.use = FORMULA_VALUE}, "i < 1");
    assert_run_all(&f, &step, 1, "copy 10c8 1000 4;copy 10cc 1000 4;");
    formulas_end(&f);
}

/* What is queued between two waits is a piece; nothing is timed where nothing is queued. */
static void pieces_are_timed_on_their_own(void **state)
{
    (void)state;
    struct formulas_fixture f;
    double nanoseconds;
    formulas_begin(&f);
    struct job_step fill = {.kind = STEP_FILL, .target = INTS};
    struct job_step repeat = {.kind = STEP_REPEAT, .target = INTS, .rounds = 9, .body = &fill, .body_count = 1};
    struct job_step steps[] = {fill, fill, *read_m(&f), *read_m(&f), repeat, fill};
    const struct job_steps list = {steps, 6};
    fake.flags[2] = 1; /* one more round */
    if (!steps_queue_in_pieces(&validation, &program, &list, &instance, &nanoseconds, &error))
        fail_msg("%s", error.text);
#define PIECE "block;start;fill 3000 0 40;"
    assert_string_equal(fake.log,
                        PIECE "fill 3000 0 40;stop;flag;flag;" PIECE "stop;flag;" PIECE "stop;flag;" PIECE "stop;");
    assert_true(nanoseconds == 10 + 20 + 30 + 40);
    formulas_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(copies_count_elements_of_the_source, begin),
        cmocka_unit_test_setup(fills_take_the_quick_way, begin),
        cmocka_unit_test_setup(repeats_look_at_their_flag, begin),
        cmocka_unit_test_setup(counts_are_read_and_used, begin),
        cmocka_unit_test_setup(loops_go_on_while_a_condition_holds, begin),
        cmocka_unit_test_setup(conditions_lets_and_ranges, begin),
        cmocka_unit_test_setup(rounds_are_numbered, begin),
        cmocka_unit_test_setup(pieces_are_timed_on_their_own, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
