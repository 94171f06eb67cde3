/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machine.h - the host, as /proc, /sys and the processor itself describe it.
 */
#ifndef TUNE_DEVICE_CPU_MACHINE_H
#define TUNE_DEVICE_CPU_MACHINE_H

#include "tuner/description/description.h"

/* Fills in name, architecture, uuid, driver, caches, memory, clock and peak of a machine that uses `processors`. */
void machine_describe(int64_t processors, struct device_description *description);

/* Bytes of the largest cache that a processor has or shares; 0: unknown. */
int64_t machine_cache_bytes(void);

/* What kernels may use now: half of the available memory; 0: unknown. */
int64_t machine_available_bytes(void);

#endif
