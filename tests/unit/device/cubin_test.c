/* SPDX-License-Identifier: Apache-2.0 */
/* Cubins that are whole, truncated and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "fake_cubin.h"

#include "tuner/device/cuda/cubin.h"

static void expect_whole(const struct fake_cubin *fake)
{
    struct cubin_kernel facts;
    struct error error = {0};
    if (!cubin_kernel(fake, sizeof *fake, "k", &facts, &error))
        fail_msg("%s", error.text);
    assert_int_equal(facts.registers, 40);
    assert_int_equal(facts.stack_bytes, 64);
    assert_int_equal(facts.shared_bytes, 2048);
    assert_int_equal(facts.max_threads, 16 * 8 * 2);
    assert_int_equal(facts.parameter_count, 2);
    assert_int_equal(facts.parameter_bytes[0], 8);
    assert_int_equal(facts.parameter_bytes[1], 4);
    assert_int_equal(facts.parameter_bytes[2], 0);
}

static void test_facts(void **state)
{
    (void)state;
    struct fake_cubin before_hopper = fake_cubin(false), hopper = fake_cubin(true);
    expect_whole(&before_hopper);
    expect_whole(&hopper);
}

static void test_unknown_kernel(void **state)
{
    (void)state;
    struct fake_cubin fake = fake_cubin(true);
    struct cubin_kernel facts;
    struct error error = {0};
    assert_false(cubin_kernel(&fake, sizeof fake, "absent", &facts, &error));
    assert_non_null(strstr(error.text, "'absent'"));
    assert_false(cubin_kernel(&fake, sizeof fake, "", &facts, &error));
    assert_false(cubin_kernel("not ELF at all, but long enough to hold a header of sixty-four bytes", 64, "k", &facts,
                              &error));
    assert_non_null(strstr(error.text, "not a cubin"));
}

/* In memory of just its size, so that the address sanitizer sees each step beyond. */
static bool read_copy(const void *bytes, size_t size, struct cubin_kernel *facts)
{
    void *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    struct error error = {0};
    bool read = cubin_kernel(copy, size, "k", facts, &error);
    assert_int_equal(read, error.code == ERROR_NONE);
    free(copy);
    return read;
}

/* The section headers are at the end: nothing that is cut short can be read. */
static void test_cut_short(void **state)
{
    (void)state;
    struct fake_cubin fake = fake_cubin(true);
    struct cubin_kernel facts;
    for (size_t size = 0; size < sizeof fake; size++)
        assert_false(read_copy(&fake, size, &facts));
    assert_true(read_copy(&fake, sizeof fake, &facts));
}

/* Each byte changed to each of a few values: it may be read or not, but never out of bounds. */
static void test_damaged(void **state)
{
    (void)state;
    static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    struct fake_cubin fake = fake_cubin(true);
    struct cubin_kernel facts;
    size_t refused = 0;
    for (size_t i = 0; i < sizeof fake; i++) {
        for (size_t j = 0; j < sizeof values; j++) {
            unsigned char *at = (unsigned char *)&fake + i, before = *at;
            *at = values[j];
            refused += !read_copy(&fake, sizeof fake, &facts);
            *at = before;
        }
    }
    assert_true(refused > 100);
    expect_whole(&fake);
}

/* Numbers that no kernel can have are damage: they neither wrap nor turn negative. */
static void test_absurd_numbers(void **state)
{
    (void)state;
    struct cubin_kernel facts;
    struct fake_cubin fake = fake_cubin(true);
    for (size_t i = 11; i < 14; i++)
        fake.kernel_info[i] = UINT32_MAX;
    assert_false(read_copy(&fake, sizeof fake, &facts));
    fake = fake_cubin(true);
    fake.sections[7].sh_size = UINT64_MAX - 1;
    assert_false(read_copy(&fake, sizeof fake, &facts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts),   cmocka_unit_test(test_unknown_kernel), cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_damaged), cmocka_unit_test(test_absurd_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
