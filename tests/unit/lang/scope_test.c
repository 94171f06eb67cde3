/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/description/description.h"
#include "tuner/lang/scope.h"

#include <stdio.h>
#include <string.h>

static size_t add(struct scope *scope, const char *name, enum name_kind kind)
{
    size_t slot;
    assert_null(scope_symbol(scope, name, strlen(name)));
    assert_true(scope_add_value(scope, name, strlen(name), kind, NULL, 0, &slot));
    return slot;
}

static bool visible(const struct scope *scope, const char *name)
{
    return scope_symbol(scope, name, strlen(name)) != NULL;
}

static void test_device(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct scope *scope = scope_create(&arena);
    size_t slot;
    assert_true(scope_add_device(scope));
    assert_int_equal(scope_count(scope), 3 + device_field_count);
    assert_true(scope_find(scope, "device.kind", &slot));
    assert_int_equal(scope_kind(scope, slot), NAME_DEVICE);
    assert_true(scope_find(scope, "device.max_threads_per_block", &slot));
    assert_string_equal(scope_name(scope, slot), "device.max_threads_per_block");
    assert_false(scope_find(scope, "device", &slot) || scope_find(scope, "device.", &slot));
    assert_false(scope_find(scope, "device.uuid", &slot)); /* two equal GPUs must have equal spaces */
    arena_free(&arena);
}

/* Slots count up, names are found by their whole length, and the table grows with them. */
static void test_many_names(void **state)
{
    (void)state;
    enum { NAMES = 5000 };
    struct arena arena = {0};
    struct scope *scope = scope_create(&arena);
    char name[16];
    size_t slot;
    assert_false(scope_find(scope, "n0", &slot)); /* in an empty scope */
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "n%zu", i);
        assert_int_equal(add(scope, name, i % 2 ? NAME_SIZE : NAME_PARAMETER), i);
    }
    assert_int_equal(scope_count(scope), NAMES);
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "n%zu", i);
        assert_true(scope_find(scope, name, &slot) && slot == i);
        assert_string_equal(scope_name(scope, i), name);
        assert_int_equal(scope_kind(scope, i), i % 2 ? NAME_SIZE : NAME_PARAMETER);
    }
    assert_false(scope_find(scope, "n", &slot) || scope_find(scope, "n5000", &slot) || scope_find(scope, "", &slot));
    assert_true(scope_symbol(scope, "n12345", 3)->index == 12); /* the first three letters */
    arena_free(&arena);
}

/* A name of a block ends with it; a later block that declares it again shares its slot; anything else gets a new one.
 */
static void test_blocks(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct scope *scope = scope_create(&arena);
    add(scope, "n", NAME_SIZE);
    size_t outer = scope_symbol_count(scope);
    size_t i = add(scope, "i", NAME_LOOP);
    size_t inner = scope_symbol_count(scope);
    size_t j = add(scope, "j", NAME_LOOP);
    scope_hide_since(scope, inner);
    assert_true(visible(scope, "i") && !visible(scope, "j"));
    scope_hide_since(scope, outer);
    assert_true(visible(scope, "n") && !visible(scope, "i"));
    assert_int_equal(add(scope, "j", NAME_LOOP), j);
    assert_int_equal(scope_count(scope), 3);
    assert_int_equal(add(scope, "i", NAME_LET), 3);
    assert_int_equal(scope_kind(scope, i), NAME_LOOP); /* the old slot stays what it was */
    arena_free(&arena);
}

static void test_buffers(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct scope *scope = scope_create(&arena);
    size_t slot;
    add(scope, "n", NAME_SIZE);
    assert_true(scope_add_buffer(scope, "x", 1, 7, NULL, 0));
    const struct symbol *x = scope_symbol(scope, "x", 1);
    assert_true(x->kind == SYMBOL_BUFFER && x->index == 7);
    assert_string_equal(symbol_noun(scope, x), "a buffer");
    assert_string_equal(symbol_noun(scope, scope_symbol(scope, "n", 1)), "a size");
    assert_false(scope_find(scope, "x", &slot)); /* it has no slot */
    assert_int_equal(scope_count(scope), 1);
    arena_free(&arena);
}

/* A copy has all slots but no hidden names, and neither sees what the other declares later. */
static void test_copy(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct scope *scope = scope_create(&arena);
    size_t n = add(scope, "n", NAME_SIZE);
    size_t a = add(scope, "a", NAME_LET);
    scope_set_height(scope, a, 12);
    size_t names = scope_symbol_count(scope);
    size_t i = add(scope, "i", NAME_LOOP);
    scope_hide_since(scope, names);
    assert_true(scope_add_buffer(scope, "x", 1, 0, NULL, 0));

    struct scope *copy = scope_copy(scope, &arena);
    assert_int_equal(scope_count(copy), 3);
    assert_int_equal(scope_kind(copy, i), NAME_LOOP);
    assert_int_equal(scope_height(copy, a), 12);
    assert_int_equal(scope_symbol(copy, "n", 1)->index, n);
    assert_true(visible(copy, "x") && !visible(copy, "i"));
    assert_int_equal(add(copy, "i", NAME_LET), 3); /* not the loop variable's slot */
    add(scope, "later", NAME_LET);
    assert_false(visible(copy, "later"));
    assert_false(visible(scope, "i"));
    arena_free(&arena);
}

static void test_heights(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct scope *scope = scope_create(&arena);
    size_t n = add(scope, "n", NAME_SIZE), a = add(scope, "a", NAME_LET);
    scope_set_height(scope, a, 3);
    assert_int_equal(scope_height(scope, a), 3);
    assert_int_equal(scope_height(scope, n), 0);
    arena_free(&arena);
}

static void test_nearest(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct scope *scope = scope_create(&arena);
    add(scope, "BLOCK", NAME_PARAMETER);
    add(scope, "n", NAME_SIZE);
    assert_true(scope_add_buffer(scope, "blocks", 6, 0, NULL, 0));
    assert_string_equal(scope_nearest(scope, SYMBOL_VALUE, "BLOK"), "BLOCK");
    assert_string_equal(scope_nearest(scope, SYMBOL_BUFFER, "block"), "blocks");
    assert_null(scope_nearest(scope, SYMBOL_BUFFER, "BLOK"));
    assert_string_equal(scope_nearest(scope, SYMBOL_VALUE, "N"), "n"); /* one letter is near to its other case */
    assert_null(scope_nearest(scope, SYMBOL_VALUE, "m"));              /* but not to every letter */
    size_t names = scope_symbol_count(scope);
    add(scope, "chunk", NAME_LOOP);
    scope_hide_since(scope, names);
    assert_null(scope_nearest(scope, SYMBOL_VALUE, "chunck"));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_device),  cmocka_unit_test(test_many_names), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_buffers), cmocka_unit_test(test_copy),       cmocka_unit_test(test_heights),
        cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
