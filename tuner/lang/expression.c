/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions: a parser by operator precedence. Its levels are those of the Python reference, section 6.17.
 */
#include "tuner/lang/comprehension.h"
#include "tuner/lang/function.h"
#include "tuner/lang/parser.h"

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

static bool limit_height(struct parser *parser, struct node *node, unsigned height)
{
    node->height = (uint16_t)height;
    if (height <= HEIGHT_LIMIT)
        return true;
    error_at(parser->error, ERROR_INPUT, text_place(parser->text, node->offset, node->length),
             "this expression has more than %d operations inside each other, those of its lets included",
             HEIGHT_LIMIT);
    return error_hint(parser->error, "brackets around parts of a long sum, or a shorter chain of lets, have fewer");
}

/* A node with its items; its token is the one given. */
static struct node *make(struct parser *parser, enum node_kind kind, const struct token *token,
                         struct node *const *items, size_t count)
{
    struct node *node = parser_allocate(parser, sizeof *node + count * sizeof *items);
    if (!node)
        return NULL;
    unsigned height = 0;
    for (size_t i = 0; i < count; i++) {
        node->items[i] = items[i];
        if (items[i]->height > height)
            height = items[i]->height;
    }
    node->kind = (uint8_t)kind;
    node->count = (uint32_t)count;
    node->offset = (uint32_t)token->offset;
    node->length = (uint32_t)token->length;
    return limit_height(parser, node, height + 1) ? node : NULL;
}

static struct place node_place(const struct parser *parser, const struct node *node)
{
    return text_place(parser->text, node->offset, node->length);
}

/* Fails for a list; passes NULL on. */
static struct node *single(struct parser *parser, struct node *node)
{
    if (!node || !node->is_list)
        return node;
    error_at(parser->error, ERROR_INPUT, node_place(parser, node), "a list cannot be used as a value");
    error_hint(parser->error, "lists are for `in`, min, max, for and the values of a parameter");
    return NULL;
}

static struct node *constant(struct parser *parser, struct value value)
{
    struct node *node = make(parser, NODE_CONSTANT, &parser->token, NULL, 0);
    if (!node || !parser_advance(parser))
        return NULL;
    node->constant = value;
    return node;
}

static struct node *parse_integer(struct parser *parser)
{
    if (parser->token.integer > INT64_MAX) {
        parser_fail(parser, "this integer does not fit in 64 bits");
        return NULL;
    }
    return constant(parser, value_integer((int64_t)parser->token.integer));
}

static struct node *parse_string_constant(struct parser *parser)
{
    const char *string = token_string(parser->text, &parser->token, parser->arena, parser->error);
    return string ? constant(parser, value_string(string)) : NULL;
}

/* The items of a list or tuple or the arguments of a call, up to the closing bracket, which is taken. */
static bool parse_items(struct parser *parser, enum token_kind close, const struct token *open, struct list *items,
                        bool *comma)
{
    *comma = false;
    while (!parser_at(parser, close)) {
        struct node **item = parser_append(parser, items, sizeof *item);
        if (!item)
            return false;
        size_t start = parser->token.offset;
        *item = parse_level(parser, LEVEL_CHOICE);
        if (!*item)
            return false;
        (*item)->start = (uint32_t)start;
        (*item)->end = (uint32_t)parser->end;
        if (!parser_accept(parser, TOKEN_COMMA, comma))
            return false;
        if (!*comma)
            break;
    }
    return parser_close(parser, close, open);
}

static struct node *list_of(struct parser *parser, const struct token *open, const struct list *items, bool is_tuple)
{
    struct node **nodes = items->items;
    for (size_t i = 0; i < items->count; i++) {
        if (!single(parser, nodes[i]))
            return NULL;
    }
    struct node *node = make(parser, NODE_LIST, open, nodes, items->count);
    if (node) {
        node->is_list = true;
        node->is_tuple = is_tuple;
    }
    return node;
}

static struct node *parse_bracketed_list(struct parser *parser)
{
    struct token open = parser->token;
    struct list items = {0};
    bool comma;
    if (!parser_advance(parser))
        return NULL;
    if (comprehension_ahead(parser))
        return parse_comprehension(parser, TOKEN_BRACKET_CLOSE, &open);
    if (!parse_items(parser, TOKEN_BRACKET_CLOSE, &open, &items, &comma))
        return NULL;
    return list_of(parser, &open, &items, false);
}

/* ( expression ), or a tuple if there is a comma. */
static struct node *parse_parentheses(struct parser *parser)
{
    struct token open = parser->token;
    struct list items = {0};
    bool comma;
    if (!parser_advance(parser))
        return NULL;
    if (parser_at(parser, TOKEN_PAREN_CLOSE)) {
        parser_expected(parser, "an expression");
        return NULL;
    }
    if (!parse_items(parser, TOKEN_PAREN_CLOSE, &open, &items, &comma))
        return NULL;
    struct node **nodes = items.items;
    return items.count == 1 && !comma ? nodes[0] : list_of(parser, &open, &items, true);
}

static bool check_call(struct parser *parser, const struct token *name, enum function function, struct node **items,
                       size_t count)
{
    const struct function_entry *entry = &functions[function];
    struct place place = text_place(parser->text, name->offset, name->length);
    bool one_list = entry->takes_list && count == 1;
    if (count < entry->least || (entry->most && count > entry->most)) {
        const char *number = entry->least == entry->most ? "" : count < entry->least ? "at least " : "at most ";
        unsigned limit = count < entry->least ? entry->least : entry->most;
        return error_at(parser->error, ERROR_INPUT, place, "%s() takes %s%u argument%s, not %zu", entry->name, number,
                        limit, limit == 1 ? "" : "s", count);
    }
    if (one_list && !items[0]->is_list) {
        const char *more = entry->most == 1 ? "" : ", or two arguments or more";
        return error_at(parser->error, ERROR_INPUT, place, "%s() takes a list%s", entry->name, more);
    }
    for (size_t i = 0; i < count && !one_list; i++) {
        if (!single(parser, items[i]))
            return false;
    }
    return true;
}

/* The arguments of a call; max(i * i for i in range(3)) needs no brackets of its own. */
static bool parse_arguments(struct parser *parser, enum function function, const struct token *open,
                            struct list *items)
{
    bool comma;
    if (!functions[function].takes_list || !comprehension_ahead(parser))
        return parse_items(parser, TOKEN_PAREN_CLOSE, open, items, &comma);
    struct node *list = parse_comprehension(parser, TOKEN_PAREN_CLOSE, open);
    struct node **item = list ? parser_append(parser, items, sizeof *item) : NULL;
    if (item)
        *item = list;
    return item;
}

static struct node *parse_call(struct parser *parser, const struct token *name, enum function function)
{
    struct token open = parser->token;
    struct list items = {0};
    if (!parser_expect(parser, TOKEN_PAREN_OPEN) || !parse_arguments(parser, function, &open, &items) ||
        !check_call(parser, name, function, items.items, items.count))
        return NULL;
    struct node *node = make(parser, NODE_CALL, name, items.items, items.count);
    if (node) {
        node->operation = (uint8_t)function;
        node->is_list = functions[function].gives_list;
    }
    return node;
}

/* A name that means nothing: say what it might have meant. */
static struct node *unknown_name(struct parser *parser, const struct token *token, const char *name)
{
    struct place place = text_place(parser->text, token->offset, token->length);
    const struct symbol *symbol = scope_symbol(parser->scope, name, strlen(name));
    if (symbol) { /* a buffer */
        error_at(parser->error, ERROR_INPUT, place, "%s is a buffer and has no value", name);
        error_hint(parser->error, "a kernel's argument is written %s + offset, the buffer first", name);
    } else if (strncmp(name, "device.", 7) == 0) {
        error_at(parser->error, ERROR_INPUT, place, "there is no %s", name);
        parser_hint_nearest(parser, SYMBOL_VALUE, name);
    } else {
        error_at(parser->error, ERROR_INPUT, place, "unknown name %s", name);
        parser_hint_nearest(parser, SYMBOL_VALUE, name);
    }
    return NULL;
}

static struct node *name_node(struct parser *parser, const struct token *token, const char *name)
{
    const struct symbol *symbol = scope_symbol(parser->scope, name, strlen(name));
    if (!symbol || symbol->kind != SYMBOL_VALUE)
        return unknown_name(parser, token, name);
    struct node *node = make(parser, NODE_NAME, token, NULL, 0);
    if (node) {
        node->slot = symbol->index;
        node->operation = (uint8_t)scope_kind(parser->scope, symbol->index);
        if (!limit_height(parser, node, 1 + scope_height(parser->scope, symbol->index)))
            return NULL;
    }
    return node;
}

static struct node *bound_node(struct parser *parser, const struct token *token, const struct bound_name *bound)
{
    struct node *node = make(parser, NODE_BOUND, token, NULL, 0);
    if (node)
        node->slot = bound->level;
    return node;
}

static struct node *parse_device_field(struct parser *parser)
{
    struct token token = parser->token;
    char name[8 + NAME_LENGTH_LIMIT] = "device.";
    if (!parser_advance(parser))
        return NULL;
    if (!parser_at(parser, TOKEN_DOT)) {
        parser_expected(parser, "a dot and a field of the device");
        error_hint(parser->error, "for example device.max_threads_per_block");
        return NULL;
    }
    if (!parser_advance(parser))
        return NULL;
    if (!parser_at(parser, TOKEN_NAME)) {
        parser_expected(parser, "a field of the device");
        return NULL;
    }
    memcpy(name + 7, parser->text->data + parser->token.offset, parser->token.length);
    token.length = parser->token.offset + parser->token.length - token.offset;
    return parser_advance(parser) ? name_node(parser, &token, name) : NULL;
}

static struct node *unknown_function(struct parser *parser, const struct token *token, const char *name)
{
    const char *names[FUNCTION_COUNT];
    for (int i = 0; i < FUNCTION_COUNT; i++)
        names[i] = functions[i].name;
    error_at(parser->error, ERROR_INPUT, text_place(parser->text, token->offset, token->length),
             "there is no function %s", name);
    const char *nearest = error_nearest(name, names, FUNCTION_COUNT);
    if (nearest)
        error_hint(parser->error, "did you mean %s?", nearest);
    return NULL;
}

static struct node *parse_word(struct parser *parser)
{
    struct token token = parser->token;
    const char *start = parser->text->data + token.offset;
    char name[NAME_LENGTH_LIMIT + 1] = "";
    memcpy(name, start, token.length);
    enum function function;
    if (strcmp(name, "true") == 0 || strcmp(name, "True") == 0)
        return constant(parser, value_boolean(true));
    if (strcmp(name, "false") == 0 || strcmp(name, "False") == 0)
        return constant(parser, value_boolean(false));
    if (strcmp(name, "device") == 0)
        return parse_device_field(parser);
    static const char *const keywords[] = {"and", "or", "not", "in", "if", "else", "elif", "while", "for", "None"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (strcmp(name, keywords[i]) == 0) {
            parser_expected(parser, "a value");
            return NULL;
        }
    }
    const struct bound_name *bound = bound_find(parser, &token);
    if (!parser_advance(parser))
        return NULL;
    if (bound)
        return bound_node(parser, &token, bound);
    if (function_find(start, token.length, &function))
        return parse_call(parser, &token, function);
    if (parser_at(parser, TOKEN_PAREN_OPEN) && !scope_symbol(parser->scope, start, token.length))
        return unknown_function(parser, &token, name);
    return name_node(parser, &token, name);
}

static struct node *parse_primary(struct parser *parser)
{
    switch (parser->token.kind) {
    case TOKEN_INTEGER:
        return parse_integer(parser);
    case TOKEN_FLOAT:
        return constant(parser, value_float(parser->token.real));
    case TOKEN_STRING:
        return parse_string_constant(parser);
    case TOKEN_NAME:
        return parse_word(parser);
    case TOKEN_PAREN_OPEN:
        return parse_parentheses(parser);
    case TOKEN_BRACKET_OPEN:
        return parse_bracketed_list(parser);
    default:
        parser_expected(parser, "a value");
        if (parser_at(parser, TOKEN_AND) || parser_at(parser, TOKEN_OR))
            error_hint(parser->error, "the words are and, or, not");
        return NULL;
    }
}

static struct node *unary(struct parser *parser, enum node_kind kind, enum operation operation,
                          const struct token *token, struct node *operand)
{
    struct node *node = single(parser, operand) ? make(parser, kind, token, &operand, 1) : NULL;
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
    if (!join && (!single(parser, left) || !single(parser, right)))
        return NULL;
    struct node *node = make(parser, join ? NODE_JOIN : NODE_BINARY, token, items, 2);
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
    struct node *node = make(parser, NODE_CONSTANT, &token, NULL, 0);
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

/* Operators of one level and all tighter ones, left to right. */
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

/* Lists may stand only to the right of a last `in`. */
static bool check_comparison(struct parser *parser, struct node *const *items, const uint8_t *comparisons,
                             size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool contains = i > 0 && i + 1 == count && comparisons[i - 1] >= COMPARE_IN;
        if (!contains && !single(parser, items[i]))
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
            struct node *node = make(parser, NODE_COMPARE, &token, items.items, items.count);
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

/* a and b and c, or the same with or: one node of many items. */
static struct node *parse_logic(struct parser *parser, const char *word, enum node_kind kind, enum level inner)
{
    struct node *first = parse_level(parser, inner);
    struct token token = parser->token;
    if (!first || !parser_at_word(parser, word))
        return first;
    struct list items = {0};
    bool more = true;
    for (struct node *item = first; more; item = more ? parse_level(parser, inner) : NULL) {
        struct node **added = single(parser, item) ? parser_append(parser, &items, sizeof *added) : NULL;
        if (!added || !parser_accept_word(parser, word, &more))
            return NULL;
        *added = item;
    }
    return make(parser, kind, &token, items.items, items.count);
}

static struct node *parse_choice(struct parser *parser)
{
    struct node *value = parse_level(parser, LEVEL_OR);
    struct token token = parser->token;
    if (!value || !parser_at_word(parser, "if"))
        return value;
    struct node *condition = parser_advance(parser) ? parse_level(parser, LEVEL_OR) : NULL;
    if (!single(parser, condition) || !parser_expect_word(parser, "else"))
        return NULL;
    struct node *otherwise = parse_level(parser, LEVEL_CHOICE);
    if (!otherwise)
        return NULL;
    if (value->is_list != otherwise->is_list && (!single(parser, value) || !single(parser, otherwise)))
        return NULL;
    struct node *items[] = {condition, value, otherwise};
    struct node *node = make(parser, NODE_CHOICE, &token, items, 3);
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

/* All recursion passes through here, where its depth is limited. */
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

struct node *parse_node(struct parser *parser, enum node_kind kind, const struct token *token,
                        struct node *const *items, size_t count)
{
    return make(parser, kind, token, items, count);
}

struct node *parse_element(struct parser *parser)
{
    return parse_level(parser, LEVEL_CHOICE);
}

struct node *parse_operand(struct parser *parser)
{
    if (!parser_enter(parser))
        return NULL;
    struct node *node = parse_level(parser, LEVEL_OR);
    parser_leave(parser);
    return node;
}

struct node *parse_single(struct parser *parser, struct node *node)
{
    return single(parser, node);
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
    return wrap(parser, single(parser, parse_level(parser, LEVEL_CHOICE)), start, expr);
}

bool parse_list(struct parser *parser, const struct expr **expr)
{
    if (!parse_any(parser, expr))
        return false;
    if ((*expr)->root->is_list)
        return true;
    error_at(parser->error, ERROR_INPUT, expr_place(*expr), "a list is needed here, not a single value");
    return error_hint(parser->error, "write [a, b, ...], range(...) or pow2(low, high)");
}

bool parse_sum(struct parser *parser, const struct expr **expr)
{
    size_t start = parser->token.offset;
    if (!parser_enter(parser))
        return false;
    bool good = wrap(parser, single(parser, parse_level(parser, LEVEL_SUM)), start, expr);
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

/* Reads a name of a kind that is not among the bits. */
static bool reads_other(const struct node *node, const void *context)
{
    const unsigned *kinds = context;
    return node->kind == NODE_NAME && !(*kinds & 1u << node->operation);
}

bool expression_reads_only(struct parser *parser, const struct expr *expr, unsigned kinds, const char *who)
{
    const struct node *node = node_find(expr->root, reads_other, &kinds);
    if (!node)
        return true;
    return error_at(parser->error, ERROR_INPUT, node_place(parser, node), "%s cannot read %s", who,
                    scope_name(parser->scope, node->slot));
}

bool expression_parse(const struct text *text, struct arena *arena, struct scope *scope, const struct expr **expr,
                      struct error *error)
{
    struct parser parser;
    if (!parser_start(&parser, text, arena, scope, error) || !parse_any(&parser, expr) ||
        !parser_skip_newlines(&parser))
        return false;
    return parser_at(&parser, TOKEN_END) || parser_expected(&parser, "an operator or the end");
}
