/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - place the points: anywhere in the unit cube, or on the places of a cubic lattice with whole coordinates
 * from 0 to lattice - 1 if that is more than 0, where many have several nearest neighbours at the same distance, or
 * one in the same place.
 */
__global__ void place_points(const float *random, float *points, int count, int lattice)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 3 * count)
        return;
    float at = random[i]; /* from 0 to 1, without 1 */
    points[i] = lattice > 1 ? fminf(floorf(at * (float)lattice), (float)(lattice - 1)) : at;
}
