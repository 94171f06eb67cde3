/* SPDX-License-Identifier: Apache-2.0 */
/*
 * laps.h - what a call takes: marks in the program's stream, whose times are read at a later call, or the host's
 * clock on a device that does all at once.
 */
#ifndef TUNE_LIBRARY_LAPS_H
#define TUNE_LIBRARY_LAPS_H

#include "tuner/library/attached.h"

enum { LAPS = 5 };

struct laps {
    const struct attached *attached;
    double (*clock)(void *context); /* nanoseconds */
    void *context;
    struct device_mark *marks[LAPS]; /* of a device with streams */
    double times[LAPS];              /* else */
};

/* In the device's context, as all that follows. Clear it in any case. */
bool laps_open(const struct attached *attached, struct laps *laps, struct error *error);
void laps_clear(struct laps *laps);

/* Does the device have marks, so that what the host does is not in the times? */
static inline bool laps_are_marks(const struct laps *laps)
{
    return laps->marks[0] != NULL;
}
static inline double laps_now(const struct laps *laps)
{
    return laps->clock(laps->context);
}

bool laps_set(struct laps *laps, void *stream, size_t lap, struct error *error);
/* Was this one reached, so that those that were set before it can be read? */
bool laps_reached(struct laps *laps, size_t lap, bool *reached, struct error *error);
bool laps_between(struct laps *laps, size_t from, size_t to, double *nanoseconds, struct error *error);

#endif
