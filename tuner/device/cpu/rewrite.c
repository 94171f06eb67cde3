/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/rewrite.h"

#include "tuner/device/cpu/launch_name.h"
#include "tuner/device/cpu/shared.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 256, CONDITIONALS = 64 };

/* Knows just enough C++ to tell code from comments, literals and directives, and function bodies from namespaces. */
struct reader {
    const char *at, *end;
    FILE *out;
    bool line_start;      /* nothing but blanks on this line so far */
    bool opens_namespace; /* the next `{` belongs to a namespace or to extern "C" */
    size_t depth;         /* of braces */
    bool is_namespace[DEPTH];
    size_t conditional;            /* depth of #if */
    size_t depth_at[CONDITIONALS]; /* the depth of braces where each #if began */
    const char *start;
    FILE *clusters, *launched;
    bool in_launch;          /* between <<< and >>> */
    size_t shared_alignment; /* the largest that a declaration of dynamic shared memory asks for */
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void copy_to(struct reader *r, const char *to)
{
    fwrite(r->at, 1, (size_t)(to - r->at), r->out);
    r->at = to;
}

/* ---- skipping ---- */

static const char *end_of_line(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

static const char *after_comment(const char *at, const char *end)
{
    if (at[1] == '/')
        return end_of_line(at, end);
    const char *close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
    return close ? close + 2 : end;
}

static bool starts_comment(const char *at, const char *end)
{
    return end - at >= 2 && at[0] == '/' && (at[1] == '/' || at[1] == '*');
}

static const char *after_blanks(const char *at, const char *end)
{
    while (at < end) {
        if (isspace((unsigned char)*at))
            at++;
        else if (starts_comment(at, end))
            at = after_comment(at, end);
        else
            break;
    }
    return at;
}

static const char *after_word(const char *at, const char *end)
{
    while (at < end && is_word(*at))
        at++;
    return at;
}

static bool word_is(const char *at, const char *after, const char *word)
{
    return (size_t)(after - at) == strlen(word) && memcmp(at, word, (size_t)(after - at)) == 0;
}

/* After a string or character literal; an unfinished one ends with its line, and the compiler reports it. */
static const char *after_literal(const char *at, const char *end)
{
    char quote = *at++;
    while (at < end && *at != quote && *at != '\n')
        at += *at == '\\' && end - at > 1 ? 2 : 1;
    return at < end && *at == quote ? at + 1 : at;
}

/* After R"mark( ... )mark", with `at` on the quote. */
static const char *after_raw_literal(const char *at, const char *end)
{
    char close[20] = ")";
    const char *open = at + 1;
    while (open < end && *open != '(' && open - at <= 16)
        open++;
    size_t mark = (size_t)(open - at - 1);
    if (open == end || *open != '(')
        return after_literal(at, end);
    memcpy(close + 1, at + 1, mark);
    close[mark + 1] = '"';
    const char *found = memmem(open, (size_t)(end - open), close, mark + 2);
    return found ? found + mark + 2 : end;
}

static const char *after_parentheses(const char *at, const char *end)
{
    int depth = 0;
    while (at < end) {
        depth += *at == '(';
        depth -= *at == ')';
        at++;
        if (depth == 0)
            break;
    }
    return at;
}

/* ---- directives ---- */

/* The end of a directive: a backslash joins lines, a comment may span several. */
static const char *end_of_directive(const char *at, const char *end)
{
    while (at < end && *at != '\n') {
        if (starts_comment(at, end))
            at = after_comment(at, end);
        else if (*at == '\\' && end - at > 1)
            at += 2;
        else
            at++;
    }
    return at;
}

/* A part of a directive, on one line. */
static void write_joined(FILE *out, const char *at, const char *end)
{
    for (; at < end; at++) {
        if (*at != '\n' && *at != '\r' && *at != '\\')
            fputc(*at, out);
    }
}

/* The line ends of a part that is left out. */
static void write_line_ends(FILE *out, const char *at, const char *end)
{
    for (; at < end; at++) {
        if (*at == '\n')
            fputc('\n', out);
    }
}

static void rewrite_pragma(struct reader *r, const char *at, const char *end)
{
    const char *word = after_blanks(at, end), *after = after_word(word, end);
    if (!word_is(word, after, "unroll"))
        return;
    const char *count = after_blanks(after, end), *last = count;
    while (last < end && *last != '\r' && !starts_comment(last, end))
        last++;
    while (last > count && isspace((unsigned char)last[-1]))
        last--;
    fputs(last > count ? "TUNE_UNROLL(" : "TUNE_UNROLL_ALL", r->out);
    write_joined(r->out, count, last);
    fputs(last > count ? ")" : "", r->out);
    r->at = end;
}

/* Branches of an #if may open the same brace several times, so each starts at the depth of the #if. */
static void follow_condition(struct reader *r, const char *word, const char *after)
{
    if (after - word >= 2 && memcmp(word, "if", 2) == 0) {
        if (r->conditional < CONDITIONALS)
            r->depth_at[r->conditional] = r->depth;
        r->conditional++;
    } else if (word_is(word, after, "else") || (after - word >= 4 && memcmp(word, "elif", 4) == 0)) {
        if (r->conditional > 0 && r->conditional <= CONDITIONALS)
            r->depth = r->depth_at[r->conditional - 1];
    } else if (word_is(word, after, "endif") && r->conditional > 0) {
        r->conditional--;
    }
}

static void read_directive(struct reader *r)
{
    const char *end = end_of_directive(r->at, r->end);
    const char *word = r->at + 1;
    while (word < end && (*word == ' ' || *word == '\t'))
        word++;
    const char *after = after_word(word, end);
    follow_condition(r, word, after);
    /* A rewritten directive keeps its number of lines. */
    const char *start = r->at;
    if (word_is(word, after, "pragma"))
        rewrite_pragma(r, after, end);
    if (r->at != start)
        write_line_ends(r->out, start, end);
    copy_to(r, end);
}

/* ---- extern __shared__ ---- */

struct shared_declaration {
    const char *after_extern;
    const char *name, *name_end;
    const char *first_extent_end; /* after the [] */
    const char *end;              /* the semicolon */
    size_t alignment;             /* as declared; 0: not */
};

static bool is_alignment(const char *word, const char *after)
{
    return word_is(word, after, "__align__") || word_is(word, after, "alignas");
}

/* The number in __align__(16); for anything else, such as a type, the most that is respected. */
static size_t read_alignment(const char *at, const char *end)
{
    char *last;
    const char *number = after_blanks(at + 1, end);
    if (at == end || *at != '(' || number == end || !isdigit((unsigned char)*number))
        return SHARED_MOST_ALIGNMENT;
    unsigned long alignment = strtoul(number, &last, 0);
    while (last < end && strchr("uUlL", *last))
        last++;
    last = (char *)(uintptr_t)after_blanks(last, end);
    bool is_power = alignment > 0 && (alignment & (alignment - 1)) == 0;
    return last < end && *last == ')' && is_power && alignment < SHARED_MOST_ALIGNMENT ? alignment
                                                                                       : SHARED_MOST_ALIGNMENT;
}

/* Does a declaration of dynamic shared memory, one array of unknown extent, follow `extern`? */
static bool find_shared(const char *at, const char *end, struct shared_declaration *found)
{
    bool shared = false;
    found->after_extern = at;
    found->name = NULL;
    for (at = after_blanks(at, end); at < end; at = after_blanks(at, end)) {
        if (is_word(*at)) {
            const char *after = after_word(at, end);
            if (is_alignment(at, after)) {
                size_t alignment = read_alignment(after_blanks(after, end), end);
                found->alignment = alignment > found->alignment ? alignment : found->alignment;
                after = after_parentheses(after_blanks(after, end), end);
            } else if (word_is(at, after, "__shared__")) {
                shared = true;
            } else {
                found->name = at;
                found->name_end = after;
            }
            at = after;
        } else if (*at == '[') {
            at = after_blanks(at + 1, end);
            if (!shared || !found->name || at == end || *at != ']')
                return false;
            found->first_extent_end = at + 1;
            found->end = memchr(at, ';', (size_t)(end - at));
            return found->end != NULL;
        } else if (strchr(";{}(=\"'#", *at)) {
            return false;
        } else {
            at++;
        }
    }
    return false;
}

/* The declaration's type, without __shared__ and alignment; line ends stay. */
static void write_type(FILE *out, const struct shared_declaration *declaration)
{
    const char *at = declaration->after_extern, *end = declaration->name;
    while (at < end) {
        const char *after = is_word(*at) ? after_word(at, end) : at + 1;
        if (is_word(*at) && is_alignment(at, after)) {
            after = after_parentheses(after_blanks(after, end), end);
            write_line_ends(out, at, after);
        } else if (!word_is(at, after, "__shared__")) {
            fwrite(at, 1, (size_t)(after - at), out);
        }
        at = after;
    }
}

static void rewrite_shared(struct reader *r, const struct shared_declaration *declaration)
{
    bool in_namespace = r->depth == 0 || (r->depth <= DEPTH && r->is_namespace[r->depth - 1]);
    int name_length = (int)(declaration->name_end - declaration->name);
    if (in_namespace)
        fputs("static thread_local ", r->out);
    write_type(r->out, declaration);
    fprintf(r->out, in_namespace ? "(*%.*s)" : "(&%.*s)[]", name_length, declaration->name);
    write_line_ends(r->out, declaration->name_end, declaration->first_extent_end);
    r->at = declaration->first_extent_end;
    copy_to(r, declaration->end);
    if (in_namespace) {
        fprintf(r->out, "; TUNE_BIND(%.*s)", name_length, declaration->name);
        r->at++;
    } else {
        fputs(" = tune_dynamic_shared()", r->out);
    }
}

/* ---- clusters ---- */

/* The name of the kernel whose declaration goes on at `at`: the first word before a parenthesis, attributes apart. */
static const char *kernel_name(const char *at, const char *end, const char **name_end)
{
    static const char *const attributes[] = {"__launch_bounds__", "__maxnreg__", "__attribute__", "__align__",
                                             "alignas"};
    const char *name = NULL, *after = NULL;
    for (at = after_blanks(at, end); at < end; at = after_blanks(at, end)) {
        bool is_attribute = false;
        for (size_t i = 0; name && i < sizeof attributes / sizeof *attributes; i++)
            is_attribute |= word_is(name, after, attributes[i]);
        if (is_word(*at)) {
            name = at;
            at = after = after_word(at, end);
        } else if (*at == '(' && is_attribute) {
            at = after_parentheses(at, end);
        } else if (*at == '(' && name) {
            *name_end = after;
            return name;
        } else if (*at == ':' || *at == '<' || *at == '>' || *at == ',' || *at == '[' || *at == ']') {
            at++;
        } else {
            break;
        }
    }
    return NULL;
}

/* __cluster_dims__(2, 1, 1) goes into the table of clusters; its line ends stay. */
static bool rewrite_cluster(struct reader *r, const char *after)
{
    const char *open = after_blanks(after, r->end), *name_end;
    if (!r->clusters || open == r->end || *open != '(')
        return false;
    const char *close = after_parentheses(open, r->end), *name = kernel_name(close, r->end, &name_end);
    if (!name)
        return false;
    fputs("TUNE_CLUSTER_OF(", r->clusters);
    fwrite(name, 1, (size_t)(name_end - name), r->clusters);
    fputs(", ", r->clusters);
    write_joined(r->clusters, open + 1, close - 1);
    fputs(")\n", r->clusters);
    write_line_ends(r->out, r->at, close);
    r->at = close;
    return true;
}

/* ---- launches ---- */

static bool starts_with(const struct reader *r, const char *word)
{
    return (size_t)(r->end - r->at) >= strlen(word) && memcmp(r->at, word, strlen(word)) == 0;
}

static void open_launch(struct reader *r)
{
    size_t length;
    const char *name = launch_name(r->start, r->at, &length);
    if (length == 0) {
        name = "?";
        length = 1;
    }
    fprintf(r->out, "->*tune_shape(\"%.*s\", ", (int)length, name);
    fprintf(r->launched, "\"%.*s\",\n", (int)length, name);
    r->at += strlen("<<<");
    r->in_launch = true;
}

static void close_launch(struct reader *r)
{
    fputc(')', r->out);
    r->at += strlen(">>>");
    r->in_launch = false;
}

/* ---- the text ---- */

static void read_word(struct reader *r)
{
    const char *after = after_word(r->at, r->end);
    if (word_is(r->at, after, "namespace")) {
        r->opens_namespace = true;
    } else if (word_is(r->at, after, "__cluster_dims__") && rewrite_cluster(r, after)) {
        return;
    } else if (word_is(r->at, after, "extern")) {
        struct shared_declaration declaration = {0};
        if (find_shared(after, r->end, &declaration)) {
            if (declaration.alignment > r->shared_alignment)
                r->shared_alignment = declaration.alignment;
            rewrite_shared(r, &declaration);
            return;
        }
        const char *next = after_blanks(after, r->end);
        r->opens_namespace = next < r->end && *next == '"';
    } else if (after < r->end && *after == '"' && after[-1] == 'R') {
        after = after_raw_literal(after, r->end);
    }
    copy_to(r, after);
}

static void read_brace(struct reader *r)
{
    if (*r->at == '{') {
        if (r->depth < DEPTH)
            r->is_namespace[r->depth] = r->opens_namespace;
        r->depth++;
    } else if (r->depth > 0) {
        r->depth--;
    }
    r->opens_namespace = false;
    copy_to(r, r->at + 1);
}

static void read_one(struct reader *r)
{
    char c = *r->at;
    bool line_start = r->line_start;
    r->line_start = c == '\n' || (line_start && isspace((unsigned char)c));
    if (starts_comment(r->at, r->end)) {
        r->line_start = line_start;
        copy_to(r, after_comment(r->at, r->end));
    } else if (c == '#' && line_start) {
        read_directive(r);
    } else if (c == '"' || c == '\'') {
        copy_to(r, after_literal(r->at, r->end));
    } else if (isdigit((unsigned char)c)) { /* 1'000'000 is one number */
        const char *after = r->at;
        while (after < r->end && (is_word(*after) || (*after == '\'' && after + 1 < r->end && is_word(after[1]))))
            after++;
        copy_to(r, after);
    } else if (is_word(c)) {
        read_word(r);
    } else if (c == '{' || c == '}') {
        read_brace(r);
    } else if (r->launched && starts_with(r, "<<<")) {
        open_launch(r);
    } else if (r->in_launch && starts_with(r, ">>>")) {
        close_launch(r);
    } else {
        if (c == ';' || c == '(')
            r->opens_namespace = false;
        copy_to(r, r->at + 1);
    }
}

bool rewrite_source(const char *text, size_t length, const struct rewrite_to *to, struct rewritten *rewritten)
{
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return false;
    reader->at = reader->start = text;
    reader->end = text + length;
    reader->out = to->text;
    reader->clusters = to->clusters;
    reader->launched = to->launched;
    reader->line_start = true;
    while (reader->at < reader->end)
        read_one(reader);
    *rewritten = (struct rewritten){reader->shared_alignment};
    free(reader);
    return !ferror(to->text) && (!to->clusters || !ferror(to->clusters)) && (!to->launched || !ferror(to->launched));
}
