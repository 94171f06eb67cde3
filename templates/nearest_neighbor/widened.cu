/* SPDX-License-Identifier: Apache-2.0 */
/*
 * widened.cu - nearest neighbours: blocked.cu with points widened to four floats on the way into shared memory.
 *
 * A point is then aligned to 16 bytes, and one load instead of three reads it.
 *
 *   BLOCK   threads of a block.
 *   TILE    points of a tile, 16 bytes each.
 *   UNROLL  points of a tile written out.
 *
 * Limit: the arithmetic, of which bookkeeping is nearly half: beside the six operations of a distance there are a
 * comparison of distances, one of indices, and the selection of both; and a load for each pair.
 */
struct __align__(16) shared_point {
    float x, y, z, unused;
};

#include "tiles.cuh"
