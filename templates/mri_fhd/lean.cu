/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lean.cu - the sums F^H d in as few instructions a pair as there are, at any voxels.
 *
 * With TRIG = sfu a pair is three multiply-adds for the phase, a scaling that the hardware's sine and cosine need, two
 * operations of the special function unit and two multiply-adds for the sums: 8 instructions, where constant_aos.cu
 * has 13; see records.cuh. In the time of those two operations a multiprocessor could issue 16 for each pair, so the
 * special function units are now alone in setting the pace. Then half of the slots are free, and POLYNOMIAL uses them:
 * for that many of a thread's voxels sine and cosine are polynomials on the multiply-add units, some 20 instructions a
 * pair.
 *
 *   BLOCK       threads per block.                      VOXELS  voxels per thread, BLOCK apart.
 *   CHUNK       records in constant or shared memory.   UNROLL  unroll factor of the loop over samples.
 *   FETCH       constant, shared or readonly.           TRIG    precise or sfu, for those without polynomial.
 *   POLYNOMIAL  of the VOXELS, how many by polynomial.
 *   POLYNOMIAL_VOXELS  0: all warps do the same. n: the second half of a block's warps has n voxels per thread, all by
 *               polynomial, beside VOXELS of the others. A thread that mixes both spends some time waiting for the
 *               special function units together with its neighbours, and then nobody has work for the others; a warp
 *               that never needs them always has.
 *   SPREAD, SPLIT, MIN_BLOCKS  how work is divided; see even_parts.cuh.
 *
 * Limit: two operations of the special function unit per pair, 16 per cycle and multiprocessor; with POLYNOMIAL the
 * issue slots. rotation.cu needs neither at voxels that are evenly spaced.
 */
#define TABLE 0
#include "records.cuh"
#include "polynomial.cuh"
#include "trigonometry.cuh"

/* Voxels of a block, and its threads that share each kind of them. */
#if POLYNOMIAL_VOXELS
enum { SHARING = BLOCK / 2, TILE = SHARING * (VOXELS + POLYNOMIAL_VOXELS) };
#else
enum { SHARING = BLOCK, TILE = BLOCK * VOXELS };
#endif

struct voxels {
    bool polynomial; /* all of them, and only POLYNOMIAL_VOXELS */
    int first;       /* they are SHARING apart */
    float x[VOXELS], y[VOXELS], z[VOXELS];
    float re[VOXELS], im[VOXELS];
};

/* POLYNOMIAL of VOXELS, evenly among the others, so that both kinds of units have work at any time. */
static __device__ __forceinline__ constexpr bool by_polynomial(int v)
{
    return v * POLYNOMIAL % VOXELS < POLYNOMIAL;
}

/* Adds a sample to the first `count` voxels. */
template <int count, bool polynomial>
static __device__ __forceinline__ void add_sample(voxels &own, const record &one)
{
#pragma unroll
    for (int v = 0; v < count; v++) {
        float angle = fmaf(one.kx, own.x[v], fmaf(one.ky, own.y[v], fmaf(one.kz, own.z[v], one.psi)));
        float s, c, length = one.length;
        if (polynomial || by_polynomial(v))
            length = __uint_as_float(__float_as_uint(length) ^ polynomial_phase(angle, &s, &c));
        else
            phase(angle, &s, &c);
        own.re[v] = fmaf(length, c, own.re[v]);
        own.im[v] = fmaf(length, s, own.im[v]);
    }
}

static __device__ __forceinline__ void add_some(voxels &own, const float4 *records, int first, int last)
{
#if POLYNOMIAL_VOXELS
    if (own.polynomial) {
#pragma unroll unroll
        for (int m = first; m < last; m++)
            add_sample<POLYNOMIAL_VOXELS, true>(own, read_record(&records[(size_t)RECORD_VECTORS * m]));
        return;
    }
#endif
#pragma unroll unroll
    for (int m = first; m < last; m++)
        add_sample<VOXELS, false>(own, read_record(&records[(size_t)RECORD_VECTORS * m]));
}

__global__ void BOUNDED(BLOCK)
    gather_lean(const float4 *__restrict__ records, const float *__restrict__ x, const float *__restrict__ y,
                const float *__restrict__ z, float *__restrict__ rfhd, float *__restrict__ ifhd, int samples,
                int count)
{
    share work = block_share((count - 1) / TILE + 1, samples, blockIdx.x);
    part now;
    while (take_part(work, now)) {
        voxels own;
        own.polynomial = false;
        own.first = now.tile * TILE + threadIdx.x;
#if POLYNOMIAL_VOXELS
        own.polynomial = threadIdx.x >= SHARING;
        if (own.polynomial)
            own.first += SHARING * (VOXELS - 1); /* after the others' voxels */
#endif
#pragma unroll
        for (int v = 0; v < VOXELS; v++) {
            int n = min(own.first + v * SHARING, count - 1); /* past the last one: computed again, never stored */
            own.x[v] = x[n];
            own.y[v] = y[n];
            own.z[v] = z[n];
            own.re[v] = 0.0f;
            own.im[v] = 0.0f;
        }
        add_records(own, records, now.first, now.last);
#pragma unroll
        for (int v = 0; v < VOXELS; v++) {
            int n = own.first + v * SHARING;
            if (n < count && !(own.polynomial && v >= POLYNOMIAL_VOXELS))
                put_sums(&rfhd[n], &ifhd[n], own.re[v], own.im[v], now.whole);
        }
    }
}
