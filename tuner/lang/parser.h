/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parser.h - what the parsers of expressions, templates and spaces share: a text, its current token, its names.
 *
 * Every function returns false (or NULL) after it has filled in the parser's error; parsing stops at the first one.
 */
#ifndef TUNE_LANG_PARSER_H
#define TUNE_LANG_PARSER_H

#include "tuner/lang/lexer.h"
#include "tuner/lang/node.h"
#include "tuner/lang/scope.h"

struct parser {
    const struct text *text;
    struct arena *arena; /* of the document */
    struct scope *scope;
    struct error *error;
    struct lexer lexer;
    struct token token; /* the current one, not yet taken */
    size_t end;         /* of the token taken last */
    unsigned nesting;
    const struct bound_name *bound; /* names of comprehensions (comprehension.h) */
};

/* Ready at the first token that is no newline. */
bool parser_start(struct parser *parser, const struct text *text, struct arena *arena, struct scope *scope,
                  struct error *error);

/* Memory of the document, zeroed. */
void *parser_allocate(struct parser *parser, size_t size);
void *parser_append(struct parser *parser, struct list *list, size_t item_size);
bool parser_out_of_memory(struct parser *parser);

/* Errors at the current token, or at a place. */
bool parser_fail(struct parser *parser, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct place parser_place(const struct parser *parser);

/* "expected X, found Y" at the current token. */
bool parser_expected(struct parser *parser, const char *what);

/* Tokens: take the current one; take it if it is of this kind; or else fail. */
bool parser_advance(struct parser *parser);
bool parser_at(const struct parser *parser, enum token_kind kind);
bool parser_at_word(const struct parser *parser, const char *word);
bool parser_accept(struct parser *parser, enum token_kind kind, bool *taken);
bool parser_accept_word(struct parser *parser, const char *word, bool *taken);
bool parser_expect(struct parser *parser, enum token_kind kind);
bool parser_expect_word(struct parser *parser, const char *word);

/* A closing bracket; `open` is what it closes. */
bool parser_close(struct parser *parser, enum token_kind kind, const struct token *open);

/* The kind of the token behind the current one (TOKEN_END if that cannot be told). */
enum token_kind parser_peek(const struct parser *parser);

/* The end of a statement: a newline, the end of the text, or a } that the caller takes. */
bool parser_end_statement(struct parser *parser);
bool parser_skip_newlines(struct parser *parser);

/* An unknown statement: say so, with the nearest of the known words. Returns false. */
bool parser_unknown_statement(struct parser *parser, const char *const *words, size_t count);

/* A string, in the arena. */
bool parser_string(struct parser *parser, const char *what, const char **string);

/* Any name, in the arena; `token`, if not NULL, is its token. */
bool parser_name(struct parser *parser, const char *what, const char **name, struct token *token);

/* A name that is not declared yet and may be: no keyword, function or type. */
bool parser_new_name(struct parser *parser, const char *what, struct token *token);

/* Declare a value under the name of a token from parser_new_name. */
bool parser_declare(struct parser *parser, const struct token *token, enum name_kind kind, size_t *slot);

/* The text of a token, and whether it is this word. */
bool parser_token_is(const struct parser *parser, const struct token *token, const char *word);

/* A hint with the declared name nearest to an unknown one. Returns false. */
bool parser_hint_nearest(struct parser *parser, enum symbol_kind kind, const char *name);

/* One level further inside; each parser_enter that succeeds is followed by a parser_leave. */
bool parser_enter(struct parser *parser);
void parser_leave(struct parser *parser);

#endif
