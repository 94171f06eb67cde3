/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/validation_kernels.h"

#include "tuner/measure/early_image.h"
#include "tuner/measure/program.h"
#include "tuner/measure/validation_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char tune_validation[];
extern const size_t tune_validation_size;

static const char *const kernel_names[VALIDATION_KERNELS] = {
    [KERNEL_FILL] = "tune_fill",
    [KERNEL_CHECK_INITIAL] = "tune_check_initial",
    [KERNEL_CHECK_COPY] = "tune_check_copy",
    [KERNEL_FILL_GUARDS] = "tune_fill_guards",
    [KERNEL_CHECK_GUARDS] = "tune_check_guards",
    [KERNEL_COMPARE] = "tune_compare",
    [KERNEL_CHECK_REFERENCE] = "tune_check_reference",
    [KERNEL_CHECK_MAGNITUDE] = "tune_check_magnitude",
    [KERNEL_CHECKSUM] = "tune_checksum",
    [KERNEL_SORT_STEP] = "tune_sort_step",
};

/* Constants that the host shares with the kernels. */
static const struct {
    const char *name;
    int value;
} shared_numbers[] = {
    {"ELEMENT_CHAR", ELEMENT_CHAR},
    {"ELEMENT_UCHAR", ELEMENT_UCHAR},
    {"ELEMENT_SHORT", ELEMENT_SHORT},
    {"ELEMENT_USHORT", ELEMENT_USHORT},
    {"ELEMENT_INT", ELEMENT_INT},
    {"ELEMENT_UINT", ELEMENT_UINT},
    {"ELEMENT_LONG", ELEMENT_LONG},
    {"ELEMENT_ULONG", ELEMENT_ULONG},
    {"ELEMENT_FLOAT", ELEMENT_FLOAT},
    {"ELEMENT_DOUBLE", ELEMENT_DOUBLE},
    {"ELEMENT_HALF", ELEMENT_HALF},
    {"ELEMENT_BFLOAT16", ELEMENT_BFLOAT16},
    {"INITIAL_NONE", INITIAL_NONE},
    {"INITIAL_UNIFORM", INITIAL_UNIFORM},
    {"INITIAL_CONSTANT", INITIAL_CONSTANT},
    {"INITIAL_INDEX", INITIAL_INDEX},
    {"TILE", VALIDATION_TILE},
};

void validation_source(struct validation_source *source)
{
    size_t used = 0, room = sizeof source->defines;
    for (size_t i = 0; i < sizeof shared_numbers / sizeof shared_numbers[0]; i++)
        used += (size_t)snprintf(source->defines + used, room - used, "#define %s %d\n", shared_numbers[i].name,
                                 shared_numbers[i].value);
    source->text = tune_validation;
    source->length = tune_validation_size;
    source->program = (struct job_program){
        .path = (char *)"validation.cu",
        .folder = (char *)".",
        .defines = source->defines,
        .kernels = (char **)kernel_names,
        .kernel_count = VALIDATION_KERNELS,
    };
}

/* Frees the image. */
static bool load(struct validation_kernels *validation, const struct job_program *source,
                 struct compile_result *image, struct error *error)
{
    struct program program;
    bool loaded = program_load(validation->driver, validation->device, source, image->image, image->image_bytes,
                               &program, error);
    free(image->image);
    free(image->log);
    if (!loaded)
        return false;
    memcpy(validation->kernels, program.kernels, sizeof validation->kernels);
    validation->module = program.module;
    program.module = NULL;
    program_unload(validation->driver, validation->device, &program);
    return true;
}

bool validation_kernels_load(struct validation_kernels *validation, struct error *error)
{
    struct validation_source source;
    struct compile_result image;
    validation_source(&source);
    return program_image(validation->driver, &validation->description, validation->images, &source.program,
                         source.text, source.length, &image, error) &&
           load(validation, &source.program, &image, error);
}

static bool open_device(struct validation_kernels *validation, int ordinal, struct error *error)
{
    return validation->driver->open(ordinal, &validation->device, error) &&
           validation->driver->describe(validation->device, &validation->description, error);
}

/* With what has been compiled while the device was opened, unless that turns out to be of no use. */
static bool use_early(struct validation_kernels *validation, struct early_image *early, struct error *error)
{
    struct validation_source source;
    struct compile_result image;
    bool has = early_image_end(early, &validation->description, &validation->images, &image);
    if (!validation->images)
        return error_out_of_memory(error);
    if (!has)
        return validation_kernels_load(validation, error);
    validation_source(&source);
    return load(validation, &source.program, &image, error);
}

static bool open_early(struct validation_kernels *validation, int ordinal, struct early_image *early,
                       struct error *error)
{
    if (open_device(validation, ordinal, error))
        return use_early(validation, early, error);
    early_image_drop(early);
    return false;
}

static bool open_first(struct validation_kernels *validation, int ordinal, const struct compile_images *images,
                       struct error *error)
{
    struct cache *disk = images ? images->disk : NULL;
    if (!open_device(validation, ordinal, error)) {
        cache_close(disk);
        return false;
    }
    validation->images = compile_cache_create(disk, validation->driver, &validation->description);
    if (!validation->images)
        return error_out_of_memory(error);
    if (images)
        compile_cache_offer_to(validation->images, images->offer, images->context);
    return validation_kernels_load(validation, error);
}

bool validation_kernels_open(struct validation_kernels *validation, const struct device_driver *driver, int ordinal,
                             const struct compile_images *images, struct early_image *early, struct error *error)
{
    memset(validation, 0, sizeof *validation);
    validation->driver = driver;
    bool done =
        early ? open_early(validation, ordinal, early, error) : open_first(validation, ordinal, images, error);
    if (!done)
        validation_kernels_close(validation);
    return done;
}

void validation_kernels_close(struct validation_kernels *validation)
{
    if (validation->reports)
        validation->driver->release(validation->device, validation->reports);
    if (validation->module)
        validation->driver->unload(validation->device, validation->module);
    compile_cache_free(validation->images);
    if (validation->device)
        validation->driver->close(validation->device);
    memset(validation, 0, sizeof *validation);
}
