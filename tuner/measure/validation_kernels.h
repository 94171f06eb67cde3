/* SPDX-License-Identifier: Apache-2.0 */
/*
 * validation_kernels.h - an open device with the kernels of validation.cu loaded. What they do: guarded.h, arrays.h;
 * where they report it: report.h.
 */
#ifndef TUNE_MEASURE_VALIDATION_KERNELS_H
#define TUNE_MEASURE_VALIDATION_KERNELS_H

#include "tuner/cache/compile_cache.h"
#include "tuner/job/job.h"
#include "tuner/measure/early_image.h"

enum validation_kernel {
    KERNEL_FILL,
    KERNEL_CHECK_INITIAL,
    KERNEL_CHECK_COPY,
    KERNEL_FILL_GUARDS,
    KERNEL_CHECK_GUARDS,
    KERNEL_COMPARE,
    KERNEL_CHECK_REFERENCE,
    KERNEL_CHECK_MAGNITUDE,
    KERNEL_CHECKSUM,
    KERNEL_SORT_STEP,
    VALIDATION_KERNELS,
};

struct validation_kernels {
    const struct device_driver *driver;
    struct device *device;
    struct device_description description;
    struct compile_cache *images; /* of these kernels and the template's setup and reference */
    struct module *module;
    struct device_kernel *kernels[VALIDATION_KERNELS];
    uint64_t reports; /* on the device: `report_capacity` in use, then as many blank ones to reset them from */
    size_t report_capacity;
    unsigned throttled_in_a_row; /* evaluations that stayed throttled to the end */

    /* Called with the name of a sequence ("setup", "reference") before it starts, and with NULL when it is done. */
    void (*on_sequence)(const char *name, void *context);
    void *on_sequence_context;
    /* Called before (`done` false) and after a late buffer is allocated or resized. */
    void (*on_allocate)(size_t buffer, bool done, void *context);
    void *on_allocate_context;
};

/* The program of these kernels, the same for all devices. */
struct validation_source {
    struct job_program program;
    const char *text;
    size_t length;
};
const struct validation_source *validation_source(void);

/* Begin to compile them early. */
struct early_image *validation_kernels_begin(const struct device_driver *driver,
                                             const struct device_description *expected,
                                             const struct compile_images *images);

/* Open and describe the device. On failure nothing stays open. */
bool validation_device_open(struct validation_kernels *validation, const struct device_driver *driver, int ordinal,
                            struct error *error);

/* Compile or find, and load, the kernels for an open device whose images are set. */
bool validation_kernels_load(struct validation_kernels *validation, struct error *error);

/* The same from these images (NULL: there are none), which become the device's; or with the image that has been begun
 * early (else NULL) and its images. Frees `early`. */
bool validation_kernels_load_from(struct validation_kernels *validation, const struct compile_images *images,
                                  struct early_image *early, struct error *error);

/* Open the device and load the kernels. On failure nothing stays open. */
bool validation_kernels_open(struct validation_kernels *validation, const struct device_driver *driver, int ordinal,
                             const struct compile_images *images, struct error *error);
void validation_kernels_close(struct validation_kernels *validation);

#endif
