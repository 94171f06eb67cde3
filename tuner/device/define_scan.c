/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/define_scan.h"

#include "tuner/error/input_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 8, FILES_MOST = 64, FILE_BYTES_MOST = 1 << 20, CONDITIONALS = 64 };

struct scan {
    const char *folder;
    const struct macro_name *names;
    size_t count;
    unsigned depth, files;
    struct define_scan *result;
};

/* One text being read. */
struct reader {
    const char *path, *start, *at, *end;
    unsigned line;
    size_t conditional; /* depth of #if */
};

struct word {
    const char *start;
    size_t length;
};

/* The names that the open #if's say are not defined. */
struct absences {
    struct word names[CONDITIONALS];
};

static bool is(struct word word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.start, text, word.length) == 0;
}

static bool ahead(const struct reader *reader, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(reader->end - reader->at) >= length && memcmp(reader->at, text, length) == 0;
}

static void step(struct reader *reader)
{
    reader->line += *reader->at == '\n';
    reader->at++;
}

/* A backslash at the end of a line, or a block comment. */
static bool skip_unseen(struct reader *reader)
{
    if (ahead(reader, "\\\n") || ahead(reader, "\\\r\n")) {
        while (*reader->at != '\n')
            step(reader);
        step(reader);
        return true;
    }
    if (!ahead(reader, "/*"))
        return false;
    reader->at += 2;
    while (reader->at < reader->end && !ahead(reader, "*/"))
        step(reader);
    reader->at = reader->at < reader->end ? reader->at + 2 : reader->end;
    return true;
}

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end && *reader->at != '\n') {
        if (!skip_unseen(reader)) {
            if (!isspace((unsigned char)*reader->at))
                return;
            step(reader);
        }
    }
}

static struct word take_word(struct reader *reader)
{
    skip_blanks(reader);
    struct word word = {.start = reader->at};
    while (reader->at < reader->end && (isalnum((unsigned char)*reader->at) || *reader->at == '_'))
        reader->at++;
    word.length = (size_t)(reader->at - word.start);
    return word;
}

static void skip_literal(struct reader *reader)
{
    char quote = *reader->at;
    step(reader);
    while (reader->at < reader->end && *reader->at != quote && *reader->at != '\n') {
        if (*reader->at == '\\' && reader->end - reader->at > 1)
            step(reader);
        step(reader);
    }
    if (reader->at < reader->end && *reader->at == quote)
        step(reader);
}

/* To the start of the next line, past lines that a backslash or a comment joins to this one. */
static void skip_line(struct reader *reader)
{
    while (reader->at < reader->end && *reader->at != '\n') {
        if (skip_unseen(reader))
            continue;
        if (ahead(reader, "//")) {
            while (reader->at < reader->end && *reader->at != '\n' && !skip_unseen(reader))
                step(reader);
        } else if (*reader->at == '"') {
            skip_literal(reader);
        } else {
            step(reader);
        }
    }
    if (reader->at < reader->end)
        step(reader);
}

static bool note(struct scan *scan, const struct reader *reader, struct macro_event event)
{
    struct define_scan *result = scan->result;
    if (result->count == result->capacity) {
        size_t capacity = result->capacity ? 2 * result->capacity : 16;
        struct macro_event *events = realloc(result->events, capacity * sizeof *events);
        if (!events)
            return false;
        result->events = events;
        result->capacity = capacity;
    }
    event.path = strdup(reader->path);
    event.in_source = scan->depth == 0;
    if (!event.path)
        return false;
    result->events[result->count++] = event;
    return true;
}

static bool is_name(const struct macro_name *name, struct word word)
{
    return name->length == word.length && memcmp(name->start, word.start, word.length) == 0;
}

/* `end` is behind the line. */
static bool note_name(struct scan *scan, const struct reader *reader, struct word word, struct macro_event event)
{
    for (event.name = 0; event.name < scan->count; event.name++) {
        if (is_name(&scan->names[event.name], word))
            return note(scan, reader, event);
    }
    return true;
}

/* ---- included files */

static bool scan_text(struct scan *scan, const char *path, const char *text, size_t length);

/* A file that cannot be read is not scanned. */
static bool scan_file(struct scan *scan, const char *folder, size_t folder_length, struct word name, bool *found)
{
    char *path;
    struct input_file file;
    const char *slash = folder_length > 0 && folder[folder_length - 1] != '/' ? "/" : "";
    if (asprintf(&path, "%.*s%s%.*s", (int)folder_length, folder, slash, (int)name.length, name.start) < 0)
        return false;
    input_file_read(path, FILE_BYTES_MOST, &file);
    *found = file.state == INPUT_READ;
    bool done = !*found || scan_text(scan, path, file.bytes, file.length);
    free(file.bytes);
    free(path);
    return done;
}

static bool scan_include(struct scan *scan, struct reader *reader)
{
    skip_blanks(reader);
    if (reader->at == reader->end || (*reader->at != '"' && *reader->at != '<') || scan->depth == DEPTH_MOST ||
        scan->files == FILES_MOST) {
        scan->result->complete = false;
        return true;
    }
    char close = *reader->at == '<' ? '>' : '"';
    struct word name = {.start = reader->at + 1};
    while (name.start + name.length < reader->end && name.start[name.length] != close &&
           name.start[name.length] != '\n')
        name.length++;
    if (name.length == 0) {
        scan->result->complete = false;
        return true;
    }
    const char *slash = strrchr(reader->path, '/');
    size_t beside = *name.start == '/' || !slash ? 0 : (size_t)(slash - reader->path) + 1;
    bool found = false;
    scan->depth++;
    scan->files++;
    bool done = scan_file(scan, reader->path, beside, name, &found);
    if (done && !found && scan->folder && *scan->folder)
        done = scan_file(scan, scan->folder, strlen(scan->folder), name, &found);
    scan->depth--;
    scan->result->complete &= found;
    return done;
}

/* ---- directives */

/* The name that `#if !defined(NAME)`, alone, says is absent. */
static struct word absent_name(struct reader *reader)
{
    struct word nothing = {.start = reader->at};
    skip_blanks(reader);
    if (!ahead(reader, "!"))
        return nothing;
    reader->at++;
    if (!is(take_word(reader), "defined"))
        return nothing;
    skip_blanks(reader);
    reader->at += ahead(reader, "(");
    struct word name = take_word(reader);
    skip_blanks(reader);
    reader->at += ahead(reader, ")");
    skip_blanks(reader);
    return reader->at == reader->end || *reader->at == '\n' ? name : nothing;
}

static void follow_condition(struct reader *reader, struct word word, struct absences *absences)
{
    struct word absent = {.start = reader->at};
    bool opens = is(word, "if") || is(word, "ifdef") || is(word, "ifndef");
    bool turns = is(word, "else") || is(word, "elif") || is(word, "elifdef") || is(word, "elifndef");
    if (is(word, "endif"))
        reader->conditional -= reader->conditional > 0;
    reader->conditional += opens;
    if (is(word, "ifndef"))
        absent = take_word(reader);
    else if (is(word, "if"))
        absent = absent_name(reader);
    if ((opens || turns) && reader->conditional > 0 && reader->conditional <= CONDITIONALS)
        absences->names[reader->conditional - 1] = absent;
}

static bool is_absent(const struct reader *reader, const struct absences *absences, struct word name)
{
    for (size_t i = 0; i < reader->conditional && i < CONDITIONALS; i++) {
        const struct word *absent = &absences->names[i];
        if (absent->length == name.length && memcmp(absent->start, name.start, name.length) == 0)
            return true;
    }
    return false;
}

static bool scan_directive(struct scan *scan, struct reader *reader, struct absences *absences)
{
    struct word word = take_word(reader), name = {.start = reader->at};
    struct macro_event event = {.kind = MACRO_DEFINED};
    bool defines = is(word, "define"), includes = is(word, "include");
    follow_condition(reader, word, absences);
    if (defines || is(word, "undef"))
        name = take_word(reader);
    event.line = reader->line;
    if (includes && !scan_include(scan, reader))
        return false;
    skip_line(reader);
    event.end = (size_t)(reader->at - reader->start);
    if (includes) {
        event.kind = MACRO_INCLUDED;
        return scan->depth > 0 || note(scan, reader, event);
    }
    event.kind = defines ? MACRO_DEFINED : MACRO_REMOVED;
    event.is_default = defines && is_absent(reader, absences, name);
    return name.length == 0 || note_name(scan, reader, name, event);
}

/* pop_macro, in a pragma or a _Pragma, of a name in quotes anywhere in the text. */
static bool scan_pops(struct scan *scan, struct reader *reader)
{
    size_t length = (size_t)(reader->end - reader->start);
    if (!memmem(reader->start, length, "pop_macro", strlen("pop_macro")))
        return true;
    for (size_t i = 0; i < scan->count; i++) {
        const struct macro_name *name = &scan->names[i];
        const char *at = reader->start;
        while ((at = memmem(at, (size_t)(reader->end - at), name->start, name->length))) {
            const char *behind = at + name->length;
            bool quoted =
                at > reader->start && at[-1] == '"' && behind < reader->end && (*behind == '"' || *behind == '\\');
            const struct macro_event event = {.kind = MACRO_REMOVED, .name = i, .line = reader->line, .end = length};
            if (quoted)
                return note(scan, reader, event);
            at = behind;
        }
    }
    return true;
}

static bool scan_text(struct scan *scan, const char *path, const char *text, size_t length)
{
    /* Raw strings, and other spellings of # and of a letter. */
    static const char *const oddities[] = {"R\"", "\?\?", "\\u", "\\U", "include_next", "import"};
    for (size_t i = 0; i < sizeof oddities / sizeof *oddities; i++)
        scan->result->complete &= !memmem(text, length, oddities[i], strlen(oddities[i]));
    struct reader reader = {.path = path, .start = text, .at = text, .end = text + length, .line = 1};
    struct absences absences;
    while (reader.at < reader.end) {
        skip_blanks(&reader);
        if (!ahead(&reader, "#") && !ahead(&reader, "%:")) {
            skip_line(&reader);
            continue;
        }
        reader.at += *reader.at == '%' ? 2 : 1;
        if (!scan_directive(scan, &reader, &absences))
            return false;
    }
    return scan_pops(scan, &reader);
}

bool define_scan(const char *path, const char *text, size_t length, const char *folder,
                 const struct macro_name *names, size_t count, struct define_scan *result)
{
    *result = (struct define_scan){.complete = true};
    struct scan scan = {.folder = folder, .names = names, .count = count, .result = result};
    return scan_text(&scan, path, text, length);
}

void define_scan_clear(struct define_scan *scan)
{
    for (size_t i = 0; i < scan->count; i++)
        free(scan->events[i].path);
    free(scan->events);
    *scan = (struct define_scan){0};
}
