/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/space/memo.h"

/* Two well mixed words for each number (splitmix64). */
static uint64_t mixed(uint64_t number)
{
    number += 0x9e3779b97f4a7c15;
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
    number = (number ^ number >> 27) * 0x94d049bb133111eb;
    return number ^ number >> 31;
}

static void put(struct memo *memo, uint64_t number)
{
    memo_put(memo, mixed(number), mixed(~number), (uint32_t)(3 * number));
}

/* Is it remembered? If so, correctly. */
static bool has(const struct memo *memo, uint64_t number)
{
    uint32_t node;
    if (!memo_get(memo, mixed(number), mixed(~number), &node))
        return false;
    assert_int_equal(node, (uint32_t)(3 * number));
    return true;
}

/* A memo that grows in time forgets few keys. */
static void test_growing(void **state)
{
    (void)state;
    enum { KEYS = 100000 };
    struct memo memo = {0};
    size_t found = 0;
    assert_false(has(&memo, 1));
    assert_true(memo_is_full(&memo));
    for (uint64_t i = 0; i < KEYS; i++) {
        size_t grown = memo_bytes_grown(&memo);
        if (memo_is_full(&memo)) {
            assert_true(memo_grow(&memo));
            assert_int_equal(memo_bytes(&memo), grown);
        }
        put(&memo, i);
        assert_true(has(&memo, i));
    }
    for (uint64_t i = 0; i < KEYS; i++)
        found += has(&memo, i);
    assert_true(found > KEYS * 3 / 4);
    for (uint64_t i = KEYS; i < 2 * KEYS; i++)
        assert_false(has(&memo, i));
    memo_clear(&memo);
    assert_int_equal(memo_bytes(&memo), 0);
}

/* A memo of fixed size keeps the last entry, and as many others as it has places. */
static void test_settled(void **state)
{
    (void)state;
    enum { KEYS = 20000 };
    struct memo memo = {0};
    size_t found = 0;
    assert_true(memo_grow(&memo));
    size_t bytes = memo_bytes(&memo);
    for (uint64_t i = 0; i < KEYS; i++) {
        if (memo_is_full(&memo))
            memo_settle(&memo);
        assert_false(memo_is_full(&memo));
        put(&memo, i);
        assert_true(has(&memo, i));
    }
    for (uint64_t i = 0; i < KEYS; i++)
        found += has(&memo, i);
    assert_int_equal(memo_bytes(&memo), bytes);
    assert_true(found > memo.capacity * 9 / 10 && found <= memo.capacity);
    memo_clear(&memo);
}

/* Keys that agree in one word differ; putting a key twice replaces it; zero is a valid key. */
static void test_keys(void **state)
{
    (void)state;
    struct memo memo = {0};
    uint32_t node;
    assert_true(memo_grow(&memo));
    memo_put(&memo, 0, 0, 10);
    memo_put(&memo, 0, 1, 11);
    memo_put(&memo, 2, 0, 12);
    memo_put(&memo, 0, 1, 13);
    assert_int_equal(memo.count, 3);
    assert_true(memo_get(&memo, 0, 0, &node) && node == 10);
    assert_true(memo_get(&memo, 0, 1, &node) && node == 13);
    assert_true(memo_get(&memo, 2, 0, &node) && node == 12);
    assert_false(memo_get(&memo, 2, 1, &node));
    memo_clear(&memo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growing),
        cmocka_unit_test(test_settled),
        cmocka_unit_test(test_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
