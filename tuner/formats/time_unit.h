/* SPDX-License-Identifier: Apache-2.0 */
/*
 * time_unit.h - units of time by the names that recorded files have for them.
 */
#ifndef TUNE_FORMATS_TIME_UNIT_H
#define TUNE_FORMATS_TIME_UNIT_H

struct time_unit {
    const char *name;
    double seconds, nanoseconds;
};

/* "milliseconds", "ms" ... in capitals or not; NULL: no unit of time, or no name. */
const struct time_unit *time_unit_find(const char *name);

#endif
