/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.h - a loaded image with its kernels and symbols looked up.
 */
#ifndef TUNE_MEASURE_PROGRAM_H
#define TUNE_MEASURE_PROGRAM_H

#include "tuner/cache/compile_cache.h"
#include "tuner/job/job.h"

struct symbol {
    uint64_t address;
    size_t bytes;
};

struct program {
    struct module *module; /* NULL: an empty program, without kernels */
    struct device_kernel **kernels;
    struct symbol *symbols;
    size_t kernel_count, symbol_count;
};

/* Load an image and look up what `source` names. */
bool program_load(const struct device_driver *driver, struct device *device, const struct job_program *source,
                  const void *image, size_t image_bytes, struct program *program, struct error *error);
void program_unload(const struct device_driver *driver, struct device *device, struct program *program);

/* Read a source file into an allocated, NUL-terminated text. */
bool program_read(const char *path, char **text, size_t *length, struct error *error);

/* The request to compile `text`, which refers to `source`. */
struct compile_request program_request(const struct job_program *source, const char *text, size_t length);

/* Compile it with a folder for the compiler's files that exists as long as that takes. Any thread may. */
bool program_compile_request(const struct device_driver *driver, const struct device_description *description,
                             struct compile_request *request, struct compile_result *result, struct error *error);

/* The image that is requested, from the cache or by the compiler; free its image and log. ERROR_INPUT: it does not
 * compile; the error quotes the compiler's first messages. */
bool program_image(const struct device_driver *driver, const struct device_description *description,
                   struct compile_cache *images, struct compile_request *request, struct compile_result *result,
                   struct error *error);

/* Compile `text` for the device and load it, as something that is awaited. ERROR_INPUT: it does not compile; the
 * error quotes the compiler's first messages. */
bool program_compile(const struct device_driver *driver, struct device *device,
                     const struct device_description *description, struct compile_cache *images,
                     const struct job_program *source, const char *text, size_t length, struct program *program,
                     struct error *error);

#endif
