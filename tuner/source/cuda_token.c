/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/cuda_token.h"

#include "tuner/source/word.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct scanning {
    const char *at, *end;
    unsigned line;
    bool line_start; /* nothing but space since the line began */
    struct cuda_tokens *tokens;
    size_t capacity;
};

static bool add(struct scanning *s, enum cuda_token_kind kind, const char *start, unsigned line)
{
    if (s->tokens->count == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 256;
        struct cuda_token *items = reallocarray(s->tokens->items, capacity, sizeof *items);
        if (!items)
            return false;
        s->tokens->items = items;
        s->capacity = capacity;
    }
    s->tokens->items[s->tokens->count++] = (struct cuda_token){kind, start, (size_t)(s->at - start), line};
    return true;
}

static bool looks_at(const struct scanning *s, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(s->end - s->at) >= length && memcmp(s->at, text, length) == 0;
}

static void step(struct scanning *s)
{
    s->line += *s->at == '\n';
    s->at++;
}

/* A backslash before a line end; \r\n is one. 0: no splice here. */
static size_t splice_length(const struct scanning *s)
{
    return looks_at(s, "\\\n") ? 2 : looks_at(s, "\\\r\n") ? 3 : 0;
}

static bool skip_splice(struct scanning *s)
{
    size_t length = splice_length(s);
    for (size_t i = 0; i < length; i++)
        step(s);
    return length;
}

static bool skip_comment(struct scanning *s)
{
    if (looks_at(s, "//")) {
        while (s->at < s->end && *s->at != '\n') {
            if (!skip_splice(s))
                step(s);
        }
        return true;
    }
    if (!looks_at(s, "/*"))
        return false;
    s->at += 2;
    while (s->at < s->end && !looks_at(s, "*/"))
        step(s);
    s->at += s->at < s->end ? 2 : 0;
    return true;
}

/* A literal in quotes, which ends with its line if it is not closed. */
static void skip_quoted(struct scanning *s)
{
    char quote = *s->at++;
    while (s->at < s->end && *s->at != quote && *s->at != '\n') {
        if (!skip_splice(s) && *s->at++ == '\\' && s->at < s->end)
            step(s);
    }
    s->at += s->at < s->end && *s->at == quote;
}

/* R"delimiter( ... )delimiter", at its quote. */
static void skip_raw(struct scanning *s)
{
    enum { DELIMITER_MOST = 16 };
    char closing[DELIMITER_MOST + 3];
    const char *name = s->at + 1, *open = name;
    while (open < s->end && *open != '(' && open - name < DELIMITER_MOST)
        open++;
    if (open == s->end || *open != '(') {
        skip_quoted(s);
        return;
    }
    size_t length = (size_t)(open - name);
    closing[0] = ')';
    memcpy(closing + 1, name, length);
    memcpy(closing + 1 + length, "\"", 2);
    while (s->at < s->end && !looks_at(s, closing))
        step(s);
    s->at += s->at < s->end ? length + 2 : 0;
}

static void skip_directive(struct scanning *s)
{
    while (s->at < s->end && *s->at != '\n') {
        if (!skip_comment(s) && !skip_splice(s))
            step(s);
    }
}

/* A prefix such as u8 or LR belongs to the literal behind it. */
static bool is_literal_prefix(const char *start, size_t length, bool *raw)
{
    static const char *const prefixes[] = {"R", "L", "u", "U", "u8", "LR", "uR", "UR", "u8R"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strlen(prefixes[i]) == length && memcmp(prefixes[i], start, length) == 0) {
            *raw = start[length - 1] == 'R';
            return true;
        }
    }
    return false;
}

static enum cuda_token_kind take_word(struct scanning *s)
{
    const char *start = s->at;
    bool raw = false;
    while (s->at < s->end && word_has(*s->at))
        s->at++;
    if (s->at == s->end || (*s->at != '"' && *s->at != '\'') ||
        !is_literal_prefix(start, (size_t)(s->at - start), &raw))
        return CUDA_WORD;
    if (raw && *s->at == '"')
        skip_raw(s);
    else
        skip_quoted(s);
    return CUDA_TEXT;
}

/* 1'000'000, 0x1p-3, 1e+5f */
static enum cuda_token_kind take_number(struct scanning *s)
{
    while (s->at < s->end) {
        char before = s->at[-1];
        bool exponent = (*s->at == '+' || *s->at == '-') && before && strchr("eEpP", before);
        bool quote = *s->at == '\'' && s->at + 1 < s->end && isalnum((unsigned char)s->at[1]);
        if (!word_has(*s->at) && *s->at != '.' && !exponent && !quote)
            break;
        s->at++;
    }
    return CUDA_NUMBER;
}

static bool take(struct scanning *s)
{
    const char *start = s->at;
    unsigned line = s->line;
    char c = *start;
    bool point = c == '.' && start + 1 < s->end && isdigit((unsigned char)start[1]);
    enum cuda_token_kind kind = CUDA_MARK;
    if (c == '#' && s->line_start) {
        kind = CUDA_DIRECTIVE;
        skip_directive(s);
    } else if (c == '"' || c == '\'') {
        kind = CUDA_TEXT;
        skip_quoted(s);
    } else if (isdigit((unsigned char)c) || point) {
        s->at++;
        kind = take_number(s);
    } else if (word_has(c)) {
        kind = take_word(s);
    } else {
        s->at += looks_at(s, "::") ? 2 : 1;
    }
    s->line_start = false;
    return add(s, kind, start, line);
}

bool cuda_tokens_scan(const char *text, size_t length, struct cuda_tokens *tokens)
{
    *tokens = (struct cuda_tokens){0};
    struct scanning s = {.at = text, .end = text + length, .line = 1, .line_start = true, .tokens = tokens};
    while (s.at < s.end) {
        if (skip_comment(&s) || skip_splice(&s))
            continue;
        if (*s.at == '\n')
            s.line_start = true;
        if (isspace((unsigned char)*s.at) || *s.at == '\0') {
            step(&s);
        } else if (!take(&s)) {
            free(tokens->items);
            *tokens = (struct cuda_tokens){0};
            return false;
        }
    }
    return true;
}

bool cuda_token_is(const struct cuda_token *token, const char *text)
{
    return strlen(text) == token->length && memcmp(text, token->start, token->length) == 0;
}

size_t cuda_tokens_close(const struct cuda_tokens *tokens, size_t open, bool angles)
{
    size_t depth = 0;
    for (size_t i = open; i < tokens->count; i++) {
        const struct cuda_token *token = &tokens->items[i];
        if (token->kind != CUDA_MARK || token->length != 1)
            continue;
        char c = *token->start;
        if (strchr("([{", c) || (angles && c == '<'))
            depth++;
        else if ((strchr(")]}", c) || (angles && c == '>')) && --depth == 0)
            return i;
    }
    return tokens->count;
}
