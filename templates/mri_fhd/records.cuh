/* SPDX-License-Identifier: Apache-2.0 */
/*
 * records.cuh - what the loop needs of a sample, prepared once so that a pair takes few instructions, and the loop.
 *
 * mu is stored as length and angle: mu exp(i a) = |mu| exp(i (a + psi)), so a pair needs one phase, one sine, one
 * cosine and two multiply-adds, where the complex product took four. 2 pi is part of kx, ky and kz, psi is what the sum
 * of their products with x, y and z begins with, and the phase is three multiply-adds.
 *
 * A record is RECORD_FLOATS numbers, read 16 bytes at a time: kx, ky, kz, psi, |mu|, then TABLE / 2 pairs cos(d),
 * sin(d), d the sample's phase difference between two points on a line along x: `step` apart (pair 0), and each
 * following pair another `stride` more. The includer defines TABLE, which may be 0.
 *
 *   FETCH   where the loop reads records:
 *           constant  CHUNK at a time in constant memory, a launch each; see constant_soa.cu.
 *           readonly  all of them in global memory; see readonly.cu.
 *           shared    CHUNK at a time copied to shared memory by the block. All lanes read the same address: a
 *                     broadcast, and 16 bytes of it an instruction.
 *   SPREAD, SPLIT  how voxels and samples are divided among blocks; see even_parts.cuh.
 */
#ifndef MRI_FHD_RECORDS_CUH
#define MRI_FHD_RECORDS_CUH

#include "../even_parts.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

enum { RECORD_VECTORS = (5 + TABLE + 3) / 4, RECORD_FLOATS = 4 * RECORD_VECTORS };

struct record {
    float kx, ky, kz, psi, length;
    float table[TABLE + 1]; /* one more, since an array cannot be empty */
};

/*
 * The numbers of a record are computed in double precision, so that each is rounded but once. Sums that will reach
 * memory piece by piece are cleared on the way.
 */
__global__ void compute_records(const float *__restrict__ rphi, const float *__restrict__ iphi,
                                const float *__restrict__ rd, const float *__restrict__ id,
                                const float *__restrict__ kx, const float *__restrict__ ky,
                                const float *__restrict__ kz, float *__restrict__ records, float *__restrict__ rfhd,
                                float *__restrict__ ifhd, int samples, int count, float step, float stride)
{
#if IN_PARTS || FETCH_constant
    int threads = gridDim.x * gridDim.y * blockDim.x;
    for (int n = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x; n < count; n += threads)
        rfhd[n] = ifhd[n] = 0.0f;
#endif
    const double two_pi = 6.283185307179586477;
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    int pair = (int)blockIdx.y - 1; /* of the table; -1: what comes before it, and what fills the last vector */
    if (m >= samples)
        return;
    float *one = &records[(size_t)RECORD_FLOATS * m];
    if (pair >= 0) {
        double s, c;
        sincospi(2.0 * kx[m] * ((double)step + pair * (double)stride), &s, &c);
        one[5 + 2 * pair] = (float)c;
        one[6 + 2 * pair] = (float)s;
        return;
    }
    double re = (double)rphi[m] * rd[m] + (double)iphi[m] * id[m];
    double im = (double)rphi[m] * id[m] - (double)iphi[m] * rd[m];
    one[0] = (float)(two_pi * kx[m]);
    one[1] = (float)(two_pi * ky[m]);
    one[2] = (float)(two_pi * kz[m]);
    one[3] = (float)atan2(im, re);
    one[4] = (float)sqrt(re * re + im * im);
    for (int i = 5 + TABLE; i < RECORD_FLOATS; i++)
        one[i] = 0.0f;
}

static __device__ __forceinline__ record read_record(const float4 *vectors)
{
    float words[RECORD_FLOATS];
#pragma unroll
    for (int i = 0; i < RECORD_VECTORS; i++) {
        float4 vector = vectors[i];
        words[4 * i] = vector.x;
        words[4 * i + 1] = vector.y;
        words[4 * i + 2] = vector.z;
        words[4 * i + 3] = vector.w;
    }
    record one;
    one.kx = words[0];
    one.ky = words[1];
    one.kz = words[2];
    one.psi = words[3];
    one.length = words[4];
#pragma unroll
    for (int i = 0; i < TABLE; i++)
        one.table[i] = words[5 + i];
    return one;
}

/* Adds records first to last - 1 to the sums of `own`: add_some(own, records, first, last) is the variant's. */
#if FETCH_constant

__constant__ float4 chunk[CHUNK * RECORD_VECTORS];

template <class voxels>
static __device__ __forceinline__ void add_records(voxels &own, const float4 *, int first, int last)
{
    add_some(own, chunk, first, last);
}

#elif FETCH_shared

template <class voxels>
static __device__ __forceinline__ void add_records(voxels &own, const float4 *__restrict__ records, int first, int last)
{
    __shared__ float4 tile[CHUNK * RECORD_VECTORS];
    for (int begin = first; begin < last; begin += CHUNK) {
        int count = min(CHUNK, last - begin);
        __syncthreads(); /* nobody reads the tile of before any more */
        for (int i = threadIdx.x; i < count * RECORD_VECTORS; i += BLOCK)
            tile[i] = records[(size_t)RECORD_VECTORS * begin + i];
        __syncthreads();
        add_some(own, tile, 0, count);
    }
}

#else

template <class voxels>
static __device__ __forceinline__ void add_records(voxels &own, const float4 *__restrict__ records, int first, int last)
{
    add_some(own, records, first, last);
}

#endif

/* Of chunks in constant memory each adds its sum to those of before. */
static __device__ __forceinline__ void put_sums(float *re, float *im, float real, float imaginary, bool whole)
{
#if FETCH_constant
    whole = false;
#endif
    put_sum(re, real, whole);
    put_sum(im, imaginary, whole);
}

#endif
