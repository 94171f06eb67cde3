/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evaluate.h - carry out one job on one device: validate, then time.
 *
 * Validation runs on the device: outputs are poisoned, every buffer stands between guard bands, the reference is
 * computed once a size by the template's reference validation in double precision, and a comparison kernel finds the
 * largest error in units of the allowed one. Timing: after the launches of validation, samples with the cache flushed
 * and all launches queued before each, until sampling.h's rule says that they suffice; again where the device was
 * throttled (timing.h). Energy: energy.h.
 *
 * Nothing here survives a kernel that never ends or kills the process: that is what the worker process is for.
 */
#ifndef TUNE_MEASURE_EVALUATE_H
#define TUNE_MEASURE_EVALUATE_H

#include "tuner/device/device.h"
#include "tuner/evaluation/evaluation.h"
#include "tuner/job/job.h"

struct evaluator; /* an open device with inputs, references and helper kernels that are kept between jobs */

/* `use_cache`: kernels of our own, setups and references may come from the cache of images. */
bool evaluator_create(const struct device_driver *driver, int ordinal, bool use_cache, struct evaluator **result,
                      struct error *error);
void evaluator_free(struct evaluator *evaluator);
bool evaluator_describe(struct evaluator *evaluator, struct device_description *description, struct error *error);

/*
 * Setup and reference run where nothing can be done about one that hangs or crashes the process. So `began` is told
 * before such a sequence begins ("setup", "reference") and, with NULL, once it has ended; all of a job have ended
 * before its own validation are launched.
 */
void evaluator_watch(struct evaluator *evaluator, void (*began)(const char *sequence, void *context), void *context);

/* How much an evaluation may cost. */
struct evaluation_effort {
    double incumbent_ns; /* the best time so far, 0: none; a candidate that is surely slower gets few samples */
    size_t samples;      /* as many, or one more, whatever the rule says; 0: by the rule */
    bool energy;         /* measure it, where the device can tell */
};

/*
 * Evaluate `job` with the compiled `image`. Returns false only when the device cannot go on (ERROR_FAULT: the outcome
 * is still filled in, and the process must end), when the template's own setup or reference is at fault
 * (ERROR_INPUT), or when this machine lacks something (error_is_of_machine). What only the compiler knows,
 * spill_bytes and compile_seconds, is left unknown (-1 and 0) for the caller to fill in.
 */
bool evaluator_run(struct evaluator *evaluator, const struct job *job, const void *image, size_t image_bytes,
                   const struct evaluation_effort *effort, struct evaluation *evaluation, struct error *error);

#endif
