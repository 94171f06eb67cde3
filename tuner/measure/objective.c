#include "tuner/measure/objective.h"

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
    {"time", "the shortest time", "ns", false, time_of},
    {"energy", "the least energy a run, which is the most operations a joule", "J", true, energy_of},
    {"edp", "the least energy-delay product", "J s", true, energy_delay_of},
};
const size_t objective_count = sizeof objectives / sizeof *objectives;

const struct objective *objective_find(const char *name)
{
    for (size_t i = 0; i < objective_count; i++) {
        if (strcmp(objectives[i].name, name) == 0)
            return &objectives[i];
    }
    return NULL;
}
