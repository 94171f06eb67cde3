/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/inclusion.h"

#include "tuner/device/line_directive.h"
#include "tuner/error/text_stream.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH = 16, FILES_MOST = 512, FILE_BYTES_MOST = 16 << 20 };

struct text {
    const char *path;
    char *bytes;
    size_t length;
};

struct inclusion {
    const struct compile_request *request;
    FILE *out;
    size_t read;            /* files so far: beyond FILES_MOST none is taken */
    char *once[FILES_MOST]; /* with #pragma once, taken already */
    size_t once_count;
};

/* ---- files ---- */

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= FILE_BYTES_MOST;
}

static bool in_folder(const char *folder, size_t folder_length, const char *name, size_t length, char path[PATH_MAX])
{
    int written = snprintf(path, PATH_MAX, "%.*s%s%.*s", (int)folder_length, folder, folder_length > 0 ? "/" : "",
                           (int)length, name);
    return written > 0 && written < PATH_MAX && is_file(path);
}

static bool find_beside(const char *from, const char *name, size_t length, char path[PATH_MAX])
{
    const char *slash = strrchr(from, '/');
    if (length > 0 && name[0] == '/')
        return in_folder("", 0, name, length, path);
    return in_folder(from, slash ? (size_t)(slash - from) : 0, name, length, path);
}

/* Beside the file that includes it, in the request's folder, in a folder of an option. */
static bool find(const struct inclusion *inclusion, const char *from, const char *name, size_t length,
                 char path[PATH_MAX])
{
    const struct compile_request *request = inclusion->request;
    if (find_beside(from, name, length, path))
        return true;
    if (request->folder && in_folder(request->folder, strlen(request->folder), name, length, path))
        return true;
    for (size_t i = 0; i < request->option_count; i++) {
        const char *option = request->options[i];
        if (strncmp(option, "-I", 2) == 0 && in_folder(option + 2, strlen(option + 2), name, length, path))
            return true;
    }
    return false;
}

static bool read_text(struct inclusion *inclusion, const char *path, struct text *text)
{
    FILE *file = inclusion->read++ < FILES_MOST ? fopen(path, "re") : NULL;
    *text = (struct text){path, NULL, 0};
    if (!file)
        return false;
    struct stat status;
    if (fstat(fileno(file), &status) == 0 && status.st_size <= FILE_BYTES_MOST)
        text->bytes = malloc((size_t)status.st_size + 1);
    if (text->bytes)
        text->length = fread(text->bytes, 1, (size_t)status.st_size, file);
    fclose(file);
    return text->bytes != NULL;
}

/* ---- lines ---- */

static bool holds(const char *at, size_t length, const char *word)
{
    return memmem(at, length, word, strlen(word)) != NULL;
}

/* After the line's end. `*comment`: a comment is open, before and after. */
static const char *after_line(const char *at, const char *end, bool *comment)
{
    char quote = '\0';
    for (; at < end && *at != '\n'; at++) {
        bool pair = end - at > 1;
        if (*comment && pair && at[0] == '*' && at[1] == '/') {
            *comment = false;
            at++;
        } else if (*comment) {
            continue;
        } else if (*at == '\\' && pair && at[1] != '\n') {
            at++;
        } else if (quote) {
            quote = *at == quote ? '\0' : quote;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (pair && at[0] == '/' && at[1] == '/') {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            at = (newline ? newline : end) - 1;
        } else if (pair && at[0] == '/' && at[1] == '*') {
            *comment = true;
            at++;
        }
    }
    return at < end ? at + 1 : end;
}

static const char *after_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* Behind #WORD at the line's start; NULL: it is no such directive. */
static const char *directive(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    at = after_blanks(at, end);
    if (at == end || *at != '#')
        return NULL;
    at = after_blanks(at + 1, end);
    return (size_t)(end - at) > length && memcmp(at, word, length) == 0 ? after_blanks(at + length, end) : NULL;
}

/* The name in #include "name" or <name>; NULL: the line is something else. */
static const char *included(const char *at, const char *end, size_t *length)
{
    const char *open = directive(at, end, "include");
    if (!open || open == end || (*open != '"' && *open != '<'))
        return NULL;
    const char *close = memchr(open + 1, *open == '"' ? '"' : '>', (size_t)(end - open - 1));
    if (!close)
        return NULL;
    *length = (size_t)(close - open - 1);
    return open + 1;
}

static bool is_once(const char *at, const char *end)
{
    const char *word = directive(at, end, "pragma");
    return word && end - word >= 4 && memcmp(word, "once", 4) == 0;
}

/* ---- which files ---- */

static bool concerns(const struct text *text)
{
    return holds(text->bytes, text->length, "<<<") || holds(text->bytes, text->length, "__cluster_dims__") ||
           (holds(text->bytes, text->length, "extern") && holds(text->bytes, text->length, "__shared__"));
}

/* Is there anything to rewrite in the file, or in what it includes? */
static bool is_wanted(struct inclusion *inclusion, const char *path, unsigned depth)
{
    struct text text;
    if (depth > DEPTH || !read_text(inclusion, path, &text))
        return false;
    bool wanted = concerns(&text), comment = false;
    const char *end = text.bytes + text.length;
    for (const char *at = text.bytes, *next; at < end && !wanted; at = next) {
        bool inside = comment;
        char found[PATH_MAX];
        size_t length;
        next = after_line(at, end, &comment);
        const char *name = inside ? NULL : included(at, next, &length);
        wanted = name && find(inclusion, path, name, length, found) && is_wanted(inclusion, found, depth + 1);
    }
    free(text.bytes);
    return wanted;
}

/* Taken before, and not to be taken again? */
static bool is_done(struct inclusion *inclusion, const char *path)
{
    for (size_t i = 0; i < inclusion->once_count; i++) {
        if (strcmp(inclusion->once[i], path) == 0)
            return true;
    }
    return false;
}

static void note_once(struct inclusion *inclusion, const char *path)
{
    char *copy = inclusion->once_count < FILES_MOST && !is_done(inclusion, path) ? strdup(path) : NULL;
    if (copy)
        inclusion->once[inclusion->once_count++] = copy;
}

/* ---- the text ---- */

static void expand(struct inclusion *inclusion, const struct text *text, unsigned depth);

/* Write what an #include stands for. False: it is the compiler's. */
static bool take(struct inclusion *inclusion, const char *from, const char *name, size_t length, unsigned depth)
{
    char path[PATH_MAX];
    struct text text;
    if (depth > DEPTH || !find(inclusion, from, name, length, path) || !is_wanted(inclusion, path, depth))
        return false;
    if (is_done(inclusion, path))
        return true;
    if (!read_text(inclusion, path, &text))
        return false;
    line_directive(inclusion->out, 1, path);
    expand(inclusion, &text, depth);
    fputc('\n', inclusion->out);
    free(text.bytes);
    return true;
}

/* An #include that is the compiler's, which looks for it beside the source: elsewhere it needs the path. */
static void leave(const struct inclusion *inclusion, const char *from, const char *name, size_t length,
                  const char *line, const char *end, unsigned depth)
{
    char path[PATH_MAX], real[PATH_MAX];
    if (depth > 0 && name[-1] == '"' && find_beside(from, name, length, path) && realpath(path, real) &&
        !strpbrk(real, "\"\\\n"))
        fprintf(inclusion->out, "#include \"%s\"\n", real);
    else
        fwrite(line, 1, (size_t)(end - line), inclusion->out);
}

static void expand(struct inclusion *inclusion, const struct text *text, unsigned depth)
{
    const char *end = text->bytes + text->length;
    bool comment = false;
    unsigned line = 1;
    for (const char *at = text->bytes, *next; at < end; at = next, line++) {
        bool inside = comment;
        size_t length;
        next = after_line(at, end, &comment);
        const char *name = inside ? NULL : included(at, next, &length);
        if (name && take(inclusion, text->path, name, length, depth + 1)) {
            line_directive(inclusion->out, line + 1, text->path);
        } else if (name) {
            leave(inclusion, text->path, name, length, at, next, depth);
        } else if (depth > 0 && !inside && is_once(at, next)) {
            note_once(inclusion, text->path);
            fputc('\n', inclusion->out);
        } else {
            fwrite(at, 1, (size_t)(next - at), inclusion->out);
        }
    }
}

char *inclusion_expand(const struct compile_request *request, size_t *length, struct error *error)
{
    struct text_stream stream;
    struct inclusion *inclusion = calloc(1, sizeof *inclusion);
    if (!inclusion || !text_stream_open(&stream, error)) {
        free(inclusion);
        error_out_of_memory(error);
        return NULL;
    }
    inclusion->request = request;
    inclusion->out = stream.out;
    const struct text text = {request->path, (char *)(uintptr_t)request->text, request->length};
    expand(inclusion, &text, 0);
    for (size_t i = 0; i < inclusion->once_count; i++)
        free(inclusion->once[i]);
    free(inclusion);
    char *expanded = text_stream_close(&stream, error);
    *length = stream.length;
    return expanded;
}
