/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/arena.h"

#include <stdalign.h>
#include <string.h>

/* Pieces of all sizes are zeroed, aligned and apart: each is filled with its number and still holds it at the end. */
static void test_pieces(void **state)
{
    (void)state;
    enum { PIECES = 2000 };
    static unsigned char *pieces[PIECES];
    static size_t sizes[PIECES];
    struct arena arena = {0};
    for (size_t i = 0; i < PIECES; i++) {
        sizes[i] = i % 100 == 99 ? 20000 + i : i * i % 331; /* some larger than a chunk, some empty */
        pieces[i] = arena_allocate(&arena, sizes[i]);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(pieces[i][j], 0);
        memset(pieces[i], (int)(i % 255 + 1), sizes[i]);
    }
    for (size_t i = 0; i < PIECES; i++) {
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(pieces[i][j], i % 255 + 1);
    }
    arena_free(&arena);
    assert_null(arena.chunks);
    arena_free(&arena); /* of nothing */
}

/* Small pieces go on in the chunk that was in use before a large one. */
static void test_large_piece_wastes_no_chunk(void **state)
{
    (void)state;
    struct arena arena = {0};
    unsigned char *before = arena_allocate(&arena, 16);
    assert_non_null(arena_allocate(&arena, 1000000));
    unsigned char *after = arena_allocate(&arena, 16);
    assert_ptr_equal(after, before + 16);
    arena_free(&arena);
}

static void test_too_large(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_null(arena_allocate(&arena, SIZE_MAX));
    assert_null(arena_allocate(&arena, SIZE_MAX - 15)); /* rounding it up would wrap around */
    assert_null(arena_allocate(&arena, SIZE_MAX / 4 + 1));
    assert_non_null(arena_allocate(&arena, 1));
    arena_free(&arena);
}

static void test_string(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(arena_string(&arena, "text behind", 4), "text");
    assert_string_equal(arena_string(&arena, "", 0), "");
    char *copy = arena_string(&arena, "a\0b", 3);
    assert_memory_equal(copy, "a\0b", 4);
    arena_free(&arena);
}

static void test_list(void **state)
{
    (void)state;
    struct item {
        size_t number;
        char rest[16];
    };
    struct arena arena = {0};
    struct list list = {0};
    for (size_t i = 0; i < 1000; i++) {
        struct item *item = list_append(&list, &arena, sizeof *item);
        assert_non_null(item);
        assert_int_equal(item->number, 0);
        item->number = i;
        assert_int_equal(list.count, i + 1);
    }
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(((struct item *)list.items)[i].number, i);
    list = (struct list){.items = list.items, .count = 1000, .capacity = 1000};
    assert_null(list_append(&list, &arena, SIZE_MAX / 8)); /* 2000 of these are more than can be */
    assert_int_equal(list.count, 1000);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),    cmocka_unit_test(test_large_piece_wastes_no_chunk),
        cmocka_unit_test(test_too_large), cmocka_unit_test(test_string),
        cmocka_unit_test(test_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
