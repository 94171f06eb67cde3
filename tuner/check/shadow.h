/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shadow.h - the state of each byte that threads of a kernel share: was it written, by whom last, who read it since?
 *
 * Shadowed memory is a set of regions: the buffers, the module's variables, static and dynamic shared memory.
 * Everything else is private to a thread and ignored. Of the readers since the last write three are kept: the last
 * one, the last other thread of its warp, and the last of another warp. A race that this hides shows up as another
 * race between the same two lines.
 */
#ifndef TUNE_CHECK_SHADOW_H
#define TUNE_CHECK_SHADOW_H

#include "tuner/check/happens_before.h"
#include "tuner/error/error.h"

#include <stddef.h>

enum region_space {
    SPACE_STATIC_SHARED,
    SPACE_DYNAMIC_SHARED,
    SPACE_GLOBAL, /* a buffer */
    SPACE_MODULE, /* __device__ and __constant__ variables */
};
extern const char *const region_space_names[];

struct access {
    uint32_t time, block;
    uint32_t code; /* return address, an offset into the module */
    uint16_t thread;
    uint16_t kind; /* TUNE_READ, ...; 0: no access */
};

struct shadow_region {
    char name[64];
    enum region_space space;
    uintptr_t address;
    size_t bytes;
};

/*
 * Two unordered accesses by different threads to the same byte, at least one of them a write; or a read of memory
 * that was never written, and `before` is empty.
 */
struct conflict {
    const struct shadow_region *region;
    uintptr_t address;
    struct access before, now;
};

struct shadow;

bool shadow_create(struct shadow **result, struct error *error);
void shadow_free(struct shadow *shadow);

/* `defined`: the bytes count as written. Those of shared memory never do: every block starts with undefined contents.
 */
bool shadow_add(struct shadow *shadow, const struct shadow_region *region, bool defined, struct error *error);
/* Remove the region that begins at the address, if there is one. */
void shadow_remove(struct shadow *shadow, uintptr_t address);
/* Remove the regions of a space. */
void shadow_drop(struct shadow *shadow, enum region_space space);

/* A new block starts: its shared memory is undefined. */
void shadow_block(struct shadow *shadow);

/* The bytes were written by the host. */
void shadow_define(struct shadow *shadow, uintptr_t address, size_t bytes);

/* Record the access `now` and pass each conflict to `found`. False: out of memory. */
bool shadow_access(struct shadow *shadow, struct happens_before *relation, uintptr_t address, size_t bytes,
                   const struct access *now, void (*found)(void *context, const struct conflict *conflict),
                   void *context);

#endif
