/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timing.h - time a launch sequence until sampling.h's rule is content.
 */
#ifndef TUNE_MEASURE_TIMING_H
#define TUNE_MEASURE_TIMING_H

#include "tuner/measure/evaluate.h"
#include "tuner/measure/instance.h"
#include "tuner/measure/sampling.h"

/* What is timed. */
struct timed {
    const struct program *program;
    const struct job_steps *launch;
    const struct instance *instance;
};

/* Time a first launch as it comes, with nothing done before it. Waits. */
bool timing_first(struct validation_kernels *validation, const struct timed *timed, double *nanoseconds,
                  struct error *error);

/*
 * Needs a launch before it that warmed everything up. Before each sample, untimed: in-out buffers are restored, the
 * caches flushed, and the device blocked until all launches are queued. Fills in the samples and the median with its
 * interval.
 *
 * The device's state is asked for once, right after the samples. If it was throttled (throttle.h) all of them are
 * taken again, up to 3 times, after a pause that doubles from 20 ms where it must cool down; `throttled` counts those
 * that were taken while it was. If it does not end the last ones are kept, and the state stored with them says why.
 * After 3 such candidates in a row nothing is repeated until one is measured without: a device that is always slow
 * is no reason to be 4 times slower.
 *
 * `first_launch_ns`: see sampling.h; 0: not known.
 */
bool timing_run(struct validation_kernels *validation, const struct timed *timed, const struct sampling_rule *rule,
                const struct evaluation_effort *effort, double first_launch_ns, struct evaluation *evaluation,
                struct error *error);

#endif
