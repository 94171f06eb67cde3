/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timer.h - the time between two events of a stream, less the overhead of a launch.
 *
 * Between the first event and the first instruction, and again between the last instruction and the second event, a
 * GPU spends time of its own: 3.2 us together on an H100 whose L2 cache, the kernel's code included, has been
 * flushed. The events include it once per timed sequence, whatever the sequence holds: a spin of 5 us reads 8.2 us,
 * one of 1 ms reads 1.0032 ms. So the timer measures it once per process, before the first timing, and subtracts it
 * every time: kernels of one thread that spin for 10 us are timed exactly as samples are (flushed, blocked), and the
 * excess of the events over the spin, as the GPU's own clock (%globaltimer) counted it, is averaged. Launches of a
 * sequence beyond its first keep their cost.
 *
 * Nsight Compute's gpu__time_duration counts differently: from a kernel's start to its end on the GPU, which includes
 * part of what is subtracted here. tests/bench/timing_against_ncu.py shows both for an empty kernel.
 *
 * Times below TIMER_TICK_NS are indistinguishable: that is the documented resolution of an event (CUDA Driver API,
 * cuEventElapsedTime; an H100 ticks every 32 ns), and what an empty kernel reads.
 *
 * Where the spin does not compile (blocking_kernel.h), nothing is subtracted.
 */
#ifndef TUNE_DEVICE_CUDA_TIMER_H
#define TUNE_DEVICE_CUDA_TIMER_H

#include "tuner/device/cuda/blocking_kernel.h"
#include "tuner/device/cuda/cache_flush.h"
#include "tuner/device/cuda/context.h"

#define TIMER_TICK_NS 500.0

struct timer {
    const struct context *context;
    struct blocking_kernel *blocking;
    struct cache_flush *flush;
    cuda_event start, stop;
    double launch_ns; /* the overhead of a launch */
    bool calibrated;
};

/* The three outlive the timer. After a failure, timer_close cleans up. */
bool timer_open(struct timer *timer, const struct context *context, struct blocking_kernel *blocking,
                struct cache_flush *flush, struct error *error);
void timer_close(struct timer *timer);

/* Measure the overhead of a launch unless it is known. Waits for the stream, which must not be blocked. */
bool timer_calibrate(struct timer *timer, struct error *error);

bool timer_start(struct timer *timer, struct error *error);
/* Unblocks the stream and waits for it. At least TIMER_TICK_NS. */
bool timer_stop(struct timer *timer, double *nanoseconds, struct error *error);

#endif
