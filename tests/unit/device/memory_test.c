/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU device's buffers and their limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/memory.h"

#include <string.h>

static void buffers_are_aligned_and_bounded(void **state)
{
    (void)state;
    struct memory memory = {.limit = 10000};
    struct error error = {0};
    uint64_t a, b, c;
    assert_true(memory_allocate(&memory, 6000, &a, &error));
    assert_true(memory_allocate(&memory, 4000, &b, &error));
    assert_int_equal(a % 4096, 0);
    assert_int_equal(b % 4096, 0);
    assert_int_equal(memory.used, 10000);
    memset((void *)(uintptr_t)a, 1, 6000);
    memset((void *)(uintptr_t)b, 2, 4000);
    assert_int_equal(((unsigned char *)(uintptr_t)a)[5999], 1);
    assert_false(memory_allocate(&memory, 1, &c, &error));
    assert_int_equal(error.code, ERROR_DOES_NOT_FIT);
    assert_non_null(strstr(error.text, "10000 of 10000 bytes are in use"));

    memory_release(&memory, b);
    assert_int_equal(memory.used, 6000);
    assert_false(memory_allocate(&memory, 4001, &c, &error));
    assert_true(memory_allocate(&memory, 4000, &c, &error));
    memory_clear(&memory);
    assert_int_equal(memory.used, 0);
    assert_null(memory.allocations);
}

static void sizes_at_the_edges(void **state)
{
    (void)state;
    struct memory memory = {.limit = 5000};
    struct error error = {0};
    uint64_t nothing, again, huge;
    assert_true(memory_allocate(&memory, 0, &nothing, &error));
    assert_true(memory_allocate(&memory, 0, &again, &error));
    assert_int_not_equal(nothing, again);
    assert_false(memory_allocate(&memory, SIZE_MAX, &huge, &error)); /* the sum must not wrap around */
    assert_int_equal(error.code, ERROR_DOES_NOT_FIT);
    memory_release(&memory, 0);
    memory_release(&memory, 12345);
    assert_int_equal(memory.used, 0);
    memory_clear(&memory);
    memory_clear(&memory);
}

/* A buffer beyond the limit does not fit the device; a failed allocation is another error. */
static void the_machine_refuses(void **state)
{
    (void)state;
#ifdef TUNE_SANITIZED
    skip(); /* which ends the process instead */
#endif
    struct memory memory = {.limit = SIZE_MAX};
    struct error error = {0};
    uint64_t address;
    assert_false(memory_allocate(&memory, SIZE_MAX / 2, &address, &error));
    assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
    assert_int_equal(memory.used, 0);
    assert_null(memory.allocations);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_are_aligned_and_bounded),
        cmocka_unit_test(sizes_at_the_edges),
        cmocka_unit_test(the_machine_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
