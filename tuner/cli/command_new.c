/* SPDX-License-Identifier: Apache-2.0 */
/* tune new NAME kernel.cu: a first template, space and reference for a kernel. */
#include "tuner/cli/command.h"
#include "tuner/cli/new_files.h"
#include "tuner/error/input_file.h"
#include "tuner/error/visible.h"
#include "tuner/formats/draft.h"
#include "tuner/formats/kernel_files.h"
#include "tuner/library/home.h"

#include <stdlib.h>
#include <string.h>

enum { SOURCE_BYTES_MOST = 1 << 20 };

/* What becomes files. */
struct drafting {
    const char *path, *source_file;
    struct input_file source;
    struct kernel_files headers;
    struct draft draft;
    char *folder;
    struct new_files files;
};

static void drafting_clear(struct drafting *drafting)
{
    free(drafting->source.bytes);
    kernel_files_clear(&drafting->headers);
    draft_clear(&drafting->draft);
    free(drafting->folder);
    new_files_clear(&drafting->files);
}

static bool read_source(struct drafting *drafting, struct error *error)
{
    const char *slash = strrchr(drafting->path, '/');
    drafting->source_file = slash ? slash + 1 : drafting->path;
    input_file_read(drafting->path, SOURCE_BYTES_MOST, &drafting->source);
    if (drafting->source.state != INPUT_READ)
        return input_file_error(&drafting->source, drafting->path, error);
    if (strcmp(drafting->source_file, "reference.cu") == 0) {
        error_set(error, ERROR_INPUT, "%s: the draft has a reference.cu of its own", drafting->path);
        return error_hint(error, "rename the kernel's source");
    }
    return kernel_files_find(drafting->path, drafting->source.bytes, drafting->source.length, NULL, 0,
                             &drafting->headers, error);
}

static bool add_text(struct drafting *drafting, const char *name, const char *suffix, const char *text,
                     struct error *error)
{
    char *file;
    if (!text)
        return true;
    if (asprintf(&file, "%s%s", name, suffix) < 0)
        return error_out_of_memory(error);
    bool done = new_files_add(&drafting->files, drafting->folder, file, text, strlen(text), error);
    free(file);
    return done;
}

static bool plan_files(struct drafting *drafting, const char *name, const char *above, struct error *error)
{
    drafting->folder = path_join(above, name);
    if (!drafting->folder)
        return error_out_of_memory(error);
    bool done = new_files_add(&drafting->files, drafting->folder, drafting->source_file, drafting->source.bytes,
                              drafting->source.length, error);
    for (size_t i = 0; done && i < drafting->headers.count; i++) {
        const struct kernel_file *header = &drafting->headers.items[i];
        done = new_files_add(&drafting->files, drafting->folder, header->name, header->bytes, header->length, error);
    }
    return done && add_text(drafting, name, ".template", drafting->draft.template, error) &&
           add_text(drafting, name, ".space", drafting->draft.space, error) &&
           add_text(drafting, "reference", ".cu", drafting->draft.reference, error);
}

static void print_notes(const char *notes)
{
    for (const char *note = notes; *note; note += strcspn(note, "\n") + 1)
        visible_printf(stderr, "tune: %.*s\n", (int)strcspn(note, "\n"), note);
}

static bool draft(const struct options *options, struct drafting *drafting, struct error *error)
{
    if (!read_source(drafting, error))
        return false;
    struct draft_subject subject = {.name = options->subject,
                                    .path = drafting->path,
                                    .source_file = drafting->source_file,
                                    .text = drafting->source.bytes,
                                    .length = drafting->source.length,
                                    .kernel = options->kernel_name,
                                    .complete = drafting->headers.closed && drafting->headers.count == 0 &&
                                                !*drafting->headers.notes};
    return draft_write(&subject, &drafting->draft, error) &&
           plan_files(drafting, options->subject, options->output ? options->output : ".", error) &&
           new_files_write(&drafting->files, error);
}

bool command_new(const struct options *options, int *status, struct error *error)
{
    (void)status;
    struct drafting drafting = {.path = options->source};
    if (!options->subject || !options->source) {
        error_set(error, ERROR_INPUT, options->subject ? "which source?" : "a name and a source are missing");
        return error_hint(error, "for example: tune new saxpy my/saxpy.cu");
    }
    bool done = draft(options, &drafting, error);
    if (done) {
        if (!options->quiet)
            print_notes(drafting.headers.notes), print_notes(drafting.draft.notes);
        for (size_t i = 0; i < drafting.files.count; i++)
            visible_printf(stdout, "%s\n", drafting.files.items[i].path);
        if (!options->quiet)
            visible_printf(stderr, "tune: correct what is guessed in the template, then: tune %s\n", drafting.folder);
    }
    drafting_clear(&drafting);
    return done;
}
