/* SPDX-License-Identifier: Apache-2.0 */
/*
 * energy.h - the energy that one run of a launch sequence takes.
 *
 * Devices update their energy counters at long intervals (20 to 100 ms on a GPU), so the sequence is repeated back to
 * back, with warm caches, while the counter is polled. Between the first and the last step of the counter the mean
 * power is known; multiplied by the time of a run it gives the energy of a run. This is the whole device's energy,
 * including what it draws when idle, because a slower kernel also pays for idling longer. Restoring in-out buffers
 * before each run is included as well.
 *
 * Polling is expensive: NVML takes 3 ms and more to answer. The counter is therefore polled while a chunk of a tenth
 * of a second is running and answers before the chunk ends; where no more than a few milliseconds can be queued, it
 * is polled so rarely that the device is still busy for 95 % of the time.
 *
 * Power takes time to settle: clocks and voltage adapt, the chip warms up, and counters lag. Only the steps of the
 * last `seconds` count, and measuring goes on until the power in their first half agrees with that in their second
 * half, each to 1 % of the mean or to the resolution of the steps.
 *
 * The error is half the width of an interval, the sum of three terms: the uncertainty of when the first and last step
 * occurred, the difference between the halves, and the share of time in which the device may have been idle. The
 * counter's own accuracy, a few percent on NVIDIA's GPUs, is not included; it is the same for all candidates on one
 * device.
 */
#ifndef TUNE_MEASURE_ENERGY_H
#define TUNE_MEASURE_ENERGY_H

#include "tuner/measure/timing.h"

/*
 * Repeat for about `seconds`, up to 4 times as long if the counter is slow or the power unsteady, after a fifth of a
 * second of warm-up. Needs evaluation->time_ns; sets energy_j and energy_error_j. On a device without a counter they
 * stay -1, which is not an error.
 */
bool energy_run(struct validation_kernels *validation, const struct timed *timed, double seconds,
                struct evaluation *evaluation, struct error *error);

/* A step of the counter, and the energy of a run with its error from the steps. False with fewer than three. */
struct energy_step {
    double seconds; /* when it was seen */
    double gap;     /* since the previous poll: the step happened at most this much earlier */
    double joules;
};
bool energy_of_steps(const struct energy_step *steps, size_t count, double run_seconds, double *joules,
                     double *error_joules);

/* The index of the first step within the last `seconds`, but at least three steps from the end. */
size_t energy_latest(const struct energy_step *steps, size_t count, double seconds);
/* Is the power steady? */
bool energy_settled(const struct energy_step *steps, size_t count);

#endif
