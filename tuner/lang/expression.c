/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A parser by operator precedence. Its levels are those of the Python reference, section 6.17.
 */
#include "tuner/lang/expression.h"
#include "tuner/lang/primary.h"
#include "tuner/lang/tree.h"

#include <string.h>

/* Levels of precedence, loosest first. */
enum level {
    LEVEL_CHOICE,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARE,
    LEVEL_BIT_OR,
    LEVEL_BIT_XOR,
    LEVEL_BIT_AND,
    LEVEL_SHIFT,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_SIGN,
    LEVEL_POWER,
};

struct binary_operator {
    enum token_kind token;
    enum level level;
    enum operation operation;
};

static const struct binary_operator binary_operators[] = {
    {TOKEN_OR, LEVEL_BIT_OR, OPERATION_OR},
    {TOKEN_XOR, LEVEL_BIT_XOR, OPERATION_XOR},
    {TOKEN_AND, LEVEL_BIT_AND, OPERATION_AND},
    {TOKEN_SHIFT_LEFT, LEVEL_SHIFT, OPERATION_SHIFT_LEFT},
    {TOKEN_SHIFT_RIGHT, LEVEL_SHIFT, OPERATION_SHIFT_RIGHT},
    {TOKEN_PLUS, LEVEL_SUM, OPERATION_ADD},
    {TOKEN_MINUS, LEVEL_SUM, OPERATION_SUBTRACT},
    {TOKEN_STAR, LEVEL_PRODUCT, OPERATION_MULTIPLY},
    {TOKEN_SLASH, LEVEL_PRODUCT, OPERATION_DIVIDE},
    {TOKEN_FLOOR_DIVIDE, LEVEL_PRODUCT, OPERATION_FLOOR_DIVIDE},
    {TOKEN_PERCENT, LEVEL_PRODUCT, OPERATION_MODULO},
};

static const struct {
    enum token_kind token;
    enum comparison comparison;
} comparison_operators[] = {
    {TOKEN_LESS, COMPARE_LESS},       {TOKEN_LESS_EQUAL, COMPARE_LESS_EQUAL},
    {TOKEN_GREATER, COMPARE_GREATER}, {TOKEN_GREATER_EQUAL, COMPARE_GREATER_EQUAL},
    {TOKEN_EQUAL, COMPARE_EQUAL},     {TOKEN_NOT_EQUAL, COMPARE_NOT_EQUAL},
};

static struct node *parse_level(struct parser *parser, enum level level);

static struct node *unary(struct parser *parser, enum node_kind kind, enum operation operation,
                          const struct token *token, struct node *operand)
{
    struct node *node = tree_single(parser, operand) ? tree_node(parser, kind, token, &operand, 1) : NULL;
    if (node)
        node->operation = (uint8_t)operation;
    return node;
}

static struct node *binary(struct parser *parser, enum operation operation, const struct token *token,
                           struct node *left, struct node *right)
{
    struct node *items[] = {left, right};
    if (!right)
        return NULL;
    bool join = operation == OPERATION_ADD && left->is_list && right->is_list;
    if (!join && (!tree_single(parser, left) || !tree_single(parser, right)))
        return NULL;
    struct node *node = tree_node(parser, join ? NODE_JOIN : NODE_BINARY, token, items, 2);
    if (node) {
        node->operation = (uint8_t)operation;
        node->is_list = join;
    }
    return node;
}

/* A power binds tighter than a sign on its left, looser than one on its right: -2 ** -2 is -(2 ** (-2)). */
static struct node *parse_power(struct parser *parser)
{
    struct node *base = parse_primary(parser);
    struct token token = parser->token;
    if (!base || token.kind != TOKEN_POWER)
        return base;
    struct node *exponent = parser_advance(parser) ? parse_level(parser, LEVEL_SIGN) : NULL;
    return exponent ? binary(parser, OPERATION_POWER, &token, base, exponent) : NULL;
}

/* -9223372036854775808, whose digits alone do not fit. */
static struct node *parse_smallest(struct parser *parser, const struct token *sign)
{
    struct token token = *sign;
    token.length = parser->token.offset + parser->token.length - token.offset;
    struct node *node = tree_node(parser, NODE_CONSTANT, &token, NULL, 0);
    if (!node || !parser_advance(parser))
        return NULL;
    node->constant = value_integer(INT64_MIN);
    return node;
}

static struct node *parse_sign(struct parser *parser)
{
    struct token token = parser->token;
    enum operation operation = token.kind == TOKEN_MINUS  ? OPERATION_NEGATE
                               : token.kind == TOKEN_PLUS ? OPERATION_PLUS
                                                          : OPERATION_INVERT;
    if (token.kind != TOKEN_MINUS && token.kind != TOKEN_PLUS && token.kind != TOKEN_TILDE)
        return parse_power(parser);
    if (!parser_advance(parser))
        return NULL;
    if (operation == OPERATION_NEGATE && parser_at(parser, TOKEN_INTEGER) && parser->token.integer > INT64_MAX &&
        parser_peek(parser) != TOKEN_POWER)
        return parse_smallest(parser, &token);
    struct node *operand = parse_level(parser, LEVEL_SIGN);
    return operand ? unary(parser, NODE_UNARY, operation, &token, operand) : NULL;
}

static const struct binary_operator *binary_operator_at(const struct parser *parser, enum level level)
{
    for (size_t i = 0; i < sizeof binary_operators / sizeof *binary_operators; i++) {
        if (binary_operators[i].token == parser->token.kind && binary_operators[i].level >= level)
            return &binary_operators[i];
    }
    return NULL;
}

/* Binary operators of this level and tighter ones, which are all left-associative. */
static struct node *parse_binary(struct parser *parser, enum level level)
{
    struct node *left = parse_sign(parser);
    const struct binary_operator *operator;
    while (left && (operator= binary_operator_at(parser, level))) {
        struct token token = parser->token;
        if (!parser_advance(parser))
            return NULL;
        left = binary(parser, operator->operation, &token, left, parse_binary(parser, operator->level + 1));
    }
    return left;
}

/* Take a comparison operator if there is one. */
static bool accept_comparison(struct parser *parser, enum comparison *comparison, bool *taken)
{
    *taken = true;
    for (size_t i = 0; i < sizeof comparison_operators / sizeof *comparison_operators; i++) {
        if (parser_at(parser, comparison_operators[i].token)) {
            *comparison = comparison_operators[i].comparison;
            return parser_advance(parser);
        }
    }
    if (parser_at_word(parser, "in")) {
        *comparison = COMPARE_IN;
        return parser_advance(parser);
    }
    if (parser_at_word(parser, "not")) {
        *comparison = COMPARE_NOT_IN;
        return parser_advance(parser) && parser_expect_word(parser, "in");
    }
    *taken = false;
    return true;
}

/* A list may only follow a final `in`. */
static bool check_comparison(struct parser *parser, struct node *const *items, const uint8_t *comparisons,
                             size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool contains = i > 0 && i + 1 == count && comparisons[i - 1] >= COMPARE_IN;
        if (!contains && !tree_single(parser, items[i]))
            return false;
    }
    return true;
}

static struct node *parse_comparison(struct parser *parser)
{
    struct node *first = parse_binary(parser, LEVEL_BIT_OR);
    struct token token = parser->token;
    struct list items = {0}, comparisons = {0};
    for (struct node *item = first; item; item = parse_binary(parser, LEVEL_BIT_OR)) {
        struct node **added = parser_append(parser, &items, sizeof *added);
        enum comparison comparison;
        bool taken;
        if (!added || !accept_comparison(parser, &comparison, &taken))
            return NULL;
        *added = item;
        if (!taken && items.count == 1)
            return first;
        if (!taken) {
            if (!check_comparison(parser, items.items, comparisons.items, items.count))
                return NULL;
            struct node *node = tree_node(parser, NODE_COMPARE, &token, items.items, items.count);
            if (node)
                node->comparisons = comparisons.items;
            return node;
        }
        uint8_t *kept = parser_append(parser, &comparisons, sizeof *kept);
        if (!kept)
            return NULL;
        *kept = (uint8_t)comparison;
    }
    return NULL;
}

static struct node *parse_not(struct parser *parser)
{
    struct token token = parser->token;
    if (!parser_at_word(parser, "not"))
        return parse_comparison(parser);
    struct node *operand = parser_advance(parser) ? parse_level(parser, LEVEL_NOT) : NULL;
    return operand ? unary(parser, NODE_NOT, OPERATION_PLUS, &token, operand) : NULL;
}

/* a and b and c, or a or b or c, as one node. */
static struct node *parse_logic(struct parser *parser, const char *word, enum node_kind kind, enum level inner)
{
    struct node *first = parse_level(parser, inner);
    struct token token = parser->token;
    if (!first || !parser_at_word(parser, word))
        return first;
    struct list items = {0};
    bool more = true;
    for (struct node *item = first; more; item = more ? parse_level(parser, inner) : NULL) {
        struct node **added = tree_single(parser, item) ? parser_append(parser, &items, sizeof *added) : NULL;
        if (!added || !parser_accept_word(parser, word, &more))
            return NULL;
        *added = item;
    }
    return tree_node(parser, kind, &token, items.items, items.count);
}

static struct node *parse_choice(struct parser *parser)
{
    struct node *value = parse_level(parser, LEVEL_OR);
    struct token token = parser->token;
    if (!value || !parser_at_word(parser, "if"))
        return value;
    struct node *condition = parser_advance(parser) ? parse_level(parser, LEVEL_OR) : NULL;
    if (!tree_single(parser, condition) || !parser_expect_word(parser, "else"))
        return NULL;
    struct node *otherwise = parse_level(parser, LEVEL_CHOICE);
    if (!otherwise)
        return NULL;
    if (value->is_list != otherwise->is_list && (!tree_single(parser, value) || !tree_single(parser, otherwise)))
        return NULL;
    struct node *items[] = {condition, value, otherwise};
    struct node *node = tree_node(parser, NODE_CHOICE, &token, items, 3);
    if (node)
        node->is_list = value->is_list;
    return node;
}

static struct node *parse_inside(struct parser *parser, enum level level)
{
    switch (level) {
    case LEVEL_CHOICE:
        return parse_choice(parser);
    case LEVEL_OR:
        return parse_logic(parser, "or", NODE_OR, LEVEL_AND);
    case LEVEL_AND:
        return parse_logic(parser, "and", NODE_AND, LEVEL_NOT);
    case LEVEL_NOT:
        return parse_not(parser);
    case LEVEL_SIGN:
        return parse_sign(parser);
    default:
        return parse_binary(parser, level);
    }
}

/* All recursion passes through here, which limits its depth. */
static struct node *parse_level(struct parser *parser, enum level level)
{
    bool negates = level == LEVEL_NOT && parser_at_word(parser, "not");
    bool nests = level == LEVEL_CHOICE || level == LEVEL_SIGN || negates;
    if (nests && !parser_enter(parser))
        return NULL;
    struct node *node = parse_inside(parser, level);
    if (nests)
        parser_leave(parser);
    return node;
}

struct node *parse_item(struct parser *parser)
{
    return parse_level(parser, LEVEL_CHOICE);
}

struct node *parse_clause(struct parser *parser)
{
    if (!parser_enter(parser))
        return NULL;
    struct node *node = parse_level(parser, LEVEL_OR);
    parser_leave(parser);
    return node;
}

static bool wrap(struct parser *parser, const struct node *root, size_t start, const struct expr **result)
{
    struct expr *expr = root ? parser_allocate(parser, sizeof *expr) : NULL;
    if (!expr)
        return false;
    *expr = (struct expr){.root = root, .text = parser->text, .offset = start, .length = parser->end - start};
    *result = expr;
    return true;
}

bool parse_any(struct parser *parser, const struct expr **expr)
{
    size_t start = parser->token.offset;
    return wrap(parser, parse_level(parser, LEVEL_CHOICE), start, expr);
}

bool parse_expression(struct parser *parser, const struct expr **expr)
{
    size_t start = parser->token.offset;
    return wrap(parser, tree_single(parser, parse_level(parser, LEVEL_CHOICE)), start, expr);
}

bool parse_product(struct parser *parser, const struct expr **product, struct list *dimensions)
{
    size_t start = parser->token.offset;
    struct node *whole = NULL;
    for (bool comma = true; comma;) {
        size_t first = parser->token.offset;
        struct token sign = parser->token;
        const struct expr **dimension = parser_append(parser, dimensions, sizeof *dimension);
        struct node *node = dimension ? tree_single(parser, parse_level(parser, LEVEL_CHOICE)) : NULL;
        if (!node || !wrap(parser, node, first, dimension))
            return false;
        whole = whole ? binary(parser, OPERATION_MULTIPLY, &sign, whole, node) : node;
        if (!whole || !parser_accept(parser, TOKEN_COMMA, &comma))
            return false;
    }
    return wrap(parser, whole, start, product);
}

bool parse_list(struct parser *parser, const struct expr **expr)
{
    if (!parse_any(parser, expr))
        return false;
    if ((*expr)->root->is_list)
        return true;
    error_at(parser->error, ERROR_INPUT, expr_place(*expr), "expected a list, found a single value");
    return error_hint(parser->error, "write [a, b, ...], range(...) or pow2(low, high)");
}

bool parse_sum(struct parser *parser, const struct expr **expr)
{
    size_t start = parser->token.offset;
    if (!parser_enter(parser))
        return false;
    bool good = wrap(parser, tree_single(parser, parse_level(parser, LEVEL_SUM)), start, expr);
    parser_leave(parser);
    return good;
}

const struct expr *expression_item(struct parser *parser, const struct expr *expr, size_t item)
{
    struct expr *part = parser_allocate(parser, sizeof *part);
    if (!part)
        return NULL;
    const struct node *node = expr->root->items[item];
    *part = (struct expr){.root = node, .text = expr->text, .offset = node->start, .length = node->end - node->start};
    return part;
}

/* Is it a name of a kind that is not among the bits? */
static bool reads_other(const struct node *node, const void *context)
{
    const unsigned *kinds = context;
    return node->kind == NODE_NAME && !(*kinds & 1u << node->operation);
}

bool expression_uses_only(struct parser *parser, const struct expr *expr, unsigned kinds, const char *who)
{
    const struct node *node = node_find(expr->root, reads_other, &kinds);
    if (!node)
        return true;
    return error_at(parser->error, ERROR_INPUT, tree_place(parser, node), "%s cannot depend on %s", who,
                    scope_name(parser->scope, node->slot));
}

bool expression_parse(const struct text *text, struct arena *arena, struct scope *scope, const struct expr **expr,
                      struct error *error)
{
    struct parser parser;
    if (!parser_start(&parser, text, arena, scope, error) || !parse_any(&parser, expr) ||
        !parser_skip_newlines(&parser))
        return false;
    return parser_at(&parser, TOKEN_END) || parser_expected(&parser, "an operator or the end of the expression");
}
