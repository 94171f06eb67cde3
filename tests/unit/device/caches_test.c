/* SPDX-License-Identifier: Apache-2.0 */
/* Flushing by lines or by writing a buffer: the choice, and contents stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/caches.h"

#include <string.h>

struct stage {
    struct pool *pool;
    struct memory memory;
    struct caches caches;
    uint64_t a, b;
};

static struct stage stage;

enum { A_BYTES = 100003, B_BYTES = 1 };

static int open_stage(void **state)
{
    struct error error = {0};
    *state = &stage;
    stage.memory = (struct memory){.limit = 1 << 30};
    if (!pool_create(4096, &stage.pool, &error) || !memory_allocate(&stage.memory, A_BYTES, &stage.a, &error) ||
        !memory_allocate(&stage.memory, B_BYTES, &stage.b, &error))
        return -1;
    for (size_t i = 0; i < A_BYTES; i++)
        ((unsigned char *)(uintptr_t)stage.a)[i] = (unsigned char)(i * 31);
    *(unsigned char *)(uintptr_t)stage.b = 77;
    stage.caches = caches_create(stage.pool, &stage.memory, 1 << 20);
    return 0;
}

static int close_stage(void **state)
{
    (void)state;
    caches_clear(&stage.caches);
    memory_clear(&stage.memory);
    pool_destroy(stage.pool);
    return 0;
}

static void expect_contents(void)
{
    for (size_t i = 0; i < A_BYTES; i++)
        assert_int_equal(((unsigned char *)(uintptr_t)stage.a)[i], (unsigned char)(i * 31));
    assert_int_equal(*(unsigned char *)(uintptr_t)stage.b, 77);
}

/* Twice the cache, but 64 MiB at most, which is also what an unknown cache gets. */
static void the_buffer_follows_the_cache(void **state)
{
    (void)state;
    assert_int_equal(caches_create(stage.pool, &stage.memory, 1 << 20).sweep_bytes, 2 << 20);
    assert_int_equal(caches_create(stage.pool, &stage.memory, 32 << 20).sweep_bytes, 64 << 20);
    assert_int_equal(caches_create(stage.pool, &stage.memory, (32 << 20) + 1).sweep_bytes, 64 << 20);
    assert_int_equal(caches_create(stage.pool, &stage.memory, INT64_MAX / 2).sweep_bytes, 64 << 20);
    assert_int_equal(caches_create(stage.pool, &stage.memory, 0).sweep_bytes, 64 << 20);
}

static void lines_are_flushed_where_possible(void **state)
{
    (void)state;
    struct error error = {0};
    if (stage.caches.lines.bytes == 0)
        skip();
    assert_true(caches_flush(&stage.caches, &error));
    assert_null(stage.caches.sweep); /* not needed */
    expect_contents();
}

static void else_a_buffer_is_written(void **state)
{
    (void)state;
    struct error error = {0};
    stage.caches.lines.bytes = 0;
    for (int i = 0; i < 3; i++)
        assert_true(caches_flush(&stage.caches, &error));
    assert_non_null(stage.caches.sweep);
    /* Every line of every processor's share was touched three times, from 1 on. */
    size_t share = stage.caches.sweep_bytes / pool_size(stage.pool) / 128 * 128;
    for (size_t at = 0; at < share * pool_size(stage.pool); at++)
        assert_int_equal(stage.caches.sweep[at], at % 64 == 0 ? 4 : 1);
    expect_contents();
}

/* More allocated than the buffer is large: writing the buffer is quicker. */
static void large_memory_is_not_flushed_by_lines(void **state)
{
    (void)state;
    struct error error = {0};
    uint64_t large;
    assert_true(memory_allocate(&stage.memory, 3 << 20, &large, &error));
    assert_true(caches_flush(&stage.caches, &error));
    assert_non_null(stage.caches.sweep);
    memory_release(&stage.memory, large);
}

static void the_bandwidth_is_plausible(void **state)
{
    (void)state;
    struct error error = {0};
    double rate = 0;
    assert_true(caches_bandwidth(&stage.caches, &rate, &error));
    assert_true(rate > 1e7 && rate < 1e14);
}

#define caches_test(f) cmocka_unit_test_setup_teardown(f, open_stage, close_stage)

int main(void)
{
    const struct CMUnitTest tests[] = {
        caches_test(the_buffer_follows_the_cache), caches_test(lines_are_flushed_where_possible),
        caches_test(else_a_buffer_is_written),     caches_test(large_memory_is_not_flushed_by_lines),
        caches_test(the_bandwidth_is_plausible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
