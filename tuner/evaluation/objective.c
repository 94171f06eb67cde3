/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/evaluation/objective.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double time_of(const struct evaluation *evaluation)
{
    return evaluation->time_ns;
}

static double energy_of(const struct evaluation *evaluation)
{
    return evaluation->energy_j > 0 ? evaluation->energy_j : HUGE_VAL;
}

static double energy_delay_of(const struct evaluation *evaluation)
{
    return evaluation->energy_j > 0 ? evaluation->energy_j * evaluation->time_ns * 1e-9 : HUGE_VAL;
}

const struct objective objectives[] = {
    {"time", "the shortest time", "ns", false, .value = time_of},
    {"energy", "the least energy a run, which is the most operations a joule", "J", true, .value = energy_of},
    {"edp", "the least energy-delay product", "J s", true, .value = energy_delay_of},
};
const size_t objective_count = sizeof objectives / sizeof *objectives;

void objective_interval(const struct objective *objective, const struct evaluation *evaluation, double *low,
                        double *high)
{
    struct evaluation least = *evaluation, most = *evaluation;
    double energy_error = evaluation->energy_error_j > 0 ? evaluation->energy_error_j : 0;
    least.time_ns = evaluation->time_low_ns;
    most.time_ns = evaluation->time_high_ns;
    if (evaluation->energy_j > 0) {
        least.energy_j = fmax(evaluation->energy_j - energy_error, DBL_MIN);
        most.energy_j = evaluation->energy_j + energy_error;
    }
    *low = objective->value(&least);
    *high = objective->value(&most);
}

const struct objective *objective_find(const char *name)
{
    for (size_t i = 0; i < objective_count; i++) {
        if (strcmp(objectives[i].name, name) == 0)
            return &objectives[i];
    }
    return NULL;
}
