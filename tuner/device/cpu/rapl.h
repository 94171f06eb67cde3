/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rapl.h - the energy that the processors' packages have used, from the kernel's powercap interface (Linux,
 * Documentation/power/powercap): intel-rapl:N/energy_uj, which AMD's processors have as well. Only root may read it
 * on most machines, and virtual machines have none.
 *
 * It counts all that runs on the machine, and no memory beside the package.
 */
#ifndef TUNE_DEVICE_CPU_RAPL_H
#define TUNE_DEVICE_CPU_RAPL_H

#include "tuner/error/error.h"

#include <stdint.h>

enum { RAPL_PACKAGES = 16 };

struct rapl {
    const char *folder; /* "/sys/class/powercap" */
    uint64_t last[RAPL_PACKAGES];
    double joules; /* up to the last reading */
};

/* Joules since the first reading; false where there is nothing to read. */
bool rapl_read(struct rapl *rapl, double *joules, struct error *error);

#endif
