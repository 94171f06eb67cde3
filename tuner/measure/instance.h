/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instance.h - one case of a job set up on the device: its buffers with their initial values, and the expected
 * outputs, computed once by the template's setup and reference.
 */
#ifndef TUNE_MEASURE_INSTANCE_H
#define TUNE_MEASURE_INSTANCE_H

#include "tuner/measure/program_cache.h"
#include "tuner/measure/validation_kernels.h"

struct instance_buffer {
    enum element element;
    enum buffer_role role;
    uint64_t extent;
    struct guarded memory;
    struct filling filling;
    uint64_t copy;                 /* the values that setup wrote; 0: none, the filling applies */
    uint64_t reference, magnitude; /* double[extent]; 0: unchecked, or without magnitude */
};

struct instance {
    uint64_t reference_key; /* of its job */
    size_t which;           /* JOB_TUNED or JOB_AWKWARD */
    struct instance_buffer *buffers;
    size_t buffer_count;
    uint64_t checksum; /* of all references and magnitudes */
};

/* Is it filled with poison before every validated run? */
static inline bool instance_has_poison(const struct instance_buffer *buffer)
{
    return (buffer->role == BUFFER_OUT || buffer->role == BUFFER_TEMP) && buffer->extent > 0;
}

/* The device memory that an instance of this case takes, not counting copies. */
uint64_t instance_bytes(const struct job_case *job_case);

/* The same for all cases of a job. */
uint64_t instance_job_bytes(const struct job *job);

/* Allocate and fill the buffers, run setup and reference. ERROR_INPUT: one of these is wrong. ERROR_DOES_NOT_FIT: the
 * device is out of memory. */
bool instance_create(struct validation_kernels *validation, struct program_cache *programs, const struct job *job,
                     size_t which, struct instance **result, struct error *error);
void instance_free(struct validation_kernels *validation, struct instance *instance);

/* Can it be used for this case? Temporary buffers may differ: their extents can depend on the configuration. */
bool instance_matches(const struct instance *instance, const struct job *job, size_t which);
/* Resize the temporary buffers to the extents of the case. */
bool instance_fit(struct validation_kernels *validation, struct instance *instance, const struct job_case *job_case,
                  struct error *error);

/* Queue: poison outputs and temporaries, restore in-out buffers and guard bands. */
bool instance_reset(struct validation_kernels *validation, const struct instance *instance, struct error *error);
/*
 * Queue the same with other values in a place that nobody should read before writing it: output or temporary `place`;
 * the guard bands of buffer `place` - buffer_count; all of these (INSTANCE_ALL); or none (INSTANCE_NONE).
 */
#define INSTANCE_ALL  SIZE_MAX
#define INSTANCE_NONE (SIZE_MAX - 1)
bool instance_reset_otherwise(struct validation_kernels *validation, const struct instance *instance, size_t place,
                              struct error *error);
/* Queue: blank all guard bands, or restore them (validation_kernels.h). */
bool instance_blank_guards(struct validation_kernels *validation, const struct instance *instance, bool blank,
                           struct error *error);
/* Queue one half of it: poison only the outputs; restore in-out buffers, which every run after `prepare` needs. */
bool instance_poison_outputs(struct validation_kernels *validation, const struct instance *instance,
                             struct error *error);
bool instance_restore(struct validation_kernels *validation, const struct instance *instance, struct error *error);

/* Queue: does buffer `index` still hold its initial values? */
bool instance_check_unchanged(struct validation_kernels *validation, const struct instance *instance, size_t index,
                              size_t report, struct error *error);

/* Are references and magnitudes unchanged? Waits. */
bool instance_intact(struct validation_kernels *validation, const struct instance *instance, bool *intact,
                     struct error *error);

#endif
