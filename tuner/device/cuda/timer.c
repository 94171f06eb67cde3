/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/timer.h"

#include "tuner/device/cuda/result.h"
#include "tuner/device/monotonic.h"

#include <math.h>
#include <stdlib.h>

/* Each batch gives a mean; two in a row must agree, since clocks may still be rising. */
enum { BATCH = 32, MAX_BATCHES = 20, SPIN_NS = 10000 };
#define AGREE_NS        32.0
#define WARM_UP_SECONDS 0.02

bool timer_open(struct timer *timer, const struct context *context, struct blocking_kernel *blocking,
                struct cache_flush *flush, struct error *error)
{
    const struct cuda_library *cuda = &context->cuda;
    *timer = (struct timer){.context = context, .blocking = blocking, .flush = flush};
    return cuda_check(cuda, cuda->event_create(&timer->start, CUDA_EVENT_DEFAULT), error, "creating an event") &&
           cuda_check(cuda, cuda->event_create(&timer->stop, CUDA_EVENT_DEFAULT), error, "creating an event");
}

void timer_close(struct timer *timer)
{
    if (timer->start)
        timer->context->cuda.event_destroy(timer->start);
    if (timer->stop)
        timer->context->cuda.event_destroy(timer->stop);
    *timer = (struct timer){0};
}

/* ---- between the events ------------------------------------------------------------------------------------ */

static bool record_start(struct timer *timer, struct error *error)
{
    const struct cuda_library *cuda = &timer->context->cuda;
    return cuda_check(cuda, cuda->event_record(timer->start, timer->context->stream), error, "starting the clock");
}

static bool record_stop(struct timer *timer, double *nanoseconds, struct error *error)
{
    const struct cuda_library *cuda = &timer->context->cuda;
    float milliseconds;
    cuda_result recorded = cuda->event_record(timer->stop, timer->context->stream);
    blocking_kernel_unblock(timer->blocking);
    if (!cuda_check(cuda, recorded, error, "stopping the clock") ||
        !cuda_check(cuda, cuda->event_synchronize(timer->stop), error, "waiting for the GPU") ||
        !cuda_check(cuda, cuda->event_elapsed(&milliseconds, timer->start, timer->stop), error, "reading the clock"))
        return false;
    *nanoseconds = (double)milliseconds * 1e6;
    return true;
}

/* ---- the overhead of a launch ------------------------------------------------------------------------------ */

/* How much more the events show than a spin took by the GPU's own clock. */
static bool time_spin(struct timer *timer, double *excess, struct error *error)
{
    const struct context *context = timer->context;
    const struct cuda_library *cuda = &context->cuda;
    uint64_t stamps[SPIN_STAMPS];
    double shown;
    if (!cache_flush_queue(timer->flush, context, error) || !blocking_kernel_block(timer->blocking, error) ||
        !record_start(timer, error) || !blocking_kernel_spin(timer->blocking, SPIN_NS, error) ||
        !record_stop(timer, &shown, error) ||
        !cuda_check(cuda, cuda->download(stamps, timer->blocking->stamps_address, sizeof stamps, context->stream),
                    error, "reading the GPU's clock") ||
        !cuda_check(cuda, cuda->stream_synchronize(context->stream), error, "waiting for the GPU"))
        return false;
    *excess = shown - (double)(stamps[1] - stamps[0]);
    return true;
}

static bool warm_up(struct timer *timer, struct error *error)
{
    double unused, began = monotonic_seconds();
    do {
        if (!time_spin(timer, &unused, error))
            return false;
    } while (monotonic_seconds() - began < WARM_UP_SECONDS);
    return true;
}

static int by_value(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* The mean of the middle half: the GPU's clock may tick coarsely, and a launch may be disturbed. */
static bool mean_of_batch(struct timer *timer, double *mean, struct error *error)
{
    double excess[BATCH], sum = 0;
    for (size_t i = 0; i < BATCH; i++) {
        if (!time_spin(timer, &excess[i], error))
            return false;
    }
    qsort(excess, BATCH, sizeof excess[0], by_value);
    enum { QUARTER = BATCH / 4, MIDDLE = BATCH - 2 * QUARTER };
    for (size_t i = QUARTER; i < QUARTER + MIDDLE; i++)
        sum += excess[i];
    *mean = sum / MIDDLE;
    return true;
}

bool timer_calibrate(struct timer *timer, struct error *error)
{
    if (timer->calibrated)
        return true;
    if (!blocking_kernel_prepare(timer->blocking, error))
        return false;
    if (!timer->blocking->unavailable) {
        double last, now = HUGE_VAL;
        if (!warm_up(timer, error))
            return false;
        int batch = 0;
        do {
            last = now;
            if (!mean_of_batch(timer, &now, error))
                return false;
        } while (fabs(now - last) > AGREE_NS && ++batch < MAX_BATCHES);
        timer->launch_ns = fmax(now, 0);
    }
    timer->calibrated = true;
    return true;
}

/* ---- timings ----------------------------------------------------------------------------------------------- */

bool timer_start(struct timer *timer, struct error *error)
{
    return timer_calibrate(timer, error) && record_start(timer, error);
}

bool timer_stop(struct timer *timer, double *nanoseconds, struct error *error)
{
    double shown;
    if (!record_stop(timer, &shown, error))
        return false;
    *nanoseconds = fmax(shown - timer->launch_ns, TIMER_TICK_NS);
    return true;
}
