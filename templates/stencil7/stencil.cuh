/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stencil.cuh - the weights of a point and its six neighbours, and their sum.
 *
 * Opposite neighbours differ in weight, so that one taken for another shows. All weights are exact in single precision.
 * They add up to 0.953125, so that values do not grow, however many sweeps there are.
 */
#ifndef STENCIL7_STENCIL_CUH
#define STENCIL7_STENCIL_CUH

#define CENTER 0.25f
#define WEST 0.078125f  /* x - 1 */
#define EAST 0.15625f   /* x + 1 */
#define SOUTH 0.0625f   /* y - 1 */
#define NORTH 0.1875f   /* y + 1 */
#define BELOW 0.125f    /* z - 1 */
#define ABOVE 0.09375f  /* z + 1 */

static __device__ __forceinline__ float weighted(float center, float west, float east, float south, float north,
                                                 float below, float above)
{
    return CENTER * center + WEST * west + EAST * east + SOUTH * south + NORTH * north + BELOW * below +
           ABOVE * above;
}

#endif
