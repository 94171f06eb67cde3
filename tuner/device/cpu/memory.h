/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.h - the buffers of the CPU device: page-aligned, and bounded in total, since a sweep shares the machine.
 */
#ifndef TUNE_DEVICE_CPU_MEMORY_H
#define TUNE_DEVICE_CPU_MEMORY_H

#include "tuner/error/error.h"

#include <stddef.h>
#include <stdint.h>

enum { MEMORY_PAGE = 4096 };

struct allocation {
    struct allocation *next;
    uint64_t address;
    size_t bytes;
};

struct memory {
    size_t limit, used;             /* bytes */
    struct allocation *allocations; /* the latest first */
};

/* ERROR_DOES_NOT_FIT: beyond the limit. No bytes are an allocation too. */
bool memory_allocate(struct memory *memory, size_t bytes, uint64_t *address, struct error *error);
/* Does nothing unless `address` was allocated. */
void memory_release(struct memory *memory, uint64_t address);
void memory_clear(struct memory *memory);

#endif
