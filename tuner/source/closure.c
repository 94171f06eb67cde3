/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/source/closure.h"

#include "tuner/error/input_file.h"
#include "tuner/source/file_option.h"
#include "tuner/source/text_scan.h"
#include "tuner/source/visited.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 4096, DEPTH_MOST = 256, BYTES_MOST = 256 << 20 };

struct closure {
    struct closure_setting setting;
    struct closure_findings findings; /* of files; those of texts join them after each scan */
    struct text_scan scan;
    char **folders; /* of the options; ends with NULL */
    size_t folder_count;
    struct visited visited;
    size_t bytes;
    unsigned depth;
    const char *source; /* the path of the source being scanned */
};

static bool scan_text(struct closure *closure, const char *path, const char *bytes, size_t length);

/* ---- files */

static char *join(const char *folder, size_t length, const struct text_name *name)
{
    char *path;
    const char *slash = length > 0 && folder[length - 1] != '/' ? "/" : "";
    if (asprintf(&path, "%.*s%s%.*s", (int)length, folder, slash, (int)name->length, name->start) < 0)
        return NULL;
    return path;
}

/* Keep the first problem. `from` is NULL for a file that an option names. */
__attribute__((format(printf, 4, 5))) static void block(struct closure *closure, const struct text_source *from,
                                                        const struct text_name *name, const char *format, ...)
{
    char text[512];
    va_list arguments;
    if (closure->findings.blocked || name->use == TEXT_GUESSED)
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
    const struct place place = {
        .file = from->path, .text = from->text, .offset = (size_t)(name->start - from->text), .length = name->length};
    error_at(&closure->findings.problem, ERROR_INPUT, place, "cannot include this: %s", text);
}

static bool is_beyond_bounds(struct closure *closure, const struct text_source *from, const struct text_name *name,
                             size_t bytes)
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

static bool tell_include(struct closure *closure, const struct text_name *name, size_t place, bool found, size_t file)
{
    const struct closure_include include = {name->start, name->length, place, found, file};
    return !closure->setting.visitor->include ||
           closure->setting.visitor->include(closure->setting.context, &include);
}

/* What the search for a name has met. */
struct hunt {
    const struct text_source *from; /* NULL: an option */
    const struct text_name *name;
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
    const struct text_name *name = hunt->name;
    if (!visited_identify(&closure->visited, hunt->path, &in->status, &file))
        return false;
    size_t number = visited_number(&closure->visited, &file);
    bool is_new = number == SIZE_MAX && name->use != TEXT_ASKED;
    if (is_new && is_beyond_bounds(closure, hunt->from, name, in->length)) {
        closure->findings.hidden = true;
        return true;
    }
    if (!tell_found(closure, hunt, place, is_new ? closure->visited.count : number))
        return false;
    if (is_new && name->use == TEXT_EMBEDDED)
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
    if (!visited_identify(&closure->visited, path, &status, &file))
        return false;
    size_t number = visited_number(&closure->visited, &file);
    return number == SIZE_MAX ? read_and_visit(closure, hunt, place)
                              : probe(closure, path, &status) && tell_found(closure, hunt, place, number);
}

/* Place 0 is beside the including file, or where an option says; 1 the source's folder, 2 the request's. */
static bool visit_places(struct closure *closure, struct hunt *hunt)
{
    const struct text_name *name = hunt->name;
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
static bool search(struct closure *closure, const struct text_source *from, const struct text_name *name)
{
    struct hunt hunt = {.from = from, .name = name};
    bool done = visit_places(closure, &hunt);
    free(hunt.path);
    if (!done)
        return false;
    if (hunt.found || name->use == TEXT_GUESSED)
        return true;
    if (hunt.folder && name->quoted && name->use == TEXT_NAMED)
        block(closure, from, name, "it is a folder");
    closure->findings.system |= name->use == TEXT_NAMED;
    return tell_include(closure, name, 0, false, SIZE_MAX);
}

/* ---- texts */

static bool search_name(void *context, const struct text_source *source, const struct text_name *name)
{
    return search(context, source, name);
}

static void tell_word(void *context, const char *word, size_t length)
{
    const struct closure *closure = context;
    if (closure->setting.visitor->word)
        closure->setting.visitor->word(closure->setting.context, word, length);
}

static bool scan_text(struct closure *closure, const char *path, const char *bytes, size_t length)
{
    const struct closure_visitor *visitor = closure->setting.visitor;
    return (!visitor->text || visitor->text(closure->setting.context, path, bytes, length)) &&
           text_scan(&closure->scan, path, bytes, length);
}

static void take_findings(struct closure *closure)
{
    const struct text_findings *texts = &closure->scan.findings;
    struct closure_findings *findings = &closure->findings;
    findings->hidden |= texts->hidden;
    findings->dated |= texts->dated;
    findings->asks |= texts->asks;
    findings->odd |= texts->odd;
    findings->pastes |= texts->pastes;
}

void closure_words(struct closure *closure, const char *text)
{
    text_scan_words(&closure->scan, text);
    take_findings(closure);
}

/* ---- the closure */

static bool add_folder(struct closure *closure, const char *path)
{
    const struct text_name name = {.start = path, .length = strlen(path)};
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
        const struct text_name name = {.start = path, .length = strlen(path), .use = TEXT_NAMED, .quoted = true};
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
    closure->scan = (struct text_scan){
        .literals = setting->literals,
        .name = search_name,
        .word = tell_word,
        .context = closure,
    };
    bool done = read_options(closure);
    take_findings(closure);
    if (done)
        return closure;
    closure_free(closure);
    return NULL;
}

bool closure_scan(struct closure *closure, const char *path, const char *bytes, size_t length)
{
    closure->source = path;
    bool done = scan_text(closure, path, bytes, length);
    closure->source = NULL;
    take_findings(closure);
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
