/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocked.cu - nearest neighbours, a thread a query, points from tiles in shared memory; see tiles.cuh.
 *
 *   BLOCK   threads of a block.
 *   TILE    points of a tile, 12 bytes each.
 *   UNROLL  points of a tile written out.
 *
 * Limit: three loads from shared memory a pair.
 */
struct shared_point {
    float x, y, z;
};

#include "tiles.cuh"
