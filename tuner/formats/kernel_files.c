/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/kernel_files.h"

#include "tuner/error/text_stream.h"
#include "tuner/source/closure.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct finding {
    struct kernel_files *files;
    const char *folder; /* the source's, with links followed */
    const char *source; /* likewise */
    struct text_stream notes;
    bool too_many;
};

static bool add_file(struct finding *finding, const char *name, const char *bytes, size_t length)
{
    struct kernel_files *files = finding->files;
    if (files->count == KERNEL_FILES_MOST) {
        finding->too_many = true;
        return false;
    }
    struct kernel_file *items = reallocarray(files->items, files->count + 1, sizeof *items);
    if (!items)
        return false;
    files->items = items;
    struct kernel_file *file = &items[files->count++];
    *file = (struct kernel_file){strdup(name), malloc(length + 1), length};
    if (!file->name || !file->bytes)
        return false;
    memcpy(file->bytes, bytes, length);
    file->bytes[length] = '\0';
    return true;
}

static bool is_listed(const struct kernel_files *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->items[i].name, name) == 0)
            return true;
    }
    return false;
}

static bool see_text(void *context, const char *path, const char *bytes, size_t length)
{
    struct finding *finding = context;
    char real[PATH_MAX];
    if (!realpath(path, real) || strcmp(real, finding->source) == 0)
        return true;
    size_t folder = strlen(finding->folder);
    bool inside = strncmp(real, finding->folder, folder) == 0 && real[folder] == '/';
    if (!inside) {
        fprintf(finding->notes.out,
                "the source includes %s from outside of its folder: copy it beside the source, or name "
                "its folder with option \"-I...\"\n",
                path);
        return true;
    }
    return is_listed(finding->files, real + folder + 1) || add_file(finding, real + folder + 1, bytes, length);
}

static bool scan(struct finding *finding, const char *path, const char *bytes, size_t length,
                 const char *const *options, size_t option_count)
{
    static const struct closure_visitor visitor = {.text = see_text};
    struct closure *closure = closure_create(&(struct closure_setting){.options = options,
                                                                       .option_count = option_count,
                                                                       .base = finding->folder,
                                                                       .visitor = &visitor,
                                                                       .context = finding});
    bool done = closure && closure_scan(closure, path, bytes, length);
    if (done) {
        const struct closure_findings *findings = closure_findings(closure);
        finding->files->closed = !findings->hidden && !findings->blocked;
    }
    closure_free(closure);
    return done;
}

bool kernel_files_find(const char *path, const char *bytes, size_t length, const char *const *options,
                       size_t option_count, struct kernel_files *files, struct error *error)
{
    char source[PATH_MAX], folder[PATH_MAX];
    *files = (struct kernel_files){0};
    if (!realpath(path, source))
        return error_set(error, ERROR_INPUT, "cannot find %s", path);
    snprintf(folder, sizeof folder, "%s", source);
    struct finding finding = {.files = files, .folder = dirname(folder), .source = source};
    if (strcmp(finding.folder, "/") == 0)
        finding.folder = "";
    if (!text_stream_open(&finding.notes, error))
        return false;
    bool done = scan(&finding, source, bytes, length, options, option_count);
    if (!done) {
        text_stream_discard(&finding.notes);
        return finding.too_many ? error_set(error, ERROR_INPUT, "%s includes more than %d headers of its own", path,
                                            KERNEL_FILES_MOST)
                                : error_out_of_memory(error);
    }
    files->notes = text_stream_close(&finding.notes, error);
    return files->notes;
}

void kernel_files_clear(struct kernel_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].name);
        free(files->items[i].bytes);
    }
    free(files->items);
    free(files->notes);
    *files = (struct kernel_files){0};
}
