/* SPDX-License-Identifier: Apache-2.0 */
/* Which calls of the driver streams and their order take. */
#include "fake_cuda.h"

#include "tuner/device/cuda/streams.h"

static void expect_calls(const char *calls)
{
    assert_string_equal(fake.calls, calls);
    memset(fake.calls, 0, sizeof fake.calls);
    fake.call_count = 0;
}

static void streams_are_created_when_used(void **state)
{
    (void)state;
    struct context context = fake_context();
    struct blocking_kernel blocking = {.context = &context};
    struct streams streams = {.context = &context, .blocking = &blocking};
    struct error error = {0};
    char main_stream;
    context.stream = (cuda_stream)(void *)&main_stream;
    assert_true(streams_use(&streams, 0, &error));
    assert_ptr_equal(context.current, context.stream);
    expect_calls("");
    assert_true(streams_use(&streams, 15, &error));
    assert_ptr_not_equal(context.current, context.stream);
    assert_true(streams_use(&streams, 15, &error));
    expect_calls("s");
    assert_false(streams_use(&streams, 16, &error));
    streams_close(&streams);
    expect_calls("z");
    assert_int_equal(fake.stream_count, 0);
}

static void waits_are_events(void **state)
{
    (void)state;
    struct context context = fake_context();
    struct blocking_kernel blocking = {.context = &context};
    struct streams streams = {.context = &context, .blocking = &blocking};
    struct error error = {0};
    assert_true(streams_wait(&streams, 1u << 1 | 1u << 2, 1, &error)); /* a fork: one event for all */
    expect_calls("c+s>s>");
    assert_ptr_equal(fake.waiter, streams.streams[2]);
    assert_ptr_equal(fake.awaited, streams.events[0]);
    assert_true(streams_wait(&streams, 1, 1u << 1 | 1u << 2, &error)); /* a join: one for each */
    expect_calls("c+>c+>");
    assert_ptr_equal(fake.waiter, context.stream);
    assert_true(streams_wait(&streams, 1u << 2, 1u << 1, &error));
    expect_calls("+>");
    assert_true(streams_wait(&streams, 1u << 2, 1u << 2, &error)); /* in order anyway */
    expect_calls("+");
    streams_close(&streams);
    expect_calls("xxzxz");
}

static void failures_are_reported(void **state)
{
    (void)state;
    for (size_t at = 1; at <= 4; at++) {
        struct context context = fake_context();
        struct blocking_kernel blocking = {.context = &context};
        struct streams streams = {.context = &context, .blocking = &blocking};
        struct error error = {0};
        fake.failing_from = at;
        fake.result = 2; /* CUDA_ERROR_OUT_OF_MEMORY */
        assert_false(streams_wait(&streams, 1u << 1, 1, &error));
        assert_int_equal(error.code, ERROR_DOES_NOT_FIT);
        fake.failing_from = 0;
        streams_close(&streams);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(streams_are_created_when_used),
                                       cmocka_unit_test(waits_are_events), cmocka_unit_test(failures_are_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
