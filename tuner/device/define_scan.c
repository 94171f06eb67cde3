/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/define_scan.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MOST = 8, FILES_MOST = 64, FILE_BYTES_MOST = 1 << 20 };

struct scan {
    const char *folder;
    struct macro_definition *definitions;
    size_t count;
    unsigned depth, files;
    bool complete;
};

/* One text being read. */
struct reader {
    const char *path, *at, *end;
    unsigned line;
};

struct word {
    const char *start;
    size_t length;
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

static bool note(struct scan *scan, const struct reader *reader, struct word name, bool is_default)
{
    for (size_t i = 0; i < scan->count; i++) {
        struct macro_definition *definition = &scan->definitions[i];
        if (definition->name_length != name.length || memcmp(definition->name, name.start, name.length) != 0)
            continue;
        if (definition->path && is_default && !definition->is_default)
            continue;
        free(definition->path);
        definition->path = strdup(reader->path);
        definition->line = reader->line;
        definition->is_default = is_default;
        if (!definition->path)
            return false;
    }
    return true;
}

static bool scan_text(struct scan *scan, const char *path, const char *text, size_t length);

static char *read_file(const char *path, size_t *length)
{
    struct stat status;
    char *bytes = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return NULL;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= FILE_BYTES_MOST)
        bytes = malloc((size_t)status.st_size + 1);
    ssize_t got = bytes ? read(file, bytes, (size_t)status.st_size) : -1;
    close(file);
    if (got < 0) {
        free(bytes);
        return NULL;
    }
    *length = (size_t)got;
    return bytes;
}

/* A file that cannot be read is not scanned. */
static bool scan_file(struct scan *scan, const char *folder, size_t folder_length, struct word name, bool *found)
{
    char *path;
    size_t length;
    const char *slash = folder_length > 0 && folder[folder_length - 1] != '/' ? "/" : "";
    if (asprintf(&path, "%.*s%s%.*s", (int)folder_length, folder, slash, (int)name.length, name.start) < 0)
        return false;
    char *bytes = read_file(path, &length);
    *found = bytes != NULL;
    bool done = !bytes || scan_text(scan, path, bytes, length);
    free(bytes);
    free(path);
    return done;
}

static bool scan_include(struct scan *scan, struct reader *reader)
{
    skip_blanks(reader);
    if (reader->at == reader->end || (*reader->at != '"' && *reader->at != '<') || scan->depth == DEPTH_MOST ||
        scan->files == FILES_MOST) {
        scan->complete = false;
        return true;
    }
    char close = *reader->at == '<' ? '>' : '"';
    struct word name = {.start = reader->at + 1};
    while (name.start + name.length < reader->end && name.start[name.length] != close &&
           name.start[name.length] != '\n')
        name.length++;
    if (name.length == 0) {
        scan->complete = false;
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
    scan->complete &= found;
    return done;
}

static bool scan_text(struct scan *scan, const char *path, const char *text, size_t length)
{
    /* Raw strings, and other spellings of # and of a letter. */
    static const char *const oddities[] = {"R\"", "%:", "\?\?", "\\u", "\\U", "include_next", "import"};
    for (size_t i = 0; i < sizeof oddities / sizeof *oddities; i++)
        scan->complete &= !memmem(text, length, oddities[i], strlen(oddities[i]));
    struct reader reader = {.path = path, .at = text, .end = text + length, .line = 1};
    struct word absent = {.start = text}; /* the name of an #ifndef just before */
    while (reader.at < reader.end) {
        skip_blanks(&reader);
        bool directive = reader.at < reader.end && *reader.at == '#';
        if (directive) {
            reader.at++;
            struct word word = take_word(&reader);
            if (is(word, "define")) {
                struct word name = take_word(&reader);
                bool is_default = absent.length == name.length && memcmp(absent.start, name.start, name.length) == 0;
                if (!note(scan, &reader, name, is_default))
                    return false;
            } else if (is(word, "include") && !scan_include(scan, &reader)) {
                return false;
            }
            absent = is(word, "ifndef") ? take_word(&reader) : (struct word){.start = text};
        }
        skip_line(&reader);
    }
    return true;
}

bool define_scan(const char *path, const char *text, size_t length, const char *folder,
                 struct macro_definition *definitions, size_t count, bool *complete)
{
    struct scan scan = {.folder = folder, .definitions = definitions, .count = count, .complete = true};
    for (size_t i = 0; i < count; i++)
        definitions[i].path = NULL;
    bool done = scan_text(&scan, path, text, length);
    *complete = scan.complete;
    return done;
}
