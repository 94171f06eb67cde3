/* SPDX-License-Identifier: Apache-2.0 */
/* Which results are the same by a template's checks, and which cannot be compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/library/alike.h"

#include <math.h>

enum { N = 4 };

/* A case with one buffer y of floats or integers, and one check. */
struct scene {
    struct job_buffer buffer;
    struct job_check check;
    struct job_argument argument;
    struct job_step step;
    struct job_case job_case;
};

static void make(struct scene *scene, enum element element, struct job_check check)
{
    *scene = (struct scene){.buffer = {.layout = &scalar_layouts[element], .extent = N}, .check = check};
    scene->job_case =
        (struct job_case){.buffers = &scene->buffer, .buffer_count = 1, .checks = &scene->check, .check_count = 1};
}

static bool compare(const struct scene *scene, const void *expected, const void *actual)
{
    const struct alike_case one = {&scene->job_case, 0, expected}, other = {&scene->job_case, 0, actual};
    return alike(&one, &other);
}

static void both_may_err(void **state)
{
    (void)state;
    struct scene scene;
    const float expected[N] = {1, -100, 0, 8};
    make(&scene, ELEMENT_FLOAT, (struct job_check){.bound = 0x1p-10, .absolute = 0x1p-6});
    assert_true(compare(&scene, expected, (float[]){1, -100, 0, 8}));
    assert_true(compare(&scene, expected, (float[]){1 + 0x1p-9F + 0x1p-5F, -100, -0x1p-5F, 8}));
    assert_false(compare(&scene, expected, (float[]){1 + 0x1p-9F + 0x1p-5F + 0x1p-20F, -100, 0, 8}));
    assert_true(compare(&scene, expected, (float[]){1, -100.2F, 0, 8}));
    assert_false(compare(&scene, expected, (float[]){1, -100.3F, 0, 8}));
    assert_false(compare(&scene, expected, (float[]){1, -100, 0.04F, 8}));
}

static void the_largest_stands_for_magnitudes(void **state)
{
    (void)state;
    struct scene scene;
    const float expected[N] = {1, -100, 0, 8};
    make(&scene, ELEMENT_FLOAT, (struct job_check){.bound = 0x1p-10});
    assert_false(compare(&scene, expected, (float[]){1.1F, -100, 0, 8}));
    scene.argument = (struct job_argument){.kind = ARGUMENT_MAGNITUDE};
    scene.step = (struct job_step){.kind = STEP_LAUNCH, .arguments = &scene.argument, .argument_count = 1};
    scene.job_case.reference = (struct job_steps){&scene.step, 1};
    assert_true(compare(&scene, expected, (float[]){1.1F, -100, 0.19F, 8}));
    assert_false(compare(&scene, expected, (float[]){1.1F, -100, 0.2F, 8}));
    struct job_step loop = {.kind = STEP_WHILE, .body = &scene.step, .body_count = 1};
    scene.job_case.reference.steps = &loop;
    assert_true(compare(&scene, expected, (float[]){1.1F, -100, 0, 8}));
}

static void what_is_not_finite_must_be_so_in_both(void **state)
{
    (void)state;
    struct scene scene;
    const float expected[N] = {NAN, INFINITY, -INFINITY, 3};
    make(&scene, ELEMENT_FLOAT, (struct job_check){.bound = 1, .absolute = 100});
    assert_true(compare(&scene, expected, (float[]){-NAN, INFINITY, -INFINITY, 3}));
    assert_false(compare(&scene, expected, (float[]){1, INFINITY, -INFINITY, 3}));
    assert_false(compare(&scene, expected, (float[]){NAN, -INFINITY, -INFINITY, 3}));
    assert_false(compare(&scene, expected, (float[]){NAN, INFINITY, -INFINITY, NAN}));
    assert_false(compare(&scene, expected, (float[]){NAN, INFINITY, 5, 3}));
}

static void exact_is_to_the_bit(void **state)
{
    (void)state;
    struct scene scene;
    make(&scene, ELEMENT_LONG, (struct job_check){.exact = true});
    const int64_t expected[N] = {1, INT64_MAX, -7, 0};
    assert_true(compare(&scene, expected, (int64_t[]){1, INT64_MAX, -7, 0}));
    assert_false(compare(&scene, expected, (int64_t[]){1, INT64_MAX - 1, -7, 0})); /* the same double */
    make(&scene, ELEMENT_FLOAT, (struct job_check){.exact = true});
    assert_true(compare(&scene, (float[]){1, 0, 2, 3}, (float[]){1, -0.0F, 2, 3}));
    assert_false(compare(&scene, (float[]){1, 0, 2, 3}, (float[]){1, 0, 2, 3.0000002F}));
}

static void only_what_is_checked_counts(void **state)
{
    (void)state;
    struct scene scene, other;
    make(&scene, ELEMENT_INT, (struct job_check){.exact = true, .partial = true, .first = 1, .count = 2});
    const int expected[N] = {1, 2, 3, 4};
    assert_true(compare(&scene, expected, (int[]){9, 2, 3, 9}));
    assert_false(compare(&scene, expected, (int[]){9, 9, 3, 9}));
    make(&other, ELEMENT_INT, (struct job_check){.exact = true});
    const struct alike_case one = {&scene.job_case, 0, expected}, wider = {&other.job_case, 0, expected};
    assert_false(alike(&one, &wider));
    other.job_case.check_count = 0;
    assert_false(alike(&one, &wider));
    assert_false(alike(&wider, &one));
}

static void some_cannot_be_compared(void **state)
{
    (void)state;
    struct scene scene;
    struct job_late late = {0};
    const bool is_output[] = {true}, is_input[] = {false};
    make(&scene, ELEMENT_INT, (struct job_check){.exact = true});
    assert_null(alike_obstacle(&scene.job_case, is_output));
    scene.check.unordered = true;
    assert_string_equal(alike_obstacle(&scene.job_case, is_output), "its results may be in any order");
    make(&scene, ELEMENT_INT, (struct job_check){.below = true});
    assert_non_null(alike_obstacle(&scene.job_case, is_output));
    make(&scene, ELEMENT_INT, (struct job_check){.exact = true, .late = &late});
    assert_non_null(alike_obstacle(&scene.job_case, is_output));
    make(&scene, ELEMENT_INT, (struct job_check){.exact = true});
    scene.job_case.verify.count = 1;
    assert_non_null(alike_obstacle(&scene.job_case, is_output));
    scene.job_case.verify.count = scene.job_case.check_count = 0;
    assert_string_equal(alike_obstacle(&scene.job_case, is_output), "nothing checks one of its outputs");
    assert_null(alike_obstacle(&scene.job_case, is_input));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_may_err),
        cmocka_unit_test(the_largest_stands_for_magnitudes),
        cmocka_unit_test(what_is_not_finite_must_be_so_in_both),
        cmocka_unit_test(exact_is_to_the_bit),
        cmocka_unit_test(only_what_is_checked_counts),
        cmocka_unit_test(some_cannot_be_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
