/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer that evicts a GPU's L2 cache. */
#include "fake_cuda.h"

#include "tuner/device/cuda/cache_flush.h"

static void twice_the_cache_is_written(void **state)
{
    (void)state;
    struct context context = fake_context();
    struct cache_flush flush = {0};
    struct error error = {0};
    assert_true(cache_flush_queue(&flush, &context, &error));
    assert_int_equal(flush.bytes, 2 * (50 << 20));
    assert_true(cache_flush_queue(&flush, &context, &error));
    assert_string_equal(fake.calls, "aff"); /* allocated once */
    cache_flush_close(&flush, &context);
    assert_int_equal(fake.allocations, 0);
    cache_flush_close(&flush, &context);
}

static void no_cache_no_flush(void **state)
{
    (void)state;
    struct context context = fake_context();
    struct cache_flush flush = {0};
    context.description.l2_bytes = 0;
    assert_true(cache_flush_queue(&flush, &context, NULL));
    assert_string_equal(fake.calls, "");
    cache_flush_close(&flush, &context);
}

static void a_fill_that_fails_is_an_error(void **state)
{
    (void)state;
    struct context context = fake_context();
    struct cache_flush flush = {0};
    struct error error = {0};
    fake.failing_from = 2;
    fake.result = 700;
    assert_false(cache_flush_queue(&flush, &context, &error));
    assert_int_equal(error.code, ERROR_FAULT);
    cache_flush_close(&flush, &context);
    assert_int_equal(fake.allocations, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twice_the_cache_is_written),
        cmocka_unit_test(no_cache_no_flush),
        cmocka_unit_test(a_fill_that_fails_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
