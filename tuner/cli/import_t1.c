/* SPDX-License-Identifier: Apache-2.0 */
/* tune import of a T1 file: it becomes a template and a space. */
#include "tuner/cli/exchange.h"

#include "tuner/cli/new_files.h"
#include "tuner/error/visible.h"
#include "tuner/formats/t1_import.h"

#include <stdlib.h>
#include <string.h>

/* What becomes files. */
struct importing {
    struct t1_import import;
    char *template_folder, *space_folder;
    struct new_files files;
};

static void importing_clear(struct importing *importing)
{
    t1_import_clear(&importing->import);
    free(importing->template_folder);
    free(importing->space_folder);
    new_files_clear(&importing->files);
}

static bool add_text(struct importing *importing, const char *folder, const char *name, const char *text,
                     struct error *error)
{
    return !text || new_files_add(&importing->files, folder, name, text, strlen(text), error);
}

/* NAME.template or NAME.space */
static bool add_named(struct importing *importing, const char *folder, const char *suffix, const char *text,
                      struct error *error)
{
    char *name;
    if (asprintf(&name, "%s%s", importing->import.name, suffix) < 0)
        return error_out_of_memory(error);
    bool done = add_text(importing, folder, name, text, error);
    free(name);
    return done;
}

static bool add_kernel(struct importing *importing, struct error *error)
{
    const struct t1_import *import = &importing->import;
    const char *folder = importing->template_folder;
    if (!import->kernel)
        return add_text(importing, folder, import->source_file, import->source, error);
    bool done =
        new_files_add(&importing->files, folder, import->source_file, import->kernel, import->kernel_length, error);
    for (size_t i = 0; done && i < import->headers.count; i++) {
        const struct kernel_file *header = &import->headers.items[i];
        done = new_files_add(&importing->files, folder, header->name, header->bytes, header->length, error);
    }
    return done;
}

static bool plan_files(struct importing *importing, const char *above, struct error *error)
{
    const struct t1_import *import = &importing->import;
    if (asprintf(&importing->template_folder, "%s/templates/%s", above, import->name) < 0)
        importing->template_folder = NULL;
    if (asprintf(&importing->space_folder, "%s/spaces/%s", above, import->name) < 0)
        importing->space_folder = NULL;
    if (!importing->template_folder || !importing->space_folder)
        return error_out_of_memory(error);
    bool done = add_named(importing, importing->template_folder, ".template", import->template, error) &&
                add_named(importing, importing->space_folder, ".space", import->space, error) &&
                add_kernel(importing, error) &&
                add_text(importing, importing->template_folder, import->reference_file, import->reference, error);
    for (size_t i = 0; done && i < import->data_count; i++)
        done = new_files_add_copy(&importing->files, importing->template_folder, import->data[i].name,
                                  import->data[i].from, error);
    return done;
}

static void print_lines(const char *lines)
{
    for (const char *line = lines ? lines : ""; *line; line += strcspn(line, "\n") + 1)
        visible_printf(stderr, "tune: %.*s\n", (int)strcspn(line, "\n"), line);
}

static void report(const struct options *options, const struct importing *importing)
{
    const struct t1_import *import = &importing->import;
    if (!import->kernel && !import->foreign)
        visible_printf(stderr, "tune: %s is not beside the T1 file; copy it to %s/%s\n", import->kernel_file,
                       importing->template_folder, import->source_file);
    if (!options->quiet) {
        print_lines(import->notes);
        print_lines(import->headers.notes);
    }
    if (import->compares_itself && !import->foreign && !options->quiet)
        visible_printf(
            stderr,
            "tune: there is no reference, so outputs are compared with those of the default configuration; "
            "see %s/%s\n",
            importing->template_folder, import->reference_file);
    visible_printf(stdout, "%s\n%s\n", importing->files.items[0].path, importing->files.items[1].path);
}

bool import_t1_text(const struct options *options, const char *path, const char *origin, const struct file_text *text,
                    struct error *error)
{
    struct importing importing = {0};
    struct t1_import_setting setting = {.reads = true, .origin = origin};
    bool done = t1_import(path, text->bytes, text->length, &setting, &importing.import, error) &&
                plan_files(&importing, options->output ? options->output : ".", error) &&
                new_files_write(&importing.files, error);
    if (done)
        report(options, &importing);
    importing_clear(&importing);
    return done;
}

bool import_t1(const struct options *options, const struct file_text *text, struct error *error)
{
    return import_t1_text(options, options->subject, NULL, text, error);
}
