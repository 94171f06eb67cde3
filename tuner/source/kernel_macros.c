/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/kernel_macros.h"

#include "tuner/source/cuda_token.h"
#include "tuner/source/word.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MACROS_MOST = 1024 };

struct span {
    const char *start;
    size_t length;
};

struct macro_scan {
    struct kernel_macros *macros;
    struct span *known; /* every word that the file defines */
    size_t known_count, known_capacity;
    struct span tested; /* of the last #ifndef */
};

static bool same(struct span span, const char *start, size_t length)
{
    return span.length == length && memcmp(span.start, start, length) == 0;
}

static bool is_known(const struct macro_scan *s, struct span word)
{
    for (size_t i = 0; i < s->known_count; i++) {
        if (same(s->known[i], word.start, word.length))
            return true;
    }
    return false;
}

static bool add_known(struct macro_scan *s, struct span word)
{
    if (is_known(s, word) || s->known_count == MACROS_MOST)
        return true;
    if (s->known_count == s->known_capacity) {
        size_t capacity = s->known_capacity ? 2 * s->known_capacity : 64;
        struct span *known = reallocarray(s->known, capacity, sizeof *known);
        if (!known)
            return false;
        s->known = known;
        s->known_capacity = capacity;
    }
    s->known[s->known_count++] = word;
    return true;
}

static bool add_macro(struct macro_scan *s, enum kernel_macro_kind kind, struct span name, long long value,
                      unsigned line)
{
    struct kernel_macros *macros = s->macros;
    if (name.length > KERNEL_MACRO_MOST || macros->count == MACROS_MOST)
        return true;
    for (size_t i = 0; i < macros->count; i++) {
        if (same(name, macros->items[i].name, strlen(macros->items[i].name)))
            return true;
    }
    struct kernel_macro *items = reallocarray(macros->items, macros->count + 1, sizeof *items);
    if (!items)
        return false;
    macros->items = items;
    struct kernel_macro *macro = &items[macros->count++];
    *macro = (struct kernel_macro){.kind = kind, .value = value, .line = line};
    memcpy(macro->name, name.start, name.length);
    return true;
}

/* ---- definitions ---- */

static const char *skip_blank(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* A whole number, in brackets or not, and nothing else but a comment. */
static bool read_value(const char *at, const char *end, long long *value)
{
    char digits[24] = "";
    size_t length = 0;
    at = skip_blank(at, end);
    bool bracket = at < end && *at == '(';
    at = skip_blank(at + bracket, end);
    while (at < end && length + 1 < sizeof digits && isdigit((unsigned char)*at))
        digits[length++] = *at++;
    at = skip_blank(at, end);
    if (length == 0 || (bracket && (at == end || *at != ')')))
        return false;
    at = skip_blank(at + bracket, end);
    if (at < end && *at != '\r' && !(*at == '/' && at + 1 < end && (at[1] == '/' || at[1] == '*')))
        return false;
    errno = 0;
    *value = strtoll(digits, NULL, 10);
    return errno == 0;
}

/* What includes guard with: #ifndef NAME, #define NAME without a value. */
static bool read_directive(struct macro_scan *s, const struct cuda_token *token)
{
    const char *at = skip_blank(token->start + 1, token->start + token->length);
    const char *end = token->start + token->length;
    struct span word = {0}, name = {0};
    const char *words = at;
    word.start = word_next(&words, end, &word.length);
    name.start = word_next(&words, end, &name.length);
    if (!name.start)
        return true;
    bool defines = same(word, "define", 6);
    if (same(word, "ifndef", 6))
        s->tested = name;
    if (!defines)
        return true;
    long long value;
    bool tested = s->tested.start && same(s->tested, name.start, name.length);
    bool numeric = words < end && *words != '(' && read_value(words, end, &value);
    return add_known(s, name) &&
           (!numeric || add_macro(s, tested ? KERNEL_MACRO_DEFAULT : KERNEL_MACRO_FIXED, name, value, token->line));
}

/* ---- words that nothing defines ---- */

/* In capitals, and not one of those that compilers and their headers define. */
static bool looks_like_parameter(const struct cuda_token *token)
{
    static const char *const theirs[] = {"INFINITY", "NAN",      "NULL",      "TRUE",    "FALSE",
                                         "EOF",      "HUGE_VAL", "HUGE_VALF", "RAND_MAX"};
    static const char *const begin[] = {"M_",     "CUDART_", "CUDA_",   "CU_",     "INT_",   "UINT_",  "LONG_",
                                        "ULONG_", "LLONG_",  "ULLONG_", "CHAR_",   "SCHAR_", "UCHAR_", "SHRT_",
                                        "USHRT_", "FLT_",    "DBL_",    "INT8_",   "INT16_", "INT32_", "INT64_",
                                        "UINT8_", "UINT16_", "UINT32_", "UINT64_", "SIZE_",  "__",     "_"};
    bool letter = false;
    for (size_t i = 0; i < token->length; i++) {
        char c = token->start[i];
        if (!isupper((unsigned char)c) && !isdigit((unsigned char)c) && c != '_')
            return false;
        letter = letter || isupper((unsigned char)c);
    }
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
        if (cuda_token_is(token, theirs[i]))
            return false;
    }
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) {
        if (token->length > strlen(begin[i]) && memcmp(token->start, begin[i], strlen(begin[i])) == 0)
            return false;
    }
    return letter && token->length > 2;
}

/* Is the word declared in the text itself, or a call? `int TILE`, `typename TYPE`, `enum {A = 1`, `CHECK(...)`. */
static bool is_theirs(const struct cuda_tokens *tokens, size_t at)
{
    const struct cuda_token *token = &tokens->items[at];
    const struct cuda_token *before = at > 0 ? token - 1 : NULL, *behind = at + 1 < tokens->count ? token + 1 : NULL;
    bool called = behind && (cuda_token_is(behind, "(") || cuda_token_is(behind, "::"));
    bool declared = before && ((before->kind == CUDA_WORD && !cuda_token_is(before, "return")) ||
                               cuda_token_is(before, ".") || cuda_token_is(before, "::"));
    bool constant =
        behind && cuda_token_is(behind, "=") && before && (cuda_token_is(before, ",") || cuda_token_is(before, "{"));
    return called || declared || constant;
}

/* The words of #if, #elif and #pragma, and of what a macro stands for. */
static bool add_of_directive(struct macro_scan *s, const struct cuda_token *directive)
{
    static const char *const reading[] = {"if", "elif", "pragma", "define"};
    const char *at = directive->start + 1, *end = directive->start + directive->length;
    struct cuda_token word = {.kind = CUDA_WORD, .line = directive->line};
    bool reads = false;
    word.start = word_next(&at, end, &word.length);
    for (size_t i = 0; word.start && i < sizeof reading / sizeof *reading; i++)
        reads = reads || cuda_token_is(&word, reading[i]);
    while (reads && (word.start = word_next(&at, end, &word.length))) {
        struct span name = {word.start, word.length};
        bool called = at < end && *at == '(';
        if (looks_like_parameter(&word) && !called && !is_known(s, name) &&
            !add_macro(s, KERNEL_MACRO_UNDEFINED, name, 0, word.line))
            return false;
    }
    return true;
}

static bool add_undefined(struct macro_scan *s, const struct cuda_tokens *tokens)
{
    for (size_t i = 0; i < tokens->count; i++) {
        const struct cuda_token *token = &tokens->items[i];
        struct span word = {token->start, token->length};
        if (token->kind == CUDA_DIRECTIVE && !add_of_directive(s, token))
            return false;
        if (token->kind != CUDA_WORD || !looks_like_parameter(token) || is_known(s, word))
            continue;
        bool done = is_theirs(tokens, i) ? add_known(s, word) /* here, and so everywhere */
                                         : add_macro(s, KERNEL_MACRO_UNDEFINED, word, 0, token->line);
        if (!done)
            return false;
    }
    return true;
}

bool kernel_macros_scan(const char *text, size_t length, bool complete, struct kernel_macros *macros)
{
    struct cuda_tokens tokens;
    struct macro_scan s = {.macros = macros};
    *macros = (struct kernel_macros){0};
    bool done = cuda_tokens_scan(text, length, &tokens);
    for (size_t i = 0; done && i < tokens.count; i++) {
        if (tokens.items[i].kind == CUDA_DIRECTIVE)
            done = read_directive(&s, &tokens.items[i]);
    }
    done = done && (!complete || add_undefined(&s, &tokens));
    free(s.known);
    free(tokens.items);
    if (!done) {
        free(macros->items);
        *macros = (struct kernel_macros){0};
    }
    return done;
}
