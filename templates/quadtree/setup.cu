/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - the points, by SHAPE:
 *
 *   1  uniform: anywhere in the unit square.
 *   2  clustered: around 16 centres, the closer the more of them; every 16th anywhere.
 *   3  equal: all in one place, and no division parts them.
 *   4  on borders: one of 65 coordinates each, multiples of 1/64, 0 and 1 among them: corners of cells, many equal.
 */
#include "../hash.cuh"

/* From 0 on and below 1. */
static __device__ float fraction(unsigned word)
{
    return (float)(word >> 8) * 0x1p-24f;
}

static __device__ float clustered(float centre, float r, float spread)
{
    float d = 2.0f * r - 1.0f;
    return fminf(fmaxf(centre + spread * d * d * d, 0.0f), 1.0f);
}

__global__ void make_points(const unsigned *random, float2 *points, int n, int shape)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long key = (unsigned long long)random[0] << 32 | random[1];
    unsigned x = hash(key, 2ull * i), y = hash(key, 2ull * i + 1);
    float2 point = make_float2(fraction(x), fraction(y));
    if (shape == 2 && i % 16 != 15) {
        unsigned long long centre = (x ^ y) % 16; /* of the low bits, which do not show in `fraction` */
        point.x = clustered(fraction(hash(~key, 2 * centre)), point.x, 0.05f);
        point.y = clustered(fraction(hash(~key, 2 * centre + 1)), point.y, 0.05f);
    } else if (shape == 3) {
        point = make_float2(fraction(random[0]), fraction(random[1]));
    } else if (shape == 4) {
        point = make_float2((float)(x % 65) / 64.0f, (float)(y % 65) / 64.0f);
    }
    points[i] = point;
}
