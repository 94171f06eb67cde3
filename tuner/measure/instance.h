/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instance.h - one case of a job set up on the device: its buffers with their initial values, and the expected
 * outputs, computed once by the template's setup and reference.
 */
#ifndef TUNE_MEASURE_INSTANCE_H
#define TUNE_MEASURE_INSTANCE_H

#include "tuner/measure/arrays.h"
#include "tuner/measure/guarded.h"
#include "tuner/measure/program_cache.h"

struct instance_buffer {
    const struct layout *layout; /* a copy that the instance owns */
    char *name;
    enum buffer_role role;
    uint64_t extent;
    struct guarded memory;
    size_t home; /* the buffer that the memory belongs to; another one's after a swap */
    struct filling filling;
    bool other, blank;             /* how this run began: with the other poison, with blank guard bands */
    uint64_t copy;                 /* the values that a file had or setup wrote; 0: none, the filling applies */
    uint64_t reference, magnitude; /* a double for each number; 0: not compared, or without magnitude */
    uint64_t sorted;               /* room for the values in order; 0: no unordered check */
};

static inline struct array instance_array(const struct instance_buffer *buffer)
{
    return (struct array){buffer->layout, buffer->extent};
}

static inline uint64_t instance_buffer_bytes(const struct instance_buffer *buffer)
{
    return buffer->extent * buffer->layout->bytes;
}

/* How many numbers it has. */
static inline uint64_t instance_numbers(const struct instance_buffer *buffer)
{
    return buffer->extent * buffer->layout->leaf_count;
}

/* The texture and surface objects that launches have used (textures.h). */
struct texture;
struct instance_textures {
    struct texture *first;
    size_t count;
    unsigned turn; /* counts fillings and drainings of a sequence, so that each object has part once */
};

struct instance {
    uint64_t reference_key; /* of its job */
    size_t which;           /* JOB_TUNED or JOB_AWKWARD */
    struct instance_buffer *buffers;
    size_t buffer_count;
    struct instance_textures *textures; /* NULL: no launch has any */
    bool bare; /* nothing is validated: late buffers have no guard bands and no poison, and inputs may change */
    uint64_t checksum; /* of all references and magnitudes */
    /* By name of the job: counts and what depends on them, as far as they are known; those that setup has read; and
     * what the reference has left. */
    struct value *values, *early, *found;
    size_t value_count;
};

/* What a check compares with: the addresses of its first element, and how many there are. Reports count from there.
 */
struct expected_values {
    uint64_t first; /* in the buffer */
    struct array array;
    uint64_t numbers;              /* that are compared */
    uint64_t written, actual;      /* in the buffer's type, as it is and as it is compared: in order, or the same */
    uint64_t reference, magnitude; /* double; 0: none, which is a reference of zeros and a magnitude of |reference| */
};
struct expected_values instance_expected(const struct instance *instance, const struct job_check *check);

/*
 * Queue: put the expected values of unordered checks in order, once; or what a check compares with them.
 *
 * If any way to pair results with expected values keeps to the tolerances, then so does pairing them in order. What
 * is allowed for an expected value r is an interval, r - b |r| - a to r + b |r| + a. For b <= 1 neither of its ends
 * ever decreases with r: r - b |r| and r + b |r| do not, and a is the same for all r. Of two expected values r < s
 * with results x > y, both out of order, y is at least the lower end of s and so of r, and x at most the upper end of
 * r and so of s. They can be exchanged.
 */
bool instance_sort_expected(struct validation_kernels *validation, const struct instance *instance,
                            const struct job_case *job_case, struct error *error);
bool instance_sort_actual(struct validation_kernels *validation, const struct instance *instance,
                          const struct job_check *check, struct error *error);

/* "y[12].x": what a number of a report is called. */
void instance_number_text(const struct expected_values *values, const char *name, uint64_t number, char *text,
                          size_t size);

/* Is it filled with poison before every validated run? */
static inline bool instance_has_poison_role(enum buffer_role role)
{
    return role == BUFFER_OUT || role == BUFFER_TEMP;
}
static inline bool instance_has_poison(const struct instance_buffer *buffer)
{
    return instance_has_poison_role(buffer->role) && buffer->extent > 0;
}

/* The device memory that an instance of this case takes, not counting copies of what setup writes. */
uint64_t instance_bytes(const struct job_case *job_case);

/* The same for all cases of a job. */
uint64_t instance_job_bytes(const struct job *job);

/* Allocate and fill the buffers, run setup and reference. ERROR_INPUT: one of these is wrong. ERROR_DOES_NOT_FIT: the
 * device is out of memory. */
bool instance_create(struct validation_kernels *validation, struct program_cache *programs, const struct job *job,
                     size_t which, struct instance **result, struct error *error);
void instance_free(struct validation_kernels *validation, struct instance *instance);

/* Can it be used for this case? Temp and scratch buffers may differ: their extents and initial values can depend on
 * the configuration. */
bool instance_matches(const struct instance *instance, const struct job *job, size_t which);
/* Give these the extents and initial values of the case. */
bool instance_fit(struct validation_kernels *validation, struct instance *instance, const struct job *job,
                  struct error *error);

/* Queue: poison outputs and temporaries, restore in-out and scratch buffers and guard bands. */
bool instance_reset(struct validation_kernels *validation, const struct instance *instance, struct error *error);
/*
 * Queue the same with other values in a place that nobody should read before writing it: output or temporary `place`;
 * the guard bands of buffer `place` - buffer_count; all of these (INSTANCE_ALL); or none (INSTANCE_NONE).
 */
#define INSTANCE_ALL  SIZE_MAX
#define INSTANCE_NONE (SIZE_MAX - 1)
bool instance_reset_otherwise(struct validation_kernels *validation, const struct instance *instance, size_t place,
                              struct error *error);
/* Queue: blank all guard bands, or restore them (guarded.h). */
bool instance_blank_guards(struct validation_kernels *validation, const struct instance *instance, bool blank,
                           struct error *error);
/* Queue one half of it: poison only the outputs, and temporaries that stand for them, since finish or verify compute
 * outputs from them; restore in-out and scratch buffers, which every run after `prepare`
 * needs. */
bool instance_poison_outputs(struct validation_kernels *validation, const struct instance *instance,
                             const struct job_case *job_case, struct error *error);
bool instance_restore(struct validation_kernels *validation, const struct instance *instance, struct error *error);

/* Queue: does buffer `index` still hold its initial values? */
bool instance_check_unchanged(struct validation_kernels *validation, const struct instance *instance, size_t index,
                              size_t report, struct error *error);

/* Are references and magnitudes unchanged? Waits. */
bool instance_intact(struct validation_kernels *validation, const struct instance *instance, bool *intact,
                     struct error *error);

#endif
