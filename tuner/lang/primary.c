/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/primary.h"
#include "tuner/evaluation/measured.h"
#include "tuner/lang/comprehension.h"
#include "tuner/lang/expression.h"
#include "tuner/lang/function.h"
#include "tuner/lang/matrix.h"
#include "tuner/lang/tree.h"

#include <string.h>

static struct node *parse_integer(struct parser *parser)
{
    if (parser->token.integer > INT64_MAX) {
        parser_fail(parser, "this integer does not fit in 64 bits");
        error_hint(parser->error, "the largest integer is 9223372036854775807");
        return NULL;
    }
    return tree_constant(parser, value_integer((int64_t)parser->token.integer));
}

static struct node *parse_string_constant(struct parser *parser)
{
    const char *string = token_string(parser->text, &parser->token, parser->arena, parser->error);
    return string ? tree_constant(parser, value_string(string)) : NULL;
}

/* The items of a list, tuple or call, up to and including the closing bracket. */
static bool parse_items(struct parser *parser, enum token_kind close, const struct token *open, struct list *items,
                        bool *comma)
{
    *comma = false;
    while (!parser_at(parser, close)) {
        struct node **item = parser_append(parser, items, sizeof *item);
        if (!item)
            return false;
        size_t start = parser->token.offset;
        *item = parse_item(parser);
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
        if (!tree_single(parser, nodes[i]))
            return NULL;
    }
    struct node *node = tree_node(parser, NODE_LIST, open, nodes, items->count);
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

/* (expression), or a tuple if there is a comma */
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
        const char *more = entry->most == 1 ? "" : " or at least two values";
        return error_at(parser->error, ERROR_INPUT, place, "%s() takes a list%s", entry->name, more);
    }
    for (size_t i = 0; i < count && !one_list; i++) {
        if (!tree_single(parser, items[i]))
            return false;
    }
    return true;
}

/* The arguments of a call. A sole comprehension needs no brackets: max(i * i for i in range(3)). */
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
    struct node *node = tree_node(parser, NODE_CALL, name, items.items, items.count);
    if (node) {
        node->operation = (uint8_t)function;
        node->is_list = functions[function].gives_list;
    }
    return node;
}

/* For a misspelt name of what is measured; false: none is similar. */
static bool hint_measured(struct parser *parser, const char *name)
{
    const char *names[64];
    size_t count = 0;
    while (count < measured_figure_count && count < sizeof names / sizeof *names) {
        names[count] = measured_figures[count].name;
        count++;
    }
    bool prefixed = strncmp(name, MEASURED_PREFIX, strlen(MEASURED_PREFIX)) == 0;
    const char *nearest = error_nearest(prefixed ? name + strlen(MEASURED_PREFIX) : name, names, count);
    if (nearest)
        error_hint(parser->error, "did you mean %s%s?", prefixed ? MEASURED_PREFIX : "", nearest);
    return nearest != NULL;
}

/* Report a name without a value, and hint at what it may have meant. */
static struct node *unknown_name(struct parser *parser, const struct token *token, const char *name)
{
    struct place place = text_place(parser->text, token->offset, token->length);
    const struct symbol *symbol = scope_symbol(parser->scope, name, strlen(name));
    if (symbol && symbol->kind == SYMBOL_TYPE) {
        error_at(parser->error, ERROR_INPUT, place, "%s is a struct, not a value", name);
        error_hint(parser->error, "in a kernel's arguments it is written %s(...)", name);
    } else if (symbol && symbol->kind == SYMBOL_MATRIX) {
        error_at(parser->error, ERROR_INPUT, place, "%s is a matrix, not a value", name);
        error_hint(parser->error, "kernels take the buffers that it consists of");
    } else if (symbol) { /* a buffer */
        error_at(parser->error, ERROR_INPUT, place, "%s is a buffer, not a value", name);
        error_hint(parser->error, "in a kernel's arguments the buffer comes first: %s + offset", name);
    } else if (strncmp(name, "device.", 7) == 0) {
        error_at(parser->error, ERROR_INPUT, place, "unknown device field %s", name);
        parser_hint_nearest(parser, SYMBOL_VALUE, name);
    } else {
        error_at(parser->error, ERROR_INPUT, place, "unknown name %s", name);
        if (!parser->measured || !hint_measured(parser, name))
            parser_hint_nearest(parser, SYMBOL_VALUE, name);
    }
    return NULL;
}

static struct node *name_node(struct parser *parser, const struct token *token, const char *name)
{
    const struct symbol *symbol = scope_symbol(parser->scope, name, strlen(name));
    if (parser->measured && (!symbol || symbol->kind != SYMBOL_VALUE)) {
        char measured[sizeof MEASURED_PREFIX + NAME_LENGTH_LIMIT + sizeof "device."];
        int length = snprintf(measured, sizeof measured, MEASURED_PREFIX "%s", name);
        const struct symbol *figure = scope_symbol(parser->scope, measured, (size_t)length);
        symbol = figure ? figure : symbol;
    }
    if (!symbol || symbol->kind != SYMBOL_VALUE)
        return unknown_name(parser, token, name);
    return tree_name(parser, token, symbol->index);
}

static struct node *bound_node(struct parser *parser, const struct token *token, const struct bound_name *bound)
{
    struct node *node = tree_node(parser, NODE_BOUND, token, NULL, 0);
    if (node)
        node->slot = bound->level;
    return node;
}

static void error_expected_dot(struct parser *parser, const char *what)
{
    char expected[64];
    snprintf(expected, sizeof expected, "'.' and %s", what);
    parser_expected(parser, expected);
}

/* `device.NAME`, and in metrics `measured.NAME`: the prefix is the current token. */
static struct node *parse_field(struct parser *parser, const char *prefix, const char *what, const char *example)
{
    struct token token = parser->token;
    char name[sizeof MEASURED_PREFIX + NAME_LENGTH_LIMIT] = "";
    if (!parser_advance(parser))
        return NULL;
    if (!parser_at(parser, TOKEN_DOT)) {
        error_expected_dot(parser, what);
        error_hint(parser->error, "for example: %s", example);
        return NULL;
    }
    if (!parser_advance(parser))
        return NULL;
    if (!parser_at(parser, TOKEN_NAME)) {
        parser_expected(parser, what);
        return NULL;
    }
    snprintf(name, sizeof name, "%s%.*s", prefix, (int)parser->token.length,
             parser->text->data + parser->token.offset);
    token.length = parser->token.offset + parser->token.length - token.offset;
    return parser_advance(parser) ? name_node(parser, &token, name) : NULL;
}

static struct node *unknown_function(struct parser *parser, const struct token *token, const char *name)
{
    const char *names[FUNCTION_COUNT];
    for (int i = 0; i < FUNCTION_COUNT; i++)
        names[i] = functions[i].name;
    error_at(parser->error, ERROR_INPUT, text_place(parser->text, token->offset, token->length),
             "unknown function %s", name);
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
        return tree_constant(parser, value_boolean(true));
    if (strcmp(name, "false") == 0 || strcmp(name, "False") == 0)
        return tree_constant(parser, value_boolean(false));
    if (strcmp(name, "device") == 0)
        return parse_field(parser, "device.", "a device field", "device.max_threads_per_block");
    if (parser->measured && strcmp(name, "measured") == 0 && parser_peek(parser) == TOKEN_DOT)
        return parse_field(parser, MEASURED_PREFIX, "a measured figure", "measured.time");
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
    bool called = parser_at(parser, TOKEN_PAREN_OPEN) && !scope_symbol(parser->scope, start, token.length);
    if (called && strcmp(name, "given") == 0)
        return parse_given(parser, &token);
    if (called)
        return unknown_function(parser, &token, name);
    return name_node(parser, &token, name);
}

struct node *parse_primary(struct parser *parser)
{
    switch (parser->token.kind) {
    case TOKEN_INTEGER:
        return parse_integer(parser);
    case TOKEN_FLOAT:
        return tree_constant(parser, value_float(parser->token.real));
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
            error_hint(parser->error, "the logical operators are and, or, not");
        return NULL;
    }
}
