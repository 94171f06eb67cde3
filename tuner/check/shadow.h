/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shadow.h - what is known of each byte that the threads of a kernel share: was it ever written, who wrote it last,
 * who has read it since.
 *
 * The memory is a set of regions: the buffers, the module's own variables, the variables in shared memory, the
 * dynamic shared memory. What lies outside of them belongs to one thread and is not looked at. Of the readers since
 * the last write three are kept: the last one, the last one that was another thread of its warp, and the last one of
 * another warp. A race that they hide from view shows as another race of the same two lines.
 */
#ifndef TUNE_CHECK_SHADOW_H
#define TUNE_CHECK_SHADOW_H

#include "tuner/check/order.h"
#include "tuner/error/error.h"

#include <stddef.h>

enum region_space {
    SPACE_STATIC_SHARED,
    SPACE_DYNAMIC_SHARED,
    SPACE_GLOBAL, /* a buffer */
    SPACE_MODULE, /* __device__ and __constant__ variables */
};
extern const char *const region_space_names[];

struct touch {
    uint32_t time, block;
    uint32_t code; /* where, as an offset into the module */
    uint16_t thread;
    uint16_t kind; /* TUNE_READ ...; 0: none */
};

struct shadow_region {
    char name[64];
    enum region_space space;
    uintptr_t address;
    size_t bytes;
};

/* An access of two threads to the same byte, one of them a write, that nothing orders; or a read of what nobody
 * wrote, then `before` is empty. */
struct conflict {
    const struct shadow_region *region;
    uintptr_t address;
    struct touch before, now;
};

struct shadow;

bool shadow_create(struct shadow **result, struct error *error);
void shadow_free(struct shadow *shadow);

/* `defined`: the bytes have values that may be read. Shared memory never has, and no block sees what another did. */
bool shadow_add(struct shadow *shadow, const struct shadow_region *region, bool defined, struct error *error);
/* Forget the regions of a space. */
void shadow_drop(struct shadow *shadow, enum region_space space);

/* A new block: its shared memory holds nothing. */
void shadow_block(struct shadow *shadow);

/* The bytes have values now. */
void shadow_define(struct shadow *shadow, uintptr_t address, size_t bytes);

/*
 * An access by the thread of `now` at the time of `order`. Tells `found` of each conflict; false when memory for the
 * shadow itself has run out.
 */
bool shadow_access(struct shadow *shadow, struct order *order, uintptr_t address, size_t bytes,
                   const struct touch *now, void (*found)(void *context, const struct conflict *conflict),
                   void *context);

#endif
