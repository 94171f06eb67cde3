/* SPDX-License-Identifier: Apache-2.0 */
/* Against a list that is searched from the front; hashes that collide on purpose. */
#include "tests/unit/fixture.h"

#include "tuner/formats/lookup.h"

struct items {
    uint64_t items[4000];
    size_t count;
    uint64_t wanted;
    size_t asked;
};

static bool is_wanted(const void *context, size_t number)
{
    struct items *items = (struct items *)(uintptr_t)context;
    assert_true(number < items->count);
    items->asked++;
    return items->items[number] == items->wanted;
}

static void check(uint64_t mask, size_t distinct)
{
    static struct items items;
    struct lookup lookup = {0};
    uint64_t random = 7;
    items = (struct items){0};
    for (size_t i = 0; i < sizeof items.items / sizeof *items.items; i++) {
        size_t number, expected = 0;
        bool added;
        random = random * 6364136223846793005u + 1442695040888963407u;
        items.wanted = (random >> 33) % distinct;
        while (expected < items.count && items.items[expected] != items.wanted)
            expected++;
        assert_true(lookup_number(&lookup, items.wanted & mask, is_wanted, &items, &number, &added));
        assert_int_equal(number, expected);
        assert_int_equal(added, expected == items.count);
        if (added)
            items.items[items.count++] = items.wanted;
    }
    assert_int_equal(lookup.count, items.count);
    lookup_free(&lookup);
    assert_null(lookup.slots);
}

static void test_distinct_hashes(void **state)
{
    (void)state;
    check(UINT64_MAX, 3000); /* grows several times from 256 slots */
    check(UINT64_MAX, 1);
}

static void test_colliding_hashes(void **state)
{
    (void)state;
    check(3, 200);
    check(0, 200);
    check((uint64_t)0xff << 56, 200); /* the upper bits are not part of a slot's index */
}

/* Items with other hashes are not compared. */
static void test_hash_first(void **state)
{
    (void)state;
    struct items items = {.items = {0, 256}};
    struct lookup lookup = {0};
    size_t number;
    bool added;
    for (items.count = 0; items.count < 2; items.count++) {
        items.wanted = items.items[items.count]; /* the same slot of 256 */
        assert_true(lookup_number(&lookup, items.wanted, is_wanted, &items, &number, &added));
        assert_true(added);
    }
    assert_int_equal(items.asked, 0);
    lookup_free(&lookup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distinct_hashes),
        cmocka_unit_test(test_colliding_hashes),
        cmocka_unit_test(test_hash_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
