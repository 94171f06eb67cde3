/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.h - which accesses of a launch happened before which, by the rules of CUDA.
 *
 * Blocks run one after the other and the threads of a block one at a time, so the run itself has an order, counted by
 * `time`, but most of it is accident. What is no accident: a barrier orders all that the threads of its block did
 * before it ahead of all that they do after it; __syncwarp and the warp's exchanges do so for their lanes; an atomic
 * operation behind a fence, seen by another thread's atomic operation on the same address, does so for what the first
 * thread did, or knew to be over, and what the second one does then. These are the vector clocks of Fidge and Mattern
 * in the compact form that FastTrack (Flanagan and Freund, PLDI 2009) made known: an access is a thread and a time,
 * and a thread keeps, for its block and for each lane of its warp, the latest time that is known to be over; what it
 * was told by atomic operations is a list, which is empty in most kernels.
 */
#ifndef TUNE_CHECK_ORDER_H
#define TUNE_CHECK_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORDER_THREADS = 1024, ORDER_LANES = 32 };

/* Up to which time is over what a thread of a block did, or all threads of it; sorted by both. */
struct known {
    uint64_t who;
    uint32_t until;
};
struct knowledge {
    struct known *list;
    size_t count, room;
    uint32_t all; /* of all threads: when the list has become too long to be kept */
};

struct order {
    uint32_t time; /* of what runs now; every event that orders threads begins another */
    uint32_t block, threads;
    uint32_t launch;                            /* all up to here is over: an earlier launch, or the host */
    uint32_t barrier;                           /* of this block: all up to here is over */
    uint32_t lanes[ORDER_THREADS][ORDER_LANES]; /* of a lane of its warp */
    bool fenced[ORDER_THREADS];                 /* its atomic operations tell what it knows */
    struct knowledge told[ORDER_THREADS];       /* what it was told by others' */
    struct knowledge joined;                    /* the same of all threads before the last barrier */
    struct knowledge *released;                 /* by address: see order_atomic */
    size_t released_count, released_room;
    bool out_of_memory; /* then what is missing would show as races: nothing that is found counts */
};

/* `order` is zeroed memory. */
void order_begin(struct order *order);
void order_end(struct order *order);

void order_launch(struct order *order, uint32_t threads);
void order_block(struct order *order);
void order_barrier(struct order *order);
void order_exchange(struct order *order, uint32_t warp, uint32_t lanes);
void order_fence(struct order *order, uint32_t thread);

/* An atomic operation of `thread`; `*address` belongs to the address, and is 0 at first. */
void order_atomic(struct order *order, uint32_t thread, uint32_t *address);

/* Is what `thread` of `block` did at `time` over for `reader`, a thread of the block that runs? */
bool order_is_over(const struct order *order, uint32_t block, uint32_t thread, uint32_t time, uint32_t reader);

#endif
