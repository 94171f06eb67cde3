/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/text_scan.h"

#include "tuner/source/joined_lines.h"
#include "tuner/source/word.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* One text being read. */
struct text {
    struct text_source source; /* whose `text` is the text with joined lines */
    const char *at, *end;
    bool line_start;     /* only blanks and comments on this line so far */
    bool keeps_comments; /* a raw string literal may contain anything that looks like a comment */
};

static bool is(const char *word, size_t length, const char *other)
{
    return strlen(other) == length && memcmp(word, other, length) == 0;
}

static bool tell_name(struct text_scan *scan, const struct text *text, const struct text_name *name)
{
    return scan->name(scan->context, &text->source, name);
}

/* ---- words */

static void tell_word(struct text_scan *scan, const char *word, size_t length)
{
    static const char *const dates[] = {"__DATE__", "__TIME__", "__TIMESTAMP__"};
    for (size_t i = 0; *word == '_' && i < sizeof dates / sizeof *dates; i++)
        scan->findings.dated |= is(word, length, dates[i]);
    scan->findings.hidden |= *word == 'i' && is(word, length, "incbin");
    scan->word(scan->context, word, length);
}

static void tell_words(struct text_scan *scan, const char *at, const char *end)
{
    size_t length;
    for (const char *word; (word = word_next(&at, end, &length));)
        tell_word(scan, word, length);
}

void text_scan_words(struct text_scan *scan, const char *text)
{
    tell_words(scan, text, text + strlen(text));
}

/* ---- directives */

static const char *after_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The name in quotes or angle brackets at `at`, on one line. NULL: there is none. Else the end of it. */
static const char *read_name(const char *at, const char *end, struct text_name *name)
{
    if (at == end || (*at != '<' && *at != '"'))
        return NULL;
    char closing = *at == '<' ? '>' : '"';
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *limit = newline ? newline : end;
    const char *close = memchr(at + 1, closing, (size_t)(limit - at - 1));
    if (!close || close == at + 1 || memchr(at, '\0', (size_t)(close - at)))
        return NULL;
    name->quoted = *at == '"';
    name->start = at + 1;
    name->length = (size_t)(close - at - 1);
    return close + 1;
}

/* Behind the `#`. The rest of the line is scanned like any text, except for the name of an included file. */
static bool scan_directive(struct text_scan *scan, struct text *text)
{
    static const char *const includes[] = {"include", "include_next", "import", "embed"};
    const char *word = after_blanks(text->at, text->end), *end = word;
    struct text_name name = {.use = TEXT_NAMED};
    bool reads = false;
    while (end < text->end && word_has(*end))
        end++;
    size_t length = (size_t)(end - word);
    for (size_t i = 0; i < sizeof includes / sizeof *includes; i++)
        reads |= is(word, length, includes[i]);
    scan->findings.hidden |= word < text->end && *word == '/';
    scan->findings.asks |= reads && !is(word, length, "include");
    if (!reads)
        return true;
    if (is(word, length, "embed"))
        name.use = TEXT_EMBEDDED;
    const char *close = read_name(after_blanks(end, text->end), text->end, &name);
    if (!close) {
        scan->findings.hidden = true;
        return true;
    }
    text->at = close;
    return tell_name(scan, text, &name);
}

/* Behind __has_include or the like: ("name") or (<name>). Its words count as well, so the text is not moved. */
static bool scan_question(struct text_scan *scan, const struct text *text)
{
    struct text_name name = {.use = TEXT_ASKED};
    const char *at = after_blanks(text->at, text->end);
    scan->findings.asks = true;
    if (at == text->end || *at != '(')
        return true; /* #ifdef __has_include */
    if (read_name(after_blanks(at + 1, text->end), text->end, &name))
        return tell_name(scan, text, &name);
    scan->findings.hidden = true;
    return true;
}

/* ---- a text */

static const char *after_comment(const struct text *text)
{
    const char *at = text->at + 2;
    if (text->at[1] == '/') {
        const char *newline = memchr(at, '\n', (size_t)(text->end - at));
        return newline ? newline : text->end;
    }
    const char *close = memmem(at, (size_t)(text->end - at), "*/", 2);
    return close ? close + 2 : text->end;
}

/* A word, or a number with ' between its digits. */
static bool scan_word(struct text_scan *scan, struct text *text)
{
    static const char *const questions[] = {"__has_include", "__has_include_next", "__has_embed"};
    const char *word = text->at;
    bool number = isdigit((unsigned char)*word);
    while (text->at < text->end && (word_has(*text->at) || (number && *text->at == '\'' && text->at + 1 < text->end &&
                                                            word_has(text->at[1]))))
        text->at++;
    size_t length = (size_t)(text->at - word);
    tell_word(scan, word, length);
    for (size_t i = 0; *word == '_' && i < sizeof questions / sizeof *questions; i++) {
        if (is(word, length, questions[i]))
            return scan_question(scan, text);
    }
    return true;
}

/* Words in literals count: _Pragma("unroll N"). An unterminated literal ends with its line. */
static bool scan_literal(struct text_scan *scan, struct text *text)
{
    struct text_name name = {.use = TEXT_GUESSED};
    char quote = *text->at;
    if (scan->literals && read_name(text->at, text->end, &name) && !tell_name(scan, text, &name))
        return false;
    const char *start = ++text->at;
    while (text->at < text->end && *text->at != quote && *text->at != '\n')
        text->at += *text->at == '\\' && text->end - text->at > 1 ? 2 : 1;
    tell_words(scan, start, text->at);
    if (text->at < text->end && *text->at == quote)
        text->at++;
    return true;
}

static bool scan_sign(struct text_scan *scan, struct text *text)
{
    char c = *text->at, next = text->end - text->at > 1 ? text->at[1] : '\0';
    struct text_name name = {.use = TEXT_GUESSED};
    if (c == '<' && scan->literals && read_name(text->at, text->end, &name) && !tell_name(scan, text, &name))
        return false;
    scan->findings.pastes |= c == '#' && next == '#';
    text->at += c == '#' && next == '#' ? 2 : 1;
    return true;
}

/* Whatever the locale. */
static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool skip_space(struct text *text)
{
    const char *start = text->at;
    for (; text->at < text->end && is_space(*text->at); text->at++)
        text->line_start |= *text->at == '\n';
    return text->at > start;
}

static bool scan_one(struct text_scan *scan, struct text *text)
{
    if (skip_space(text))
        return true;
    char c = *text->at, next = text->end - text->at > 1 ? text->at[1] : '\0';
    if (c == '/' && (next == '/' || next == '*') && !text->keeps_comments) {
        text->at = after_comment(text);
        return true;
    }
    bool line_start = text->line_start || text->keeps_comments;
    text->line_start = false;
    if (c == '#' && line_start && next != '#') {
        text->at++;
        return scan_directive(scan, text);
    }
    if (word_has(c))
        return scan_word(scan, text);
    if ((c == '"' || c == '\'') && !text->keeps_comments)
        return scan_literal(scan, text);
    return scan_sign(scan, text);
}

/* Quicker than memmem where the first character is rare. */
static bool has(const char *bytes, size_t length, const char *part)
{
    size_t part_length = strlen(part);
    const char *end = bytes + length, *at = bytes;
    while ((at = memchr(at, *part, (size_t)(end - at)))) {
        if ((size_t)(end - at) >= part_length && memcmp(at, part, part_length) == 0)
            return true;
        at++;
    }
    return false;
}

static bool scan_joined(struct text_scan *scan, const char *path, const char *joined, size_t length)
{
    struct text text = {
        .source = {.path = path, .text = joined},
        .at = joined,
        .end = joined + length,
        .line_start = true,
        .keeps_comments = has(joined, length, "R\""),
    };
    bool done = true;
    while (done && text.at < text.end)
        done = scan_one(scan, &text);
    return done;
}

bool text_scan(struct text_scan *scan, const char *path, const char *bytes, size_t length)
{
    /* Other spellings of # and of the backslash at the end of a line, and of letters. */
    scan->findings.hidden |= has(bytes, length, "%:") || has(bytes, length, "\?\?=") || has(bytes, length, "\?\?/");
    scan->findings.odd |= has(bytes, length, "\\u") || has(bytes, length, "\\U");
    char *joined = joined_lines(bytes, length, &length, &scan->findings.hidden);
    bool done = joined && scan_joined(scan, path, joined, length);
    free(joined);
    return done;
}
