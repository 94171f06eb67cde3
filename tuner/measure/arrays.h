/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arrays.h - arrays on the device: filled, compared with what they should hold, put in order. All of it is queued;
 * checks write to reports (report.h).
 */
#ifndef TUNE_MEASURE_ARRAYS_H
#define TUNE_MEASURE_ARRAYS_H

#include "tuner/measure/filling.h"
#include "tuner/measure/validation_kernels.h"

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

#endif
