/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instance.h - one case of a job set up on the device: its buffers with their initial values, and what is expected of
 * the outputs, computed once by the template's setup and reference.
 */
#ifndef TUNE_MEASURE_INSTANCE_H
#define TUNE_MEASURE_INSTANCE_H

#include "tuner/measure/program.h"
#include "tuner/measure/validation_kernels.h"

struct instance_buffer {
    enum element element;
    enum buffer_role role;
    uint64_t extent;
    struct guarded memory;
    struct filling filling;
    uint64_t copy;                 /* what setup made of it; 0: the filling still holds */
    uint64_t reference, magnitude; /* double[extent]; 0: not checked, or no magnitude is given */
};

struct instance {
    uint64_t reference_key; /* of the job it was made for */
    size_t which;           /* JOB_TUNED or JOB_AWKWARD */
    struct instance_buffer *buffers;
    size_t buffer_count;
    uint64_t checksum; /* of all references and magnitudes */
};

/* Device memory that an instance of this case takes, copies not counted. */
uint64_t instance_bytes(const struct job_case *job_case);

/* Make the buffers, run setup and reference. ERROR_INPUT: one of them is at fault. ERROR_DOES_NOT_FIT: no room. */
bool instance_create(struct validation_kernels *validation, struct program_cache *programs, const struct job *job,
                     size_t which, struct instance **result, struct error *error);
void instance_free(struct validation_kernels *validation, struct instance *instance);

/* Was it made for this case? Temporary buffers may differ: their extents can depend on the configuration. */
bool instance_matches(const struct instance *instance, const struct job *job, size_t which);
/* Give the temporary buffers the extents that the case wants. */
bool instance_fit(struct validation_kernels *validation, struct instance *instance, const struct job_case *job_case,
                  struct error *error);

/* Queue: outputs and temporaries poisoned, in-out buffers as they were. */
bool instance_reset(struct validation_kernels *validation, const struct instance *instance, struct error *error);
/* Queue: only outputs poisoned and in-out buffers as they were: what has to be done before a run after `prepare`. */
bool instance_poison_outputs(struct validation_kernels *validation, const struct instance *instance,
                             struct error *error);
bool instance_restore(struct validation_kernels *validation, const struct instance *instance, struct error *error);

/* Queue: does buffer `index` hold its initial values? */
bool instance_check_unchanged(struct validation_kernels *validation, const struct instance *instance, size_t index,
                              size_t report, struct error *error);

/* Are references and magnitudes still what they were? Waits. */
bool instance_intact(struct validation_kernels *validation, const struct instance *instance, bool *intact,
                     struct error *error);

#endif
