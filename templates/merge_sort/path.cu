/* SPDX-License-Identifier: Apache-2.0 */
/*
 * path.cu - merge neighbouring runs; a block makes one tile of the result, in registers.
 *
 * Where a tile's elements begin in both runs is found before, for all tiles at once: the searches wait for memory,
 * and so should as many as possible at a time. So a block loads exactly the elements of its tile, every thread
 * several that are all under way together. Each merges neighbouring ones into registers (merge_items.cuh), and they
 * are stored as whole lines by way of shared memory. Many small blocks a multiprocessor hide each other's latencies
 * and barriers.
 *
 *   BLOCK      threads of a block.
 *   ITEMS      elements of a thread.
 *   VECTOR     elements of a store. More than 1 needs odd numbers of elements a thread.
 *   PARTITION  before: a kernel of its own finds where tiles begin. inside: two warps of each block do, with 32 tries
 *              at a time; fewer steps, but the block waits for them.
 *   SORT_BLOCK, SORT_ITEMS, SORT  see block_sort.cuh.
 *
 * (O. Green, R. McColl and D. Bader, "GPU merge path - a GPU merging algorithm", 2012; S. Baxter, moderngpu, 2013.)
 *
 * Limit: memory bandwidth; one read and one write an element, each of log2(n / (SORT_BLOCK * SORT_ITEMS)) times.
 */
#include "elements.cuh"

extern __shared__ __align__(16) element room[]; /* for the headers as well */

#include "block_sort.cuh"
#include "path.cuh"
