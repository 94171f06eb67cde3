/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/expressions.h"
#include "tuner/lang/tree.h"

static struct parser *start_parser(struct expressions *f, struct parser *parser, const char *text)
{
    start(f);
    assert_true(text_copy(&f->text, &f->arena, "test", text, strlen(text), &f->error));
    assert_true(parser_start(parser, &f->text, &f->arena, f->scope, &f->error));
    return parser;
}

static void test_nodes(void **state)
{
    (void)state;
    struct expressions f;
    struct parser parser;
    start_parser(&f, &parser, "abc 7 +");
    struct token token = parser.token;
    struct node *name = tree_name(&parser, &token, f.tile);
    assert_int_equal(name->kind, NODE_NAME);
    assert_int_equal(name->slot, f.tile);
    assert_int_equal(name->height, 1);
    assert_true(parser_advance(&parser));
    struct node *seven = tree_constant(&parser, value_integer(7)); /* takes the token */
    assert_true(parser_at(&parser, TOKEN_PLUS));
    assert_int_equal(tree_place(&parser, seven).offset, 4);
    struct node *items[] = {name, seven};
    struct node *sum = tree_node(&parser, NODE_BINARY, &parser.token, items, 2);
    assert_int_equal(sum->count, 2);
    assert_ptr_equal(sum->items[1], seven);
    assert_int_equal(sum->height, 2);
    assert_int_equal(tree_place(&parser, sum).length, 1);
    arena_free(&f.arena);
}

static void test_single(void **state)
{
    (void)state;
    struct expressions f;
    struct parser parser;
    start_parser(&f, &parser, "[");
    struct node *node = tree_node(&parser, NODE_LIST, &parser.token, NULL, 0);
    assert_ptr_equal(tree_single(&parser, node), node);
    assert_null(tree_single(&parser, NULL));
    assert_int_equal(f.error.code, ERROR_NONE); /* NULL had its error where it came from */
    node->is_list = true;
    assert_null(tree_single(&parser, node));
    assert_string_equal(f.error.text, "a list cannot be used as a value");
    arena_free(&f.arena);
}

/* A tree of HEIGHT_LIMIT levels can be made, one of more cannot; a let counts with the tree that it stands for. */
static void test_height(void **state)
{
    (void)state;
    struct expressions f;
    struct parser parser;
    start_parser(&f, &parser, "-");
    struct node *node = tree_node(&parser, NODE_CONSTANT, &parser.token, NULL, 0);
    for (unsigned height = 2; height <= HEIGHT_LIMIT; height++) {
        node = tree_node(&parser, NODE_UNARY, &parser.token, &node, 1);
        assert_non_null(node);
        assert_int_equal(node->height, height);
    }
    assert_null(tree_node(&parser, NODE_UNARY, &parser.token, &node, 1));
    assert_string_equal(f.error.text, "this expression nests more than 1000 operations, counting those in its lets");
    scope_set_height(f.scope, f.area, HEIGHT_LIMIT - 1);
    assert_non_null(tree_name(&parser, &parser.token, f.area));
    scope_set_height(f.scope, f.area, HEIGHT_LIMIT);
    assert_null(tree_name(&parser, &parser.token, f.area));
    arena_free(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nodes), cmocka_unit_test(test_single),
                                       cmocka_unit_test(test_height)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
