/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/program.h"

#include "tuner/error/input_file.h"
#include "tuner/evaluation/transient.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- loading ---- */

static bool find_kernels(const struct device_driver *driver, const struct job_program *source,
                         struct program *program, struct error *error)
{
    for (size_t i = 0; i < source->kernel_count; i++) {
        if (!driver->kernel(program->module, source->kernels[i], &program->kernels[i], error))
            return false;
        program->kernel_count++;
    }
    for (size_t i = 0; i < source->symbol_count; i++) {
        struct symbol *symbol = &program->symbols[i];
        if (!driver->symbol(program->module, source->symbols[i], &symbol->address, &symbol->bytes, error))
            return false;
        program->symbol_count++;
    }
    return true;
}

bool program_load(const struct device_driver *driver, struct device *device, const struct job_program *source,
                  const void *image, size_t image_bytes, struct program *program, struct error *error)
{
    memset(program, 0, sizeof *program);
    program->kernels = calloc(source->kernel_count + 1, sizeof(struct device_kernel *));
    program->symbols = calloc(source->symbol_count + 1, sizeof(struct symbol));
    bool loaded = false;
    if (!program->kernels || !program->symbols)
        error_out_of_memory(error);
    else
        loaded = driver->load(device, image, image_bytes, &program->module, error) &&
                 find_kernels(driver, source, program, error);
    if (!loaded)
        program_unload(driver, device, program);
    return loaded;
}

void program_unload(const struct device_driver *driver, struct device *device, struct program *program)
{
    if (program->module)
        driver->unload(device, program->module);
    free(program->kernels);
    free(program->symbols);
    memset(program, 0, sizeof *program);
}

bool program_read(const char *path, char **text, size_t *length, struct error *error)
{
    enum { SOURCE_MOST = 64 << 20 };
    struct input_file file;
    input_file_read(path, SOURCE_MOST, &file);
    *text = file.bytes;
    *length = file.length;
    return file.state == INPUT_READ || input_file_error(&file, path, error);
}

/* ---- compiling ---- */

static bool scratch_create(char *folder, size_t size, struct error *error)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(folder, size, "%s/tune-XXXXXX", parent && *parent ? parent : "/tmp");
    if (length < 0 || (size_t)length >= size)
        return error_set(error, ERROR_SYSTEM, "the path of the temporary folder is too long: %s", parent);
    if (!mkdtemp(folder))
        return error_set(error, ERROR_SYSTEM, "cannot create the temporary folder %s: %s", folder, strerror(errno));
    return true;
}

/* Compilers leave files but no folders. */
static void scratch_remove(const char *folder)
{
    DIR *directory = opendir(folder);
    if (directory) {
        const struct dirent *entry;
        while ((entry = readdir(directory)))
            (void)unlinkat(dirfd(directory), entry->d_name, 0); /* "." and ".." stay */
        closedir(directory);
    }
    (void)rmdir(folder);
}

/* The first lines of a compiler's log that contain an error, or its first lines if none does. */
static void first_errors(const char *log, char *text, size_t size)
{
    enum { LINES = 3 };
    bool any = strstr(log, "error") != NULL;
    size_t used = 0, lines = 0;
    text[0] = '\0';
    for (const char *line = log; *line && lines < LINES;) {
        size_t length = strcspn(line, "\n");
        const char *found = strstr(line, "error");
        if (length > 0 && (!any || (found && found < line + length)) && used + length + 2 < size) {
            used += (size_t)snprintf(text + used, size - used, "%s%.*s", used ? "\n" : "", (int)length, line);
            lines++;
        }
        line += length + (line[length] == '\n');
    }
}

struct compile_request program_request(const struct job_program *source, const char *text, size_t length)
{
    return (struct compile_request){
        .path = source->path,
        .text = text,
        .length = length,
        .folder = source->folder,
        .defines = source->defines ? source->defines : "",
        .kernels = (const char *const *)source->kernels,
        .kernel_count = source->kernel_count,
        .symbols = (const char *const *)source->symbols,
        .symbol_count = source->symbol_count,
        .options = (const char *const *)source->options,
        .option_count = source->option_count,
    };
}

bool program_compile_request(const struct device_driver *driver, const struct device_description *description,
                             struct compile_request *request, struct compile_result *result, struct error *error)
{
    char scratch[512];
    if (!scratch_create(scratch, sizeof scratch, error))
        return false;
    request->scratch_folder = scratch;
    bool done = driver->compile(description, request, result, error);
    request->scratch_folder = NULL;
    scratch_remove(scratch);
    return done;
}

static bool compile(const struct device_driver *driver, const struct device_description *description,
                    struct compile_cache *images, struct compile_request *request, struct compile_result *result,
                    struct error *error)
{
    struct compile_lookup lookup;
    bool done = compile_lookup_begin(images, request, &lookup, result);
    if (!done) {
        done = program_compile_request(driver, description, request, result, error);
        if (done)
            compile_lookup_keep(&lookup, request, result);
    }
    compile_lookup_end(&lookup);
    if (!done || result->compiled)
        return done;
    char lines[768];
    first_errors(result->log ? result->log : "", lines, sizeof lines);
    if (result->log && transient_text(result->log))
        return error_set(error, ERROR_SYSTEM, "%s was not compiled: %s", request->path, lines);
    return error_set(error, ERROR_INPUT, "%s does not compile: %s", request->path, lines);
}

bool program_image(const struct device_driver *driver, const struct device_description *description,
                   struct compile_cache *images, struct compile_request *request, struct compile_result *result,
                   struct error *error)
{
    *result = (struct compile_result){0};
    bool done = compile(driver, description, images, request, result, error);
    if (!done) {
        free(result->image);
        free(result->log);
        *result = (struct compile_result){0};
    }
    return done;
}

bool program_compile(const struct device_driver *driver, struct device *device,
                     const struct device_description *description, struct compile_cache *images,
                     const struct job_program *source, const char *text, size_t length, struct program *program,
                     struct error *error)
{
    struct compile_result result;
    struct compile_request request = program_request(source, text, length);
    request.awaited = true;
    memset(program, 0, sizeof *program);
    bool done = program_image(driver, description, images, &request, &result, error) &&
                program_load(driver, device, source, result.image, result.image_bytes, program, error);
    free(result.image);
    free(result.log);
    return done;
}
