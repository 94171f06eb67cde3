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
 *   SPREAD, SPLIT, MIN_BLOCKS  how work is divided; see even_parts.cuh.
 *
 * Limit: two operations of the special function unit per pair, 16 per cycle and multiprocessor; with POLYNOMIAL the
 * issue slots. rotation.cu needs neither at voxels that are evenly spaced.
 */
#define TABLE 0
#include "records.cuh"
#include "polynomial.cuh"
#include "trigonometry.cuh"

struct voxels {
    float x[VOXELS], y[VOXELS], z[VOXELS];
    float re[VOXELS], im[VOXELS];
};

static __device__ __forceinline__ int voxel_index(int tile, int v)
{
    return tile * (BLOCK * VOXELS) + v * BLOCK + threadIdx.x;
}

/* POLYNOMIAL of VOXELS, evenly among the others, so that both kinds of units have work at any time. */
static __device__ __forceinline__ constexpr bool by_polynomial(int v)
{
    return v * POLYNOMIAL % VOXELS < POLYNOMIAL;
}

static __device__ __forceinline__ void add_record(voxels &own, const record &one)
{
#pragma unroll
    for (int v = 0; v < VOXELS; v++) {
        float angle = fmaf(one.kx, own.x[v], fmaf(one.ky, own.y[v], fmaf(one.kz, own.z[v], one.psi)));
        float s, c, length = one.length;
        if (by_polynomial(v))
            length = __uint_as_float(__float_as_uint(length) ^ polynomial_phase(angle, &s, &c));
        else
            phase(angle, &s, &c);
        own.re[v] = fmaf(length, c, own.re[v]);
        own.im[v] = fmaf(length, s, own.im[v]);
    }
}

__global__ void BOUNDED(BLOCK)
    gather_lean(const float4 *__restrict__ records, const float *__restrict__ x, const float *__restrict__ y,
                const float *__restrict__ z, float *__restrict__ rfhd, float *__restrict__ ifhd, int samples,
                int count)
{
    share work = block_share((count - 1) / (BLOCK * VOXELS) + 1, samples, blockIdx.x);
    part now;
    while (take_part(work, now)) {
        voxels own;
#pragma unroll
        for (int v = 0; v < VOXELS; v++) {
            int n = min(voxel_index(now.tile, v), count - 1); /* past the last one: computed again, never stored */
            own.x[v] = x[n];
            own.y[v] = y[n];
            own.z[v] = z[n];
            own.re[v] = 0.0f;
            own.im[v] = 0.0f;
        }
        add_records(own, records, now.first, now.last);
#pragma unroll
        for (int v = 0; v < VOXELS; v++) {
            int n = voxel_index(now.tile, v);
            if (n < count)
                put_sums(&rfhd[n], &ifhd[n], own.re[v], own.im[v], now.whole);
        }
    }
}
