/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/timer.h"

#include "tuner/device/cuda/context.h"
#include "tuner/device/cuda/result.h"
#include "tuner/device/monotonic.h"

#include <math.h>
#include <stdlib.h>

/* A batch gives a median; two in a row must agree, as clocks may still be rising. */
enum { BATCH = 32, MOST_BATCHES = 20, SPIN_NS = 10000 };
#define AGREE_NS        32.0
#define WARM_UP_SECONDS 0.02

bool timer_open(struct device *device, struct error *error)
{
    const struct cuda_library *cuda = &device->cuda;
    struct timer *timer = &device->timer;
    return cuda_check(cuda, cuda->event_create(&timer->start, CUDA_EVENT_DEFAULT), error, "creating an event") &&
           cuda_check(cuda, cuda->event_create(&timer->stop, CUDA_EVENT_DEFAULT), error, "creating an event");
}

void timer_close(struct device *device)
{
    const struct cuda_library *cuda = &device->cuda;
    struct timer *timer = &device->timer;
    if (timer->start)
        cuda->event_destroy(timer->start);
    if (timer->stop)
        cuda->event_destroy(timer->stop);
    *timer = (struct timer){0};
}

/* ---- between the events ------------------------------------------------------------------------------------ */

static bool record_start(struct device *device, struct error *error)
{
    const struct cuda_library *cuda = &device->cuda;
    return cuda_check(cuda, cuda->event_record(device->timer.start, device->stream), error, "starting the clock");
}

static bool record_stop(struct device *device, double *nanoseconds, struct error *error)
{
    const struct cuda_library *cuda = &device->cuda;
    const struct timer *timer = &device->timer;
    float milliseconds;
    cuda_result recorded = cuda->event_record(timer->stop, device->stream);
    hold_end(device);
    if (!cuda_check(cuda, recorded, error, "stopping the clock") ||
        !cuda_check(cuda, cuda->event_synchronize(timer->stop), error, "waiting for the GPU") ||
        !cuda_check(cuda, cuda->event_elapsed(&milliseconds, timer->start, timer->stop), error, "reading the clock"))
        return false;
    *nanoseconds = (double)milliseconds * 1e6;
    return true;
}

/* ---- what a launch adds ------------------------------------------------------------------------------------ */

/* How much more the events show than a spin has taken by the GPU's own clock. */
static bool time_spin(struct device *device, double *more, struct error *error)
{
    static const struct dimensions one = {1, 1, 1};
    uint64_t duration = SPIN_NS, stamps[HOLD_STAMPS];
    void *arguments[] = {&device->hold.stamps_address, &duration};
    double shown;
    if (!cuda_flush_cache(device, error) || !hold_begin(device, error) || !record_start(device, error) ||
        !cuda_launch(device, device->hold.spin, one, one, 0, arguments, 2, error) ||
        !record_stop(device, &shown, error) ||
        !cuda_check(&device->cuda,
                    device->cuda.download(stamps, device->hold.stamps_address, sizeof stamps, device->stream), error,
                    "reading the GPU's clock") ||
        !cuda_check(&device->cuda, device->cuda.stream_synchronize(device->stream), error, "waiting for the GPU"))
        return false;
    *more = shown - (double)(stamps[1] - stamps[0]);
    return true;
}

static bool warm_up(struct device *device, struct error *error)
{
    double unused, began = monotonic_seconds();
    do {
        if (!time_spin(device, &unused, error))
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
static bool mean_of_batch(struct device *device, double *mean, struct error *error)
{
    double more[BATCH], sum = 0;
    for (size_t i = 0; i < BATCH; i++) {
        if (!time_spin(device, &more[i], error))
            return false;
    }
    qsort(more, BATCH, sizeof more[0], by_value);
    enum { QUARTER = BATCH / 4, MIDDLE = BATCH - 2 * QUARTER };
    for (size_t i = QUARTER; i < QUARTER + MIDDLE; i++)
        sum += more[i];
    *mean = sum / MIDDLE;
    return true;
}

bool timer_calibrate(struct device *device, struct error *error)
{
    struct timer *timer = &device->timer;
    if (timer->calibrated)
        return true;
    if (!hold_prepare(device, error))
        return false;
    if (device->hold.spin) {
        double last, now = HUGE_VAL;
        if (!warm_up(device, error))
            return false;
        int batch = 0;
        do {
            last = now;
            if (!mean_of_batch(device, &now, error))
                return false;
        } while (fabs(now - last) > AGREE_NS && ++batch < MOST_BATCHES);
        timer->launch_ns = fmax(now, 0);
    }
    timer->calibrated = true;
    return true;
}

/* ---- timings ----------------------------------------------------------------------------------------------- */

bool timer_start(struct device *device, struct error *error)
{
    return timer_calibrate(device, error) && record_start(device, error);
}

bool timer_stop(struct device *device, double *nanoseconds, struct error *error)
{
    double shown;
    if (!record_stop(device, &shown, error))
        return false;
    *nanoseconds = fmax(shown - device->timer.launch_ns, TIMER_TICK_NS);
    return true;
}
