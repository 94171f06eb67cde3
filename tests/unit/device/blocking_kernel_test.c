/* SPDX-License-Identifier: Apache-2.0 */
/* When the stream is blocked and unblocked. tests/gpu tests that the kernel itself waits, and gives up. */
#include "fake_cuda.h"

static void a_round_is_blocked_and_unblocked(void **state)
{
    (void)state;
    struct context context = fake_context();
    struct module module;
    struct blocking_kernel blocking = fake_blocking(&context, &module);
    struct error error = {0};
    for (uint32_t round = 1; round <= 3; round++) {
        assert_true(blocking_kernel_block(&blocking, &error));
        assert_true(blocking.blocked);
        assert_int_equal(fake.arguments[0], 512);
        assert_int_equal(fake.arguments[1], round);
        assert_int_equal(fake.arguments[2], BLOCKING_TIMEOUT_NS);
        assert_int_equal(fake.threads, 1);
        assert_int_equal(*blocking.word, round - 1); /* the kernel waits until it is `round` */
        blocking_kernel_unblock(&blocking);
        assert_int_equal(*blocking.word, round);
        assert_false(blocking.blocked);
        blocking_kernel_unblock(&blocking);
        assert_int_equal(*blocking.word, round);
    }
    assert_string_equal(fake.calls, "lll");
    fake_blocking_close(&blocking);
}

/* The kernel compares rounds by their signed difference, as here. */
static void rounds_wrap_around(void **state)
{
    (void)state;
    struct context context = fake_context();
    struct module module;
    struct blocking_kernel blocking = fake_blocking(&context, &module);
    struct error error = {0};
    blocking.round = *blocking.word = UINT32_MAX;
    assert_true(blocking_kernel_block(&blocking, &error));
    assert_int_equal(fake.arguments[1], 0);
    assert_true((int32_t)(*blocking.word - (uint32_t)fake.arguments[1]) < 0);
    blocking_kernel_unblock(&blocking);
    assert_false((int32_t)(*blocking.word - (uint32_t)fake.arguments[1]) < 0);
    fake_blocking_close(&blocking);
}

/* A blocked stream is unblocked first, or it would wait for itself. */
static void blocking_twice_unblocks_the_first(void **state)
{
    (void)state;
    struct context context = fake_context();
    struct module module;
    struct blocking_kernel blocking = fake_blocking(&context, &module);
    assert_true(blocking_kernel_block(&blocking, NULL));
    assert_true(blocking_kernel_block(&blocking, NULL));
    assert_int_equal(*blocking.word, 1);
    assert_int_equal(blocking.round, 2);
    fake_blocking_close(&blocking);
}

/* The driver's queue holds 1,024 launches, after which the host would wait for a stream that waits for the host. */
static void many_launches_unblock(void **state)
{
    (void)state;
    struct context context = fake_context();
    struct module module;
    struct blocking_kernel blocking = fake_blocking(&context, &module);
    for (int i = 0; i < 2000; i++)
        blocking_kernel_count(&blocking); /* not blocked: does not count */
    assert_true(BLOCKING_MAX_LAUNCHES < 1024);
    for (int round = 0; round < 2; round++) {
        assert_true(blocking_kernel_block(&blocking, NULL));
        for (int i = 1; i < BLOCKING_MAX_LAUNCHES; i++)
            blocking_kernel_count(&blocking);
        assert_true(blocking.blocked);
        blocking_kernel_count(&blocking);
        assert_false(blocking.blocked);
        assert_int_equal(*blocking.word, blocking.round);
    }
    fake_blocking_close(&blocking);
}

static void a_launch_that_fails_blocks_nothing(void **state)
{
    (void)state;
    struct context context = fake_context();
    struct module module;
    struct blocking_kernel blocking = fake_blocking(&context, &module);
    struct error error = {0};
    fake.failing_from = 1;
    fake.result = 700;
    assert_false(blocking_kernel_block(&blocking, &error));
    assert_int_equal(error.code, ERROR_FAULT);
    assert_false(blocking.blocked);
    fake_blocking_close(&blocking);
}

static void without_a_compiler_nothing_is_blocked(void **state)
{
    (void)state;
    struct context context = fake_context();
    struct blocking_kernel blocking = {.context = &context};
    strcpy(context.description.architecture, "no such architecture");
    assert_true(blocking_kernel_block(&blocking, NULL));
    assert_true(blocking.unavailable);
    assert_false(blocking.blocked);
    assert_true(blocking_kernel_prepare(&blocking, NULL));
    blocking_kernel_count(&blocking);
    blocking_kernel_unblock(&blocking);
    blocking_kernel_close(&blocking);
    assert_true(blocking.unavailable); /* and is not tried again */
    assert_string_equal(fake.calls, "");
}

static void closing_releases_and_unblocks(void **state)
{
    (void)state;
    struct context context = fake_context();
    struct module module;
    struct blocking_kernel blocking = fake_blocking(&context, &module);
    assert_true(blocking_kernel_block(&blocking, NULL));
    fake_blocking_close(&blocking);
    assert_int_equal(fake.allocations, 0);
    assert_false(blocking.blocked);
    assert_null(blocking.word);
    assert_ptr_equal(blocking.context, &context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_round_is_blocked_and_unblocked),   cmocka_unit_test(rounds_wrap_around),
        cmocka_unit_test(blocking_twice_unblocks_the_first),  cmocka_unit_test(many_launches_unblock),
        cmocka_unit_test(a_launch_that_fails_blocks_nothing), cmocka_unit_test(without_a_compiler_nothing_is_blocked),
        cmocka_unit_test(closing_releases_and_unblocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
