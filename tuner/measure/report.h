/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.h - what checks on the device have found.
 *
 * Checks are queued and not waited for. They write to numbered reports on the device: reset them, queue any number of
 * checks, then validation_read_reports waits for everything that was queued.
 */
#ifndef TUNE_MEASURE_REPORT_H
#define TUNE_MEASURE_REPORT_H

#include "tuner/measure/validation_kernels.h"

/* The result of checks; must match struct report in validation.cu, which documents the members. */
struct report {
    uint64_t before, nearest_before;
    uint64_t behind, nearest_behind;
    uint64_t changed, first_changed;
    uint64_t wrong, first_wrong;
    uint64_t not_finite, first_not_finite;
    uint64_t unwritten, first_unwritten;
    uint64_t worst_bits;
    uint64_t checksum;
};

/* Queue: make the first `count` reports blank. */
bool validation_reset_reports(struct validation_kernels *validation, size_t count, struct error *error);
/* Wait for everything that was queued, then read the first `count` reports. */
bool validation_read_reports(struct validation_kernels *validation, struct report *reports, size_t count,
                             struct error *error);
/* The largest error relative to the tolerance. */
double report_worst(const struct report *report);

#endif
