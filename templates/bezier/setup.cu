/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - curves with random ends, and with middle control points as far from their chords as makes them need a given
 * number of points:
 *
 *   SKEW  1: any number from 4 to the largest, all as often.
 *         2: few need many: 4 / r points for r in (0, 1), half of the curves fewer than 8.
 *
 * Every 509th curve ends where it begins, and every 521st is a single point.
 */
__global__ void make_curves(const float *random, float2 *controls, int count, int most, int skew)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count)
        return;
    const float *own = random + 6 * (size_t)n;
    float2 first = make_float2(own[0], own[1]), last = make_float2(own[2], own[3]);
    if (n % 509 == 508)
        last = first;
    float r = 0.5f * (own[4] + 1.0f);
    float wanted = skew == 1 ? 4.0f + r * (float)(most - 3) : 4.0f / (r + 1e-6f);
    float dx = last.x - first.x, dy = last.y - first.y;
    float bend = fminf(wanted, (float)most + 0.5f) / 16.0f * sqrtf(dx * dx + dy * dy);
    if (n % 509 == 508)
        bend = 1.0f;
    float angle = 3.14159265f * own[5];
    float2 middle = make_float2(0.5f * (first.x + last.x) + bend * cosf(angle),
                                0.5f * (first.y + last.y) + bend * sinf(angle));
    if (n % 521 == 520)
        middle = last = first;
    controls[3 * (size_t)n] = first;
    controls[3 * (size_t)n + 1] = middle;
    controls[3 * (size_t)n + 2] = last;
}
