/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/laps.h"

#include "tuner/device/monotonic.h"

static double host_clock(void *context)
{
    (void)context;
    return 1e9 * monotonic_seconds();
}

bool laps_open(const struct attached *attached, struct laps *laps, struct error *error)
{
    const struct device_guest *guest = attached->driver->guest;
    *laps = (struct laps){.attached = attached, .clock = host_clock};
    for (size_t i = 0; i < LAPS && guest->mark; i++) {
        if (!guest->mark_create(attached->device, &laps->marks[i], error))
            return false;
    }
    return true;
}

void laps_clear(struct laps *laps)
{
    for (size_t i = 0; i < LAPS && laps->marks[i]; i++)
        laps->attached->driver->guest->mark_destroy(laps->attached->device, laps->marks[i]);
    *laps = (struct laps){0};
}

bool laps_set(struct laps *laps, void *stream, size_t lap, struct error *error)
{
    const struct attached *attached = laps->attached;
    if (laps_are_marks(laps))
        return attached->driver->guest->mark(attached->device, stream, laps->marks[lap], error);
    laps->times[lap] = laps_now(laps);
    return true;
}

bool laps_reached(struct laps *laps, size_t lap, bool *reached, struct error *error)
{
    const struct attached *attached = laps->attached;
    *reached = true;
    return !laps_are_marks(laps) ||
           attached->driver->guest->mark_reached(attached->device, laps->marks[lap], reached, error);
}

bool laps_between(struct laps *laps, size_t from, size_t to, double *nanoseconds, struct error *error)
{
    const struct attached *attached = laps->attached;
    *nanoseconds = laps->times[to] - laps->times[from];
    return !laps_are_marks(laps) || attached->driver->guest->mark_between(attached->device, laps->marks[from],
                                                                          laps->marks[to], nanoseconds, error);
}
