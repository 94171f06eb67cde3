/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timer.h - the time between two events of a stream, less what a launch adds to it.
 *
 * From the first event to the first instruction, and from the last one to the second event, a GPU needs some time of
 * its own (an H100 3.2 us together, the kernel's code having been flushed from the L2 cache like all else). The
 * events show it once for each timed sequence, whatever is in it: a spin of 5 us reads 8.2 us, and one of 1 ms 1.0032
 * ms. So it is found out once a process, before the first timing, and taken off every time: kernels of one thread
 * that spin for 10 us are timed exactly as samples are (flushed, held), and what the events show beyond the spin by
 * the GPU's own clock (%globaltimer) is averaged. Launches of a sequence beyond its first keep what they cost.
 *
 * Nsight Compute's gpu__time_duration counts differently: from a kernel's start to its end on the GPU, part of what
 * is taken off here included. tests/bench/timing_against_ncu.py shows both for an empty kernel.
 *
 * Nothing below TIMER_TICK_NS is told apart: that is the documented resolution of an event (CUDA Driver API,
 * cuEventElapsedTime; an H100 ticks every 32 ns). An empty kernel takes that.
 *
 * Where the spin cannot be compiled (hold.h) nothing is taken off.
 */
#ifndef TUNE_DEVICE_CUDA_TIMER_H
#define TUNE_DEVICE_CUDA_TIMER_H

#include "tuner/device/cuda/library.h"

#define TIMER_TICK_NS 500.0

struct device;

struct timer {
    cuda_event start, stop;
    double launch_ns; /* what a launch adds */
    bool calibrated;
};

bool timer_open(struct device *device, struct error *error);
void timer_close(struct device *device);

/* Find out what a launch adds, unless it is known. Waits; not while the stream is held. */
bool timer_calibrate(struct device *device, struct error *error);

bool timer_start(struct device *device, struct error *error);
/* Lets go of a stream that is held, and waits. At least TIMER_TICK_NS. */
bool timer_stop(struct device *device, double *nanoseconds, struct error *error);

#endif
