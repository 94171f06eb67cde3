/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/cache/key.h"

#include <string.h>
#include <xxhash.h>

static struct cache_key key_of(const char *const *texts, size_t count)
{
    struct key_builder *builder = key_builder_create();
    assert_non_null(builder);
    for (size_t i = 0; i < count; i++)
        key_builder_add_text(builder, texts[i]);
    struct cache_key key = key_builder_key(builder);
    key_builder_free(builder);
    return key;
}

/* By xxHash's one-shot functions over the bytes that key.h describes: each piece behind its length. */
static void test_hashes(void **state)
{
    (void)state;
    struct key_builder *builder = key_builder_create();
    key_builder_add(builder, "abc", 3);
    key_builder_add_number(builder, 7);
    key_builder_add_text(builder, NULL);
    struct cache_key key = key_builder_key(builder);
    uint64_t lengths[] = {3, 7, 0};
    unsigned char bytes[27];
    memcpy(bytes, &lengths[0], 8);
    memcpy(bytes + 8, "abc", 3);
    memcpy(bytes + 11, &lengths[1], 16);
    XXH128_hash_t name = XXH3_128bits(bytes, sizeof bytes);
    assert_true(key.name[0] == name.high64 && key.name[1] == name.low64);
    assert_true(key.check == XXH3_64bits_withSeed(bytes, sizeof bytes, 0x74756e65u));
    key_builder_add_text(builder, "more"); /* a key does not end the builder */
    struct cache_key longer = key_builder_key(builder);
    assert_false(cache_key_equal(&key, &longer));
    key_builder_free(builder);
    key_builder_free(NULL);
}

/* The same bytes in different pieces. */
static void test_pieces(void **state)
{
    (void)state;
    static const char *const lists[][4] = {{"ab", "c"}, {"a", "bc"}, {"abc"},
                                           {"abc", ""}, {"", "abc"}, {"a", "b", "c"}};
    static const size_t counts[] = {2, 2, 1, 2, 2, 3};
    for (size_t i = 0; i < 6; i++) {
        for (size_t j = 0; j < 6; j++) {
            struct cache_key a = key_of(lists[i], counts[i]), b = key_of(lists[j], counts[j]);
            assert_int_equal(cache_key_equal(&a, &b), i == j);
            assert_int_equal(a.check == b.check, i == j);
        }
    }
}

static void test_equal(void **state)
{
    (void)state;
    const struct cache_key key = {{1, 2}, 3}, others[] = {{{0, 2}, 3}, {{1, 0}, 3}, {{1, 2}, 0}};
    assert_true(cache_key_equal(&key, &key));
    for (size_t i = 0; i < 3; i++)
        assert_false(cache_key_equal(&key, &others[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hashes),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
