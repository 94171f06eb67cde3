/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rectangle.cuh - the points that a thread has of a plane: VECTOR along x and ROWS along y.
 */
#ifndef STENCIL7_RECTANGLE_CUH
#define STENCIL7_RECTANGLE_CUH

#include "stencil.cuh"
#include "../vectors.cuh"

typedef vector_of<VECTOR>::type vector;

struct rectangle {
    vector row[ROWS];
};

/* Where they are. */
struct position {
    int x, left;     /* of the first point; points of its row that are left from there on */
    unsigned inside; /* bit r VECTOR + i: whether point i of row r is in the grid, as far as x and y are concerned */
    int nx;
    bool aligned; /* rows of the grid are whole vectors */
};

static __device__ __forceinline__ position position_of(int x, int y, int nx, int ny, bool aligned)
{
    position at;
    at.x = x;
    at.left = x >= 0 ? nx - x : 0;
    at.inside = 0;
#pragma unroll
    for (int i = 0; i < ROWS * VECTOR; i++)
        if (i % VECTOR < at.left && y + i / VECTOR >= 0 && y + i / VECTOR < ny)
            at.inside |= 1u << i;
    at.nx = nx;
    at.aligned = aligned;
    return at;
}

/* Points of row r from the first one on. */
static __device__ __forceinline__ int row_left(position at, int r)
{
    return at.inside >> r * VECTOR & 1 ? at.left : 0;
}

/* From the thread's first point in a plane that `exists`; zero outside of the grid. */
static __device__ __forceinline__ rectangle load_rectangle(const float *from, position at, bool exists)
{
    rectangle loaded;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        loaded.row[r] = load_part<VECTOR>(from + (ptrdiff_t)r * at.nx, exists ? row_left(at, r) : 0, at.aligned, 0);
    return loaded;
}

/* Rows first to end - 1 of them. */
static __device__ __forceinline__ void store_rectangle(float *to, position at, const rectangle *values, int first,
                                                       int end)
{
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        store_part<VECTOR>(to + (ptrdiff_t)r * at.nx, values->row[r], r >= first && r < end ? row_left(at, r) : 0,
                           at.aligned, STREAM > 0);
}

#endif
