/* SPDX-License-Identifier: Apache-2.0 */
/* tune import of a T1 file: it becomes a template and a space. */
#include "tuner/cli/exchange.h"

#include "tuner/cli/home.h"
#include "tuner/error/output_file.h"
#include "tuner/error/visible.h"
#include "tuner/formats/t1_files.h"
#include "tuner/formats/t1_import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The files that an import writes. */
struct places {
    char *template, *source, *reference, *space;
};

static void places_free(struct places *places)
{
    free(places->template);
    free(places->source);
    free(places->reference);
    free(places->space);
}

static bool places_make(const char *folder, const struct t1_import *import, struct places *places,
                        struct error *error)
{
    *places = (struct places){0};
    const char *name = import->name;
    if (asprintf(&places->template, "%s/templates/%s/%s.template", folder, name, name) < 0)
        places->template = NULL;
    if (asprintf(&places->source, "%s/templates/%s/%s", folder, name, import->source_file) < 0)
        places->source = NULL;
    if (asprintf(&places->reference, "%s/templates/%s/%s", folder, name, import->reference_file) < 0)
        places->reference = NULL;
    if (asprintf(&places->space, "%s/spaces/%s/%s.space", folder, name, name) < 0)
        places->space = NULL;
    return (places->template && places->source && places->reference && places->space) || error_out_of_memory(error);
}

static bool is_free(const char *path, struct error *error)
{
    struct stat status;
    if (lstat(path, &status) != 0) /* a link that leads nowhere counts */
        return true;
    error_set(error, ERROR_INPUT, "%s already exists", path);
    return error_hint(error, "remove it, or choose another folder with -o");
}

/* Make the folders above a file. */
static bool make_folders(char *path, struct error *error)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        if (!made)
            error_set(error, ERROR_SYSTEM, "cannot create folder %s: %s", path, strerror(errno));
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

static bool write_file(char *path, const char *text, size_t length, struct error *error)
{
    if (!make_folders(path, error))
        return false;
    struct output_file file;
    if (!output_file_open_new(&file, path, error))
        return false;
    fwrite(text, 1, length, file.stream); /* closing notices a failed write */
    return output_file_close(&file, true, error);
}

/* All files, or none. */
static bool write_import(const char *t1_path, const struct t1_import *import, struct places *places,
                         struct error *error)
{
    struct input_file source = {.state = INPUT_ABSENT};
    char *paths[] = {places->source, places->space, places->template, import->reference ? places->reference : NULL};
    enum { COUNT = sizeof paths / sizeof *paths };
    for (size_t i = 0; i < COUNT; i++) {
        if (paths[i] && !is_free(paths[i], error))
            return false;
    }
    if (!import->foreign && !t1_read_kernel(t1_path, import->kernel_file, &source, error))
        return false;
    bool found = source.bytes != NULL;
    const char *texts[COUNT] = {found ? source.bytes : import->source, import->space, import->template,
                                import->reference};
    bool done = true;
    size_t written = 0;
    while (done && written < COUNT) {
        done = !paths[written] || write_file(paths[written], texts[written],
                                             written || !found ? strlen(texts[written]) : source.length, error);
        written += done;
    }
    for (size_t i = 0; !done && i < written; i++) {
        if (paths[i])
            unlink(paths[i]);
    }
    if (done && !found && !import->foreign)
        visible_printf(stderr, "tune: %s is not beside the T1 file; copy it to %s\n", import->kernel_file,
                       places->source);
    free(source.bytes);
    return done;
}

bool import_t1(const struct options *options, const struct file_text *text, struct error *error)
{
    struct t1_import import;
    struct places places = {0};
    if (options->output && !*options->output) {
        error_set(error, ERROR_INPUT, "-o: the name of the folder is empty");
        return error_hint(error, "-o . is the current folder, which is also the default");
    }
    bool done = t1_import(options->subject, text->bytes, text->length, &import, error) &&
                places_make(options->output ? options->output : ".", &import, &places, error) &&
                write_import(options->subject, &import, &places, error);
    if (done) {
        for (const char *note = import.notes; *note && !options->quiet; note += strcspn(note, "\n") + 1)
            visible_printf(stderr, "tune: %.*s\n", (int)strcspn(note, "\n"), note);
        if (import.reference && !import.foreign && !options->quiet)
            visible_printf(
                stderr,
                "tune: T1 has no reference, so outputs are compared with those of the default configuration; see "
                "%s\n",
                places.reference);
        visible_printf(stdout, "%s\n%s\n", places.template, places.space);
    }
    places_free(&places);
    t1_import_clear(&import);
    return done;
}
