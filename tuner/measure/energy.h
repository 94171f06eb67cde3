/* SPDX-License-Identifier: Apache-2.0 */
/*
 * energy.h - the energy that one run of a launch sequence takes.
 *
 * Devices count energy in steps far apart (a GPU every 20 to 100 ms), so the sequence is repeated, back to back and
 * with warm caches, while the counter is watched. Between the first and the last step that is seen the mean power is
 * known; times the time of a run it gives the energy of a run. It is the whole device's energy: what it would use
 * idling is in it, because a kernel that takes longer makes the device idle for longer at that price. In-out buffers
 * are restored before each run, and that is in it too.
 *
 * Looking is dear: NVML takes 3 ms and more to answer. So it is asked while a chunk of a tenth of a second is at
 * work, and has its answer before the chunk's end; where no more than a few milliseconds can be queued, it is asked
 * so rarely that the device has work for 95 % of the time all the same.
 *
 * Power is not at once what it will be: clocks and voltage give way to it, the chip warms up, and counters lag
 * behind. So only the latest steps count, those of the last `seconds`, and it goes on until the power in their first
 * half is that in their second, to 1 % of the mean on either side or as well as the steps' moments tell.
 *
 * The error is half the width of an interval, the sum of three: how well the moments of both steps are known; by how
 * much the power in the first half differs from that in the second; and the share of the time in which the device may
 * have had no work. The counter's own accuracy, some percent on NVIDIA's GPUs, is not in it; it is the same for all
 * candidates on one device.
 */
#ifndef TUNE_MEASURE_ENERGY_H
#define TUNE_MEASURE_ENERGY_H

#include "tuner/measure/timing.h"

/*
 * Repeat for about `seconds`, at most 4 times as long where the counter is slow or the power not steady, after a
 * fifth of a second of warming up; needs evaluation->time_ns, and fills in energy_j and energy_error_j. Where the
 * device does not count they stay -1, which is no failure.
 */
bool energy_run(struct validation_kernels *validation, const struct timed *timed, double seconds,
                struct evaluation *evaluation, struct error *error);

/* Energy of a run and its error, of what was seen of the counter. Two halves need three steps; false with fewer. */
struct energy_step {
    double seconds; /* when the step was seen */
    double gap;     /* since it was looked at before: the step came at most this much earlier */
    double joules;
};
bool energy_of_steps(const struct energy_step *steps, size_t count, double run_seconds, double *joules,
                     double *error_joules);

/* The first of the latest steps that lie within `seconds`, or the last three if that is fewer. */
size_t energy_latest(const struct energy_step *steps, size_t count, double seconds);
/* Is the power steady? */
bool energy_settled(const struct energy_step *steps, size_t count);

#endif
