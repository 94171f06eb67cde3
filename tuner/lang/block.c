/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of templates: launches, copies, fills, swaps and the loops around them.
 */
#include "tuner/lang/builder.h"
#include "tuner/lang/function.h"

#include <string.h>

static struct buffer_declaration *buffer_at(const struct builder *builder, size_t buffer)
{
    return (struct buffer_declaration *)builder->buffers.items + buffer;
}

static struct buffer_state *state_at(const struct builder *builder, size_t buffer)
{
    return (struct buffer_state *)builder->states.items + buffer;
}

static const struct symbol *symbol_here(const struct parser *parser)
{
    if (!parser_at(parser, TOKEN_NAME))
        return NULL;
    return scope_symbol(parser->scope, parser->text->data + parser->token.offset, parser->token.length);
}

bool parse_buffer_name(struct builder *builder, size_t *buffer)
{
    struct parser *parser = &builder->parser;
    const struct symbol *symbol = symbol_here(parser);
    if (symbol && symbol->kind == SYMBOL_BUFFER) {
        *buffer = symbol->index;
        return parser_advance(parser);
    }
    if (symbol)
        return parser_fail(parser, "%s is %s, not a buffer", symbol->name, symbol_noun(parser->scope, symbol));
    if (!parser_at(parser, TOKEN_NAME))
        return parser_expected(parser, "the name of a buffer");
    char name[NAME_LENGTH_LIMIT + 1] = "";
    memcpy(name, parser->text->data + parser->token.offset, parser->token.length);
    parser_fail(parser, "there is no buffer %s", name);
    return parser_hint_nearest(parser, SYMBOL_BUFFER, name);
}

bool parse_let(struct parser *parser, enum name_kind kind, struct let_declaration *let)
{
    struct token name;
    if (!parser_new_name(parser, "the name of a let", &name) || !parser_expect(parser, TOKEN_ASSIGN) ||
        !parse_expression(parser, &let->value) || !parser_declare(parser, &name, kind, &let->slot))
        return false;
    let->name = scope_name(parser->scope, let->slot);
    scope_set_height(parser->scope, let->slot, let->value->root->height);
    return true;
}

static bool parse_block_let(struct builder *builder, struct statement *statement)
{
    struct let_declaration let = {0};
    statement->kind = STATEMENT_LET;
    if (!parse_let(&builder->parser, NAME_LOOP, &let))
        return false;
    statement->slot = let.slot;
    statement->value = let.value;
    return true;
}

/* A grid or block: one expression or a tuple of up to three. */
static bool parse_dimensions(struct builder *builder, const struct expr *dimensions[3])
{
    struct parser *parser = &builder->parser;
    const struct expr *expr;
    if (!parse_any(parser, &expr))
        return false;
    if (!expr->root->is_list) {
        dimensions[0] = expr;
        return true;
    }
    if (!expr->root->is_tuple || expr->root->count > 3) {
        error_at(parser->error, ERROR_INPUT, expr_place(expr), "a grid or block is x, (x, y) or (x, y, z)");
        return false;
    }
    for (uint32_t i = 0; i < expr->root->count; i++) {
        dimensions[i] = expression_item(parser, expr, i);
        if (!dimensions[i])
            return false;
    }
    return true;
}

/* ref(y), mag(y) */
static bool parse_expectation(struct builder *builder, struct argument *argument)
{
    struct parser *parser = &builder->parser;
    bool is_reference = parser_at_word(parser, "ref");
    argument->kind = is_reference ? ARGUMENT_REFERENCE : ARGUMENT_MAGNITUDE;
    if (!builder->in_reference) {
        parser_fail(parser, "ref() and mag() belong to the reference alone");
        return error_hint(parser->error, "this kernel is given the buffer itself");
    }
    if (!parser_advance(parser) || !parser_expect(parser, TOKEN_PAREN_OPEN))
        return false;
    struct place place = parser_place(parser);
    if (!parse_buffer_name(builder, &argument->buffer))
        return false;
    const struct buffer_declaration *buffer = buffer_at(builder, argument->buffer);
    if (buffer->role != BUFFER_OUT && buffer->role != BUFFER_INOUT)
        return error_at(parser->error, ERROR_INPUT, place, "%s is no output, so nothing is expected of it",
                        buffer->name);
    if (is_reference)
        state_at(builder, argument->buffer)->referenced = true;
    return parser_expect(parser, TOKEN_PAREN_CLOSE);
}

/* x, x + offset */
static bool parse_buffer_argument(struct builder *builder, struct argument *argument)
{
    bool plus;
    argument->kind = ARGUMENT_BUFFER;
    return parse_buffer_name(builder, &argument->buffer) && parser_accept(&builder->parser, TOKEN_PLUS, &plus) &&
           (!plus || parse_sum(&builder->parser, &argument->offset));
}

/* uint(n): a type that is no function of the language. int(n) and float(n) are both, and mean the same as both. */
static bool parse_typed_argument(struct builder *builder, struct argument *argument)
{
    struct parser *parser = &builder->parser;
    struct token open;
    argument->typed = true;
    if (!parser_advance(parser))
        return false;
    open = parser->token;
    return parser_expect(parser, TOKEN_PAREN_OPEN) && parse_expression(parser, &argument->value) &&
           parser_close(parser, TOKEN_PAREN_CLOSE, &open);
}

static bool parse_scalar(struct builder *builder, struct argument *argument)
{
    struct parser *parser = &builder->parser;
    const char *name = parser->text->data + parser->token.offset;
    size_t length = parser->token.length;
    enum function function;
    argument->kind = ARGUMENT_SCALAR;
    if (parser_at(parser, TOKEN_NAME) && element_find(name, length, &argument->element) &&
        !function_find(name, length, &function))
        return parse_typed_argument(builder, argument);
    if (!parse_expression(parser, &argument->value))
        return false;
    const struct node *root = argument->value->root;
    argument->typed =
        root->kind == NODE_CALL && (root->operation == FUNCTION_INT || root->operation == FUNCTION_FLOAT);
    if (argument->typed)
        argument->element = root->operation == FUNCTION_INT ? ELEMENT_INT : ELEMENT_FLOAT;
    return true;
}

static bool parse_argument(struct builder *builder, struct argument *argument)
{
    struct parser *parser = &builder->parser;
    size_t start = parser->token.offset;
    const struct symbol *symbol = symbol_here(parser);
    bool expectation =
        (parser_at_word(parser, "ref") || parser_at_word(parser, "mag")) && parser_peek(parser) == TOKEN_PAREN_OPEN;
    bool good = expectation                               ? parse_expectation(builder, argument)
                : symbol && symbol->kind == SYMBOL_BUFFER ? parse_buffer_argument(builder, argument)
                                                          : parse_scalar(builder, argument);
    argument->place = text_place(parser->text, start, parser->end - start);
    return good;
}

static bool parse_arguments(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    struct token open = parser->token;
    struct list arguments = {0};
    bool comma = true;
    if (!parser_expect(parser, TOKEN_PAREN_OPEN))
        return false;
    while (comma && !parser_at(parser, TOKEN_PAREN_CLOSE)) {
        struct argument *argument = parser_append(parser, &arguments, sizeof *argument);
        if (!argument || !parse_argument(builder, argument) || !parser_accept(parser, TOKEN_COMMA, &comma))
            return false;
    }
    statement->arguments = arguments.items;
    statement->argument_count = arguments.count;
    return parser_close(parser, TOKEN_PAREN_CLOSE, &open);
}

/* kernel<<<grid, block, shared>>>(arguments) */
static bool parse_launch(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    struct token open;
    bool comma;
    statement->kind = STATEMENT_LAUNCH;
    builder->launches = true;
    if (!parser_name(parser, "the name of a kernel", &statement->name, NULL))
        return false;
    open = parser->token;
    if (!parser_expect(parser, TOKEN_LAUNCH_OPEN) || !parse_dimensions(builder, statement->grid) ||
        !parser_expect(parser, TOKEN_COMMA) || !parse_dimensions(builder, statement->block) ||
        !parser_accept(parser, TOKEN_COMMA, &comma) || (comma && !parse_expression(parser, &statement->shared)))
        return false;
    return parser_close(parser, TOKEN_LAUNCH_CLOSE, &open) && parse_arguments(builder, statement);
}

/* <- is read as < and -, so that a<-1 stays a comparison. */
static bool parse_arrow(struct parser *parser)
{
    size_t less = parser->token.offset;
    if (!parser_at(parser, TOKEN_LESS))
        return parser_expected(parser, "<-");
    if (!parser_advance(parser))
        return false;
    if (!parser_at(parser, TOKEN_MINUS) || parser->token.offset != less + 1)
        return parser_expected(parser, "<-");
    return parser_advance(parser);
}

/* buffer, buffer[first : last] */
static bool parse_slice(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    struct token open;
    if (!parse_buffer_name(builder, &statement->buffer))
        return false;
    open = parser->token;
    if (!parser_at(parser, TOKEN_BRACKET_OPEN))
        return true;
    if (!parser_advance(parser) ||
        (!parser_at(parser, TOKEN_COLON) && !parse_expression(parser, &statement->first)) ||
        !parser_expect(parser, TOKEN_COLON) ||
        (!parser_at(parser, TOKEN_BRACKET_CLOSE) && !parse_expression(parser, &statement->last)))
        return false;
    return parser_close(parser, TOKEN_BRACKET_CLOSE, &open);
}

static bool same_elements(struct builder *builder, size_t a, size_t b, struct place place, const char *what)
{
    const struct buffer_declaration *first = buffer_at(builder, a), *second = buffer_at(builder, b);
    if (first->element == second->element)
        return true;
    return error_at(builder->parser.error, ERROR_INPUT, place, "%s: %s holds %s and %s holds %s", what, first->name,
                    element_types[first->element].name, second->name, element_types[second->element].name);
}

/* copy target[at] <- buffer[first : last], the word copy already taken */
static bool parse_buffer_copy(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    struct token open;
    bool bracket;
    statement->kind = STATEMENT_COPY;
    if (!parse_buffer_name(builder, &statement->other))
        return false;
    open = parser->token;
    if (!parser_accept(parser, TOKEN_BRACKET_OPEN, &bracket))
        return false;
    if (bracket && (!parse_expression(parser, &statement->at) || !parser_close(parser, TOKEN_BRACKET_CLOSE, &open)))
        return false;
    if (!parse_arrow(parser))
        return false;
    struct place place = parser_place(parser);
    return parse_slice(builder, statement) &&
           same_elements(builder, statement->other, statement->buffer, place, "a copy converts nothing");
}

static bool parse_copy(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    const struct symbol *symbol = symbol_here(parser);
    if (symbol && symbol->kind == SYMBOL_VALUE)
        return parser_fail(parser, "%s is %s; a copy goes to a buffer or to a variable of the source", symbol->name,
                           symbol_noun(parser->scope, symbol));
    if (symbol || parser_peek(parser) == TOKEN_BRACKET_OPEN)
        return parse_buffer_copy(builder, statement);
    statement->kind = STATEMENT_COPY_SYMBOL;
    return parser_name(parser, "a buffer or a variable of the source", &statement->name, NULL) &&
           parse_arrow(parser) && parse_slice(builder, statement);
}

static bool parse_fill(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    statement->kind = STATEMENT_FILL;
    return parse_buffer_name(builder, &statement->buffer) && parser_expect(parser, TOKEN_ASSIGN) &&
           parse_expression(parser, &statement->value);
}

static bool parse_swap(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    statement->kind = STATEMENT_SWAP;
    if (!parse_buffer_name(builder, &statement->buffer) || !parser_expect(parser, TOKEN_COMMA))
        return false;
    struct place place = parser_place(parser);
    if (!parse_buffer_name(builder, &statement->other))
        return false;
    if (statement->buffer == statement->other)
        return error_at(parser->error, ERROR_INPUT, place, "a buffer is swapped with itself");
    return same_elements(builder, statement->buffer, statement->other, place, "a swap needs equal types");
}

static bool parse_for(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    size_t names = scope_symbol_count(parser->scope);
    struct token name;
    statement->kind = STATEMENT_FOR;
    if (!parser_new_name(parser, "the name of a loop variable", &name) || !parser_expect_word(parser, "in") ||
        !parse_list(parser, &statement->value) || !parser_declare(parser, &name, NAME_LOOP, &statement->slot) ||
        !parse_block(builder, &statement->body))
        return false;
    scope_hide_since(parser->scope, names);
    return true;
}

static bool parse_if(struct builder *builder, struct statement *statement);

/* An elif is an if alone in the else block. */
static bool parse_elif(struct builder *builder, struct block *otherwise)
{
    struct parser *parser = &builder->parser;
    struct statement *inner = parser_allocate(parser, sizeof *inner);
    struct place place = parser_place(parser);
    if (!inner || !parser_enter(parser))
        return false;
    bool good = parser_advance(parser) && parse_if(builder, inner);
    parser_leave(parser);
    inner->place = place;
    *otherwise = (struct block){.statements = inner, .count = 1};
    return good;
}

static bool parse_if(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    statement->kind = STATEMENT_IF;
    if (!parse_expression(parser, &statement->value) || !parse_block(builder, &statement->body))
        return false;
    struct parser before = *parser; /* else may stand on a line of its own */
    if (!parser_skip_newlines(parser))
        return false;
    if (parser_at_word(parser, "elif"))
        return parse_elif(builder, &statement->otherwise);
    if (parser_at_word(parser, "else"))
        return parser_advance(parser) && parse_block(builder, &statement->otherwise);
    *parser = before;
    return true;
}

static bool parse_repeat(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    statement->kind = STATEMENT_REPEAT;
    return parse_expression(parser, &statement->value) && parser_expect_word(parser, "while") &&
           parse_buffer_name(builder, &statement->buffer) && parse_block(builder, &statement->body);
}

static const struct {
    const char *word;
    bool (*parse)(struct builder *builder, struct statement *statement);
} block_statements[] = {
    {"let", parse_block_let}, {"copy", parse_copy}, {"fill", parse_fill},     {"swap", parse_swap},
    {"for", parse_for},       {"if", parse_if},     {"repeat", parse_repeat},
};

enum { BLOCK_STATEMENTS = sizeof block_statements / sizeof *block_statements };

static bool parse_statement_here(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    enum token_kind next = parser_peek(parser);
    if (parser_at(parser, TOKEN_NAME) && next == TOKEN_LAUNCH_OPEN)
        return parse_launch(builder, statement);
    for (size_t i = 0; i < BLOCK_STATEMENTS; i++) {
        if (parser_at_word(parser, block_statements[i].word))
            return parser_advance(parser) && block_statements[i].parse(builder, statement);
    }
    if (parser_at(parser, TOKEN_NAME) && next == TOKEN_PAREN_OPEN) {
        parser_fail(parser, "a launch without a grid and a block");
        return error_hint(parser->error, "write %.*s<<<grid, block>>>(...)", (int)parser->token.length,
                          parser->text->data + parser->token.offset);
    }
    const char *words[BLOCK_STATEMENTS];
    for (size_t i = 0; i < BLOCK_STATEMENTS; i++)
        words[i] = block_statements[i].word;
    return parser_unknown_statement(parser, words, BLOCK_STATEMENTS);
}

static bool parse_statement(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    size_t start = parser->token.offset;
    if (!parse_statement_here(builder, statement))
        return false;
    statement->place = text_place(parser->text, start, parser->end - start);
    return true;
}

static bool parse_statements(struct builder *builder, struct block *block)
{
    struct parser *parser = &builder->parser;
    struct token open = parser->token;
    struct list statements = {0};
    if (!parser_expect(parser, TOKEN_BRACE_OPEN) || !parser_skip_newlines(parser))
        return false;
    while (!parser_at(parser, TOKEN_BRACE_CLOSE) && !parser_at(parser, TOKEN_END)) {
        struct statement *statement = parser_append(parser, &statements, sizeof *statement);
        if (!statement || !parse_statement(builder, statement) || !parser_end_statement(parser))
            return false;
    }
    *block = (struct block){.statements = statements.items, .count = statements.count};
    return parser_close(parser, TOKEN_BRACE_CLOSE, &open);
}

bool parse_block(struct builder *builder, struct block *block)
{
    struct parser *parser = &builder->parser;
    size_t names = scope_symbol_count(parser->scope);
    if (!parser_enter(parser))
        return false;
    bool good = parse_statements(builder, block);
    scope_hide_since(parser->scope, names);
    parser_leave(parser);
    return good;
}
