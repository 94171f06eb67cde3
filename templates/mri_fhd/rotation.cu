/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rotation.cu - the sums F^H d at voxels in rows: sine and cosine by rotation.
 *
 * From a voxel to the next of its group the phase of a sample grows by the same amount d, whatever the group: exp(i a)
 * becomes exp(i (a + d)) = exp(i a) exp(i d), four multiply-adds with numbers that the sample's record holds. Rotating
 * mu exp(i a) itself leaves one addition for each sum: six operations a pair and no special function. The rounding
 * errors of the rotations add up, so after RESEED voxels the phase is computed anew.
 *
 *   BLOCK   threads per block.                          VOXELS  voxels of a group.
 *   CHUNK   records in constant or shared memory.       GROUPS  groups per thread.
 *   FETCH   constant, shared or readonly.               UNROLL  unroll factor of the loop over samples.
 *   RESEED  voxels from a computed phase to the next.   TRIG    precise or sfu, for the computed phases.
 *   SPREAD, SPLIT, MIN_BLOCKS  how work is divided; see even_parts.cuh.
 *
 * Limit: the multiply-add units, six operations per pair; symmetric.cu needs two.
 */
#define TABLE 2
#include "records.cuh"
#include "rows.cuh"
#include "trigonometry.cuh"

struct voxels {
    group at[GROUPS];
    float stride; /* from a voxel of a group to the next */
    float re[GROUPS][VOXELS], im[GROUPS][VOXELS];
};

static __device__ __forceinline__ void add_record(voxels &own, const record &one)
{
    const float dc = one.table[0], ds = one.table[1];
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        const group &at = own.at[g];
        float rest = fmaf(one.ky, at.y, fmaf(one.kz, at.z, one.psi));
        float c, s;
#pragma unroll
        for (int v = 0; v < VOXELS; v++) {
            if (v % RESEED == 0) {
                phase(fmaf(one.kx, at.x + (float)v * own.stride, rest), &s, &c);
                c *= one.length;
                s *= one.length;
            } else {
                float turned = fmaf(c, dc, -(s * ds));
                s = fmaf(s, dc, c * ds);
                c = turned;
            }
            own.re[g][v] += c;
            own.im[g][v] += s;
        }
    }
}

static __device__ __forceinline__ void add_some(voxels &own, const float4 *records, int first, int last)
{
#pragma unroll unroll
    for (int m = first; m < last; m++)
        add_record(own, read_record(&records[(size_t)RECORD_VECTORS * m]));
}

__global__ void BOUNDED(BLOCK)
    gather_rows(const float4 *__restrict__ records, const float *__restrict__ x, const float *__restrict__ y,
                const float *__restrict__ z, float *__restrict__ rfhd, float *__restrict__ ifhd, int samples,
                int count, int row, float spacing)
{
    share work = block_share(count_tiles(count, row), samples, blockIdx.x);
    part now;
    while (take_part(work, now)) {
        voxels own;
        own.stride = spacing * (float)(row / VOXELS);
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            own.at[g] = find_group(now.tile, g, x, y, z, row, spacing, count);
#pragma unroll
            for (int v = 0; v < VOXELS; v++)
                own.re[g][v] = own.im[g][v] = 0.0f;
        }
        add_records(own, records, now.first, now.last);
#pragma unroll
        for (int g = 0; g < GROUPS; g++)
#pragma unroll
            for (int v = 0; v < VOXELS; v++) {
                int n = own.at[g].first + v * own.at[g].apart;
                if (n < count)
                    put_sums(&rfhd[n], &ifhd[n], own.re[g][v], own.im[g][v], now.whole);
            }
    }
}
