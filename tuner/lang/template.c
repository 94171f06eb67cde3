/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading templates: the folder, its sources, and the hash of them all.
 */
#include "tuner/lang/template.h"
#include "tuner/error/input_file.h"
#include "tuner/error/utf8.h"
#include "tuner/lang/declaration.h"
#include "tuner/lang/hash.h"
#include "tuner/lang/sources.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A template and what it owns. */
struct document {
    struct template template;
    struct arena arena;
    struct text text;
    struct sources *sources; /* NULL: parsed from memory */
};

static struct document *document_create(struct error *error)
{
    struct document *document = calloc(1, sizeof *document);
    if (!document)
        error_out_of_memory(error);
    return document;
}

void template_free(struct template *template)
{
    struct document *document = (struct document *)template;
    if (!document)
        return;
    sources_free(document->sources);
    arena_free(&document->arena);
    free(document);
}

/* Parse the document's text, once its path and folder are known. */
static bool parse(struct document *document, const char *folder, struct error *error)
{
    struct template *template = &document->template;
    template->path = document->text.file;
    template->folder = arena_string(&document->arena, folder, strlen(folder));
    return template->folder ? parse_template(&document->text, &document->arena, template, error)
                            : error_out_of_memory(error);
}

/* The names of the files in a folder with one of some endings, sorted, in the arena. */
struct names {
    struct list list; /* const char * */
};

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool list_folder(struct names *names, struct arena *arena, const char *folder, const char *const *endings,
                        struct error *error)
{
    bool good = false;
    DIR *directory = opendir(folder);
    if (!directory)
        return errno == ENOMEM
                   ? error_out_of_memory(error)
                   : error_set(error, ERROR_INPUT, "cannot read the folder %s: %s", folder, strerror(errno));
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(directory);
        if (!entry)
            break;
        bool wanted = false;
        for (size_t i = 0; endings[i]; i++)
            wanted = wanted || ends_with(entry->d_name, endings[i]);
        if (!wanted || entry->d_name[0] == '.')
            continue;
        const char **name = list_append(&names->list, arena, sizeof *name);
        if (name)
            *name = arena_string(arena, entry->d_name, strlen(entry->d_name));
        if (!name || !*name) {
            error_out_of_memory(error);
            goto end;
        }
    }
    if (errno) {
        error_set(error, ERROR_SYSTEM, "cannot read the folder %s: %s", folder, strerror(errno));
        goto end;
    }
    if (names->list.count)
        qsort(names->list.items, names->list.count, sizeof(const char *), compare_names);
    good = true;
end:
    closedir(directory);
    return good;
}

static const char *join(struct arena *arena, const char *folder, const char *name)
{
    size_t length = strlen(folder), size = length + strlen(name) + sizeof "/";
    char *path = arena_allocate(arena, size);
    if (path)
        snprintf(path, size, "%s%s%s", folder, length && folder[length - 1] != '/' ? "/" : "", name);
    return path;
}

/* The only template in a folder. */
static bool find_template(struct document *document, const char *folder, const char **path, struct error *error)
{
    static const char *const endings[] = {".template", NULL};
    struct names names = {0};
    if (!list_folder(&names, &document->arena, folder, endings, error))
        return false;
    const char *const *found = names.list.items;
    if (names.list.count == 0) {
        error_set(error, ERROR_INPUT, "no *.template file in %s", folder);
        return error_hint(error, "a template's folder holds one *.template file and its CUDA sources");
    }
    if (names.list.count > 1) {
        char list[200] = "";
        for (size_t i = 0; i < names.list.count; i++) {
            strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
            strncat(list, found[i], sizeof list - strlen(list) - 1);
        }
        error_set(error, ERROR_INPUT, "%s holds %zu templates: %s", folder, names.list.count, list);
        return error_hint(error, "give the path of one of them");
    }
    *path = join(&document->arena, folder, found[0]);
    return *path ? true : error_out_of_memory(error);
}

/* The folder of a path, in the arena: "." when it has none. */
static const char *folder_of(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return ".";
    return arena_string(arena, path, slash == path ? 1 : (size_t)(slash - path));
}

static bool require_file(struct document *document, const char *file, struct place place, struct error *error)
{
    struct stat status;
    const char *path = join(&document->arena, document->template.folder, file);
    if (!path)
        return error_out_of_memory(error);
    if (stat(path, &status) == 0)
        return S_ISREG(status.st_mode) || error_at(error, ERROR_INPUT, place, "%s is not a regular file but %s", path,
                                                   input_file_kind(status.st_mode));
    if (errno != ENOENT && errno != ENOTDIR)
        return error_at(error, ERROR_INPUT, place, "cannot read %s: %s", path, strerror(errno));
    static const char *const endings[] = {".cu", NULL};
    struct names names = {0};
    error_at(error, ERROR_INPUT, place, "no such file: %s", path);
    if (!list_folder(&names, &document->arena, document->template.folder, endings, NULL))
        return false;
    const char *nearest = error_nearest(file, names.list.items, names.list.count);
    return nearest ? error_hint(error, "did you mean \"%s\"?", nearest) : false;
}

static bool require_sequence(struct document *document, const struct sequence *sequence, struct error *error)
{
    return !sequence->file || require_file(document, sequence->file, sequence->place, error);
}

static bool require_sources(struct document *document, struct error *error)
{
    const struct template *template = &document->template;
    for (size_t i = 0; i < template->source_count; i++) {
        if (!require_file(document, template->sources[i].file, template->sources[i].place, error))
            return false;
    }
    return require_sequence(document, &template->setup, error) &&
           require_sequence(document, &template->reference, error) &&
           require_sequence(document, &template->verify, error);
}

static bool hash_text(const struct text *text, char digits[17], struct error *error)
{
    struct hash *hash = hash_create();
    if (!hash)
        return error_out_of_memory(error);
    hash_tokens(hash, text);
    hash_digits(hash, digits);
    hash_free(hash);
    return true;
}

static bool read_sources(struct document *document, struct error *error)
{
    document->sources = sources_read(&document->template, &document->text, error);
    if (!document->sources)
        return false;
    strcpy(document->template.hash, sources_hash(document->sources));
    return true;
}

bool template_is_current(const struct template *template, bool *touched, struct error *error)
{
    struct document *document = (struct document *)(uintptr_t) template;
    enum sources_state state = sources_state(document->sources, template, &document->text, error);
    *touched = state == SOURCES_TOUCHED;
    if (state == SOURCES_CHANGED)
        return error_set(error, ERROR_WORK, "the sources of template %s in %s have changed", template->name,
                         template->folder);
    return state != SOURCES_FAILED;
}

bool template_uses(const struct template *template, size_t parameter)
{
    const struct document *document = (const struct document *)template;
    return !document->sources || sources_use(document->sources, parameter);
}

bool template_text_uses(const struct template *template, size_t parameter)
{
    const struct document *document = (const struct document *)template;
    return !document->sources || sources_text_uses(document->sources, parameter);
}

static bool read_document(struct document *document, const char *path, struct error *error)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return error_set(error, ERROR_INPUT, "cannot read %s: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode)) {
        if (!find_template(document, path, &path, error))
            return false;
    } else if (!ends_with(path, ".template")) {
        error_set(error, ERROR_INPUT, "%s is not a template", path);
        return error_hint(error, "give a *.template file or the folder that holds one");
    }
    if (!utf8_is_valid(path, strlen(path))) {
        error_set(error, ERROR_INPUT, "the path %s is not UTF-8", path);
        return error_hint(error, "give the folder a name in UTF-8, or a link to it");
    }
    if (!text_read(&document->text, &document->arena, path, error))
        return false;
    const char *folder = folder_of(&document->arena, path);
    if (!folder)
        return error_out_of_memory(error);
    return parse(document, folder, error) && require_sources(document, error) && read_sources(document, error);
}

bool template_read(const char *path, struct template **result, struct error *error)
{
    struct document *document = document_create(error);
    if (!document)
        return false;
    if (!read_document(document, path, error)) {
        template_free(&document->template);
        return false;
    }
    *result = &document->template;
    return true;
}

const struct matrix_declaration *template_matrix_of(const struct template *template, size_t buffer, size_t *part)
{
    for (size_t i = 0; i < template->matrix_count; i++) {
        const struct matrix_declaration *matrix = &template->matrices[i];
        for (*part = 0; *part < matrix->part_count; ++*part) {
            if (matrix->parts[*part] == buffer)
                return matrix;
        }
    }
    return NULL;
}

bool template_parse(const char *path, const char *folder, const char *text, size_t length, struct template **result,
                    struct error *error)
{
    struct document *document = document_create(error);
    if (!document)
        return false;
    if (!text_copy(&document->text, &document->arena, path, text, length, error) || !parse(document, folder, error) ||
        !hash_text(&document->text, document->template.hash, error)) {
        template_free(&document->template);
        return false;
    }
    *result = &document->template;
    return true;
}
