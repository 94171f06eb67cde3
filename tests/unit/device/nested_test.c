/* SPDX-License-Identifier: Apache-2.0 */
/* Launches by kernels while they wait. */
#include "cpu_fixture.h"

#include "tuner/device/cpu/launch_limits.h"
#include "tuner/device/cpu/nested.h"

static void run_nothing(void **arguments)
{
    (void)arguments;
}

/* A launch of `child` with two arguments, in line 7. */
static bool add(struct nested *nested, tune_u64 stream, int number, struct tune_index block, struct error *error)
{
    char letter = 'c';
    const void *arguments[] = {&letter, &number};
    const size_t bytes[] = {sizeof letter, sizeof number};
    const struct tune_launch launch = {.kernel = "child",
                                       .run = run_nothing,
                                       .grid = {3, 1, 1},
                                       .block = block,
                                       .dynamic_shared = 20,
                                       .stream = stream,
                                       .count = 2,
                                       .arguments = arguments,
                                       .bytes = bytes,
                                       .line = 7};
    bool added = nested_add(nested, &launch, error);
    letter = '?';
    number = -1;
    return added;
}

static const struct tune_index usual = {32, 1, 1};
static const char text[] =
    "__global__ void child(char letter, int number) { __shared__ volatile int own[5]; own[0] = number; }\n"
    "__global__ void parent() { child<<<3, 32>>>('c', 1); }\n";

static int number_of(const struct nested_launch *launch)
{
    assert_int_equal(*(char *)launch->arguments[0], 'c');
    return *(int *)launch->arguments[1];
}

static void launches_wait_in_order_with_copies_of_their_arguments(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture, text, "parent");
    struct nested *nested = nested_create(10);
    assert_non_null(nested);
    nested_begin(nested, fixture->kernel, 0);
    for (int i = 0; i < 6; i++)
        assert_success(add(nested, i % 3 == 2 ? TUNE_STREAM_TAIL : 4 + (tune_u64)i, i, usual, &fixture->error),
                       &fixture->error);
    struct nested_list ordinary = nested_take(nested, false), tail = nested_take(nested, true);
    static const int first[] = {0, 1, 3, 4}, last[] = {2, 5};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        struct nested_launch *launch = nested_first(nested, &ordinary);
        assert_non_null(launch);
        assert_int_equal(number_of(launch), first[i]);
        assert_string_equal(launch->kernel->name, "child");
        assert_int_equal(launch->kernel->shared_bytes, 20);
        assert_string_equal(launch->parent, "parent");
        assert_int_equal(launch->line, 7);
        assert_int_equal(launch->shape.grid.x, 3);
        assert_int_equal(launch->shape.dynamic_shared, 20);
        nested_free(launch);
    }
    assert_null(nested_first(nested, &ordinary));
    struct nested_list front = {NULL, NULL};
    nested_prepend(&front, tail);
    nested_prepend(&front, (struct nested_list){NULL, NULL});
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        struct nested_launch *launch = nested_first(nested, &front);
        assert_int_equal(number_of(launch), last[i]);
        nested_free(launch);
    }
    nested_destroy(nested);
}

static void own_tail_launches_come_first(void **state)
{
    struct cpu_fixture *fixture = *state;
    load_kernel(fixture, text, "parent");
    struct nested *nested = nested_create(10);
    nested_begin(nested, fixture->kernel, 0);
    add(nested, TUNE_STREAM_TAIL, 1, usual, NULL);
    struct nested_list waiting = nested_take(nested, true);
    add(nested, TUNE_STREAM_TAIL, 2, usual, NULL);
    add(nested, TUNE_STREAM_TAIL, 3, usual, NULL);
    nested_prepend(&waiting, nested_take(nested, true));
    static const int expected[] = {2, 3, 1};
    for (size_t i = 0; i < 3; i++) {
        struct nested_launch *launch = nested_first(nested, &waiting);
        assert_int_equal(number_of(launch), expected[i]);
        nested_free(launch);
    }
    add(nested, 0, 4, usual, NULL); /* freed with the rest */
    nested_destroy(nested);
}

static void limits_of_size_number_and_depth(void **state)
{
    struct cpu_fixture *fixture = *state;
    struct error error;
    load_kernel(fixture, text, "parent");
    struct nested *nested = nested_create(2);
    nested_begin(nested, fixture->kernel, NESTED_DEPTH - 1);
    assert_false(add(nested, 0, 1, (struct tune_index){1025, 1, 1}, &error));
    assert_non_null(strstr(error.text, "kernel 'child': a block of 1025 x 1 x 1 is outside"));
    assert_true(add(nested, 0, 1, usual, NULL) && add(nested, TUNE_STREAM_TAIL, 2, usual, NULL));
    assert_false(add(nested, 0, 3, usual, &error));
    assert_non_null(strstr(error.text, "kernel 'child' is launched while 2 launches wait, which is the limit"));
    struct nested_list list = nested_take(nested, false);
    nested_free(nested_first(nested, &list)); /* it waits no more */
    nested_begin(nested, fixture->kernel, NESTED_DEPTH);
    assert_false(add(nested, 0, 3, usual, &error));
    assert_int_equal(error.code, ERROR_RESOURCES);
    assert_non_null(strstr(error.text, "kernel 'child' is launched 25 grids deep; the limit is 24"));
    assert_true(add(nested, TUNE_STREAM_TAIL, 3, usual, NULL)); /* no deeper than its grid */
    nested_destroy(nested);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(launches_wait_in_order_with_copies_of_their_arguments, cpu_fixture_open,
                                        cpu_fixture_close),
        cmocka_unit_test_setup_teardown(own_tail_launches_come_first, cpu_fixture_open, cpu_fixture_close),
        cmocka_unit_test_setup_teardown(limits_of_size_number_and_depth, cpu_fixture_open, cpu_fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
