/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/block.h"
#include "tuner/lang/buffer.h"
#include "tuner/lang/condition.h"
#include "tuner/lang/count.h"
#include "tuner/lang/expression.h"
#include "tuner/lang/kernel_name.h"
#include "tuner/lang/launch.h"
#include "tuner/lang/launch_attributes.h"
#include "tuner/lang/let.h"

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

/* <- is two tokens, so that a<-1 is a comparison. */
static bool parse_arrow(struct parser *parser)
{
    size_t less = parser->token.offset;
    if (!parser_at(parser, TOKEN_LESS))
        return parser_expected(parser, "'<-'");
    if (!parser_advance(parser))
        return false;
    if (!parser_at(parser, TOKEN_MINUS) || parser->token.offset != less + 1)
        return parser_expected(parser, "'<-'");
    return parser_advance(parser);
}

/* buffer, buffer[first : last] */
static bool parse_copied(struct builder *builder, struct statement *statement)
{
    bool sliced;
    return parse_buffer_name(builder, &statement->buffer) &&
           parse_slice(builder, &sliced, &statement->first, &statement->last);
}

static bool same_elements(struct builder *builder, size_t a, size_t b, struct place place, const char *what)
{
    const struct buffer_declaration *first = buffer_at(builder, a), *second = buffer_at(builder, b);
    if (layout_equal(first->type->layout, second->type->layout))
        return true;
    return error_at(builder->parser.error, ERROR_INPUT, place, "%s: %s is %s, %s is %s", what, first->name,
                    first->type->layout->name, second->name, second->type->layout->name);
}

/* target[at] <- buffer[first : last] */
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
    return parse_copied(builder, statement) &&
           same_elements(builder, statement->other, statement->buffer, place, "copy does not convert types") &&
           parse_stream(builder, &statement->attributes.stream);
}

static bool parse_copy(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    const struct symbol *symbol = buffer_symbol(parser);
    if (symbol && symbol->kind == SYMBOL_VALUE)
        return parser_fail(parser, "%s is %s; copy writes to a buffer or to a variable of the source", symbol->name,
                           symbol_noun(parser->scope, symbol));
    if (symbol || parser_peek(parser) == TOKEN_BRACKET_OPEN)
        return parse_buffer_copy(builder, statement);
    statement->kind = STATEMENT_COPY_SYMBOL;
    return parser_name(parser, "a buffer or a variable of the source", &statement->name, NULL) &&
           parse_arrow(parser) && parse_copied(builder, statement) &&
           parse_stream(builder, &statement->attributes.stream);
}

static bool parse_fill(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    statement->kind = STATEMENT_FILL;
    return parse_buffer_name(builder, &statement->buffer) && parser_expect(parser, TOKEN_ASSIGN) &&
           parse_expression(parser, &statement->value) && parse_stream(builder, &statement->attributes.stream);
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
        return error_at(parser->error, ERROR_INPUT, place, "a buffer cannot be swapped with itself");
    return same_elements(builder, statement->buffer, statement->other, place,
                         "swapped buffers must have the same type");
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

/* An elif is the only statement of the else block. */
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
    if (!parse_condition(parser, &statement->value) || !parse_block(builder, &statement->body))
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

static bool parse_flag(struct builder *builder, size_t *buffer)
{
    struct parser *parser = &builder->parser;
    struct place place = parser_place(parser);
    if (!parse_buffer_name(builder, buffer))
        return false;
    const struct buffer_declaration *flag = buffer_at(builder, *buffer);
    if (flag->type->kind == TYPE_NUMBER)
        return true;
    return error_at(parser->error, ERROR_INPUT, place, "%s is of type %s, but a condition is a number", flag->name,
                    flag->type->layout->name);
}

/* A flag is a buffer, and so was meant to be any other name that stands alone, unless it may change. */
static bool at_condition(const struct parser *parser)
{
    const struct symbol *symbol = buffer_symbol(parser);
    if (symbol && symbol->kind != SYMBOL_VALUE)
        return false;
    if (!parser_at(parser, TOKEN_NAME) || parser_peek(parser) != TOKEN_BRACE_OPEN)
        return true;
    enum name_kind kind = symbol ? scope_kind(parser->scope, symbol->index) : NAME_SIZE;
    return kind == NAME_COUNT || kind == NAME_LET || kind == NAME_LOOP;
}

/* `as NAME` */
static bool parse_number(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    struct token name;
    if (!parser_accept_word(parser, "as", &statement->numbered) || !statement->numbered)
        return !statement->numbered;
    builder->template->numbered = true;
    return parser_new_name(parser, "the name of the round's number", &name) &&
           parser_declare(parser, &name, NAME_LOOP, &statement->slot);
}

static bool parse_repeat(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    size_t names = scope_symbol_count(parser->scope);
    statement->kind = STATEMENT_REPEAT;
    bool done = parse_expression(parser, &statement->value) && parse_number(builder, statement) &&
                parser_expect_word(parser, "while") &&
                (at_condition(parser) ? parse_condition(parser, &statement->condition)
                                      : parse_flag(builder, &statement->buffer)) &&
                parse_block(builder, &statement->body);
    scope_hide_since(parser->scope, names);
    return done;
}

static bool parse_wait(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    statement->kind = STATEMENT_WAIT;
    return parse_expression(parser, &statement->value) && parser_expect_word(parser, "after") &&
           parse_expression(parser, &statement->awaited);
}

static const struct {
    const char *word;
    bool (*parse)(struct builder *builder, struct statement *statement);
} block_statements[] = {
    {"let", parse_block_let}, {"copy", parse_copy}, {"fill", parse_fill},
    {"swap", parse_swap},     {"for", parse_for},   {"if", parse_if},
    {"repeat", parse_repeat}, {"wait", parse_wait}, {"read", parse_read},
};

enum { BLOCK_STATEMENTS = sizeof block_statements / sizeof *block_statements };

static bool parse_statement_here(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    enum token_kind next = parser_peek(parser);
    if (at_kernel_name(parser))
        return parse_launch(builder, statement);
    for (size_t i = 0; i < BLOCK_STATEMENTS; i++) {
        if (parser_at_word(parser, block_statements[i].word))
            return parser_advance(parser) && block_statements[i].parse(builder, statement);
    }
    if (parser_at(parser, TOKEN_NAME) && next == TOKEN_PAREN_OPEN) {
        parser_fail(parser, "this launch has no grid and block");
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
