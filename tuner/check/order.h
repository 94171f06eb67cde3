/*
 * order.h - which accesses of a launch happened before which, by the rules of CUDA.
 *
 * Blocks run one after the other and the threads of a block one at a time, so the run itself has an order, counted by
 * `time`, but most of it is accident. What is no accident: a barrier orders all that the threads of its block did
 * before it ahead of all that they do after it; __syncwarp and the warp's exchanges do so for their lanes; a fence
 * and an atomic operation behind it, seen by another thread's atomic operation, do so for the two threads. The vector
 * clocks of Fidge and Mattern in the compact form that FastTrack (Flanagan and Freund, PLDI 2009) made known: an
 * access is a thread and a time, and a thread keeps for its block, for each lane of its warp and for the device the
 * latest time that is known to be over.
 */
#ifndef TUNE_CHECK_ORDER_H
#define TUNE_CHECK_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum { ORDER_THREADS = 1024, ORDER_LANES = 32 };

struct order {
    uint32_t time; /* of what runs now; every event that orders threads begins another */
    uint32_t block, threads;
    uint32_t launch;                            /* all up to here is over: an earlier launch, or the host */
    uint32_t barrier;                           /* of this block: all up to here is over */
    uint32_t joined;                            /* of all blocks, for all threads of this one */
    uint32_t device[ORDER_THREADS];             /* of all blocks, for one thread */
    uint32_t fence[ORDER_THREADS];              /* what its next atomic operation tells; 0: nothing */
    uint32_t lanes[ORDER_THREADS][ORDER_LANES]; /* of a lane of its warp */
};

void order_launch(struct order *order, uint32_t threads);
void order_block(struct order *order);
void order_barrier(struct order *order);
void order_exchange(struct order *order, uint32_t warp, uint32_t lanes);
void order_fence(struct order *order, uint32_t thread);

/* An atomic operation of `thread`; `released` is what operations on the same address have told so far. */
void order_atomic(struct order *order, uint32_t thread, uint32_t *released);

/* Is what `thread` of `block` did at `time` over for `reader`, a thread of the block that runs? */
bool order_is_over(const struct order *order, uint32_t block, uint32_t thread, uint32_t time, uint32_t reader);

#endif
