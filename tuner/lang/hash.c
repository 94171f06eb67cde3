/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/hash.h"
#include "tuner/lang/lexer.h"
#include "tuner/source/word.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Tokens are short: they are handed over many at a time. */
struct hash {
    XXH3_state_t *state;
    size_t waiting;
    char bytes[4096];
};

struct hash *hash_create(void)
{
    struct hash *hash = malloc(sizeof *hash);
    if (hash) {
        hash->waiting = 0;
        hash->state = XXH3_createState();
    }
    if (!hash || !hash->state || XXH3_64bits_reset(hash->state) != XXH_OK) {
        hash_free(hash);
        return NULL;
    }
    return hash;
}

void hash_free(struct hash *hash)
{
    if (hash)
        XXH3_freeState(hash->state);
    free(hash);
}

static void hand_over(struct hash *hash)
{
    XXH3_64bits_update(hash->state, hash->bytes, hash->waiting);
    hash->waiting = 0;
}

void hash_bytes(struct hash *hash, const char *bytes, size_t length)
{
    if (length > sizeof hash->bytes - hash->waiting)
        hand_over(hash);
    if (length > sizeof hash->bytes) {
        XXH3_64bits_update(hash->state, bytes, length);
        return;
    }
    memcpy(hash->bytes + hash->waiting, bytes, length);
    hash->waiting += length;
}

void hash_digits(struct hash *hash, char digits[17])
{
    hand_over(hash);
    snprintf(digits, 17, "%016" PRIx64, (uint64_t)XXH3_64bits_digest(hash->state));
}

/* The state of hashing tokens. */
struct token_reader {
    struct hash *hash;
    const struct text *text;
    struct lexer lexer;
    unsigned file;         /* how much of `file (` the last tokens were: 2 is all of it */
    bool started, newline; /* newline: one since the last token hashed */
};

static bool is_name(const struct token_reader *reader, const struct token *token, const char *name)
{
    return token->kind == TOKEN_NAME && token->length == strlen(name) &&
           memcmp(reader->text->data + token->offset, name, token->length) == 0;
}

static void put_token(struct token_reader *reader, const struct token *token)
{
    if (reader->newline)
        hash_bytes(reader->hash, "\n", 1);
    bool named = reader->file == 2 && token->kind == TOKEN_STRING;
    reader->file = is_name(reader, token, "file") ? 1 : reader->file == 1 && token->kind == TOKEN_PAREN_OPEN ? 2 : 0;
    if (!named)
        hash_bytes(reader->hash, reader->text->data + token->offset, token->length);
    hash_bytes(reader->hash, "", 1); /* the NUL ends the token */
    reader->started = true;
    reader->newline = false;
}

/* Is it the first word of `work NAME = ...`? A kernel may have that name too. */
static bool begins_work(const struct token_reader *reader, const struct token *token)
{
    struct lexer ahead = reader->lexer;
    struct token name, sign;
    return is_name(reader, token, "work") && lexer_next(&ahead, &name, NULL) && name.kind == TOKEN_NAME &&
           lexer_next(&ahead, &sign, NULL) && sign.kind == TOKEN_ASSIGN;
}

/* The figures that were part of hashes before there were others; stored results still bear such hashes. */
static bool is_hashed_figure(const struct token_reader *reader, const struct token *token)
{
    return is_name(reader, token, "flops") || is_name(reader, token, "bytes");
}

/* Hash `work` as if the other figures were not there; `token` becomes what ends the statement. */
static void put_work(struct token_reader *reader, struct token *token)
{
    struct token before = *token; /* the word, later a comma */
    bool start = true, counts = false, any = false;
    while (lexer_next(&reader->lexer, token, NULL) && token->kind != TOKEN_NEWLINE && token->kind != TOKEN_END) {
        if (token->kind == TOKEN_COMMA && reader->lexer.brackets == 0) {
            start = true;
            if (any)
                before = *token;
            continue;
        }
        if (start) {
            counts = is_hashed_figure(reader, token);
            start = false;
            any = any || counts;
            if (counts)
                put_token(reader, &before);
        }
        if (counts)
            put_token(reader, token);
    }
}

/* Is it the first word of `parameter NAME ...`? */
static bool begins_parameter(const struct token_reader *reader, const struct token *token)
{
    struct lexer ahead = reader->lexer;
    struct token name;
    return is_name(reader, token, "parameter") && lexer_next(&ahead, &name, NULL) && name.kind == TOKEN_NAME;
}

/*
 * Is it the first word of a `metric`, an `objective` or a `default objective`? These compute something of what was
 * measured. A kernel may be called metric, and a parameter of a space objective.
 */
static bool begins_metric(const struct token_reader *reader, const struct token *token)
{
    struct lexer ahead = reader->lexer;
    struct token name, sign;
    if (!lexer_next(&ahead, &name, NULL))
        return false;
    if (is_name(reader, token, "default"))
        return is_name(reader, &name, "objective") && lexer_next(&ahead, &sign, NULL) &&
               (sign.kind == TOKEN_STRING || sign.kind == TOKEN_NAME);
    if (!is_name(reader, token, "metric") && !is_name(reader, token, "objective"))
        return false;
    return (name.kind == TOKEN_STRING || name.kind == TOKEN_NAME) && lexer_next(&ahead, &sign, NULL) &&
           sign.kind == TOKEN_ASSIGN;
}

/* Go on to the end of the statement, which becomes `token`. */
static void skip_statement(struct token_reader *reader, struct token *token)
{
    while (lexer_next(&reader->lexer, token, NULL) && token->kind != TOKEN_NEWLINE && token->kind != TOKEN_END)
        continue;
}

/* Go on to the } of a block without blocks in it. */
static void skip_block(struct token_reader *reader)
{
    struct token token;
    while (lexer_next(&reader->lexer, &token, NULL) && token.kind != TOKEN_BRACE_CLOSE && token.kind != TOKEN_END)
        continue;
}

void hash_tokens(struct hash *hash, const struct text *text)
{
    struct token_reader reader = {.hash = hash, .text = text, .lexer = lexer_start(text)};
    struct token token;
    bool line_start = true, parameter = false;
    while (lexer_next(&reader.lexer, &token, NULL) && token.kind != TOKEN_END) {
        if (line_start && begins_work(&reader, &token))
            put_work(&reader, &token);
        if (line_start && begins_metric(&reader, &token))
            skip_statement(&reader, &token);
        if (line_start)
            parameter = begins_parameter(&reader, &token);
        line_start = token.kind == TOKEN_NEWLINE;
        if (line_start)
            reader.newline = reader.started; /* counts only between two tokens */
        else if (parameter && token.kind == TOKEN_BRACE_OPEN)
            skip_block(&reader);
        else if (token.kind != TOKEN_END)
            put_token(&reader, &token);
    }
}

/* The state of hashing a source. */
struct source_reader {
    struct hash *hash;
    const char *at, *end;
    char last;      /* the last character hashed; 0: none on this line */
    bool directive; /* inside a preprocessor line */
    bool blank;     /* white space since `last` */
};

static bool is_sign(char c)
{
    return c && strchr("+-<>&|=!*/%^:.#", c);
}

static bool is_quote(char c)
{
    return c == '"' || c == '\'';
}

/* Does white space between the last character and this one matter? */
static bool separates(const struct source_reader *reader, char first)
{
    char last = reader->last;
    return (word_has(last) && (word_has(first) || is_quote(first))) || (is_quote(last) && word_has(first)) ||
           (is_sign(last) && is_sign(first)) || (reader->directive && last);
}

/* Hash a token of `length` characters, after a blank if white space separated it from the last one. */
static void put(struct source_reader *reader, size_t length)
{
    if (reader->blank && separates(reader, *reader->at))
        hash_bytes(reader->hash, " ", 1);
    hash_bytes(reader->hash, reader->at, length);
    reader->at += length;
    reader->last = reader->at[-1];
    reader->blank = false;
}

static size_t left(const struct source_reader *reader)
{
    return (size_t)(reader->end - reader->at);
}

static bool starts(const struct source_reader *reader, const char *prefix)
{
    size_t length = strlen(prefix);
    return left(reader) >= length && memcmp(reader->at, prefix, length) == 0;
}

/* The length of "..." or '...', which ends with its line at the latest. */
static size_t quoted_length(const struct source_reader *reader)
{
    const char *c = reader->at + 1;
    while (c < reader->end && *c != '\n') {
        if (*c == *reader->at)
            return (size_t)(c + 1 - reader->at);
        c += *c == '\\' && c + 1 < reader->end ? 2 : 1;
    }
    return (size_t)(c - reader->at);
}

/* The length of a raw string, "mark( ... )mark", which ends with the text at the latest. */
static size_t raw_length(const struct source_reader *reader)
{
    const char *open = memchr(reader->at, '(', left(reader));
    size_t mark = open ? (size_t)(open - reader->at - 1) : 0;
    for (const char *c = open; c && (size_t)(reader->end - c) >= mark + 2; c++) {
        if (*c == ')' && memcmp(c + 1, reader->at + 1, mark) == 0 && c[1 + mark] == '"')
            return (size_t)(c + mark + 2 - reader->at);
    }
    return left(reader);
}

/* The length of a word or number; in a number ' separates digits. */
static size_t word_length(const struct source_reader *reader)
{
    bool number = isdigit((unsigned char)*reader->at);
    const char *c = reader->at + 1;
    while (c < reader->end &&
           (word_has(*c) || (number && (*c == '.' || (*c == '\'' && c + 1 < reader->end && word_has(c[1]))))))
        c++;
    return (size_t)(c - reader->at);
}

static bool is_raw_prefix(const char *word, size_t length)
{
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strlen(prefixes[i]) == length && memcmp(prefixes[i], word, length) == 0)
            return true;
    }
    return false;
}

static void put_word(struct source_reader *reader)
{
    const char *word = reader->at;
    size_t length = word_length(reader);
    put(reader, length);
    if (reader->at < reader->end && *reader->at == '"' && is_raw_prefix(word, length))
        put(reader, raw_length(reader));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Skip a comment, an escaped line end or white space; false if there is none. */
static bool skip_space(struct source_reader *reader)
{
    const char *stop = reader->at;
    while (stop < reader->end && is_blank(*stop))
        stop++;
    if (stop > reader->at) {
        reader->at = stop;
        reader->blank = true;
        return true;
    }
    if (*stop != '/' && *stop != '\\')
        return false;
    stop = NULL;
    if (starts(reader, "//"))
        stop = memchr(reader->at, '\n', left(reader));
    else if (starts(reader, "/*"))
        stop = left(reader) > 2 ? memmem(reader->at + 2, left(reader) - 2, "*/", 2) : NULL;
    else if (starts(reader, "\\\n"))
        stop = reader->at + 2;
    else if (starts(reader, "\\\r\n"))
        stop = reader->at + 3;
    else
        return false;
    if (starts(reader, "/*") && stop)
        stop += 2;
    reader->at = stop ? stop : reader->end;
    reader->blank = true;
    return true;
}

static void end_line(struct source_reader *reader, bool *line_start)
{
    if (reader->directive) {
        hash_bytes(reader->hash, "\n", 1);
        reader->last = '\0';
    }
    reader->directive = false;
    reader->blank = true;
    *line_start = true;
    reader->at++;
}

void hash_source(struct hash *hash, const struct text *text)
{
    struct source_reader reader = {.hash = hash, .at = text->data, .end = text->data + text->length};
    bool line_start = true;
    while (reader.at < reader.end) {
        if (*reader.at == '\n') {
            end_line(&reader, &line_start);
            continue;
        }
        if (skip_space(&reader))
            continue;
        if (line_start && *reader.at == '#') {
            hash_bytes(hash, "\n", 1);
            reader.directive = true;
            reader.last = '\0';
        }
        line_start = false;
        if (is_quote(*reader.at))
            put(&reader, quoted_length(&reader));
        else if (word_has(*reader.at))
            put_word(&reader);
        else
            put(&reader, 1);
    }
}
