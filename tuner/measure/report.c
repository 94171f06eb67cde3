/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/report.h"

#include <stdlib.h>
#include <string.h>

static const struct report untouched = {
    .nearest_before = UINT64_MAX,
    .nearest_behind = UINT64_MAX,
    .first_changed = UINT64_MAX,
    .first_wrong = UINT64_MAX,
    .first_not_finite = UINT64_MAX,
    .first_unwritten = UINT64_MAX,
};

static bool upload_untouched(struct validation_kernels *validation, size_t capacity, struct error *error)
{
    struct report *reports = calloc(capacity, sizeof *reports);
    if (!reports)
        return error_out_of_memory(error);
    for (size_t i = 0; i < capacity; i++)
        reports[i] = untouched;
    size_t bytes = capacity * sizeof *reports;
    bool done = validation->driver->upload(validation->device, validation->reports + bytes, reports, bytes, error);
    free(reports);
    return done;
}

static bool reserve_reports(struct validation_kernels *validation, size_t count, struct error *error)
{
    enum { LEAST = 64 };
    if (count <= validation->report_capacity)
        return true;
    if (validation->reports)
        validation->driver->release(validation->device, validation->reports);
    validation->reports = 0;
    validation->report_capacity = 0;
    size_t capacity = count > LEAST ? count : LEAST;
    if (!validation->driver->allocate(validation->device, 2 * capacity * sizeof(struct report), &validation->reports,
                                      error)) {
        validation->reports = 0;
        return false;
    }
    if (!upload_untouched(validation, capacity, error))
        return false;
    validation->report_capacity = capacity;
    return true;
}

bool validation_reset_reports(struct validation_kernels *validation, size_t count, struct error *error)
{
    return reserve_reports(validation, count, error) &&
           (count == 0 ||
            validation->driver->copy(validation->device, validation->reports,
                                     validation->reports + validation->report_capacity * sizeof(struct report),
                                     count * sizeof(struct report), error));
}

bool validation_read_reports(struct validation_kernels *validation, struct report *reports, size_t count,
                             struct error *error)
{
    return validation->driver->download(validation->device, reports, validation->reports, count * sizeof *reports,
                                        error);
}

double report_worst(const struct report *report)
{
    double worst;
    memcpy(&worst, &report->worst_bits, sizeof worst);
    return worst;
}
