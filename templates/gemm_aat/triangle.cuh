/* SPDX-License-Identifier: Apache-2.0 */
/*
 * triangle.cuh - numbers for the tiles of the lower triangle, row by row: 0; 1, 2; 3, 4, 5; ...
 *
 * C = A Aᵀ is symmetric, so the tiles below the diagonal are half the work: each is stored a second time, mirrored.
 */
#ifndef GEMM_AAT_TRIANGLE_CUH
#define GEMM_AAT_TRIANGLE_CUH

struct tile_place {
    int row, column; /* in tiles; column <= row */
};

static __device__ __forceinline__ tile_place place_in_triangle(int tile)
{
    /* Row r begins with tile r (r + 1) / 2. The root may be off by one where it is near a whole number. */
    int row = (int)((sqrtf(8.0f * (float)tile + 1.0f) - 1.0f) * 0.5f);
    while ((long long)row * (row + 1) / 2 > tile)
        row--;
    while ((long long)(row + 1) * (row + 2) / 2 <= tile)
        row++;
    tile_place place;
    place.row = row;
    place.column = (int)(tile - (long long)row * (row + 1) / 2);
    return place;
}

#endif
