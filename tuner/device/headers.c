/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/headers.h"

#include "tuner/device/known_headers.h"
#include "tuner/device/line_directive.h"
#include "tuner/source/closure.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a set ---- */

struct collection {
    struct headers *headers;
    enum headers_for compiler;
    char **users; /* names that the user's own files have */
    size_t user_count;
    bool others; /* the Toolkit's headers are included */
};

static bool is_in(const char *const *names, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    }
    return false;
}

/* NULL: out of memory. */
static char *text_of(const struct known_header *header, const char *name, size_t length, bool cpu)
{
    static const char *const refusals[] = {
        [HEADER_HOST] = "kernels cannot include the host's header %.*s: no device has it (%s)",
        [HEADER_WRITTEN] = "the CUDA Toolkit's header %.*s is not beside NVRTC (%s)",
        [HEADER_TOOLKIT] = "the CPU device does not have the CUDA header %.*s (%s)",
    };
    static const char toolkit_advice[] = "install the Toolkit's headers, or set CUDA_HOME to its folder";
    char *message, *text;
    if (header->kind == HEADER_OWN || header->kind == HEADER_CHOSEN || header->kind == HEADER_KNOWN ||
        (cpu && header->kind == HEADER_WRITTEN))
        return strdup(header->text);
    const char *advice = header->kind == HEADER_WRITTEN ? toolkit_advice : header->text;
    if (asprintf(&message, refusals[header->kind], (int)length, name, advice) < 0)
        return NULL;
    if (asprintf(&text, "#error \"%s\"\n", message) < 0)
        text = NULL;
    free(message);
    return text;
}

static bool add(struct collection *collection, const char *name, size_t length);

/* What a text of ours includes. */
static bool add_included(struct collection *collection, const char *text)
{
    static const char include[] = "#include <";
    for (const char *at = text; (at = strstr(at, include));) {
        at += sizeof include - 1;
        if (!add(collection, at, strcspn(at, ">\n")))
            return false;
    }
    return true;
}

static bool keep(struct headers *headers, char *name, char *text)
{
    size_t count = headers->count + 1;
    const char **names = realloc(headers->names, count * sizeof *names);
    if (names)
        headers->names = names;
    char **all = realloc(headers->texts, count * sizeof *all);
    if (all)
        headers->texts = all;
    if (!names || !all || !name || !text) {
        free(name);
        free(text);
        return false;
    }
    names[headers->count] = name;
    all[headers->count++] = text;
    return true;
}

static bool add(struct collection *collection, const char *name, size_t length)
{
    const struct known_header *header = known_header_find(name, length);
    struct headers *headers = collection->headers;
    if (is_in((const char *const *)collection->users, collection->user_count, name, length) ||
        is_in(headers->names, headers->count, name, length))
        return true;
    bool cpu = collection->compiler == HEADERS_FOR_CPU;
    collection->others |= !cpu && (!header || header->kind >= HEADER_KNOWN);
    if (!header || (collection->compiler == HEADERS_FOR_NVRTC && header->kind >= HEADER_KNOWN) ||
        (!cpu && header->kind == HEADER_TOOLKIT))
        return true; /* the compiler finds it, or says that nobody does */
    char *text = text_of(header, name, length, cpu);
    return keep(headers, strndup(name, length), text) && add_included(collection, headers->texts[headers->count - 1]);
}

static bool see_include(void *context, const struct closure_include *include)
{
    struct collection *collection = context;
    if (!include->found)
        return true;
    char **users = realloc(collection->users, (collection->user_count + 1) * sizeof *users);
    if (!users)
        return false;
    collection->users = users;
    users[collection->user_count] = strndup(include->name, include->length);
    return users[collection->user_count++] != NULL;
}

static bool see_absent(void *context, const struct closure_include *include)
{
    return include->found || add(context, include->name, include->length);
}

static bool scan(const struct compile_request *request, const struct closure_visitor *visitor,
                 struct collection *collection, bool *hidden)
{
    const struct closure_setting setting = {.folder = request->folder,
                                            .options = request->options,
                                            .option_count = request->option_count,
                                            .visitor = visitor,
                                            .context = collection};
    struct closure *closure = closure_create(&setting);
    bool done = closure && closure_scan(closure, request->path, request->text, request->length);
    *hidden = done && closure_findings(closure)->hidden;
    closure_free(closure);
    return done;
}

/* Includes that the scan cannot name, and those of the Toolkit's headers. */
static bool add_all(struct collection *collection)
{
    size_t count;
    const struct known_header *known = known_headers(&count);
    for (size_t i = 0; i < count; i++) {
        if (known[i].kind == HEADER_OWN && !add(collection, known[i].name, strlen(known[i].name)))
            return false;
    }
    return true;
}

bool headers_collect(const struct compile_request *request, enum headers_for compiler, struct headers *headers)
{
    static const struct closure_visitor first = {.include = see_include}, second = {.include = see_absent};
    struct collection collection = {.headers = headers, .compiler = compiler};
    bool hidden = false;
    *headers = (struct headers){0};
    bool done = scan(request, &first, &collection, &hidden) && scan(request, &second, &collection, &hidden) &&
                ((!hidden && !collection.others) || add_all(&collection));
    for (size_t i = 0; i < collection.user_count; i++)
        free(collection.users[i]);
    free(collection.users);
    if (!done)
        headers_clear(headers);
    return done;
}

void headers_clear(struct headers *headers)
{
    for (size_t i = 0; i < headers->count; i++) {
        free((char *)headers->names[i]);
        free(headers->texts[i]);
    }
    free(headers->names);
    free(headers->texts);
    *headers = (struct headers){0};
}

/* ---- as files ---- */

static bool file_path(char *path, const char *folder, const char *name)
{
    int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return length > 0 && length < PATH_MAX;
}

/* Those above the file, from the one whose name ends at `from` on. */
static bool make_folders(char *path, size_t from)
{
    for (char *slash = path + from; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

/* Messages name the header as it is included. */
static bool write_one(const char *path, const char *name, const char *text)
{
    FILE *stream = fopen(path, "we");
    if (!stream)
        return false;
    line_directive(stream, 1, name);
    fputs(text, stream);
    bool written = !ferror(stream);
    return fclose(stream) == 0 && written;
}

bool headers_write(const struct headers *headers, const char *folder, struct error *error)
{
    for (size_t i = 0; i < headers->count; i++) {
        char path[PATH_MAX];
        if (!file_path(path, folder, headers->names[i]))
            return error_set(error, ERROR_SYSTEM, "the path '%.200s...' is too long", folder);
        if (access(path, R_OK) == 0)
            continue;
        if (!make_folders(path, strlen(folder)) || !write_one(path, headers->names[i], headers->texts[i])) {
            error_set(error, ERROR_SYSTEM, "cannot write '%s': %s", path, strerror(errno));
            unlink(path);
            return false;
        }
    }
    return true;
}

void headers_remove(const struct headers *headers, const char *folder)
{
    for (size_t i = 0; i < headers->count; i++) {
        char path[PATH_MAX];
        if (!file_path(path, folder, headers->names[i]))
            continue;
        unlink(path);
        for (char *slash; (slash = strrchr(path, '/')) && slash >= path + strlen(folder);) {
            *slash = '\0';
            rmdir(path); /* fails while there are others in it */
        }
    }
}

void headers_write_all(FILE *stream)
{
    size_t count;
    const struct known_header *known = known_headers(&count);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s %d\n%s", known[i].name, (int)known[i].kind, known[i].text);
}
