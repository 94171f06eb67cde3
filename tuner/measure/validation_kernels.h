/* SPDX-License-Identifier: Apache-2.0 */
/*
 * validation_kernels.h - an open device with the validation kernels of validation.cu loaded on it, and their
 * launchers.
 *
 * Launchers queue and do not wait, and so does validation_reset_reports. Checks write into numbered reports: reset
 * them, queue any checks, then validation_read_reports waits for all that was queued.
 */
#ifndef TUNE_MEASURE_VALIDATION_KERNELS_H
#define TUNE_MEASURE_VALIDATION_KERNELS_H

#include "tuner/cache/compile_cache.h"
#include "tuner/job/job.h"

enum validation_kernel {
    KERNEL_FILL,
    KERNEL_CHECK_INITIAL,
    KERNEL_CHECK_COPY,
    KERNEL_FILL_GUARDS,
    KERNEL_CHECK_GUARDS,
    KERNEL_COMPARE,
    KERNEL_CHECK_REFERENCE,
    KERNEL_CHECKSUM,
    VALIDATION_KERNELS,
};

/* What checks have found; the same as in validation.cu, where the words are explained. */
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
    struct compile_cache *images; /* of what is compiled here: these validation, the template's setup and reference */
    struct module *module;
    struct device_kernel *entries[VALIDATION_KERNELS];
    uint64_t reports; /* on the device: those in use, and behind them as many that stay as they are at first */
    size_t report_capacity;
    unsigned throttled_in_a_row; /* candidates whose throttling did not end */

    /* Told before a sequence of the template's own ("setup", "reference") begins, and NULL once it has ended. */
    void (*began)(const char *sequence, void *context);
    void *context;
};

/* Open the device and compile the kernels for it, or take them from the cache of images if that is to be used. On
 * failure nothing is left open. */
bool validation_kernels_open(struct validation_kernels *validation, const struct device_driver *driver, int ordinal,
                             bool use_cache, struct error *error);
void validation_kernels_close(struct validation_kernels *validation);

/* A buffer between guard bands: BUFFER_GUARD_BYTES, the elements, BUFFER_GUARD_BYTES. */
struct guarded {
    uint64_t allocation; /* 0: none */
    uint64_t address;    /* of element 0 */
    uint64_t bytes;
    uint64_t capacity; /* bytes that would fit as well */
};
bool validation_allocate_guarded(struct validation_kernels *validation, uint64_t bytes, struct guarded *memory,
                                 struct error *error);
/* Make it `bytes` long, by a new allocation only where the old one is too small. Its values are lost. */
bool validation_resize_guarded(struct validation_kernels *validation, uint64_t bytes, struct guarded *memory,
                               struct error *error);
void validation_release_guarded(struct validation_kernels *validation, struct guarded *memory);
bool validation_check_guards(struct validation_kernels *validation, const struct guarded *memory, size_t report,
                             struct error *error);

/* How to make the initial value of any element of a buffer. */
struct filling {
    enum element element;
    enum initial_kind kind; /* INITIAL_NONE: poison */
    uint64_t key;           /* of the random stream */
    double low, high;       /* uniform reals */
    uint64_t first;         /* uniform integers: the smallest; constant: the bits */
    uint64_t choices;       /* uniform integers: how many */
};
struct filling filling_poison(enum element element);
struct filling filling_bits(enum element element, uint64_t bits);

/* Of a declared buffer, the index-th of its case. ERROR_INPUT: its range is empty or does not fit the type. */
bool filling_of_buffer(const struct job_buffer *buffer, size_t index, uint64_t seed, struct filling *filling,
                       struct error *error);

bool validation_fill(struct validation_kernels *validation, uint64_t address, uint64_t count,
                     const struct filling *filling, struct error *error);
bool validation_check_initial(struct validation_kernels *validation, uint64_t address, uint64_t count,
                              const struct filling *filling, size_t report, struct error *error);
bool validation_check_copy(struct validation_kernels *validation, uint64_t address, uint64_t copy, uint64_t count,
                           enum element element, size_t report, struct error *error);

/* Compare with reference and magnitude (0: its absolute value), all of `count` elements. */
bool validation_compare(struct validation_kernels *validation, uint64_t out, uint64_t reference, uint64_t magnitude,
                        uint64_t count, enum element element, const struct job_check *check, size_t report,
                        struct error *error);
bool validation_check_reference(struct validation_kernels *validation, uint64_t values, uint64_t count,
                                bool is_magnitude, size_t report, struct error *error);
/* Add the checksum of 64-bit words to the report's. */
bool validation_checksum(struct validation_kernels *validation, uint64_t words, uint64_t count, size_t report,
                         struct error *error);

bool validation_reset_reports(struct validation_kernels *validation, size_t count, struct error *error);
bool validation_read_reports(struct validation_kernels *validation, struct report *reports, size_t count,
                             struct error *error);
double report_worst(const struct report *report);

#endif
