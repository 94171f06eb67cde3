/* SPDX-License-Identifier: Apache-2.0 */
/* tune import FILE: a T1 file becomes a template and a space; recorded results go into the database. */
#include "tuner/cli/command.h"
#include "tuner/cli/home.h"

#include "tuner/formats/file_text.h"
#include "tuner/formats/recording_file.h"
#include "tuner/formats/recording_store.h"
#include "tuner/formats/t1_import.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- T1 ---- */

/* Where the parts of an import go. */
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
    if (access(path, F_OK) != 0)
        return true;
    error_set(error, ERROR_INPUT, "%s is there already", path);
    return error_hint(error, "remove it, or name another folder with -o");
}

/* Make the folders above a file. */
static bool make_folders(char *path, struct error *error)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        if (!made)
            error_set(error, ERROR_SYSTEM, "cannot make the folder %s: %s", path, strerror(errno));
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
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    bool done = stream && fwrite(text, 1, length, stream) == length;
    if (stream ? fclose(stream) != 0 : file >= 0 && close(file) != 0)
        done = false;
    return done || error_set(error, ERROR_SYSTEM, "cannot write %s: %s", path, strerror(errno));
}

/* The kernel's source beside the T1 file: under the name that it gives, or in the same folder. False: not there. */
static bool find_source(const char *t1_path, const char *kernel_file, struct file_text *text)
{
    char *copy = strdup(t1_path), *path = NULL;
    const char *slash = strrchr(kernel_file, '/');
    const char *names[] = {kernel_file, slash ? slash + 1 : kernel_file};
    bool found = false;
    for (size_t i = 0; copy && !found && i < sizeof names / sizeof *names; i++) {
        strcpy(copy, t1_path);
        free(path);
        path = *names[i] == '/' ? strdup(names[i]) : path_join(dirname(copy), names[i]);
        found = path && path_is_file(path) && file_text_read(path, text, NULL);
    }
    free(path);
    free(copy);
    return found;
}

/* All files, or none. */
static bool write_import(const char *t1_path, const struct t1_import *import, struct places *places,
                         struct error *error)
{
    struct file_text source = {0};
    char *paths[] = {places->source, places->space, places->template, import->reference ? places->reference : NULL};
    enum { COUNT = sizeof paths / sizeof *paths };
    for (size_t i = 0; i < COUNT; i++) {
        if (paths[i] && !is_free(paths[i], error))
            return false;
    }
    bool found = !import->foreign && find_source(t1_path, import->kernel_file, &source);
    const char *texts[COUNT] = {found ? source.bytes : import->source, import->space, import->template,
                                import->reference};
    bool done = true;
    size_t written = 0;
    for (; done && written < COUNT; written++)
        done = !paths[written] || write_file(paths[written], texts[written],
                                             written || !found ? strlen(texts[written]) : source.length, error);
    for (size_t i = 0; !done && i < written; i++) {
        if (paths[i])
            unlink(paths[i]);
    }
    if (done && !found && !import->foreign)
        fprintf(stderr, "tune: %s is not beside the T1 file: put it at %s\n", import->kernel_file, places->source);
    free(source.bytes);
    return done;
}

static bool import_t1(const struct options *options, const struct file_text *text, struct error *error)
{
    struct t1_import import;
    struct places places = {0};
    if (options->output && !*options->output) {
        error_set(error, ERROR_INPUT, "the name of the folder behind -o is empty");
        return error_hint(error, "-o . is the present folder, as without -o");
    }
    bool done = t1_import(options->subject, text->bytes, text->length, &import, error) &&
                places_make(options->output ? options->output : ".", &import, &places, error) &&
                write_import(options->subject, &import, &places, error);
    if (done) {
        for (const char *note = import.notes; *note && !options->quiet; note += strcspn(note, "\n") + 1)
            fprintf(stderr, "tune: %.*s\n", (int)strcspn(note, "\n"), note);
        if (import.reference && !import.foreign && !options->quiet)
            fprintf(stderr, "tune: T1 has no reference: outputs are compared with the kernel's by default, see %s\n",
                    places.reference);
        printf("%s\n%s\n", places.template, places.space);
    }
    places_free(&places);
    t1_import_clear(&import);
    return done;
}

/* ---- recorded results ---- */

/* What a file does not tell is in its name, by custom: "convolution_A100" is convolution on A100. */
static bool name_parts(const struct options *options, const struct recording *recording, char **kernel, char **device,
                       struct error *error)
{
    const char *bar = strchr(recording->name, '_');
    size_t length = bar && bar != recording->name && bar[1] ? (size_t)(bar - recording->name) : 0;
    const char *own_kernel = options->kernel_name ? options->kernel_name : recording->kernel;
    const char *own_device = options->device_name ? options->device_name : recording->device;
    *kernel = *own_kernel ? strdup(own_kernel) : length ? strndup(recording->name, length) : strdup(recording->name);
    *device = *own_device ? strdup(own_device) : strdup(length ? bar + 1 : "unknown device");
    if (!*kernel || !*device)
        return error_out_of_memory(error);
    bool told = *own_kernel && *own_device;
    if (!told && !options->quiet)
        fprintf(stderr,
                "tune: %s does not name %s: taken from the file's name (--kernel-name and --device-name say it)\n",
                options->subject,
                *own_kernel   ? "the device"
                : *own_device ? "the kernel"
                              : "kernel and device");
    return true;
}

static bool store_results(const struct options *options, const struct recording *recording, const char *kernel,
                          const char *device, struct error *error)
{
    struct store *store = NULL;
    char *database = store_default_path(options->database);
    if (!database)
        return error_out_of_memory(error);
    bool done = store_open(database, false, &store, error) &&
                recording_store(store, recording, options->subject, kernel, device, error);
    store_close(store);
    free(database);
    return done;
}

static bool import_results(const struct options *options, const struct file_text *text, struct error *error)
{
    struct recording *recording = NULL;
    char *kernel = NULL, *device = NULL;
    bool done = recording_parse(options->subject, text->bytes, text->length, &recording, error) &&
                name_parts(options, recording, &kernel, &device, error) &&
                store_results(options, recording, kernel, device, error);
    if (done) {
        size_t valid = recording_valid_count(recording);
        printf("%s%s%s on %s: %zu results, %zu of them failures\n", kernel, *recording->size ? " " : "",
               recording->size, device, recording->count, recording->count - valid);
    }
    free(kernel);
    free(device);
    recording_free(recording);
    return done;
}

bool command_import(const struct options *options, int *status, struct error *error)
{
    (void)status;
    struct file_text text = {0};
    if (!options->subject) {
        error_set(error, ERROR_INPUT, "no file is named");
        return error_hint(error, "a T1 file, a T4 file or a cache file of Kernel Tuner, compressed (.gz) or not");
    }
    bool done = file_text_read(options->subject, &text, error);
    if (done)
        done = (t1_is(text.bytes, text.length) ? import_t1 : import_results)(options, &text, error);
    free(text.bytes);
    return done;
}
