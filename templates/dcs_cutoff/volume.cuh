/* SPDX-License-Identifier: Apache-2.0 */
/*
 * volume.cuh - the volume: its grid points, the bins that cover it, and the cutoff. Shared by all variants.
 *
 * Bins are cubes of BIN_EDGE spacings, a power of two, so that it is exact in which bin an atom is. They are numbered
 * along x first, then y, then z, as grid points are.
 */
#ifndef DCS_CUTOFF_VOLUME_CUH
#define DCS_CUTOFF_VOLUME_CUH

static_assert((BIN_EDGE & (BIN_EDGE - 1)) == 0, "in which bin an atom is would not be exact");

/* As the template declares it. */
struct grid {
    int3 points;   /* how many along each axis */
    float spacing; /* between them */
    float cutoff2; /* the cutoff squared */
};

/* And what follows from it. */
struct volume : grid {
    int3 bins;     /* how many along each axis */
    float per_bin; /* 1 / edge of a bin */
    float falling; /* -1 / cutoff2 */
};

static __device__ __forceinline__ volume volume_of(const grid &given)
{
    volume all;
    all.points = given.points;
    all.spacing = given.spacing;
    all.cutoff2 = given.cutoff2;
    all.bins = make_int3((given.points.x - 1) / BIN_EDGE + 1, (given.points.y - 1) / BIN_EDGE + 1,
                         (given.points.z - 1) / BIN_EDGE + 1);
    all.per_bin = 1.0f / (BIN_EDGE * given.spacing);
    all.falling = -1.0f / given.cutoff2;
    return all;
}

static __device__ __forceinline__ int bin_along(float position, int bins, float per_bin)
{
    return min((int)(position * per_bin), bins - 1); /* an atom may lie on the far face of the box */
}

static __device__ __forceinline__ int bin_of(float4 atom, const volume &all)
{
    int x = bin_along(atom.x, all.bins.x, all.per_bin);
    int y = bin_along(atom.y, all.bins.y, all.per_bin);
    int z = bin_along(atom.z, all.bins.z, all.per_bin);
    return (z * all.bins.y + y) * all.bins.x + x;
}

static __device__ __forceinline__ int bin_count(const volume &all)
{
    return all.bins.x * all.bins.y * all.bins.z;
}

/* Charge over distance with the smoothing factor (1 - r^2 / cutoff^2)^2, for r^2 = d below the cutoff. */
static __device__ __forceinline__ float term(float charge, float d, float falling)
{
    float t = fmaf(d, falling, 1.0f);
    return charge * (t * t) * rsqrtf(d);
}

#endif
