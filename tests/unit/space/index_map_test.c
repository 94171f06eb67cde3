/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/space/index_map.h"

#include <stdlib.h>

static void test_empty(void **state)
{
    (void)state;
    struct index_map map = {0};
    size_t value;
    assert_false(index_map_get(&map, 0, &value));
    index_map_clear(&map);
}

/* 20,000 operations on 1000 distant keys, among them the largest index, compared with an array. */
static void test_against_array(void **state)
{
    (void)state;
    enum { KEYS = 1000, OPERATIONS = 20000 };
    static const size_t last = (size_t)-2;
    size_t *expected = malloc(KEYS * sizeof *expected), value;
    struct index_map map = {0};
    uint64_t random = 1;
    size_t count = 0;
    for (size_t i = 0; i < KEYS; i++)
        expected[i] = SIZE_MAX;
    for (size_t i = 0; i < OPERATIONS; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        size_t k = (size_t)(random >> 40) % KEYS, key = k == 0 ? last : k * 1000000007 * 1024;
        assert_int_equal(index_map_get(&map, key, &value), expected[k] != SIZE_MAX);
        if (expected[k] != SIZE_MAX)
            assert_int_equal(value, expected[k]);
        else if (i % 3 != 0)
            count++;
        if (i % 3 != 0) {
            assert_true(index_map_put(&map, key, i));
            expected[k] = i;
        }
        assert_int_equal(map.count, count);
    }
    index_map_clear(&map);
    assert_false(index_map_get(&map, last, &value));
    assert_int_equal(map.capacity, 0);
    free(expected);
}

/* Memory grows with the entries, not with the keys: 100 entries in at most 256 places. */
static void test_memory(void **state)
{
    (void)state;
    struct index_map map = {0};
    for (size_t i = 0; i < 100; i++)
        assert_true(index_map_put(&map, i << 50, i));
    assert_true(map.capacity <= 256);
    index_map_clear(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_against_array),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
