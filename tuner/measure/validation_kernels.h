/* SPDX-License-Identifier: Apache-2.0 */
/*
 * validation_kernels.h - an open device with the kernels of validation.cu loaded, and functions that launch them.
 *
 * Launches are queued and not waited for. Checks write to numbered reports on the device: reset them, queue any
 * number of checks, then validation_read_reports waits for everything that was queued.
 */
#ifndef TUNE_MEASURE_VALIDATION_KERNELS_H
#define TUNE_MEASURE_VALIDATION_KERNELS_H

#include "tuner/cache/compile_cache.h"
#include "tuner/measure/filling.h"

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

/* The result of checks; must match struct report in validation.cu, which documents the members. */
struct report {
    uint64_t before, nearest_before;
    uint64_t behind, nearest_behind;
    uint64_t changed, first_changed;
    uint64_t wrong, first_wrong;
    uint64_t not_finite, first_not_finite;
    uint64_t unwritten, first_unwritten;
    uint64_t worst_bits;
    uint64_t checksum;
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
    char defines[2048];
    const char *text;
    size_t length;
};
void validation_source(struct validation_source *source);

/* Open the device and compile the kernels, or take them from the images (NULL: there are none). On failure nothing
 * stays open. */
bool validation_kernels_open(struct validation_kernels *validation, const struct device_driver *driver, int ordinal,
                             const struct compile_images *images, struct error *error);
void validation_kernels_close(struct validation_kernels *validation);

/* A buffer between guard bands: BUFFER_GUARD_BYTES, the elements, BUFFER_GUARD_BYTES. */
struct guarded {
    uint64_t allocation; /* 0: none */
    uint64_t address;    /* of the first element */
    uint64_t bytes;
    uint64_t capacity; /* the most bytes it can be resized to in place */
    bool blank;        /* every bit of the bands is set: NaN for whoever reads them; else random bytes */
};
static inline uint64_t guarded_bytes(uint64_t bytes)
{
    return bytes + 2 * (uint64_t)BUFFER_GUARD_BYTES;
}
bool validation_allocate_guarded(struct validation_kernels *validation, uint64_t bytes, struct guarded *memory,
                                 struct error *error);
/* Resize to `bytes`, reallocating only if the capacity is too small. The contents are lost. */
bool validation_resize_guarded(struct validation_kernels *validation, uint64_t bytes, struct guarded *memory,
                               struct error *error);
/* Queue: fill the bands as `blank` says, unless they are. */
bool validation_blank_guards(struct validation_kernels *validation, struct guarded *memory, bool blank,
                             struct error *error);
void validation_release_guarded(struct validation_kernels *validation, struct guarded *memory);
bool validation_check_guards(struct validation_kernels *validation, const struct guarded *memory, size_t report,
                             struct error *error);

/* A row of elements: what a buffer holds, and how much of it. Reports count its numbers (layout.h). */
struct array {
    const struct layout *layout;
    uint64_t extent; /* elements */
};
bool validation_fill(struct validation_kernels *validation, uint64_t address, struct array array,
                     const struct filling *filling, struct error *error);
bool validation_check_initial(struct validation_kernels *validation, uint64_t address, struct array array,
                              const struct filling *filling, size_t report, struct error *error);
bool validation_check_copy(struct validation_kernels *validation, uint64_t address, uint64_t copy, struct array array,
                           size_t report, struct error *error);

/*
 * The rest looks at the numbers that a check names. Expected values and magnitudes are a double for each number of
 * the array, whether it is checked or not.
 */

/* Compare an output with the reference; 0: with zeros. `magnitude` 0: the absolute value of the reference. */
bool validation_compare(struct validation_kernels *validation, uint64_t out, uint64_t reference, uint64_t magnitude,
                        struct array array, const struct job_check *check, size_t report, struct error *error);
/* Compare values of a reference with those that it computed before, or magnitudes. */
bool validation_compare_expected(struct validation_kernels *validation, uint64_t again, uint64_t reference,
                                 uint64_t magnitude, struct array array, const struct job_check *check, size_t report,
                                 struct error *error);
/* Sets `unwritten` and `not_finite`. In an exact check, what overflows its type is not finite either. */
bool validation_check_reference(struct validation_kernels *validation, uint64_t reference, struct array array,
                                const struct job_check *check, size_t report, struct error *error);
/* Sets `unwritten` and `wrong`: negative, or not finite where the reference is finite. */
bool validation_check_magnitude(struct validation_kernels *validation, uint64_t magnitude, uint64_t reference,
                                struct array array, const struct job_check *check, size_t report,
                                struct error *error);
/* Put numbers of a type in order, NaN last. */
bool validation_sort(struct validation_kernels *validation, uint64_t address, uint64_t count, enum element element,
                     struct error *error);
/* Add the checksum of `count` 64-bit words to the report's. */
bool validation_checksum(struct validation_kernels *validation, uint64_t words, uint64_t count, size_t report,
                         struct error *error);

bool validation_reset_reports(struct validation_kernels *validation, size_t count, struct error *error);
bool validation_read_reports(struct validation_kernels *validation, struct report *reports, size_t count,
                             struct error *error);
double report_worst(const struct report *report);

#endif
