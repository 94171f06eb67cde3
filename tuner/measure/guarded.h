/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guarded.h - buffers between guard bands, which show out-of-bounds writes.
 */
#ifndef TUNE_MEASURE_GUARDED_H
#define TUNE_MEASURE_GUARDED_H

#include "tuner/measure/validation_kernels.h"

/* A buffer between guard bands: BUFFER_GUARD_BYTES, the elements, BUFFER_GUARD_BYTES. */
struct guarded {
    uint64_t allocation; /* 0: none */
    uint64_t address;    /* of the first element */
    uint64_t bytes;
    uint64_t capacity; /* the most bytes it can be resized to in place */
    bool host;         /* in memory of the host's, if the device has its own */
    bool blank;        /* every bit of the bands is set: NaN for whoever reads them; else random bytes */
};
static inline uint64_t guarded_bytes(uint64_t bytes)
{
    return bytes + 2 * (uint64_t)BUFFER_GUARD_BYTES;
}
bool validation_allocate_guarded(struct validation_kernels *validation, uint64_t bytes, struct guarded *memory,
                                 struct error *error);
/* Release it if it is in other memory, which is to be the host's or the device's from now on. */
void validation_place_guarded(struct validation_kernels *validation, bool host, struct guarded *memory);
/* Resize to `bytes`, reallocating only if the capacity is too small. The contents are lost. */
bool validation_resize_guarded(struct validation_kernels *validation, uint64_t bytes, struct guarded *memory,
                               struct error *error);
/* Queue: fill the bands as `blank` says, unless they are. */
bool validation_blank_guards(struct validation_kernels *validation, struct guarded *memory, bool blank,
                             struct error *error);
void validation_release_guarded(struct validation_kernels *validation, struct guarded *memory);
bool validation_check_guards(struct validation_kernels *validation, const struct guarded *memory, size_t report,
                             struct error *error);

#endif
