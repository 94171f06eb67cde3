/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timing.h - time a launch sequence as often as the rule of sampling.h asks for.
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

/* Time a launch without any preparation. Waits. */
bool timing_first(struct validation_kernels *validation, const struct timed *timed, double *nanoseconds,
                  struct error *error);

/*
 * Must follow a launch that warmed everything up. Before each sample, untimed: in-out buffers are restored, the
 * caches flushed, and the device blocked until all launches are queued. Sets the samples, the median and its
 * interval.
 *
 * The device's state is read once, right after the samples. If it was throttled (throttle.h), all samples are taken
 * again, up to 3 times, after a pause that doubles from 20 ms if the device must cool down; `throttled` counts the
 * samples taken under throttling. If it persists, the last samples are kept, and the state stored with them says why.
 * After 3 such evaluations in a row nothing is repeated until one is free of throttling: a device that is always slow
 * should not take 4 times as long.
 *
 * `first_launch_ns`: see sampling.h; 0: unknown.
 */
bool timing_run(struct validation_kernels *validation, const struct timed *timed, const struct sampling_rule *rule,
                const struct evaluation_effort *effort, double first_launch_ns, struct evaluation *evaluation,
                struct error *error);

/*
 * The same without the host's latency, for launches that wait for a count or a flag: an even number of runs, and few,
 * after timing_run. Sets device_ns, the median.
 */
bool timing_device(struct validation_kernels *validation, const struct timed *timed, struct evaluation *evaluation,
                   struct error *error);

#endif
