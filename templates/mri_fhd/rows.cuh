/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.cuh - for voxels in rows: which of them a thread computes.
 *
 * Rows have `row` voxels, evenly spaced along x, with the same y and z. A thread has VOXELS of one row, row / VOXELS
 * apart, so that neighbouring threads have neighbouring voxels: a group. It has GROUPS groups, BLOCK groups apart; they
 * share what is read of a sample. The groups of a block are a tile. VOXELS divides `row`; the last row may be cut
 * short.
 */
#ifndef MRI_FHD_ROWS_CUH
#define MRI_FHD_ROWS_CUH

struct group {
    int first, apart;   /* the first voxel, and the distance to the next */
    float x, y, z;      /* of the first voxel */
};

static __device__ __forceinline__ int count_tiles(int count, int row)
{
    int groups = ((count - 1) / row + 1) * (row / VOXELS);
    return (groups - 1) / (BLOCK * GROUPS) + 1;
}

static __device__ __forceinline__ group find_group(int tile, int g, const float *__restrict__ x,
                                                   const float *__restrict__ y, const float *__restrict__ z, int row,
                                                   float spacing, int count)
{
    group one;
    one.apart = row / VOXELS;
    int index = tile * (BLOCK * GROUPS) + g * BLOCK + threadIdx.x;
    int line = index / one.apart, column = index % one.apart;
    one.first = line * row + column;
    int start = min(line, (count - 1) / row) * row; /* past the last row: computed again, never stored */
    one.x = x[start] + spacing * (float)column;
    one.y = y[start];
    one.z = z[start];
    return one;
}

#endif
