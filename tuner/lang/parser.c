/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/parser.h"
#include "tuner/lang/element.h"
#include "tuner/lang/function.h"

#include <stdarg.h>
#include <string.h>

bool parser_start(struct parser *parser, const struct text *text, struct arena *arena, struct scope *scope,
                  struct error *error)
{
    *parser = (struct parser){.text = text, .arena = arena, .scope = scope, .error = error};
    parser->lexer = lexer_start(text);
    return lexer_next(&parser->lexer, &parser->token, error) && parser_skip_newlines(parser);
}

bool parser_out_of_memory(struct parser *parser)
{
    return error_out_of_memory(parser->error);
}

void *parser_allocate(struct parser *parser, size_t size)
{
    void *memory = arena_allocate(parser->arena, size);
    if (!memory)
        parser_out_of_memory(parser);
    return memory;
}

void *parser_append(struct parser *parser, struct list *list, size_t item_size)
{
    void *item = list_append(list, parser->arena, item_size);
    if (!item)
        parser_out_of_memory(parser);
    return item;
}

struct place parser_place(const struct parser *parser)
{
    return text_place(parser->text, parser->token.offset, parser->token.length);
}

bool parser_fail(struct parser *parser, const char *format, ...)
{
    char text[sizeof parser->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_at(parser->error, ERROR_INPUT, parser_place(parser), "%s", text);
}

enum { SHOWN = 40 }; /* longest token shown in a message */

bool parser_expected(struct parser *parser, const char *what)
{
    const struct token *token = &parser->token;
    const char *start = parser->text->data + token->offset;
    if (token->kind == TOKEN_END || token->kind == TOKEN_NEWLINE || token->length > SHOWN)
        return parser_fail(parser, "expected %s, found %s", what, token_kind_text(token->kind));
    return parser_fail(parser, "expected %s, found '%.*s'", what, (int)token->length, start);
}

static bool expected_sign(struct parser *parser, enum token_kind kind)
{
    char what[16];
    bool is_sign = kind >= TOKEN_LAUNCH_OPEN;
    snprintf(what, sizeof what, "'%s'", token_kind_text(kind));
    return parser_expected(parser, is_sign ? what : token_kind_text(kind));
}

bool parser_advance(struct parser *parser)
{
    parser->end = parser->token.offset + parser->token.length;
    return lexer_next(&parser->lexer, &parser->token, parser->error);
}

bool parser_at(const struct parser *parser, enum token_kind kind)
{
    return parser->token.kind == kind;
}

bool parser_token_is(const struct parser *parser, const struct token *token, const char *word)
{
    return token->kind == TOKEN_NAME && token->length == strlen(word) &&
           memcmp(parser->text->data + token->offset, word, token->length) == 0;
}

bool parser_at_word(const struct parser *parser, const char *word)
{
    return parser_token_is(parser, &parser->token, word);
}

bool parser_accept(struct parser *parser, enum token_kind kind, bool *taken)
{
    *taken = parser_at(parser, kind);
    return *taken ? parser_advance(parser) : true;
}

bool parser_accept_word(struct parser *parser, const char *word, bool *taken)
{
    *taken = parser_at_word(parser, word);
    return *taken ? parser_advance(parser) : true;
}

bool parser_expect(struct parser *parser, enum token_kind kind)
{
    return parser_at(parser, kind) ? parser_advance(parser) : expected_sign(parser, kind);
}

bool parser_expect_word(struct parser *parser, const char *word)
{
    char what[NAME_LENGTH_LIMIT];
    snprintf(what, sizeof what, "'%s'", word);
    return parser_at_word(parser, word) ? parser_advance(parser) : parser_expected(parser, what);
}

bool parser_close(struct parser *parser, enum token_kind kind, const struct token *open)
{
    if (parser_at(parser, kind))
        return parser_advance(parser);
    const char *sign = token_kind_text(open->kind);
    if (parser_at(parser, TOKEN_END))
        return error_at(parser->error, ERROR_INPUT, text_place(parser->text, open->offset, open->length),
                        "this '%s' is never closed", sign);
    expected_sign(parser, kind);
    return error_hint(parser->error, "to close the '%s' opened on line %u", sign,
                      text_line(parser->text, open->offset));
}

enum token_kind parser_peek(const struct parser *parser)
{
    struct lexer ahead = parser->lexer;
    struct token token;
    return lexer_next(&ahead, &token, NULL) ? token.kind : TOKEN_END;
}

bool parser_skip_newlines(struct parser *parser)
{
    while (parser_at(parser, TOKEN_NEWLINE)) {
        if (!parser_advance(parser))
            return false;
    }
    return true;
}

bool parser_end_statement(struct parser *parser)
{
    if (parser_at(parser, TOKEN_END) || parser_at(parser, TOKEN_BRACE_CLOSE))
        return true;
    if (!parser_at(parser, TOKEN_NEWLINE)) {
        parser_expected(parser, "the end of the line");
        return parser_at(parser, TOKEN_ASSIGN) && error_hint(parser->error, "use == to compare");
    }
    return parser_skip_newlines(parser);
}

bool parser_string(struct parser *parser, const char *what, const char **string)
{
    if (!parser_at(parser, TOKEN_STRING))
        return parser_expected(parser, what);
    *string = token_string(parser->text, &parser->token, parser->arena, parser->error);
    return *string && parser_advance(parser);
}

bool parser_name(struct parser *parser, const char *what, const char **name, struct token *token)
{
    if (!parser_at(parser, TOKEN_NAME))
        return parser_expected(parser, what);
    if (token)
        *token = parser->token;
    *name = arena_string(parser->arena, parser->text->data + parser->token.offset, parser->token.length);
    return *name ? parser_advance(parser) : parser_out_of_memory(parser);
}

/* What a word means in the language; NULL if it may be declared. */
static const char *reserved_meaning(const char *word, size_t length)
{
    static const char *const words[] = {"and",   "or",   "not",   "in",   "if",     "else",  "elif", "true",
                                        "false", "True", "False", "None", "device", "while", "for"};
    enum function function;
    enum element element;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return "a reserved word";
    }
    if (function_find(word, length, &function))
        return "a function";
    return element_find(word, length, &element) && element_is_reserved(element) ? "a type" : NULL;
}

static bool already_declared(struct parser *parser, const struct symbol *symbol)
{
    const char *noun = symbol_noun(parser->scope, symbol);
    parser_fail(parser, "%s is already %s", symbol->name, noun);
    if (symbol->text)
        error_hint(parser->error, "it is declared at %s:%u; every name is declared once", symbol->text->file,
                   text_line(symbol->text, symbol->offset));
    return false;
}

bool parser_new_name(struct parser *parser, const char *what, struct token *token)
{
    if (!parser_at(parser, TOKEN_NAME))
        return parser_expected(parser, what);
    const char *name = parser->text->data + parser->token.offset;
    const char *meaning = reserved_meaning(name, parser->token.length);
    if (meaning)
        return parser_fail(parser, "%.*s is %s and cannot be %s", (int)parser->token.length, name, meaning, what);
    const struct symbol *symbol = scope_symbol(parser->scope, name, parser->token.length);
    if (symbol)
        return already_declared(parser, symbol);
    *token = parser->token;
    return parser_advance(parser);
}

bool parser_declare(struct parser *parser, const struct token *token, enum name_kind kind, size_t *slot)
{
    const char *name = parser->text->data + token->offset;
    return scope_add_value(parser->scope, name, token->length, kind, parser->text, token->offset, slot) ||
           parser_out_of_memory(parser);
}

bool parser_hint_nearest(struct parser *parser, enum symbol_kind kind, const char *name)
{
    const char *nearest = scope_nearest(parser->scope, kind, name);
    return nearest ? error_hint(parser->error, "did you mean %s?", nearest) : false;
}

bool parser_enter(struct parser *parser)
{
    if (parser->nesting == NESTING_LIMIT)
        return parser_fail(parser, "nested more than %d levels deep", NESTING_LIMIT);
    parser->nesting++;
    return true;
}

void parser_leave(struct parser *parser)
{
    parser->nesting--;
}

bool parser_unknown_statement(struct parser *parser, const char *const *words, size_t count)
{
    if (!parser_at(parser, TOKEN_NAME))
        return parser_expected(parser, "a statement");
    char name[NAME_LENGTH_LIMIT + 1] = "";
    memcpy(name, parser->text->data + parser->token.offset, parser->token.length);
    const char *nearest = error_nearest(name, words, count);
    parser_fail(parser, "unknown statement %s", name);
    if (nearest)
        return error_hint(parser->error, "did you mean %s?", nearest);
    char list[sizeof parser->error->hint] = "";
    for (size_t i = 0; i < count; i++) {
        strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, words[i], sizeof list - strlen(list) - 1);
    }
    return error_hint(parser->error, "allowed here: %.200s", list);
}
