/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/lexer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tried in the order of enum token_kind, in which a longer operator precedes its prefixes. */
static const char *const spellings[] = {
    [TOKEN_LAUNCH_OPEN] = "<<<",
    [TOKEN_LAUNCH_CLOSE] = ">>>",
    [TOKEN_POWER] = "**",
    [TOKEN_FLOOR_DIVIDE] = "//",
    [TOKEN_SHIFT_LEFT] = "<<",
    [TOKEN_SHIFT_RIGHT] = ">>",
    [TOKEN_LESS_EQUAL] = "<=",
    [TOKEN_GREATER_EQUAL] = ">=",
    [TOKEN_EQUAL] = "==",
    [TOKEN_NOT_EQUAL] = "!=",
    [TOKEN_PLUS] = "+",
    [TOKEN_MINUS] = "-",
    [TOKEN_STAR] = "*",
    [TOKEN_SLASH] = "/",
    [TOKEN_PERCENT] = "%",
    [TOKEN_LESS] = "<",
    [TOKEN_GREATER] = ">",
    [TOKEN_AND] = "&",
    [TOKEN_OR] = "|",
    [TOKEN_XOR] = "^",
    [TOKEN_TILDE] = "~",
    [TOKEN_PAREN_OPEN] = "(",
    [TOKEN_PAREN_CLOSE] = ")",
    [TOKEN_BRACKET_OPEN] = "[",
    [TOKEN_BRACKET_CLOSE] = "]",
    [TOKEN_BRACE_OPEN] = "{",
    [TOKEN_BRACE_CLOSE] = "}",
    [TOKEN_COMMA] = ",",
    [TOKEN_COLON] = ":",
    [TOKEN_ASSIGN] = "=",
    [TOKEN_DOT] = ".",
};

const char *token_kind_text(enum token_kind kind)
{
    switch (kind) {
    case TOKEN_END:
        return "the end of the text";
    case TOKEN_NEWLINE:
        return "the end of the line";
    case TOKEN_NAME:
        return "a name";
    case TOKEN_INTEGER:
    case TOKEN_FLOAT:
        return "a number";
    case TOKEN_STRING:
        return "a string";
    default:
        return spellings[kind];
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

struct lexer lexer_start(const struct text *text)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    bool marked = text->length >= 3 && memcmp(text->data, byte_order_mark, 3) == 0;
    return (struct lexer){.text = text, .at = marked ? 3 : 0};
}

/* Skip white space and comments; true if they contain a newline outside brackets, whose place is `newline`. */
static bool skip_blank(struct lexer *lexer, size_t *newline)
{
    const char *data = lexer->text->data;
    bool found = false;
    for (;;) {
        char c = data[lexer->at];
        if (c == '#') {
            lexer->at += strcspn(data + lexer->at, "\n");
        } else if (c == '\n') {
            if (!found)
                *newline = lexer->at;
            found = true;
            lexer->at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
            lexer->at++;
        } else {
            return found && lexer->brackets == 0;
        }
    }
}

static struct place place_of(const struct lexer *lexer, const struct token *token)
{
    return text_place(lexer->text, token->offset, token->length);
}

static bool lex_name(struct lexer *lexer, struct token *token, struct error *error)
{
    const char *start = lexer->text->data + token->offset;
    size_t length = 1;
    while (is_letter(start[length]) || is_digit(start[length]))
        length++;
    token->kind = TOKEN_NAME;
    token->length = length;
    lexer->at += length;
    if (length > NAME_LENGTH_LIMIT)
        return error_at(error, ERROR_INPUT, place_of(lexer, token), "this name has %zu characters; the limit is %d",
                        length, NAME_LENGTH_LIMIT);
    return true;
}

/* A number and any letters attached to it, so that 12ab is one malformed number rather than two tokens. */
static size_t number_length(const char *start)
{
    size_t length = 0;
    bool plain = !(start[0] == '0' && strchr("xXoObB", start[1]) && start[1]);
    for (;;) {
        char c = start[length];
        bool sign =
            (c == '+' || c == '-') && plain && length > 0 && (start[length - 1] == 'e' || start[length - 1] == 'E');
        if (!is_letter(c) && !is_digit(c) && c != '.' && !sign)
            return length;
        length++;
    }
}

enum { NUMBER_LENGTH_LIMIT = 400 };

/* Copy a number without its underscores; false if one is not between two digits. */
static bool strip_underscores(char *digits, const char *start, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (start[i] != '_') {
            digits[n++] = start[i];
            continue;
        }
        bool between = i > 0 && i + 1 < length && start[i - 1] != '_' && start[i - 1] != '.' && start[i + 1] != '_' &&
                       start[i + 1] != '.';
        if (!between)
            return false;
    }
    digits[n] = '\0';
    return true;
}

static unsigned digit_value(char c)
{
    if (is_digit(c))
        return (unsigned)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 10 : 36;
}

static bool too_large(const struct lexer *lexer, const struct token *token, struct error *error)
{
    error_at(error, ERROR_INPUT, place_of(lexer, token), "this integer does not fit in 64 bits");
    return error_hint(error, "the largest integer is 9223372036854775807; write 1e20 for a float");
}

static bool not_a_number(const struct lexer *lexer, const struct token *token, struct error *error)
{
    int shown = token->length > 40 ? 40 : (int)token->length;
    return error_at(error, ERROR_INPUT, place_of(lexer, token), "%.*s is not a number", shown,
                    lexer->text->data + token->offset);
}

static bool read_integer(const struct lexer *lexer, struct token *token, const char *digits, unsigned base,
                         struct error *error)
{
    if (!*digits)
        return not_a_number(lexer, token, error);
    token->kind = TOKEN_INTEGER;
    token->integer = 0;
    bool large = false;
    for (; *digits; digits++) {
        unsigned digit = digit_value(*digits);
        if (digit >= base)
            return not_a_number(lexer, token, error);
        large = large || token->integer > ((uint64_t)1 << 63) / base;
        token->integer = token->integer * base + digit;
        large = large || token->integer > (uint64_t)1 << 63;
    }
    return large ? too_large(lexer, token, error) : true;
}

static bool read_float(const struct lexer *lexer, struct token *token, const char *digits, struct error *error)
{
    char *end;
    token->kind = TOKEN_FLOAT;
    token->real = strtod(digits, &end);
    if (*end)
        return not_a_number(lexer, token, error);
    if (!isfinite(token->real))
        return error_at(error, ERROR_INPUT, place_of(lexer, token),
                        "this float is too large; the largest is 1.8e308");
    return true;
}

static bool lex_number(struct lexer *lexer, struct token *token, struct error *error)
{
    const char *start = lexer->text->data + token->offset;
    token->length = number_length(start);
    lexer->at += token->length;
    char digits[NUMBER_LENGTH_LIMIT + 1];
    if (token->length > NUMBER_LENGTH_LIMIT)
        return error_at(error, ERROR_INPUT, place_of(lexer, token), "this number is longer than %d characters",
                        NUMBER_LENGTH_LIMIT);
    if (!strip_underscores(digits, start, token->length))
        return not_a_number(lexer, token, error);
    if (digits[0] == '0' && digits[1]) {
        char mark = digits[1] | 0x20;
        unsigned base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 0;
        if (base)
            return read_integer(lexer, token, digits + 2, base, error);
    }
    if (strpbrk(digits, ".eE"))
        return read_float(lexer, token, digits, error);
    if (digits[0] == '0' && strspn(digits, "0") != strlen(digits)) {
        not_a_number(lexer, token, error);
        return error_hint(error, "leading zeros are not allowed; octal is written 0o17");
    }
    return read_integer(lexer, token, digits, 10, error);
}

static bool lex_string(struct lexer *lexer, struct token *token, struct error *error)
{
    const char *start = lexer->text->data + token->offset;
    size_t length = 1;
    while (start[length] != start[0]) {
        if (start[length] == '\\' && start[length + 1] != '\n' && start[length + 1] != '\0')
            length++;
        else if (start[length] == '\n' || start[length] == '\0') {
            token->length = 1;
            error_at(error, ERROR_INPUT, place_of(lexer, token), "unterminated string");
            return error_hint(error, "close it with %c on the same line", start[0]);
        }
        length++;
    }
    token->kind = TOKEN_STRING;
    token->length = length + 1;
    lexer->at += token->length;
    return true;
}

/* Bytes of the UTF-8 character at `start`. */
static size_t character_length(const char *start)
{
    size_t length = 1;
    while (((unsigned char)start[length] & 0xc0) == 0x80)
        length++;
    return length;
}

/* The length of `spelling` if the text begins with it, else 0. */
static size_t spelled(const char *start, const char *spelling)
{
    size_t length = 0;
    while (spelling[length] && start[length] == spelling[length])
        length++;
    return spelling[length] ? 0 : length;
}

/* The kinds that no longer operator begins like; most punctuation is of these. 0 is none of them. */
static const unsigned char alone[128] = {
    ['+'] = TOKEN_PLUS,        ['-'] = TOKEN_MINUS,        ['%'] = TOKEN_PERCENT,       ['&'] = TOKEN_AND,
    ['|'] = TOKEN_OR,          ['^'] = TOKEN_XOR,          ['~'] = TOKEN_TILDE,         ['('] = TOKEN_PAREN_OPEN,
    [')'] = TOKEN_PAREN_CLOSE, ['['] = TOKEN_BRACKET_OPEN, [']'] = TOKEN_BRACKET_CLOSE, ['{'] = TOKEN_BRACE_OPEN,
    ['}'] = TOKEN_BRACE_CLOSE, [','] = TOKEN_COMMA,        [':'] = TOKEN_COLON,         ['.'] = TOKEN_DOT,
};

/* The first that it may be. */
static enum token_kind first_kind(char c)
{
    enum token_kind kind = (unsigned char)c < sizeof alone ? (enum token_kind)alone[(unsigned char)c] : 0;
    return kind ? kind : TOKEN_LAUNCH_OPEN;
}

static bool lex_punctuation(struct lexer *lexer, struct token *token, struct error *error)
{
    const char *start = lexer->text->data + token->offset;
    for (enum token_kind kind = first_kind(*start); kind <= TOKEN_DOT; kind++) {
        size_t length = spelled(start, spellings[kind]);
        if (length == 0)
            continue;
        token->kind = kind;
        token->length = length;
        lexer->at += length;
        if (kind == TOKEN_PAREN_OPEN || kind == TOKEN_BRACKET_OPEN || kind == TOKEN_LAUNCH_OPEN)
            lexer->brackets++;
        bool closes = kind == TOKEN_PAREN_CLOSE || kind == TOKEN_BRACKET_CLOSE || kind == TOKEN_LAUNCH_CLOSE;
        if (closes && lexer->brackets > 0)
            lexer->brackets--;
        return true;
    }
    token->length = character_length(start);
    error_at(error, ERROR_INPUT, place_of(lexer, token), "unexpected character %.*s", (int)token->length, start);
    if (start[0] == '!')
        return error_hint(error, "the logical operators are and, or, not");
    return false;
}

bool lexer_next(struct lexer *lexer, struct token *token, struct error *error)
{
    size_t newline = 0;
    *token = (struct token){.kind = TOKEN_NEWLINE};
    if (skip_blank(lexer, &newline)) {
        token->offset = newline;
        return true;
    }
    char c = lexer->text->data[lexer->at];
    token->offset = lexer->at;
    if (c == '\0') {
        token->kind = TOKEN_END;
        return true;
    }
    if (is_letter(c))
        return lex_name(lexer, token, error);
    if (is_digit(c) || (c == '.' && is_digit(lexer->text->data[lexer->at + 1])))
        return lex_number(lexer, token, error);
    if (c == '"' || c == '\'')
        return lex_string(lexer, token, error);
    return lex_punctuation(lexer, token, error);
}

char *token_string(const struct text *text, const struct token *token, struct arena *arena, struct error *error)
{
    static const char escaped[] = "\\'\"nrt", plain[] = "\\'\"\n\r\t";
    const char *from = text->data + token->offset + 1, *end = from + token->length - 2;
    char *string = arena_allocate(arena, token->length);
    if (!string) {
        error_out_of_memory(error);
        return NULL;
    }
    char *to = string;
    for (; from < end; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        const char *match = strchr(escaped, *++from);
        if (!match) {
            size_t length = character_length(from);
            struct place place = text_place(text, (size_t)(from - 1 - text->data), 1 + length);
            error_at(error, ERROR_INPUT, place, "unknown escape \\%.*s", (int)length, from);
            error_hint(error, "the escapes are \\\\ \\' \\\" \\n \\r \\t");
            return NULL;
        }
        *to++ = plain[match - escaped];
    }
    return string;
}
