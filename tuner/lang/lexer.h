/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lexer.h - the tokens of templates, spaces and expressions.
 *
 * A lexer is a small value that may be copied to look ahead. Consecutive newlines are one token, and none at all
 * inside ( ), [ ] and <<< >>>. White space and comments, from # to the end of the line, are skipped.
 */
#ifndef TUNE_LANG_LEXER_H
#define TUNE_LANG_LEXER_H

#include "tuner/lang/text.h"

#include <stdint.h>

enum token_kind {
    TOKEN_END,
    TOKEN_NEWLINE,
    TOKEN_NAME,
    TOKEN_INTEGER,
    TOKEN_FLOAT,
    TOKEN_STRING,
    TOKEN_LAUNCH_OPEN, /* <<< */
    TOKEN_LAUNCH_CLOSE,
    TOKEN_POWER,
    TOKEN_FLOOR_DIVIDE,
    TOKEN_SHIFT_LEFT,
    TOKEN_SHIFT_RIGHT,
    TOKEN_LESS_EQUAL,
    TOKEN_GREATER_EQUAL,
    TOKEN_EQUAL,
    TOKEN_NOT_EQUAL,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_STAR,
    TOKEN_SLASH,
    TOKEN_PERCENT,
    TOKEN_LESS,
    TOKEN_GREATER,
    TOKEN_AND,
    TOKEN_OR,
    TOKEN_XOR,
    TOKEN_TILDE,
    TOKEN_PAREN_OPEN,
    TOKEN_PAREN_CLOSE,
    TOKEN_BRACKET_OPEN,
    TOKEN_BRACKET_CLOSE,
    TOKEN_BRACE_OPEN,
    TOKEN_BRACE_CLOSE,
    TOKEN_COMMA,
    TOKEN_COLON,
    TOKEN_ASSIGN,
    TOKEN_DOT,
};

enum { NAME_LENGTH_LIMIT = 128 };

struct token {
    enum token_kind kind;
    size_t offset, length; /* in bytes; a string includes its quotes */
    union {
        uint64_t integer; /* up to 2**63, which fits only with a minus sign in front */
        double real;
    };
};

struct lexer {
    const struct text *text;
    size_t at;
    unsigned brackets; /* open ( [ <<< */
};

struct lexer lexer_start(const struct text *text);

/* The next token. At the end of the text it is TOKEN_END, however often it is called. */
bool lexer_next(struct lexer *lexer, struct token *token, struct error *error);

/* For messages: "+", "a name", "a number". */
const char *token_kind_text(enum token_kind kind);

/* The value of a string token, escapes replaced, in the arena; NULL and an error for an unknown escape. */
char *token_string(const struct text *text, const struct token *token, struct arena *arena, struct error *error);

#endif
