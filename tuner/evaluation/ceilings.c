/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/evaluation/ceilings.h"

#include <math.h>

struct ceilings ceilings_of_data_sheet(const struct device_description *device)
{
    struct ceilings ceilings = {0};
    for (size_t i = 0; i < WORK_COUNT; i++)
        ceilings.of[i].rate = work_peak(device, (enum work_figure)i);
    return ceilings;
}

struct share ceilings_share(const struct ceilings *ceilings, const struct work *work, double time_ns)
{
    struct share share = {.percent = -1};
    for (size_t i = 0; i < WORK_COUNT && time_ns > 0; i++) {
        double rate = ceilings->of[i].rate;
        double percent = rate > 0 ? 100 * work->of[i] / rate * 1e9 / time_ns : 0;
        if (percent > share.percent && percent > 0 && isfinite(percent))
            share = (struct share){percent, (enum work_figure)i, ceilings->of[i]};
    }
    return share;
}

const char *ceiling_source(const struct ceiling *ceiling)
{
    return ceiling->measured ? "measured" : "data sheet";
}
