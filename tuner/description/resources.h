/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resources.h - the resources a kernel needs, as its compiler or driver reports them.
 */
#ifndef TUNE_DESCRIPTION_RESOURCES_H
#define TUNE_DESCRIPTION_RESOURCES_H

#include <stdint.h>

struct kernel_resources {
    int64_t registers;    /* per thread; -1: unknown */
    int64_t local_bytes;  /* per thread, stack and spills; -1: unknown */
    int64_t shared_bytes; /* per block, static and dynamic */
    int64_t max_threads;  /* per block */
    double occupancy;     /* resident threads over max_threads_per_sm, 0..1; -1: unknown */
};

#endif
