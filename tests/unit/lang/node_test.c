/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/expressions.h"

static void test_uses(void **state)
{
    (void)state;
    struct expressions f;
    start(&f);
    assert_true(parse(&f, "1 if area > 2 else max(3, TILE)"));
    assert_true(expr_uses(f.expr, f.tile) && expr_uses(f.expr, f.area));
    assert_true(expr_uses_kind(f.expr, f.scope, NAME_LET));
    assert_false(expr_uses_kind(f.expr, f.scope, NAME_DEVICE));
    assert_true(parse(&f, "2 in [1, device.warp_size]"));
    assert_false(expr_uses(f.expr, f.tile));
    assert_true(expr_uses_kind(f.expr, f.scope, NAME_DEVICE));
    struct place place = expr_place(f.expr);
    assert_int_equal(place.offset, 0);
    assert_int_equal(place.length, strlen("2 in [1, device.warp_size]"));
    arena_free(&f.arena);
}

static bool is_constant(const struct node *node, const void *context)
{
    (void)context;
    return node->kind == NODE_CONSTANT;
}

/* The first in reading order, the node itself included. */
static void test_find(void **state)
{
    (void)state;
    struct expressions f;
    start(&f);
    assert_true(parse(&f, "TILE + (7 if TILE else 8) * 9"));
    const struct node *found = node_find(f.expr->root, is_constant, NULL);
    assert_non_null(found);
    assert_int_equal(found->constant.integer, 7);
    assert_true(parse(&f, "5"));
    assert_ptr_equal(node_find(f.expr->root, is_constant, NULL), f.expr->root);
    assert_true(parse(&f, "TILE + area"));
    assert_null(node_find(f.expr->root, is_constant, NULL));
    assert_true(parse(&f, "max([i for i in [1, TILE] if i > area])"));
    assert_true(expr_uses(f.expr, f.tile) && expr_uses(f.expr, f.area));
    arena_free(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uses),
        cmocka_unit_test(test_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
