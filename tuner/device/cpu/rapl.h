/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rapl.h - the energy used by the processor packages, from the powercap interface of Linux
 * (Documentation/power/powercap): intel-rapl:N/energy_uj, which AMD's processors have too. On most machines only root
 * may read it; virtual machines have none.
 *
 * It counts everything that runs on the machine, and no memory outside the packages.
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

/* Joules since the first reading. Fails if there is nothing to read. */
bool rapl_read(struct rapl *rapl, double *joules, struct error *error);

#endif
