/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spheres.cuh - adds an atom to those of a thread's points that are within the cutoff of it, as the variants up to
 * `dynamic` do.
 *
 * A thread's points lie in a line along z, or along y, so the distance in the two other directions is computed once for
 * all of them. With CYLINDER it is also tested once: the atoms that may reach any point of the line lie in a cylinder
 * around it. Only those that pass are tested point by point, against a sphere.
 */
#ifndef DCS_CUTOFF_SPHERES_CUH
#define DCS_CUTOFF_SPHERES_CUH

#include "points.cuh"

static __device__ __forceinline__ void add_atom(thread_points &own, float4 atom, const volume &all)
{
#if POINTS_Y > 1
    float aside = own.z[0] - atom.z;
#else
    float aside = own.y[0] - atom.y;
#endif
    float dx = own.x - atom.x;
    float across = dx * dx + aside * aside;
#if CYLINDER
    if (across >= all.cutoff2)
        return;
#endif
#pragma unroll
    for (int r = 0; r < POINTS_Y; r++)
#pragma unroll
        for (int p = 0; p < POINTS_Z; p++) {
#if POINTS_Y > 1
            float along = own.y[r] - atom.y;
#else
            float along = own.z[p] - atom.z;
#endif
            float d = across + along * along;
            if (d < all.cutoff2)
                own.sum[r][p] += term(atom.w, d, all.falling);
        }
}

#endif
