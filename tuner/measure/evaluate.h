/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evaluate.h - evaluate one job on one device: validate, then time.
 *
 * Validation runs on the device: outputs are poisoned, every buffer lies between guard bands, the template's
 * reference kernels compute the expected outputs once per size in double precision, and a comparison kernel finds the
 * largest error relative to the tolerance. A second run with other poison finds what was read before it was written
 * (poison.h, and expected.h for the reference). Timing follows the launches of validation: samples, each with flushed
 * caches and all launches queued in advance, until the rule of sampling.h is satisfied, repeated if the device was
 * throttled (timing.h). For energy see energy.h.
 *
 * A kernel that hangs or kills the process is not handled here; that is what the worker process is for.
 */
#ifndef TUNE_MEASURE_EVALUATE_H
#define TUNE_MEASURE_EVALUATE_H

#include "tuner/cache/compile_cache.h"
#include "tuner/evaluation/evaluation.h"
#include "tuner/job/job.h"
#include "tuner/measure/early_image.h"
#include "tuner/space/limits.h"

struct evaluator; /* an open device, with inputs, references and validation kernels kept from job to job */

/* `images` (NULL: none): of validation kernels, setups and references. */
bool evaluator_create(const struct device_driver *driver, int ordinal, const struct compile_images *images,
                      struct evaluator **result, struct error *error);
void evaluator_free(struct evaluator *evaluator);
bool evaluator_describe(struct evaluator *evaluator, struct device_description *description, struct error *error);

/* The same in steps, for those who have begun the validation kernels' image early (else NULL): the device is opened;
 * a first job's setup, reference and verify block are begun in threads (it becomes the evaluator's); the validation
 * kernels are loaded, which frees `early`. */
bool evaluator_open(const struct device_driver *driver, int ordinal, struct evaluator **result, struct error *error);
void evaluator_expect(struct evaluator *evaluator, const struct compile_images *images, struct job *job);
bool evaluator_load(struct evaluator *evaluator, const struct compile_images *images, struct early_image *early,
                    struct error *error);

/*
 * Nothing here can stop a setup or reference that hangs or crashes the process, so `began` is called before such a
 * sequence starts ("setup", "reference") and, with NULL, when it is done. All of a job's are done before its own
 * kernels are launched.
 */
void evaluator_watch(struct evaluator *evaluator, void (*began)(const char *sequence, void *context), void *context);

/* How much effort to spend on an evaluation. */
struct evaluation_effort {
    double incumbent_ns;         /* the best time so far, 0: none; a clearly slower candidate gets few samples */
    size_t samples;              /* exactly so many, or one more; 0: as the rule says */
    bool energy;                 /* measure energy, if the device reports it */
    const struct limits *limits; /* what its image shows to break one is not launched: OUTCOME_LIMIT; NULL: none */
    int64_t spill_bytes;         /* of the image, which limits may be about; -1: not known */
};

/*
 * Evaluate `job` with its compiled `image`. False if the device is lost (ERROR_FAULT: the outcome is still filled in,
 * and the process must end), if the template's setup or reference is wrong (ERROR_INPUT), or if this machine failed
 * (error_is_of_machine: the configuration is not to blame, and nothing must be stored). spill_bytes and
 * compile_seconds, which only the compiler knows, are left at -1 and 0 for the caller to set.
 */
bool evaluator_run(struct evaluator *evaluator, const struct job *job, const void *image, size_t image_bytes,
                   const struct evaluation_effort *effort, struct evaluation *evaluation, struct error *error);

#endif
