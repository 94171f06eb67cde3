/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/measure/fake_steps.h"

#include "tuner/measure/step_resources.h"

static char *names[] = {(char *)"first", (char *)"second"};
static const struct job_program source = {.kernels = names, .kernel_count = 2};

static bool accepts(struct job_step *steps, size_t count, struct kernel_resources *most)
{
    const struct job_steps list = {steps, count};
    return steps_check_resources(&validation, &program, &source, &list, most, &error);
}

static void the_greediest_kernel_is_kept(void **state)
{
    (void)state;
    struct job_step body = {.kind = STEP_LAUNCH, .kernel = 1, .grid = {1, 1, 1}, .block = {64, 1, 1}};
    struct job_step steps[] = {{.kind = STEP_LAUNCH, .kernel = 0, .grid = {1, 1, 1}, .block = {64, 1, 1}},
                               {.kind = STEP_REPEAT, .body = &body, .body_count = 1},
                               {.kind = STEP_FILL}};
    struct kernel_resources most = {0};
    kernels[0].resources = (struct kernel_resources){.registers = 40, .max_threads = 1024};
    kernels[1].resources = (struct kernel_resources){.registers = 64, .max_threads = 512};
    assert_true(accepts(steps, 3, &most));
    assert_int_equal(most.registers, 64);
    kernels[0].resources.registers = kernels[1].resources.registers = 10;
    assert_true(accepts(steps, 3, &most));
    assert_int_equal(most.registers, 64); /* of an earlier sequence */
    assert_string_equal(fake.log, "");    /* nothing was run */
}

static void what_exceeds_a_limit_is_refused(void **state)
{
    (void)state;
    const struct device_description limits = {.max_grid_x = 1000,
                                              .max_grid_y = 100,
                                              .max_grid_z = 10,
                                              .max_block_x = 512,
                                              .max_block_y = 256,
                                              .max_block_z = 64,
                                              .max_threads_per_block = 512,
                                              .max_shared_per_block_optin = 4096};
    static const struct {
        struct dimensions grid, block;
        uint64_t shared;
        const char *part; /* NULL: accepted */
    } table[] = {
        {{1000, 100, 10}, {512, 1, 1}, 4096, NULL},
        {{1001, 1, 1}, {1, 1, 1}, 0, "first needs 1001 blocks in x; the limit is 1000"},
        {{1, 101, 1}, {1, 1, 1}, 0, "101 blocks in y"},
        {{1, 1, 11}, {1, 1, 1}, 0, "11 blocks in z"},
        {{1, 1, 1}, {513, 1, 1}, 0, "513 threads in x"},
        {{1, 1, 1}, {1, 257, 1}, 0, "257 threads in y"},
        {{1, 1, 1}, {1, 1, 65}, 0, "65 threads in z"},
        {{1, 1, 1}, {32, 32, 1}, 0, "1024 threads per block; the limit is 512"},
        {{1, 1, 1}, {300, 1, 1}, 0, NULL},
        {{1, 1, 1}, {1, 1, 1}, 4097, "4097 bytes of shared memory per block"},
    };
    kernels[0].resources.max_threads = 1024;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct kernel_resources most = {0};
        struct job_step step = {
            .kind = STEP_LAUNCH, .grid = table[i].grid, .block = table[i].block, .shared = table[i].shared};
        validation.description = limits;
        assert_int_equal(accepts(&step, 1, &most), !table[i].part);
        if (table[i].part && (error.code != ERROR_RESOURCES || !strstr(error.text, table[i].part)))
            fail_msg("\"%s\" does not mention \"%s\"", error.text, table[i].part);
        validation.description = (struct device_description){0}; /* unknown limits refuse nothing */
        assert_true(accepts(&step, 1, &most));
    }
    struct kernel_resources most = {0};
    struct job_step step = {.kind = STEP_LAUNCH, .grid = {1, 1, 1}, .block = {300, 1, 1}};
    kernels[0].resources.max_threads = 256;
    assert_false(accepts(&step, 1, &most));
    assert_non_null(strstr(error.text, "300 threads per block at its register count; the limit is 256"));
    step.block.x = 0;
    assert_false(accepts(&step, 1, &most));
    assert_int_equal(error.code, ERROR_WORK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_greediest_kernel_is_kept, begin),
        cmocka_unit_test_setup(what_exceeds_a_limit_is_refused, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
