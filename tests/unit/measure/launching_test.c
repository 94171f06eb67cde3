/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/measure/fake_steps.h"

/* Offsets count elements: of the buffer's type, or of doubles for references and magnitudes. */
static void arguments_are_addresses_and_scalars(void **state)
{
    (void)state;
    struct job_argument arguments[257] = {
        {.kind = ARGUMENT_BUFFER, .buffer = FLOATS, .offset = 3},
        {.kind = ARGUMENT_BUFFER, .buffer = DOUBLES, .offset = 1},
        {.kind = ARGUMENT_REFERENCE, .buffer = FLOATS, .offset = 2},
        {.kind = ARGUMENT_MAGNITUDE, .buffer = DOUBLES},
        {.kind = ARGUMENT_SCALAR, .bytes = {0x78, 0x56, 0x34, 0x12}},
    };
    struct job_step step = {.kind = STEP_LAUNCH,
                            .kernel = 1,
                            .grid = {2, 3, 4},
                            .block = {32, 2, 1},
                            .shared = 48,
                            .arguments = arguments,
                            .argument_count = 5};
    assert_run(&step, "launch 2,3,4 x 32,2,1 + 48 (100c,4008,2010,6000,12345678);");
    arguments[2].buffer = INTS;
    assert_refused(&step, ERROR_WORK, "not checked");
    arguments[2].buffer = BUFFERS;
    assert_refused(&step, ERROR_WORK, "buffer 3 of 3");
    step.argument_count = 257;
    assert_refused(&step, ERROR_WORK, "256");
    step.kernel = 2;
    assert_refused(&step, ERROR_WORK, "kernel 2 of 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(arguments_are_addresses_and_scalars, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
