/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/closure.h"

#include "tuner/error/input_file.h"
#include "tuner/source/file_option.h"
#include "tuner/source/joined_lines.h"
#include "tuner/source/visited.h"
#include "tuner/source/word.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 4096, DEPTH_MOST = 256, BYTES_MOST = 256 << 20 };

struct closure {
    struct closure_setting setting;
    struct closure_findings findings;
    char **folders; /* of the options; ends with NULL */
    size_t folder_count;
    struct visited visited;
    size_t bytes;
    unsigned depth;
    const char *source; /* the path of the source being scanned */
};

/* One text being read. */
struct text {
    const char *start, *at, *end;
    const char *path;
    bool line_start;     /* only blanks and comments on this line so far */
    bool keeps_comments; /* a raw string literal may contain anything that looks like a comment */
};

struct name {
    const char *start;
    size_t length;
    bool quoted;
    /* NAMED: include it. ASKED: only whether it exists matters. GUESSED: a string that may name a file. EMBEDDED: its
     * bytes are data. */
    enum { NAMED, ASKED, GUESSED, EMBEDDED } use;
};

static bool scan_text(struct closure *closure, const char *path, const char *bytes, size_t length);

static bool is(const char *word, size_t length, const char *other)
{
    return strlen(other) == length && memcmp(word, other, length) == 0;
}

/* ---- words */

static void tell_word(struct closure *closure, const char *word, size_t length)
{
    static const char *const dates[] = {"__DATE__", "__TIME__", "__TIMESTAMP__"};
    for (size_t i = 0; *word == '_' && i < sizeof dates / sizeof *dates; i++)
        closure->findings.dated |= is(word, length, dates[i]);
    closure->findings.hidden |= *word == 'i' && is(word, length, "incbin");
    if (closure->setting.visitor->word)
        closure->setting.visitor->word(closure->setting.context, word, length);
}

static void tell_words(struct closure *closure, const char *at, const char *end)
{
    size_t length;
    for (const char *word; (word = word_next(&at, end, &length));)
        tell_word(closure, word, length);
}

void closure_words(struct closure *closure, const char *text)
{
    tell_words(closure, text, text + strlen(text));
}

/* ---- files */

static char *join(const char *folder, size_t length, const struct name *name)
{
    char *path;
    const char *slash = length > 0 && folder[length - 1] != '/' ? "/" : "";
    if (asprintf(&path, "%.*s%s%.*s", (int)length, folder, slash, (int)name->length, name->start) < 0)
        return NULL;
    return path;
}

/* Keep the first problem. `from` is NULL for a file that an option names. */
__attribute__((format(printf, 4, 5))) static void block(struct closure *closure, const struct text *from,
                                                        const struct name *name, const char *format, ...)
{
    char text[512];
    va_list arguments;
    if (closure->findings.blocked || name->use == GUESSED)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    closure->findings.blocked = true;
    if (!from) {
        error_set(&closure->findings.problem, ERROR_INPUT, "an option includes %.*s: %s", (int)name->length,
                  name->start, text);
        return;
    }
    const struct place place = {.file = from->path,
                                .text = from->start,
                                .offset = (size_t)(name->start - from->start),
                                .length = name->length};
    error_at(&closure->findings.problem, ERROR_INPUT, place, "cannot include this: %s", text);
}

static bool is_beyond_bounds(struct closure *closure, const struct text *from, const struct name *name, size_t bytes)
{
    const char *what = closure->depth >= DEPTH_MOST                  ? "includes are more than 256 deep"
                       : closure->visited.count >= FILES_MOST        ? "more than 4096 files are included"
                       : closure->bytes + bytes > (size_t)BYTES_MOST ? "all included files have more than 256 MiB"
                                                                     : NULL;
    if (what)
        block(closure, from, name, "%s", what);
    return what != NULL;
}

/* Read a file that has not been read before. */
static bool read_text(struct closure *closure, const char *path, const struct visited_file *file,
                      const struct input_file *in)
{
    if (!visited_add(&closure->visited, file))
        return false;
    closure->bytes += in->length;
    closure->depth++;
    bool done = scan_text(closure, path, in->bytes, in->length);
    closure->depth--;
    return done;
}

static bool tell_include(struct closure *closure, const struct name *name, size_t place, bool found, size_t file)
{
    const struct closure_include include = {name->start, name->length, place, found, file};
    return !closure->setting.visitor->include ||
           closure->setting.visitor->include(closure->setting.context, &include);
}

/* What the search for a name has met. */
struct hunt {
    const struct text *from; /* NULL: an option */
    const struct name *name;
    bool found, folder;
    char *path; /* where it looked last: the next place may be the same, and then holds the same */
    bool told;  /* of a file there, by this number */
    size_t file;
};

static bool tell_found(struct closure *closure, struct hunt *hunt, size_t place, size_t file)
{
    hunt->found = hunt->told = true;
    hunt->file = file;
    return tell_include(closure, hunt->name, place, true, file);
}

static bool visit_regular(struct closure *closure, struct hunt *hunt, size_t place, const struct input_file *in)
{
    struct visited_file file;
    const struct name *name = hunt->name;
    if (!visited_identify(hunt->path, &in->status, &file))
        return false;
    size_t number = visited_number(&closure->visited, &file);
    bool is_new = number == SIZE_MAX && name->use != ASKED;
    if (is_new && is_beyond_bounds(closure, hunt->from, name, in->length)) {
        closure->findings.hidden = true;
        return true;
    }
    if (!tell_found(closure, hunt, place, is_new ? closure->visited.count : number))
        return false;
    if (is_new && name->use == EMBEDDED)
        return visited_add(&closure->visited, &file) &&
               (!closure->setting.visitor->text ||
                closure->setting.visitor->text(closure->setting.context, hunt->path, in->bytes, in->length));
    return !is_new || read_text(closure, hunt->path, &file, in);
}

static void block_unreadable(struct closure *closure, const struct hunt *hunt, const struct input_file *in)
{
    struct error reason;
    input_file_error(in, hunt->path, &reason);
    block(closure, hunt->from, hunt->name, "%s", reason.text);
}

static bool probe(const struct closure *closure, const char *path, const struct stat *status)
{
    return !closure->setting.visitor->probe ||
           closure->setting.visitor->probe(closure->setting.context, path, status);
}

static bool read_and_visit(struct closure *closure, struct hunt *hunt, size_t place)
{
    struct input_file in;
    input_file_read(hunt->path, CLOSURE_FILE_BYTES_MOST, &in);
    bool exists = in.state != INPUT_ABSENT && in.state != INPUT_FAILED && in.state != INPUT_NO_MEMORY;
    bool done = in.state != INPUT_NO_MEMORY && probe(closure, hunt->path, exists ? &in.status : NULL);
    if (done && in.state == INPUT_READ)
        done = visit_regular(closure, hunt, place, &in);
    else if (in.state == INPUT_FOLDER)
        hunt->folder = true; /* compilers search on */
    else if (in.state != INPUT_ABSENT && done && !hunt->found)
        block_unreadable(closure, hunt, &in);
    free(in.bytes);
    return done;
}

/* Look at one place for a file; takes over the path. What was read before is not read again. */
static bool visit(struct closure *closure, struct hunt *hunt, size_t place, char *path)
{
    struct stat status;
    struct visited_file file;
    if (!path)
        return false;
    bool again = hunt->path && strcmp(path, hunt->path) == 0;
    free(hunt->path);
    hunt->path = path;
    if (again)
        return !hunt->told || tell_include(closure, hunt->name, place, true, hunt->file);
    hunt->told = false;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return read_and_visit(closure, hunt, place);
    if (!visited_identify(path, &status, &file))
        return false;
    size_t number = visited_number(&closure->visited, &file);
    return number == SIZE_MAX ? read_and_visit(closure, hunt, place)
                              : probe(closure, path, &status) && tell_found(closure, hunt, place, number);
}

/* Place 0 is beside the including file, or where an option says; 1 the source's folder, 2 the request's. */
static bool visit_places(struct closure *closure, struct hunt *hunt)
{
    const struct name *name = hunt->name;
    const char *folder = closure->setting.folder, *source = closure->source, *base = closure->setting.base;
    if (*name->start == '/')
        return visit(closure, hunt, 0, strndup(name->start, name->length));
    const char *first = hunt->from ? hunt->from->path : base ? base : "";
    if (!visit(closure, hunt, 0, join(first, hunt->from ? visited_folder_length(first) : strlen(first), name)))
        return false;
    if (source && !visit(closure, hunt, 1, join(source, visited_folder_length(source), name)))
        return false;
    if (folder && *folder && !visit(closure, hunt, 2, join(folder, strlen(folder), name)))
        return false;
    size_t place = 3;
    for (char *const *searched = closure->folders; *searched; searched++, place++) {
        if (!visit(closure, hunt, place, join(*searched, strlen(*searched), name)))
            return false;
    }
    return true;
}

/* Look for a file in each place where a compiler could find it. */
static bool search(struct closure *closure, const struct text *from, const struct name *name)
{
    struct hunt hunt = {.from = from, .name = name};
    bool done = visit_places(closure, &hunt);
    free(hunt.path);
    if (!done)
        return false;
    if (hunt.found || name->use == GUESSED)
        return true;
    if (hunt.folder && name->quoted && name->use == NAMED)
        block(closure, from, name, "it is a folder");
    closure->findings.system |= name->use == NAMED;
    return tell_include(closure, name, 0, false, SIZE_MAX);
}

/* ---- directives */

static const char *after_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The name in quotes or angle brackets at `at`, on one line. NULL: there is none. Else the end of it. */
static const char *read_name(const char *at, const char *end, struct name *name)
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
static bool scan_directive(struct closure *closure, struct text *text)
{
    static const char *const includes[] = {"include", "include_next", "import", "embed"};
    const char *word = after_blanks(text->at, text->end), *end = word;
    struct name name = {.use = NAMED};
    bool reads = false;
    while (end < text->end && word_has(*end))
        end++;
    size_t length = (size_t)(end - word);
    for (size_t i = 0; i < sizeof includes / sizeof *includes; i++)
        reads |= is(word, length, includes[i]);
    closure->findings.hidden |= word < text->end && *word == '/';
    closure->findings.asks |= reads && !is(word, length, "include");
    if (!reads)
        return true;
    if (is(word, length, "embed"))
        name.use = EMBEDDED;
    const char *close = read_name(after_blanks(end, text->end), text->end, &name);
    if (!close) {
        closure->findings.hidden = true;
        return true;
    }
    text->at = close;
    return search(closure, text, &name);
}

/* Behind __has_include or the like: ("name") or (<name>). Its words count as well, so the text is not moved. */
static bool scan_question(struct closure *closure, const struct text *text)
{
    struct name name = {.use = ASKED};
    const char *at = after_blanks(text->at, text->end);
    closure->findings.asks = true;
    if (at == text->end || *at != '(')
        return true; /* #ifdef __has_include */
    if (read_name(after_blanks(at + 1, text->end), text->end, &name))
        return search(closure, text, &name);
    closure->findings.hidden = true;
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
static bool scan_word(struct closure *closure, struct text *text)
{
    static const char *const questions[] = {"__has_include", "__has_include_next", "__has_embed"};
    const char *word = text->at;
    bool number = isdigit((unsigned char)*word);
    while (text->at < text->end && (word_has(*text->at) || (number && *text->at == '\'' && text->at + 1 < text->end &&
                                                            word_has(text->at[1]))))
        text->at++;
    size_t length = (size_t)(text->at - word);
    tell_word(closure, word, length);
    for (size_t i = 0; *word == '_' && i < sizeof questions / sizeof *questions; i++) {
        if (is(word, length, questions[i]))
            return scan_question(closure, text);
    }
    return true;
}

/* Words in literals count: _Pragma("unroll N"). An unterminated literal ends with its line. */
static bool scan_literal(struct closure *closure, struct text *text)
{
    struct name name = {.use = GUESSED};
    char quote = *text->at;
    if (closure->setting.literals && read_name(text->at, text->end, &name) && !search(closure, text, &name))
        return false;
    const char *start = ++text->at;
    while (text->at < text->end && *text->at != quote && *text->at != '\n')
        text->at += *text->at == '\\' && text->end - text->at > 1 ? 2 : 1;
    tell_words(closure, start, text->at);
    if (text->at < text->end && *text->at == quote)
        text->at++;
    return true;
}

static bool scan_sign(struct closure *closure, struct text *text)
{
    char c = *text->at, next = text->end - text->at > 1 ? text->at[1] : '\0';
    struct name name = {.use = GUESSED};
    if (c == '<' && closure->setting.literals && read_name(text->at, text->end, &name) &&
        !search(closure, text, &name))
        return false;
    closure->findings.pastes |= c == '#' && next == '#';
    text->at += c == '#' && next == '#' ? 2 : 1;
    return true;
}

static bool scan_one(struct closure *closure, struct text *text)
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
        return scan_directive(closure, text);
    }
    if (word_has(c))
        return scan_word(closure, text);
    if ((c == '"' || c == '\'') && !text->keeps_comments)
        return scan_literal(closure, text);
    return scan_sign(closure, text);
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

static bool scan_joined(struct closure *closure, const char *path, const char *joined, size_t length)
{
    struct text text = {
        .start = joined,
        .at = joined,
        .end = joined + length,
        .path = path,
        .line_start = true,
        .keeps_comments = has(joined, length, "R\""),
    };
    bool done = true;
    while (done && text.at < text.end)
        done = scan_one(closure, &text);
    return done;
}

static bool scan_text(struct closure *closure, const char *path, const char *bytes, size_t length)
{
    const struct closure_visitor *visitor = closure->setting.visitor;
    if (visitor->text && !visitor->text(closure->setting.context, path, bytes, length))
        return false;
    /* Other spellings of # and of the backslash at the end of a line, and of letters. */
    closure->findings.hidden |=
        has(bytes, length, "%:") || has(bytes, length, "\?\?=") || has(bytes, length, "\?\?/");
    closure->findings.odd |= has(bytes, length, "\\u") || has(bytes, length, "\\U");
    char *joined = joined_lines(bytes, length, &length, &closure->findings.hidden);
    bool done = joined && scan_joined(closure, path, joined, length);
    free(joined);
    return done;
}

/* ---- the closure */

static bool add_folder(struct closure *closure, const char *path)
{
    const struct name name = {.start = path, .length = strlen(path)};
    const char *base = *path != '/' && closure->setting.base ? closure->setting.base : "";
    char *folder = join(base, strlen(base), &name);
    if (folder)
        closure->folders[closure->folder_count++] = folder;
    return folder != NULL;
}

/* Folders first: they are searched for the options' files as well. */
static bool read_options(struct closure *closure)
{
    const struct closure_setting *setting = &closure->setting;
    closure->folders = calloc(setting->option_count + 1, sizeof *closure->folders);
    if (!closure->folders)
        return false;
    for (size_t i = 0; i < setting->option_count; i++) {
        const char *path;
        enum file_option use = file_option_classify(setting->options[i], &path);
        closure->findings.hidden |= use == OPTION_OPAQUE || (use != OPTION_PLAIN && !*path);
        if (use == OPTION_FOLDER && *path && !add_folder(closure, path))
            return false;
    }
    for (size_t i = 0; i < setting->option_count; i++) {
        const char *path;
        enum file_option use = file_option_classify(setting->options[i], &path);
        const struct name name = {.start = path, .length = strlen(path), .use = NAMED, .quoted = true};
        if (use == OPTION_FILE && *path && !search(closure, NULL, &name))
            return false;
    }
    return true;
}

struct closure *closure_create(const struct closure_setting *setting)
{
    struct closure *closure = calloc(1, sizeof *closure);
    if (!closure)
        return NULL;
    closure->setting = *setting;
    if (read_options(closure))
        return closure;
    closure_free(closure);
    return NULL;
}

bool closure_scan(struct closure *closure, const char *path, const char *bytes, size_t length)
{
    closure->source = path;
    bool done = scan_text(closure, path, bytes, length);
    closure->source = NULL;
    return done;
}

const struct closure_findings *closure_findings(const struct closure *closure)
{
    return &closure->findings;
}

size_t closure_folder_count(const struct closure *closure)
{
    return closure->folder_count;
}

const char *closure_folder(const struct closure *closure, size_t index)
{
    return closure->folders[index];
}

void closure_free(struct closure *closure)
{
    if (!closure)
        return;
    for (size_t i = 0; closure->folders && i < closure->folder_count; i++)
        free(closure->folders[i]);
    free(closure->folders);
    visited_clear(&closure->visited);
    free(closure);
}
