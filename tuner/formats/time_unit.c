/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/time_unit.h"

#include <stddef.h>
#include <strings.h>

/* The published T4 files have the misspelt one. */
static const struct time_unit units[] = {
    {"miliseconds", 1e-3, 1e6},
    {"milliseconds", 1e-3, 1e6},
    {"ms", 1e-3, 1e6},
    {"seconds", 1, 1e9},
    {"s", 1, 1e9},
    {"microseconds", 1e-6, 1e3},
    {"us", 1e-6, 1e3},
    {"nanoseconds", 1e-9, 1},
    {"ns", 1e-9, 1},
};

const struct time_unit *time_unit_find(const char *name)
{
    for (size_t i = 0; name && i < sizeof units / sizeof *units; i++) {
        if (strcasecmp(units[i].name, name) == 0)
            return &units[i];
    }
    return NULL;
}
