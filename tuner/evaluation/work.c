/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/evaluation/work.h"

#define KIND(with, NAME, name, column, unit, pipe, peak) [WORK_##NAME] = {#name, #column, unit, pipe, #peak},

const struct work_kind work_kinds[WORK_COUNT] = {WORK_FIGURES(KIND, )};

double work_peak(const struct device_description *device, enum work_figure figure)
{
#define PEAK(with, NAME, name, column, unit, pipe, peak) [WORK_##NAME] = device->peak,
    const double peaks[WORK_COUNT] = {WORK_FIGURES(PEAK, )};
    return peaks[figure];
}
