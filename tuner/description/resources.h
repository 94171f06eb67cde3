/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resources.h - what a kernel needs of a device, as its compiler or its driver reports it.
 */
#ifndef TUNE_DESCRIPTION_RESOURCES_H
#define TUNE_DESCRIPTION_RESOURCES_H

#include <stdint.h>

struct kernel_resources {
    int64_t registers;    /* a thread; -1: not known */
    int64_t local_bytes;  /* a thread: stack and spills; -1: not known */
    int64_t shared_bytes; /* a block: static + dynamic */
    int64_t max_threads;  /* a block of this kernel may have */
    double occupancy;     /* resident threads over max_threads_per_sm, 0..1; -1: not known */
};

#endif
