/* SPDX-License-Identifier: Apache-2.0 */
/*
 * validate.h - validate what a launch left in the buffers, after the template's finish and verify blocks.
 */
#ifndef TUNE_MEASURE_VALIDATE_H
#define TUNE_MEASURE_VALIDATE_H

#include "tuner/measure/evaluate.h"
#include "tuner/measure/instance.h"
#include "tuner/measure/program.h"

/* A run whose results are to be validated. */
struct validated_run {
    const struct job_case *job_case;
    const struct instance *instance;
    const struct program *program; /* the configuration's own, for the finish block */
    const struct program *verify;  /* for the verify block */
};

/*
 * Run the finish and verify blocks, then check every guard band, input and checked output. What a configuration got
 * wrong may make a verify block fail, which is therefore a failure of the configuration; the message says where it
 * showed. A failure sets the evaluation's outcome and message, to which
 * `when` is appended (", at size ..."); error_ratio is raised to the largest error seen. False only if the device
 * fails. Waits for the launches before it, so their faults surface here.
 */
bool validate_run(struct validation_kernels *validation, const struct validated_run *run, const char *when,
                  struct evaluation *evaluation, struct error *error);

#endif
