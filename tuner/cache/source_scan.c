/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cache/source_scan.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MOST = 256, FILE_BYTES_MOST = 16 << 20 };

/* The scan under way. */
struct walk {
    const struct compile_request *request;
    struct source_scan *scan;
    struct key_builder *key;
    char *visited[FILES_MOST]; /* paths, in the order of inclusion */
    size_t visited_count;
};

/* One text being read. */
struct text {
    const char *at, *end;
    const char *path;
    bool line_start;     /* only blanks and comments on this line so far */
    bool keeps_comments; /* a raw string literal may contain anything that looks like a comment */
};

static bool scan_text(struct walk *walk, const char *path, const char *bytes, size_t length);

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || ((unsigned char)c & 0x80);
}

/* ---- words */

static uint64_t initial(char c)
{
    return (uint64_t)1 << ((unsigned char)c & 63);
}

static bool is(const char *word, size_t length, const char *other)
{
    return strlen(other) == length && memcmp(word, other, length) == 0;
}

static void use_words(struct source_scan *scan, const char *at, const char *end);

static void use_word(struct source_scan *scan, const char *word, size_t length)
{
    static const char *const fickle[] = {"__has_include", "__has_include_next", "__has_embed", "__DATE__",
                                         "__TIME__",      "__TIMESTAMP__",      "incbin"};
    for (size_t i = 0; (*word == '_' || *word == 'i') && i < sizeof fickle / sizeof *fickle; i++)
        scan->uncertain |= is(word, length, fickle[i]);
    if (!(scan->initials & initial(*word)))
        return;
    for (size_t i = 0; i < scan->define_count; i++) {
        struct scanned_define *define = &scan->defines[i];
        if (define->used || !define->name || define->name_length != length || memcmp(define->name, word, length) != 0)
            continue;
        define->used = true;
        use_words(scan, define->value, define->value + define->value_length);
    }
}

static void use_words(struct source_scan *scan, const char *at, const char *end)
{
    while (at < end) {
        const char *word = at;
        while (at < end && is_word(*at))
            at++;
        if (at > word)
            use_word(scan, word, (size_t)(at - word));
        else
            at++;
    }
}

/* ---- files */

static char *join(const char *folder, size_t folder_length, const char *name, size_t length)
{
    char *path;
    const char *slash = folder_length > 0 && folder[folder_length - 1] != '/' ? "/" : "";
    if (asprintf(&path, "%.*s%s%.*s", (int)folder_length, folder, slash, (int)length, name) < 0)
        return NULL;
    return path;
}

enum found { FOUND, ABSENT, UNREADABLE };

static enum found read_file(const char *path, char **bytes, size_t *length)
{
    struct stat status;
    enum found found = UNREADABLE;
    *bytes = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return errno == ENOENT || errno == ENOTDIR ? ABSENT : UNREADABLE;
    if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
        found = ABSENT;
    } else if (S_ISREG(status.st_mode) && status.st_size <= FILE_BYTES_MOST) {
        *bytes = malloc((size_t)status.st_size + 1);
        ssize_t got = *bytes ? read(file, *bytes, (size_t)status.st_size) : -1;
        *length = got > 0 ? (size_t)got : 0;
        found = got == status.st_size ? FOUND : UNREADABLE;
    }
    close(file);
    if (found != FOUND) {
        free(*bytes);
        *bytes = NULL;
    }
    return found;
}

static bool visited_before(const struct walk *walk, const char *path)
{
    for (size_t i = 0; i < walk->visited_count; i++) {
        if (strcmp(walk->visited[i], path) == 0)
            return true;
    }
    return false;
}

/* Read the file if it exists; takes over the path. */
static bool visit(struct walk *walk, char *path, bool *exists)
{
    char *bytes;
    size_t length;
    if (!path)
        return false;
    if (visited_before(walk, path)) {
        free(path);
        *exists = true;
        return true;
    }
    enum found found = walk->visited_count < FILES_MOST ? read_file(path, &bytes, &length) : UNREADABLE;
    if (found != FOUND) {
        walk->scan->uncertain |= found == UNREADABLE;
        free(path);
        return true;
    }
    *exists = true;
    walk->visited[walk->visited_count++] = path;
    key_builder_add_text(walk->key, path);
    bool scanned = scan_text(walk, path, bytes, length);
    free(bytes);
    return scanned;
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool include(struct walk *walk, const char *from, const char *name, size_t length)
{
    const char *source = walk->request->path, *folder = walk->request->folder;
    bool exists = false, done;
    key_builder_add(walk->key, name, length);
    if (*name == '/')
        done = visit(walk, strndup(name, length), &exists);
    else
        done = visit(walk, join(from, folder_length(from), name, length), &exists) &&
               visit(walk, join(source, folder_length(source), name, length), &exists) &&
               (!folder || !*folder || visit(walk, join(folder, strlen(folder), name, length), &exists));
    walk->scan->system |= !exists;
    return done;
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

static const char *after_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* Behind the `#`. The rest of the line is scanned like any text, except for the name of an included file. */
static bool scan_directive(struct walk *walk, struct text *text)
{
    const char *word = after_blanks(text->at, text->end), *end = word;
    while (end < text->end && is_word(*end))
        end++;
    size_t length = (size_t)(end - word);
    walk->scan->uncertain |= is(word, length, "include_next") || is(word, length, "import") ||
                             is(word, length, "embed") || (word < text->end && *word == '/');
    if (!is(word, length, "include"))
        return true;
    const char *name = after_blanks(end, text->end);
    char closing = name < text->end && *name == '<' ? '>' : '"';
    const char *newline = memchr(name, '\n', (size_t)(text->end - name));
    const char *limit = newline ? newline : text->end;
    const char *close = name < limit ? memchr(name + 1, closing, (size_t)(limit - name - 1)) : NULL;
    if (!close || (*name != '<' && *name != '"') || close == name + 1) {
        walk->scan->uncertain = true;
        return true;
    }
    text->at = close + 1;
    return include(walk, text->path, name + 1, (size_t)(close - name - 1));
}

/* A word, or a number with ' between its digits. */
static void scan_word(struct walk *walk, struct text *text)
{
    const char *word = text->at;
    bool number = isdigit((unsigned char)*word);
    while (text->at < text->end &&
           (is_word(*text->at) || (number && *text->at == '\'' && text->at + 1 < text->end && is_word(text->at[1]))))
        text->at++;
    use_word(walk->scan, word, (size_t)(text->at - word));
}

/* Words in literals count: _Pragma("unroll N"). An unterminated literal ends with its line. */
static void scan_literal(struct walk *walk, struct text *text)
{
    char quote = *text->at;
    const char *start = ++text->at;
    while (text->at < text->end && *text->at != quote && *text->at != '\n')
        text->at += *text->at == '\\' && text->end - text->at > 1 ? 2 : 1;
    use_words(walk->scan, start, text->at);
    if (text->at < text->end && *text->at == quote)
        text->at++;
}

static bool scan_one(struct walk *walk, struct text *text)
{
    char c = *text->at, next = text->end - text->at > 1 ? text->at[1] : '\0';
    if (c == '\n' || isspace((unsigned char)c)) {
        text->line_start |= c == '\n';
        text->at++;
        return true;
    }
    if (c == '/' && (next == '/' || next == '*') && !text->keeps_comments) {
        text->at = after_comment(text);
        return true;
    }
    bool line_start = text->line_start || text->keeps_comments;
    text->line_start = false;
    if (c == '#' && line_start && next != '#') {
        text->at++;
        return scan_directive(walk, text);
    }
    if (is_word(c)) {
        scan_word(walk, text);
    } else if ((c == '"' || c == '\'') && !text->keeps_comments) {
        scan_literal(walk, text);
    } else {
        walk->scan->pastes |= c == '#' && next == '#';
        text->at += c == '#' && next == '#' ? 2 : 1;
    }
    return true;
}

static bool has(const char *bytes, size_t length, const char *part)
{
    return memmem(bytes, length, part, strlen(part)) != NULL;
}

/* Join lines that end in a backslash. Compilers disagree on blanks behind it. */
static char *joined_lines(const char *bytes, size_t length, size_t *joined, bool *uncertain)
{
    char *text = malloc(length + 1);
    if (!text)
        return NULL;
    *joined = 0;
    for (size_t i = 0; i < length; i++) {
        size_t end = i + 1;
        if (bytes[i] == '\\') {
            while (end < length && bytes[end] != '\n' && isspace((unsigned char)bytes[end]))
                end++;
            if (end < length && bytes[end] == '\n') {
                *uncertain |= end - i > 2 || (end - i == 2 && bytes[i + 1] != '\r');
                i = end;
                continue;
            }
        }
        text[(*joined)++] = bytes[i];
    }
    return text;
}

static bool scan_text(struct walk *walk, const char *path, const char *bytes, size_t length)
{
    key_builder_add(walk->key, bytes, length);
    /* Other spellings of #, of the backslash at the end of a line, and of letters. */
    static const char *const oddities[] = {"%:", "\?\?=", "\?\?/", "\\u", "\\U"};
    for (size_t i = 0; i < sizeof oddities / sizeof *oddities; i++)
        walk->scan->uncertain |= has(bytes, length, oddities[i]);
    char *joined = joined_lines(bytes, length, &length, &walk->scan->uncertain);
    if (!joined)
        return false;
    struct text text = {
        .at = joined,
        .end = joined + length,
        .path = path,
        .line_start = true,
        .keeps_comments = has(joined, length, "R\""),
    };
    bool done = true;
    while (done && text.at < text.end)
        done = scan_one(walk, &text);
    free(joined);
    return done;
}

/* ---- the request */

/* False if the line is not a plain "#define NAME value". */
static bool read_define(struct scanned_define *define)
{
    static const char start[] = "#define ";
    const char *end = define->line + define->length;
    if (define->length < sizeof start || memcmp(define->line, start, sizeof start - 1) != 0)
        return false;
    define->name = define->value = define->line + sizeof start - 1;
    while (define->value < end && is_word(*define->value))
        define->value++;
    define->name_length = (size_t)(define->value - define->name);
    define->value_length = (size_t)(end - define->value);
    return define->name_length > 0 && (define->value == end || *define->value == ' ') && end[-1] != '\\';
}

static bool read_defines(const char *lines, struct source_scan *scan)
{
    size_t count = 1;
    for (const char *c = lines; *c; c++)
        count += *c == '\n';
    scan->defines = calloc(count, sizeof *scan->defines);
    if (!scan->defines)
        return false;
    while (*lines) {
        struct scanned_define *define = &scan->defines[scan->define_count];
        define->line = lines;
        define->length = strcspn(lines, "\n");
        lines += define->length + (lines[define->length] == '\n');
        if (define->length == 0)
            continue;
        scan->uncertain |= !read_define(define);
        if (define->name_length > 0)
            scan->initials |= initial(*define->name);
        scan->define_count++;
    }
    return true;
}

static void use_all(struct source_scan *scan, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        use_words(scan, texts[i], texts[i] + strlen(texts[i]));
}

bool source_scan_run(const struct compile_request *request, struct source_scan *scan, struct key_builder *key)
{
    *scan = (struct source_scan){0};
    struct walk walk = {.request = request, .scan = scan, .key = key};
    bool done = read_defines(request->defines ? request->defines : "", scan);
    if (done) {
        use_all(scan, &request->preamble, request->preamble ? 1 : 0);
        use_all(scan, request->kernels, request->kernel_count);
        use_all(scan, request->symbols, request->symbol_count);
        use_all(scan, request->options, request->option_count);
        done = scan_text(&walk, request->path, request->text, request->length);
    }
    for (size_t i = 0; i < walk.visited_count; i++)
        free(walk.visited[i]);
    if (!done)
        source_scan_clear(scan);
    return done;
}

void source_scan_clear(struct source_scan *scan)
{
    free(scan->defines);
    *scan = (struct source_scan){0};
}

/*
 * The compiler's headers and predefined macros may use some names: those have no capital letters, or one of their
 * reserved prefixes.
 */
bool source_scan_can_drop(const struct source_scan *scan, const struct scanned_define *define)
{
    static const char *const reserved[] = {"_", "TUNE_", "CUDA", "NV"};
    bool capital = false;
    for (size_t i = 0; i < define->name_length; i++)
        capital |= isupper((unsigned char)define->name[i]) != 0;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        capital &= strncmp(define->name, reserved[i], strlen(reserved[i])) != 0;
    return capital && !define->used && !scan->uncertain && !scan->system && !scan->pastes;
}
