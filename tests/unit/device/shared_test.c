/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic shared memory of every size: all of it is there, and a byte beyond faults or is noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/shared.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 227 << 10 };

static struct shared shared;

static int create(void **state)
{
    (void)state;
    struct error error = {0};
    assert_true(shared_create(&shared, MOST, &error));
    return 0;
}

static int destroy(void **state)
{
    (void)state;
    shared_destroy(&shared);
    shared_destroy(&shared); /* once more does nothing */
    return 0;
}

/* The kernel refuses to write an inaccessible byte, where the process itself would die. */
static bool is_accessible(const char *byte)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    bool readable = write(ends[1], byte, 1) == 1;
    assert_true(readable || errno == EFAULT);
    close(ends[0]);
    close(ends[1]);
    return readable;
}

static void what_is_given_is_accessible_and_aligned(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 4, 15, 16, 17, 100, 4095, 4096, 4097, 48 << 10, MOST - 1, MOST};
    static const size_t alignments[] = {0, 16, 128, 1024};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t j = 0; j < sizeof alignments / sizeof *alignments; j++) {
            char *base = shared_place(&shared, sizes[i], alignments[j]);
            size_t aligned = alignments[j] ? alignments[j] : 16;
            assert_int_equal((uintptr_t)base % aligned, 0);
            memset(base, 1, sizes[i]);
            assert_true(shared_is_intact(&shared));
            size_t rest = sizes[i] % aligned ? aligned - sizes[i] % aligned : 0;
            assert_false(is_accessible(base + sizes[i] + rest));
            assert_false(is_accessible(base + sizes[i] + rest + 500000));
        }
    }
}

/* Writes that do not fault: between the last byte and the page, and below the first. */
static void writes_at_the_edges_are_noticed(void **state)
{
    (void)state;
    char *base = shared_place(&shared, 100, 16);
    for (int offset = 100; offset < 112; offset++) {
        base[offset] ^= 1;
        assert_false(shared_is_intact(&shared));
        base[offset] ^= 1;
        assert_true(shared_is_intact(&shared));
    }
    for (int offset = -64; offset < 0; offset++) {
        base[offset] ^= 1;
        assert_false(shared_is_intact(&shared));
        base[offset] ^= 1;
    }
    base[100] = 0;
    base = shared_place(&shared, 100, 16); /* for the next launch */
    assert_true(shared_is_intact(&shared));
}

static void addresses_beyond_are_told_from_others(void **state)
{
    (void)state;
    size_t offset;
    char *base = shared_place(&shared, 256, 0);
    assert_false(shared_is_beyond(&shared, base, &offset));
    assert_false(shared_is_beyond(&shared, base + 255, &offset));
    assert_true(shared_is_beyond(&shared, base + 256, &offset));
    assert_int_equal(offset, 256);
    assert_true(shared_is_beyond(&shared, base + 100000, &offset));
    assert_int_equal(offset, 100000);
    assert_false(shared_is_beyond(&shared, NULL, &offset));
    assert_false(shared_is_beyond(&shared, &offset, &offset));
}

/* A tool that watches accesses finds those beyond by itself, and a fault would only hide them. */
static void a_watched_one_is_open(void **state)
{
    (void)state;
    char *base = shared_place_openly(&shared, 64);
    memset(base, 1, MOST);
    assert_int_equal((uintptr_t)base % 1024, 0);
}

#define shared_test(f) cmocka_unit_test_setup_teardown(f, create, destroy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        shared_test(what_is_given_is_accessible_and_aligned),
        shared_test(writes_at_the_edges_are_noticed),
        shared_test(addresses_beyond_are_told_from_others),
        shared_test(a_watched_one_is_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
