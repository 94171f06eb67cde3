/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nearby.cuh - which bins are within the cutoff of a block's region, as offsets from the region's own first bin. They
 * are the same for all regions, so they are found once, before anything is timed, and kept in constant memory.
 *
 * For this a region and a bin must fit each other: along each axis one is a whole number of the other. The list is that
 * of the longer of the two, from the first point of which it holds for all regions.
 *
 *   list_bins  (bins of constant capacity) one offset a bin, along all axes.
 *   list_rows  (dynamic) bins of a row lie one behind the other in memory, and so do their atoms: an offset along y and
 *              z, and the first and the last bin along x.
 */
#ifndef DCS_CUTOFF_NEARBY_CUH
#define DCS_CUTOFF_NEARBY_CUH

#include "points.cuh"

enum {
    SPAN_X = REGION_X > BIN_EDGE ? REGION_X : BIN_EDGE,
    SPAN_Y = REGION_Y > BIN_EDGE ? REGION_Y : BIN_EDGE,
    SPAN_Z = REGION_Z > BIN_EDGE ? REGION_Z : BIN_EDGE
};

static_assert(SPAN_X % BIN_EDGE == 0 && SPAN_X % REGION_X == 0 && SPAN_Y % BIN_EDGE == 0 && SPAN_Y % REGION_Y == 0 &&
                  SPAN_Z % BIN_EDGE == 0 && SPAN_Z % REGION_Z == 0,
              "bins and regions do not fit each other");

enum { NEARBY_MOST = 12288 };          /* as the template allows */
__constant__ int nearby[NEARBY_MOST]; /* how many, then two numbers for each */

/* Two numbers from -32768 to 32767. */
static __device__ __forceinline__ int packed(int low, int high)
{
    return (int)((unsigned)high << 16 | ((unsigned)low & 0xffffu));
}

static __device__ __forceinline__ int low_of(int pair)
{
    return (short)(pair & 0xffff);
}

static __device__ __forceinline__ int high_of(int pair)
{
    return pair >> 16;
}

/* Grid spacings between the points first to first + span - 1 and the bin at an offset, along one axis. */
static __device__ int spacings_to(int offset, int span)
{
    return max(0, max(offset * BIN_EDGE - (span - 1), -(offset + 1) * BIN_EDGE));
}

/* Offsets along one axis of bins that may be within the cutoff and in the volume. */
static __device__ int least_offset(int cutoff, int bins)
{
    return -min(cutoff / 4 / BIN_EDGE + 1, bins - 1);
}

static __device__ int greatest_offset(int cutoff, int span, int bins)
{
    return min((cutoff / 4 + span) / BIN_EDGE + 1, bins - 1);
}

/* `cutoff` in quarters of the spacing. At the cutoff itself an atom adds nothing. */
static __device__ bool within(int cutoff, int x, int y, int z)
{
    x = spacings_to(x, SPAN_X);
    y = spacings_to(y, SPAN_Y);
    z = spacings_to(z, SPAN_Z);
    return 16LL * ((long long)x * x + (long long)y * y + (long long)z * z) < (long long)cutoff * cutoff;
}

/* By a single thread, so that the order is always the same. */
__global__ void list_bins(int *list, int cutoff, grid given)
{
    volume all = volume_of(given);
    int count = 0;
    for (int z = least_offset(cutoff, all.bins.z); z <= greatest_offset(cutoff, SPAN_Z, all.bins.z); z++)
        for (int y = least_offset(cutoff, all.bins.y); y <= greatest_offset(cutoff, SPAN_Y, all.bins.y); y++)
            for (int x = least_offset(cutoff, all.bins.x); x <= greatest_offset(cutoff, SPAN_X, all.bins.x); x++)
                if (within(cutoff, x, y, z)) {
                    list[1 + 2 * count] = packed(y, z);
                    list[2 + 2 * count] = x;
                    count++;
                }
    list[0] = count;
}

__global__ void list_rows(int *list, int cutoff, grid given)
{
    volume all = volume_of(given);
    int count = 0;
    for (int z = least_offset(cutoff, all.bins.z); z <= greatest_offset(cutoff, SPAN_Z, all.bins.z); z++)
        for (int y = least_offset(cutoff, all.bins.y); y <= greatest_offset(cutoff, SPAN_Y, all.bins.y); y++) {
            int first = least_offset(cutoff, all.bins.x), last = greatest_offset(cutoff, SPAN_X, all.bins.x);
            while (first <= last && !within(cutoff, first, y, z))
                first++;
            while (first <= last && !within(cutoff, last, y, z))
                last--;
            if (first > last)
                continue;
            list[1 + 2 * count] = packed(y, z);
            list[2 + 2 * count] = packed(first, last);
            count++;
        }
    list[0] = count;
}

/* The bin that the offsets of a region begin at. */
static __device__ __forceinline__ int3 home_bin(int3 origin)
{
    return make_int3(origin.x / BIN_EDGE, origin.y / BIN_EDGE, origin.z / BIN_EDGE);
}

#endif
