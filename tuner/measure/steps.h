/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steps.h - queue the steps of a sequence on the device.
 */
#ifndef TUNE_MEASURE_STEPS_H
#define TUNE_MEASURE_STEPS_H

#include "tuner/measure/instance.h"

/*
 * Only a repeat waits, for its flag, and the reading of a count. Fails with the device's errors, with ERROR_WORK for
 * an impossible step, and with ERROR_INPUT, and the step's place in the template, for what counts make of one: a
 * count beyond its bound, a grid of 0, a range outside its buffer.
 */
bool steps_run(struct validation_kernels *validation, const struct program *program, const struct job_steps *steps,
               const struct instance *instance, struct error *error);

/* Run the prepare block: what it leaves swapped stays so. */
bool steps_prepare(struct validation_kernels *validation, const struct program *program, const struct job_case *one,
                   const struct instance *instance, struct error *error);

/*
 * The three parts of it: make and fill textures and surfaces, which is queued ahead of what is timed; queue the steps
 * themselves; copy surfaces back.
 */
bool steps_begin(struct validation_kernels *validation, const struct job_steps *steps,
                 const struct instance *instance, struct error *error);
bool steps_queue(struct validation_kernels *validation, const struct program *program, const struct job_steps *steps,
                 const struct instance *instance, struct error *error);
/* Queue the steps and wait for them, for the time that the device takes without the host's latency: the sum of the
 * pieces between counts and flags that are read, each queued as a whole before it begins. 0: there are no steps. */
bool steps_queue_in_pieces(struct validation_kernels *validation, const struct program *program,
                           const struct job_steps *steps, const struct instance *instance, double *nanoseconds,
                           struct error *error);
bool steps_end(struct validation_kernels *validation, const struct job_steps *steps, const struct instance *instance,
               struct error *error);

#endif
