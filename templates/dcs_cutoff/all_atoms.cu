/* SPDX-License-Identifier: Apache-2.0 */
/*
 * all_atoms.cu - every point looks at every atom and adds those within the cutoff: `gather` of dcs with a test.
 *
 * What the cutoff saves is the root and the sum. What is left is a distance for each pair, so that twice the volume,
 * with twice the points and twice the atoms, takes four times as long.
 *
 *   BLOCK_X, BLOCK_Y, BLOCK_Z, POINTS_Y, POINTS_Z, BLOCKS_PER_SM  see points.cuh.
 *
 * Limit: six operations and a test a pair of any distance.
 */
#define CYLINDER 0
#include "spheres.cuh"

__global__ void __launch_bounds__(THREADS)
    add_all_atoms(const float4 *__restrict__ atoms, float *__restrict__ energy, int count, grid given, int regions)
{
    volume all = volume_of(given);
    for (int region = blockIdx.x; region < regions; region += gridDim.x) {
        thread_points own = start_points(region_origin(region, all), all);
        for (int n = 0; n < count; n++)
            add_atom(own, atoms[n], all);
        store_points(own, energy, all);
    }
}
