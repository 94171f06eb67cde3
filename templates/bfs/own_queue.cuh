/* SPDX-License-Identifier: Apache-2.0 */
/*
 * own_queue.cuh - a block's queue of pieces of lists, in shared memory, and what does not fit in it.
 *
 *   SPLIT     entries of a piece at most.
 *   CAPACITY  pieces of the queue.
 */
#ifndef BFS_OWN_QUEUE_CUH
#define BFS_OWN_QUEUE_CUH

#include "tally.cuh"

/* Entries of `neighbours`: the whole list of a vertex, or a piece of it. */
struct __align__(8) span {
    unsigned begin, end;
};

struct shared_queue {
    span pieces[CAPACITY];
    unsigned held, first; /* how many have been queued, also those that did not fit; where they go in the next queue */
    tally found;          /* by the block */
};

/* A thread's view: the block's queue, the device's, and how long that is. */
struct own_queue {
    shared_queue *own;
    span *next;
    unsigned *length;
};

static __device__ __forceinline__ unsigned pieces_of(span list)
{
    return (list.end - list.begin + SPLIT - 1) / SPLIT;
}

static __device__ __forceinline__ span piece_of(span list, unsigned piece)
{
    unsigned begin = list.begin + piece * SPLIT;
    return {begin, min(begin + SPLIT, list.end)};
}

/* For all threads of a block, which all see it when they have met. */
static __device__ __forceinline__ void clear_queue(shared_queue &queue)
{
    if (threadIdx.x == 0) {
        queue.held = 0;
        queue.found = {0, 0, 0};
    }
}

static __device__ __forceinline__ void queue_list(own_queue &queue, span list)
{
    unsigned pieces = pieces_of(list), place = atomicAdd(&queue.own->held, pieces), piece = 0;
    for (; piece < pieces && place + piece < CAPACITY; piece++)
        queue.own->pieces[place + piece] = piece_of(list, piece);
    if (piece == pieces)
        return;
    unsigned first = atomicAdd(queue.length, pieces - piece);
    for (; piece < pieces; piece++, first++)
        queue.next[first] = piece_of(list, piece);
}

/* For all threads of a block: what is in the queue goes to the next one, and what has been counted to `counts`. */
static __device__ __forceinline__ void hand_over(own_queue &queue, tally found, tally *counts)
{
    shared_queue &own = *queue.own;
    add_to_block(found, &own.found);
    __syncthreads();
    unsigned held = min(own.held, (unsigned)CAPACITY);
    if (threadIdx.x == 0) {
        if (held > 0)
            own.first = atomicAdd(queue.length, held);
        add_to_all(own.found, counts);
    }
    __syncthreads();
    for (unsigned piece = threadIdx.x; piece < held; piece += BLOCK)
        queue.next[own.first + piece] = own.pieces[piece];
    __syncthreads();
    clear_queue(own);
}

#endif
