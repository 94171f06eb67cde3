/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/comprehension.h"
#include "tuner/lang/condition.h"
#include "tuner/lang/expression.h"
#include "tuner/lang/tree.h"

#include <string.h>

/* A position to return to. */
struct mark {
    struct lexer lexer;
    struct token token;
    size_t end;
};

static struct mark mark_here(const struct parser *parser)
{
    return (struct mark){parser->lexer, parser->token, parser->end};
}

static void go_to(struct parser *parser, const struct mark *mark)
{
    parser->lexer = mark->lexer;
    parser->token = mark->token;
    parser->end = mark->end;
}

const struct bound_name *bound_find(const struct parser *parser, const struct token *token)
{
    const char *data = parser->text->data;
    const struct bound_name *name = parser->bound;
    while (name && (name->token.length != token->length ||
                    memcmp(data + name->token.offset, data + token->offset, token->length) != 0))
        name = name->outer;
    return name;
}

/*
 * Find the `for` after the element; false if there is none. A comma ends the element of a plain list. Brackets that
 * nest too deep are an error anyway; scanning on from each of them would take quadratic time.
 */
static bool find_for(const struct parser *parser, struct mark *clauses)
{
    struct mark at = mark_here(parser);
    unsigned depth = 0;
    for (;;) {
        switch (at.token.kind) {
        case TOKEN_NAME:
            if (depth == 0 && parser_token_is(parser, &at.token, "for")) {
                *clauses = at;
                return true;
            }
            break;
        case TOKEN_PAREN_OPEN:
        case TOKEN_BRACKET_OPEN:
            if (depth++ == NESTING_LIMIT)
                return false;
            break;
        case TOKEN_PAREN_CLOSE:
        case TOKEN_BRACKET_CLOSE:
            if (depth-- == 0)
                return false;
            break;
        case TOKEN_COMMA:
            if (depth == 0)
                return false;
            break;
        case TOKEN_END:
            return false;
        default:
            break;
        }
        at.end = at.token.offset + at.token.length;
        if (!lexer_next(&at.lexer, &at.token, NULL))
            return false;
    }
}

bool comprehension_ahead(const struct parser *parser)
{
    struct mark clauses;
    return find_for(parser, &clauses);
}

/* Take the name after `for` and bind it. */
static bool bind_name(struct parser *parser)
{
    struct bound_name *name = parser_allocate(parser, sizeof *name);
    if (!name)
        return false;
    name->outer = parser->bound;
    name->level = parser->bound ? parser->bound->level + 1 : 0;
    if (parser_at(parser, TOKEN_NAME) && bound_find(parser, &parser->token))
        return parser_fail(parser, "%.*s is already a variable of this comprehension", (int)parser->token.length,
                           parser->text->data + parser->token.offset);
    if (name->level == NESTING_LIMIT)
        return parser_fail(parser, "comprehensions nest more than %d variables", NESTING_LIMIT);
    if (!parser_new_name(parser, "a comprehension variable", &name->token))
        return false;
    parser->bound = name; /* parse_for unbinds it while it parses the list */
    return true;
}

static bool needs_list(struct parser *parser, const struct node *node)
{
    if (node->is_list)
        return true;
    error_at(parser->error, ERROR_INPUT, text_place(parser->text, node->offset, node->length),
             "expected a list after `in`, found a single value");
    return error_hint(parser->error, "for example: for i in range(1, 9)");
}

/* NAME in list; the list cannot use the name. */
static struct node *parse_for(struct parser *parser)
{
    const struct bound_name *outer = parser->bound;
    if (!bind_name(parser) || !parser_expect_word(parser, "in"))
        return NULL;
    const struct bound_name *own = parser->bound;
    parser->bound = outer;
    struct node *list = parse_clause(parser);
    parser->bound = own;
    return list && needs_list(parser, list) ? list : NULL;
}

static struct node *parse_filter(struct parser *parser)
{
    struct node *node = tree_single(parser, parse_clause(parser));
    return node && condition_check_filter(parser, node) ? node : NULL;
}

/* All `for NAME in list` and `if condition` clauses. */
static bool parse_clauses(struct parser *parser, struct list *items, struct list *kinds)
{
    for (;;) {
        bool is_for, is_if = false;
        if (!parser_accept_word(parser, "for", &is_for) || (!is_for && !parser_accept_word(parser, "if", &is_if)))
            return false;
        if (!is_for && !is_if)
            return true;
        struct node *node = is_for ? parse_for(parser) : parse_filter(parser);
        struct node **item = node ? parser_append(parser, items, sizeof *item) : NULL;
        uint8_t *kind = item ? parser_append(parser, kinds, sizeof *kind) : NULL;
        if (!kind)
            return false;
        *item = node;
        *kind = is_for ? CLAUSE_FOR : CLAUSE_IF;
    }
}

struct node *parse_comprehension(struct parser *parser, enum token_kind close, const struct token *open)
{
    const struct bound_name *outer = parser->bound;
    struct list items = {0}, kinds = {0};
    struct mark element = mark_here(parser), clauses, behind;
    struct node **first = parser_append(parser, &items, sizeof *first), *node = NULL;
    if (!first || !find_for(parser, &clauses))
        return NULL;
    go_to(parser, &clauses);
    if (!parse_clauses(parser, &items, &kinds) || !parser_close(parser, close, open))
        return NULL;
    behind = mark_here(parser);

    go_to(parser, &element);
    struct node *value = tree_single(parser, parse_item(parser));
    if (!value)
        return NULL;
    if (parser->token.offset != clauses.token.offset) {
        parser_expected(parser, "'for'");
        return NULL;
    }
    *(struct node **)items.items = value;
    node = tree_node(parser, NODE_COMPREHENSION, open, items.items, items.count);
    if (!node)
        return NULL;
    node->is_list = true;
    node->clauses = kinds.items;
    node->operation = (uint8_t)(outer ? outer->level + 1 : 0);
    parser->bound = outer;
    go_to(parser, &behind);
    return node;
}
