/* SPDX-License-Identifier: Apache-2.0 */
/*
 * distance.cuh - shared by all variants: points, the squared distance of two, and what is stored of a query.
 *
 * The multiply-adds are explicit, so that a distance is the same number wherever it is computed.
 */
#ifndef NEAREST_NEIGHBOR_DISTANCE_CUH
#define NEAREST_NEIGHBOR_DISTANCE_CUH

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

#define INFINITE __int_as_float(0x7f800000) /* the distance of what does not count */
#define FARTHEST __int_as_float(0x7f7fffff) /* the greatest number: farther than any point */

struct point {
    float x, y, z;
};

static __device__ __forceinline__ point load_point(const float *__restrict__ points, int i)
{
    return {points[3 * i], points[3 * i + 1], points[3 * i + 2]};
}

/* Three subtractions, a product, two multiply-adds. */
static __device__ __forceinline__ float squared_distance(float x, float y, float z, point p)
{
    float dx = x - p.x;
    float dy = y - p.y;
    float dz = z - p.z;
    return fmaf(dx, dx, fmaf(dy, dy, dz * dz));
}

/* The result for a query at p: its neighbour, -1 if it has none, and the squared distance to that. */
static __device__ __forceinline__ void store_result(const float *__restrict__ points, int *__restrict__ index,
                                                    float *__restrict__ distance, int query, point p, int nearest)
{
    index[query] = nearest;
    distance[query] = 0.0f;
    if (nearest >= 0) {
        point other = load_point(points, nearest);
        distance[query] = squared_distance(other.x, other.y, other.z, p);
    }
}

#endif
