/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/validation_kernels.h"

#include "tuner/measure/early_image.h"
#include "tuner/measure/program.h"
#include "tuner/measure/validation_launch.h"

#include <pthread.h>
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

static struct validation_source the_source;
static char the_defines[2048];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_source(void)
{
    size_t used = 0, room = sizeof the_defines;
    for (size_t i = 0; i < sizeof shared_numbers / sizeof shared_numbers[0]; i++)
        used += (size_t)snprintf(the_defines + used, room - used, "#define %s %d\n", shared_numbers[i].name,
                                 shared_numbers[i].value);
    the_source.text = tune_validation;
    the_source.length = tune_validation_size;
    the_source.program = (struct job_program){
        .path = (char *)"validation.cu",
        .folder = (char *)".",
        .defines = the_defines,
        .kernels = (char **)(uintptr_t)kernel_names,
        .kernel_count = VALIDATION_KERNELS,
    };
}

const struct validation_source *validation_source(void)
{
    pthread_once(&made, make_source);
    return &the_source;
}

static void adopt(struct validation_kernels *validation, struct program *program)
{
    memcpy(validation->kernels, program->kernels, sizeof validation->kernels);
    validation->module = program->module;
    program->module = NULL;
    program_unload(validation->driver, validation->device, program);
}

/* Frees the image. */
static bool load(struct validation_kernels *validation, struct compile_result *image, struct error *error)
{
    struct program program;
    bool loaded = program_load(validation->driver, validation->device, &validation_source()->program, image->image,
                               image->image_bytes, &program, error);
    free(image->image);
    free(image->log);
    if (loaded)
        adopt(validation, &program);
    return loaded;
}

struct early_image *validation_kernels_begin(const struct device_driver *driver,
                                             const struct device_description *expected,
                                             const struct compile_images *images)
{
    const struct validation_source *source = validation_source();
    return early_image_begin(driver, expected, images, &source->program, source->text, source->length);
}

bool validation_device_open(struct validation_kernels *validation, const struct device_driver *driver, int ordinal,
                            struct error *error)
{
    memset(validation, 0, sizeof *validation);
    validation->driver = driver;
    bool done = driver->open(ordinal, &validation->device, error) &&
                driver->describe(validation->device, &validation->description, error);
    if (!done)
        validation_kernels_close(validation);
    return done;
}

bool validation_kernels_load(struct validation_kernels *validation, struct error *error)
{
    const struct validation_source *source = validation_source();
    struct program program;
    bool done = program_compile(validation->driver, validation->device, &validation->description, validation->images,
                                &source->program, source->text, source->length, &program, error);
    if (done)
        adopt(validation, &program);
    return done;
}

bool validation_kernels_load_from(struct validation_kernels *validation, const struct compile_images *images,
                                  struct early_image *early, struct error *error)
{
    const struct device_description *description = &validation->description;
    struct compile_result image;
    bool has = false;
    if (early)
        has = early_image_end(early, description, &validation->images, &image);
    else
        validation->images = compile_cache_for(images, validation->driver, description);
    if (!validation->images)
        return error_out_of_memory(error);
    return has ? load(validation, &image, error) : validation_kernels_load(validation, error);
}

bool validation_kernels_open(struct validation_kernels *validation, const struct device_driver *driver, int ordinal,
                             const struct compile_images *images, struct error *error)
{
    bool opened = validation_device_open(validation, driver, ordinal, error);
    bool done = opened && validation_kernels_load_from(validation, images, NULL, error);
    if (opened && !done)
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
