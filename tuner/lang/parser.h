/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parser.h - the base of all parsers: the current token of a text, its names, and the error.
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
    size_t end;         /* of the last token taken */
    unsigned nesting;
    bool measured;                  /* names of what was measured may be used (metric.h) */
    struct list *givens;            /* `given(x)` may be used (matrix.h), and is added to these; NULL: it may not */
    const struct bound_name *bound; /* innermost comprehension variable (comprehension.h) */
};

/* Start at the first token that is not a newline. */
bool parser_start(struct parser *parser, const struct text *text, struct arena *arena, struct scope *scope,
                  struct error *error);

/* Zeroed memory from the document's arena. */
void *parser_allocate(struct parser *parser, size_t size);
void *parser_append(struct parser *parser, struct list *list, size_t item_size);
bool parser_out_of_memory(struct parser *parser);

/* An error at the current token; the place of that token. */
bool parser_fail(struct parser *parser, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct place parser_place(const struct parser *parser);

/* "expected X, found Y" at the current token. */
bool parser_expected(struct parser *parser, const char *what);

/* Take the current token; test it; take it if it matches, and say whether; take it or fail. */
bool parser_advance(struct parser *parser);
bool parser_at(const struct parser *parser, enum token_kind kind);
bool parser_at_word(const struct parser *parser, const char *word);
bool parser_accept(struct parser *parser, enum token_kind kind, bool *taken);
bool parser_accept_word(struct parser *parser, const char *word, bool *taken);
bool parser_expect(struct parser *parser, enum token_kind kind);
bool parser_expect_word(struct parser *parser, const char *word);

/* Take a closing bracket; `open` is its opening one. */
bool parser_close(struct parser *parser, enum token_kind kind, const struct token *open);

/* The kind of the token after the current one; TOKEN_END if it is malformed. */
enum token_kind parser_peek(const struct parser *parser);

/* The end of a statement: a newline, the end of the text, or a }, which is not taken. */
bool parser_end_statement(struct parser *parser);
bool parser_skip_newlines(struct parser *parser);

/* "unknown statement X", with the nearest known one or all of them as the hint. Returns false. */
bool parser_unknown_statement(struct parser *parser, const char *const *words, size_t count);

/* Take a string; its value is in the arena. `what` is expected, for the message. */
bool parser_string(struct parser *parser, const char *what, const char **string);

/* Take any name; it is in the arena, and its token in `token` unless that is NULL. */
bool parser_name(struct parser *parser, const char *what, const char **name, struct token *token);

/* Take a name that may be declared: neither reserved nor declared already. */
bool parser_new_name(struct parser *parser, const char *what, struct token *token);

/* Declare the name of a token from parser_new_name. */
bool parser_declare(struct parser *parser, const struct token *token, enum name_kind kind, size_t *slot);

/* Is the token this word? */
bool parser_token_is(const struct parser *parser, const struct token *token, const char *word);

/* Hint at the declared name nearest to an unknown one. Returns false. */
bool parser_hint_nearest(struct parser *parser, enum symbol_kind kind, const char *name);

/* Nesting: each parser_enter that succeeds is paired with a parser_leave. */
bool parser_enter(struct parser *parser);
void parser_leave(struct parser *parser);

#endif
