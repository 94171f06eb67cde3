/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machine.h - what the host is, from /proc, /sys and the processor itself.
 */
#ifndef TUNE_DEVICE_CPU_MACHINE_H
#define TUNE_DEVICE_CPU_MACHINE_H

#include "tuner/description/description.h"

/* Fill in name, architecture, uuid, driver, caches, memory, clock and peak of a machine that uses `processors`. */
void machine_describe(int64_t processors, struct device_description *description);

/* Bytes of the largest cache that a processor has to itself or shares; 0: not known. */
int64_t machine_cache_bytes(void);

/* What kernels may take now: half of the memory that is available; 0 if that is not known. */
int64_t machine_free_bytes(void);

#endif
