/*
 * timing.h - time a launch sequence until sampling.h's rule is content.
 */
#ifndef TUNE_MEASURE_TIMING_H
#define TUNE_MEASURE_TIMING_H

#include "tuner/measure/evaluate.h"
#include "tuner/measure/instance.h"
#include "tuner/measure/sampling.h"

/*
 * Needs a launch before it that warmed everything up. Before each sample, untimed: in-out buffers are restored and
 * the caches flushed. Fills in the samples, the median with its interval, and the device's state right after.
 */
bool timing_run(struct bench *bench, const struct program *program, const struct job_steps *launch,
                const struct instance *instance, const struct sampling_rule *rule,
                const struct evaluation_effort *effort, struct evaluation *evaluation, struct error *error);

#endif
