/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/condition.h"
#include "tuner/lang/comprehension.h"
#include "tuner/lang/expression.h"
#include "tuner/lang/tree.h"

#include <ctype.h>
#include <string.h>

/* Does the node itself read something that varies? A variable of a comprehension inside the condition does not. */
static bool varies(const struct node *node, const void *context)
{
    const struct parser *parser = context;
    if (node->kind == NODE_BOUND)
        return parser->bound && node->slot <= parser->bound->level;
    return node->kind == NODE_NAME && !(scope_traits(parser->scope, node->slot) & TRAIT_CONSTANT);
}

unsigned condition_traits(const struct parser *parser, const struct node *node)
{
    if (node->kind == NODE_NAME)
        return scope_traits(parser->scope, node->slot);
    unsigned traits = node_find(node, varies, parser) ? 0 : TRAIT_CONSTANT;
    if (node->kind == NODE_CONSTANT && node->constant.kind == VALUE_STRING)
        traits |= TRAIT_STRING;
    if (node->kind == NODE_CONSTANT && node->constant.kind == VALUE_BOOLEAN)
        traits |= TRAIT_SWITCH;
    return traits;
}

enum { HINT_TEXT = 150 }; /* longest text in quotes that a hint repeats */

/* Is it an expression that was put in quotes? */
static bool is_expression(struct parser *parser, const char *string)
{
    struct text text = {.file = parser->text->file, .data = string, .length = strlen(string)};
    struct error ignored;
    const struct expr *expr;
    if (text.length == 0 || text.length > HINT_TEXT)
        return false;
    for (const char *c = string; *c; c++) {
        if (iscntrl((unsigned char)*c))
            return false;
    }
    return expression_parse(&text, parser->arena, parser->scope, &expr, &ignored);
}

/* `of` is the operator whose operand the string is; NULL: it is the whole condition. */
static bool refuse_string(struct parser *parser, const struct node *node, const char *of)
{
    bool empty = node->kind == NODE_CONSTANT && !*node->constant.string;
    error_at(parser->error, ERROR_INPUT, tree_place(parser, node), "%s is a string, which is %s",
             of ? "this part of the condition" : "this condition", empty ? "always false" : "always true");
    if (node->kind == NODE_CONSTANT && is_expression(parser, node->constant.string))
        return error_hint(parser->error, "take the quotes off: %s", node->constant.string);
    if (of && strcmp(of, "or") == 0)
        return error_hint(parser->error, "to allow several values, write: NAME in [\"a\", \"b\"]");
    return error_hint(parser->error, "compare it with something, for example: NAME == \"a\"");
}

static bool refuse_constant(struct parser *parser, struct place place)
{
    error_at(parser->error, ERROR_INPUT, place, "this condition is constant, so it never changes anything");
    return error_hint(parser->error,
                      "it reads no parameter, size or device field; leave it out, or write true or false");
}

/* A number as an operand: A == 1 or 2. */
static bool refuse_number(struct parser *parser, const struct node *node, const char *of)
{
    error_at(parser->error, ERROR_INPUT, tree_place(parser, node),
             "this operand of `%s` is a constant, so it never changes anything", of);
    return error_hint(parser->error, "to allow several values, write: NAME in [1, 2]");
}

static bool check_part(struct parser *parser, const struct node *node, const char *of, bool constants);

/* The operands of logic, whose truth decides. `constants`: refuse numbers too. */
static bool check_parts(struct parser *parser, const struct node *node, bool constants)
{
    const char *of = node->kind == NODE_AND ? "and" : node->kind == NODE_OR ? "or" : "not";
    bool logic = node->kind == NODE_AND || node->kind == NODE_OR || node->kind == NODE_NOT;
    for (uint32_t i = 0; logic && i < node->count; i++) {
        if (!check_part(parser, node->items[i], of, constants))
            return false;
    }
    for (uint32_t i = 1; node->kind == NODE_CHOICE && i < 3; i++) {
        if (condition_traits(parser, node->items[i]) & TRAIT_STRING)
            return refuse_string(parser, node->items[i], "else");
    }
    return true;
}

static bool check_part(struct parser *parser, const struct node *node, const char *of, bool constants)
{
    if (condition_traits(parser, node) & TRAIT_STRING)
        return refuse_string(parser, node, of);
    if (constants && node->kind == NODE_CONSTANT && node->constant.kind != VALUE_BOOLEAN)
        return refuse_number(parser, node, of);
    return check_parts(parser, node, constants);
}

bool condition_check_filter(struct parser *parser, const struct node *node)
{
    if (condition_traits(parser, node) & TRAIT_STRING)
        return refuse_string(parser, node, NULL);
    return check_parts(parser, node, false);
}

bool parse_condition(struct parser *parser, const struct expr **expr)
{
    if (!parse_expression(parser, expr))
        return false;
    const struct node *root = (*expr)->root;
    unsigned traits = condition_traits(parser, root);
    if (traits & TRAIT_STRING)
        return refuse_string(parser, root, NULL);
    if (!check_parts(parser, root, true))
        return false;
    return !(traits & TRAIT_CONSTANT) || (traits & TRAIT_SWITCH) || refuse_constant(parser, expr_place(*expr));
}
