/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shared.h - the dynamic shared memory of a worker's blocks: no more than the launch gives, as on a GPU.
 *
 * The bytes given end where an inaccessible page begins, so that reading or writing beyond them faults at once. Two
 * gaps remain, because a kernel may count on alignment: the last few bytes if their number is no multiple of it, and
 * what lies below. They hold marks, which a write destroys.
 */
#ifndef TUNE_DEVICE_CPU_SHARED_H
#define TUNE_DEVICE_CPU_SHARED_H

#include "tuner/error/error.h"

#include <stdint.h>

/* Of what no declaration aligns: vector loads need it. More than the most is not respected. */
enum { SHARED_LEAST_ALIGNMENT = 16, SHARED_MOST_ALIGNMENT = 1024 };

struct shared {
    char *start, *end; /* of the accessible bytes */
    char *base;        /* of those given */
    size_t most, given;
    void *open; /* memory of its own, see shared_place_openly */
};

bool shared_create(struct shared *shared, size_t most, struct error *error);
void shared_destroy(struct shared *shared);

/* The memory for blocks with `bytes`, at most `most`; `alignment` is a power of two. */
void *shared_place(struct shared *shared, size_t bytes, size_t alignment);
/* The same from the heap, where nothing faults, for who watches accesses. */
void *shared_place_openly(struct shared *shared, size_t bytes);

/* Are the marks as they were placed? */
bool shared_is_intact(const struct shared *shared);

/* Is this address in the inaccessible part? `offset` is from the base, in bytes. */
bool shared_is_beyond(const struct shared *shared, const void *address, size_t *offset);

#endif
