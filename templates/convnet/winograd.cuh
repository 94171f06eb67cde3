/* SPDX-License-Identifier: Apache-2.0 */
/*
 * winograd.cuh - minimal filtering F(m, r): m outputs of a filter with r taps from ALPHA = m + r - 1 multiplications.
 *
 * Filtering is a product of polynomials, and that of values at ALPHA points, infinity being one of them. Evaluating the
 * filter (G) and the input (B^T) and finding the outputs (A^T) takes additions and small constants:
 *
 *     y = A^T [ (G g) * (B^T d) ]        in two dimensions  Y = A^T [ (G g G^T) * (B^T d B) ] A
 *
 * (S. Winograd, "Arithmetic Complexity of Computations", 1980; A. Lavin and S. Gray, "Fast Algorithms for Convolutional
 * Neural Networks", CVPR 2016.) In two dimensions ALPHA * ALPHA multiplications replace m * m * r * r.
 *
 * The points are 0, infinity and pairs p, -p: 1 for ALPHA = 4; 1 and 2 for 6; 1, 2 and 1/2 for 8. Powers of them are
 * exact. B^T depends on the points only; row k of G is scale(k) * (1, p, p^2 ...), column k of A^T is (1, p, p^2 ...).
 * In each pair even and odd powers are summed once: E + O is one point's value, E - O the other's.
 *
 * How far is the result off? Each product of an element of the filter and one of the input enters the result several
 * times with coefficients that cancel, and is rounded each time: errors grow with |A^T| (|U| |V|) |A|, U and V being
 * the transforms, which the larger coefficients of more points make larger than |g| * |d| by far. The template's
 * tolerance is relative to this, as the reference computes it.
 *
 * On average much of this cancels. For uniform random numbers and 64 to 256 channels the root mean square error is that
 * of the direct sum times 0.6 for F(2 x 2, 3 x 3), 4 for 4 x 4 and 7 for 6 x 6; times 3 for F(2 x 2, 5 x 5) and 4 for
 * 4 x 4.
 */
#ifndef CONVNET_WINOGRAD_CUH
#define CONVNET_WINOGRAD_CUH

#define ALPHA (OUT_TILE + FILTER - 1)
#define PAIRS ((ALPHA - 2) / 2)
static_assert(ALPHA == 4 || ALPHA == 6 || ALPHA == 8, "points are chosen for these");

/* The positive point of a pair, to a power. */
static __device__ __forceinline__ constexpr float power(int pair, int exponent)
{
    return pair == 0 ? 1.0f : pair == 1 ? (float)(1 << exponent) : 1.0f / (float)(1 << exponent);
}

static __device__ __forceinline__ constexpr float scale_zero()
{
    return ALPHA == 6 ? 0.25f : 1.0f;
}

static __device__ __forceinline__ constexpr float scale(int pair)
{
    return ALPHA == 4   ? 0.5f
           : ALPHA == 6 ? (pair == 0 ? -1.0f / 6.0f : 1.0f / 24.0f)
                        : (pair == 0 ? -2.0f / 9.0f : pair == 1 ? 1.0f / 90.0f : 32.0f / 45.0f);
}

/* G g */
static __device__ __forceinline__ void filter_values(float (&to)[ALPHA], const float (&g)[FILTER])
{
    to[0] = scale_zero() * g[0];
    to[ALPHA - 1] = g[FILTER - 1];
#pragma unroll
    for (int pair = 0; pair < PAIRS; pair++) {
        float even = g[0], odd = power(pair, 1) * g[1];
#pragma unroll
        for (int j = 2; j < FILTER; j++) {
            if (j % 2 == 0)
                even += power(pair, j) * g[j];
            else
                odd += power(pair, j) * g[j];
        }
        to[1 + 2 * pair] = scale(pair) * (even + odd);
        to[2 + 2 * pair] = scale(pair) * (even - odd);
    }
}

/* B^T d */
static __device__ __forceinline__ void input_values(float (&to)[ALPHA], const float (&d)[ALPHA])
{
#if ALPHA == 4
    to[0] = d[0] - d[2];
    to[1] = d[2] + d[1];
    to[2] = d[2] - d[1];
    to[3] = d[3] - d[1];
#elif ALPHA == 6
    float even1 = d[4] - 4.0f * d[2], odd1 = d[3] - 4.0f * d[1];
    float even2 = d[4] - d[2], odd2 = 2.0f * (d[3] - d[1]);
    to[0] = 4.0f * d[0] - 5.0f * d[2] + d[4];
    to[1] = even1 + odd1;
    to[2] = even1 - odd1;
    to[3] = even2 + odd2;
    to[4] = even2 - odd2;
    to[5] = 4.0f * d[1] - 5.0f * d[3] + d[5];
#else
    float even1 = d[6] + d[2] - 4.25f * d[4], odd1 = d[5] + d[1] - 4.25f * d[3];
    float even2 = d[6] + 0.25f * d[2] - 1.25f * d[4], odd2 = 2.0f * d[5] + 0.5f * d[1] - 2.5f * d[3];
    float even3 = d[6] + 4.0f * d[2] - 5.0f * d[4], odd3 = 0.5f * d[5] + 2.0f * d[1] - 2.5f * d[3];
    to[0] = d[0] - d[6] + 5.25f * (d[4] - d[2]);
    to[1] = even1 + odd1;
    to[2] = even1 - odd1;
    to[3] = even2 + odd2;
    to[4] = even2 - odd2;
    to[5] = even3 + odd3;
    to[6] = even3 - odd3;
    to[7] = d[7] - d[1] + 5.25f * (d[3] - d[5]);
#endif
}

/* A^T v */
static __device__ __forceinline__ void outputs(float (&to)[OUT_TILE], const float (&v)[ALPHA])
{
#pragma unroll
    for (int i = 0; i < OUT_TILE; i++) {
        float sum = i == 0 ? v[0] : i == OUT_TILE - 1 ? v[ALPHA - 1] : 0.0f;
#pragma unroll
        for (int pair = 0; pair < PAIRS; pair++) {
            float both = i % 2 == 0 ? v[1 + 2 * pair] + v[2 + 2 * pair] : v[1 + 2 * pair] - v[2 + 2 * pair];
            sum += power(pair, i) * both;
        }
        to[i] = sum;
    }
}

/* In two dimensions: down the columns, then along the rows. */
template <int TO, int FROM, void (&TRANSFORM)(float (&)[TO], const float (&)[FROM])>
static __device__ __forceinline__ void transform(float (&to)[TO][TO], const float (&from)[FROM][FROM])
{
    float half[TO][FROM];
#pragma unroll
    for (int column = 0; column < FROM; column++) {
        float in[FROM], out[TO];
#pragma unroll
        for (int i = 0; i < FROM; i++)
            in[i] = from[i][column];
        TRANSFORM(out, in);
#pragma unroll
        for (int i = 0; i < TO; i++)
            half[i][column] = out[i];
    }
#pragma unroll
    for (int row = 0; row < TO; row++)
        TRANSFORM(to[row], half[row]);
}

#endif
