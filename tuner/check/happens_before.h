/* SPDX-License-Identifier: Apache-2.0 */
/*
 * happens_before.h - the happens-before relation between the accesses of a launch, by the rules of CUDA.
 *
 * Blocks run one after the other and the threads of a block one at a time. That order is mostly accidental; only
 * synchronisation counts:
 *   - a barrier orders everything its block's threads did before it ahead of everything they do after it;
 *   - a barrier of a cluster does the same for its blocks' threads, one of the grid for all threads;
 *   - __syncwarp and the warp's exchanges do the same for the participating lanes;
 *   - an atomic operation after a fence publishes what its thread did, or had already synchronised with, to every
 *     thread that later performs an atomic operation on the same address.
 *
 * These are the vector clocks of Fidge and Mattern in the compact form of FastTrack (Flanagan and Freund, PLDI 2009).
 * An access is an epoch, a thread and a time. Instead of a full vector, a thread keeps the time of its block's last
 * barrier and one time for each lane of its warp; only what it acquired through atomic operations is a vector clock,
 * which stays empty in most kernels.
 */
#ifndef TUNE_CHECK_HAPPENS_BEFORE_H
#define TUNE_CHECK_HAPPENS_BEFORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HAPPENS_BEFORE_THREADS = 1024, HAPPENS_BEFORE_LANES = 32 };

/* A sparse vector clock: entries are sorted by thread, a missing entry is time 0. */
struct clock_entry {
    uint64_t thread; /* of any block, or all threads of a block */
    uint32_t time;
};
struct vector_clock {
    struct clock_entry *entries;
    size_t count, capacity;
    uint32_t floor; /* the least time of every thread; raised when the clock gets too long */
};

/* What the threads of a block know. */
struct block_clock {
    uint32_t barrier; /* the time of the block's last barrier */
    uint32_t cluster; /* the time of its cluster's last barrier; 0: none */
    uint32_t lanes[HAPPENS_BEFORE_THREADS][HAPPENS_BEFORE_LANES]; /* [t][l]: what t knows of lane l of its warp */
    bool fenced[HAPPENS_BEFORE_THREADS];                          /* its atomic operations publish */
    struct vector_clock acquired[HAPPENS_BEFORE_THREADS];         /* through atomic operations since the barrier */
    struct vector_clock acquired_by_block;                        /* by any of its threads before the last barrier */
};

struct happens_before {
    uint32_t time; /* now; advanced by every synchronising event */
    uint32_t block, threads;
    uint32_t launch; /* everything up to this time happened in an earlier launch, on the host or before a barrier of
                      * the grid */
    uint32_t first;  /* the first of the blocks that live at the same time; blocks are counted on and on */
    size_t live, cluster;           /* how many live, and how many of these make a cluster */
    struct block_clock **clocks;    /* of those that live */
    size_t clock_count;             /* as allocated */
    struct block_clock *own;        /* of the running block; NULL: none, for lack of memory */
    struct vector_clock *published; /* by address; see happens_before_atomic */
    size_t published_count, published_capacity;
    bool out_of_memory; /* missing entries would look like races: discard what was found */
};

/* `relation` is zeroed memory. */
void happens_before_init(struct happens_before *relation);
void happens_before_clear(struct happens_before *relation);

/* The events of a launch, as they occur. A block follows each launch and each block that has ended; where blocks live
 * at the same time, `team` begins all of them, cluster by cluster, and each runs after its `turn`. */
void happens_before_launch(struct happens_before *relation, uint32_t threads);
void happens_before_block(struct happens_before *relation);
void happens_before_team(struct happens_before *relation, size_t blocks, size_t cluster);
void happens_before_turn(struct happens_before *relation, size_t i);
void happens_before_barrier(struct happens_before *relation);
void happens_before_cluster_barrier(struct happens_before *relation); /* of the running block's cluster */
void happens_before_grid_barrier(struct happens_before *relation);
void happens_before_exchange(struct happens_before *relation, uint32_t warp, uint32_t lanes);
void happens_before_fence(struct happens_before *relation, uint32_t thread);

/* An atomic operation by `thread`. `*published` is kept by the caller for each address, initially 0. */
void happens_before_atomic(struct happens_before *relation, uint32_t thread, uint32_t *published);

/* Did what `thread` of `block` did at `time` happen before what `reader`, a thread of the running block, does now? */
bool happens_before_holds(const struct happens_before *relation, uint32_t block, uint32_t thread, uint32_t time,
                          uint32_t reader);

#endif
