/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/step_use.h"

static void magnitudes_are_found_at_any_depth(void **state)
{
    (void)state;
    struct job_argument arguments[] = {{.kind = ARGUMENT_REFERENCE, .buffer = 1},
                                       {.kind = ARGUMENT_MAGNITUDE, .buffer = 2}};
    struct job_step body = {.kind = STEP_LAUNCH, .arguments = arguments, .argument_count = 2};
    struct job_step step = {.kind = STEP_REPEAT, .body = &body, .body_count = 1};
    const struct job_steps steps = {&step, 1}, none = {0};
    assert_true(steps_use_magnitude(&steps, 2));
    assert_false(steps_use_magnitude(&steps, 1));
    assert_false(steps_use_magnitude(&none, 2));
}

static void uses_of_a_buffer_are_found_in_every_step(void **state)
{
    (void)state;
    struct job_argument arguments[] = {{.kind = ARGUMENT_SCALAR, .buffer = 8},
                                       {.kind = ARGUMENT_REFERENCE, .buffer = 7}, /* not the buffer itself */
                                       {.kind = ARGUMENT_BUFFER, .buffer = 1}};
    struct job_step body[] = {{.kind = STEP_LAUNCH, .arguments = arguments, .argument_count = 3},
                              {.kind = STEP_COPY, .source = 2, .target = 3},
                              {.kind = STEP_COPY_SYMBOL, .source = 4, .target = 9},
                              {.kind = STEP_FILL, .source = 9, .target = 5}};
    struct job_step step = {.kind = STEP_REPEAT, .target = 6, .body = body, .body_count = 4};
    const struct job_steps steps = {&step, 1};
    for (size_t buffer = 0; buffer < 10; buffer++)
        assert_int_equal(steps_use_buffer(&steps, buffer), 1 <= buffer && buffer <= 6);
}

static void waits_are_found_at_any_depth(void **state)
{
    (void)state;
    for (int kind = STEP_LAUNCH; kind <= STEP_ALLOCATE; kind++) {
        struct job_step inner = {.kind = (enum job_step_kind)kind};
        struct job_step branch = {.kind = STEP_IF, .otherwise = &inner, .otherwise_count = 1};
        const struct job_steps steps = {&branch, 1};
        assert_int_equal(steps_wait(&steps), kind == STEP_READ || kind == STEP_REPEAT);
    }
}

static bool is_of_stream(const struct job_step *step, const void *context)
{
    return step->stream == *(const unsigned *)context;
}

static void any_step_may_be_asked_about(void **state)
{
    (void)state;
    struct job_step body[] = {{.stream = 2}, {.stream = 3}}, otherwise = {.stream = 4};
    struct job_step all[] = {
        {.stream = 1},
        {.kind = STEP_IF, .body = body, .body_count = 2, .otherwise = &otherwise, .otherwise_count = 1}};
    const struct job_steps steps = {all, 2}, none = {0};
    for (unsigned stream = 0; stream <= 5; stream++) {
        assert_int_equal(steps_any(&steps, is_of_stream, &stream), stream <= 4);
        assert_false(steps_any(&none, is_of_stream, &stream));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_step_may_be_asked_about),
        cmocka_unit_test(magnitudes_are_found_at_any_depth),
        cmocka_unit_test(waits_are_found_at_any_depth),
        cmocka_unit_test(uses_of_a_buffer_are_found_in_every_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
