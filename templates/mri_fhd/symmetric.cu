/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symmetric.cu - the sums F^H d at voxels in rows: two voxels at the same distance from the middle of their group share
 * their products.
 *
 * Let p + i q be mu exp(i a) at the middle of a group. At the distance t to either side of it the phase differs by d or
 * -d, and the two terms are (p + i q) (cos d +- i sin d) = (p cos d -+ q sin d) + i (q cos d +- p sin d). The four
 * products are summed as they are; which sums to add and which to subtract is left until after the loop. That is two
 * multiply-adds a pair. cos d and sin d depend on sample and distance alone, so they are precomputed, one pair of
 * numbers for each distance in the sample's record, and no rounding error is carried from voxel to voxel.
 *
 *   BLOCK   threads per block.                          VOXELS  voxels of a group, an even number.
 *   CHUNK   records in constant or shared memory.       GROUPS  groups per thread.
 *   FETCH   constant, shared or readonly.               UNROLL  unroll factor of the loop over samples.
 *   TRIG    precise or sfu, at the middle of a group.
 *   SPREAD, SPLIT, MIN_BLOCKS  how work is divided; see even_parts.cuh.
 *
 * Limit: the multiply-add units, two operations per pair, and for small groups what their middle costs.
 */
#define TABLE VOXELS
#include "records.cuh"
#include "rows.cuh"
#include "trigonometry.cuh"

enum { PAIRS = VOXELS / 2 };

struct voxels {
    group at[GROUPS];
    float middle[GROUPS]; /* its x */
    float pc[GROUPS][PAIRS], qs[GROUPS][PAIRS], qc[GROUPS][PAIRS], ps[GROUPS][PAIRS];
};

static __device__ __forceinline__ void add_record(voxels &own, const record &one)
{
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        float angle = fmaf(one.kx, own.middle[g], fmaf(one.ky, own.at[g].y, fmaf(one.kz, own.at[g].z, one.psi)));
        float p, q;
        phase(angle, &q, &p);
        p *= one.length;
        q *= one.length;
#pragma unroll
        for (int i = 0; i < PAIRS; i++) {
            float c = one.table[2 * i], s = one.table[2 * i + 1];
            own.pc[g][i] = fmaf(p, c, own.pc[g][i]);
            own.qs[g][i] = fmaf(q, s, own.qs[g][i]);
            own.qc[g][i] = fmaf(q, c, own.qc[g][i]);
            own.ps[g][i] = fmaf(p, s, own.ps[g][i]);
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
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            own.at[g] = find_group(now.tile, g, x, y, z, row, spacing, count);
            own.middle[g] = own.at[g].x + 0.5f * spacing * (float)((VOXELS - 1) * own.at[g].apart);
#pragma unroll
            for (int i = 0; i < PAIRS; i++)
                own.pc[g][i] = own.qs[g][i] = own.qc[g][i] = own.ps[g][i] = 0.0f;
        }
        add_records(own, records, now.first, now.last);
#pragma unroll
        for (int g = 0; g < GROUPS; g++)
#pragma unroll
            for (int i = 0; i < PAIRS; i++) {
                int apart = own.at[g].apart;
                int right = own.at[g].first + (PAIRS + i) * apart, left = own.at[g].first + (PAIRS - 1 - i) * apart;
                float pc = own.pc[g][i], qs = own.qs[g][i], qc = own.qc[g][i], ps = own.ps[g][i];
                if (right < count)
                    put_sums(&rfhd[right], &ifhd[right], pc - qs, qc + ps, now.whole);
                if (left < count)
                    put_sums(&rfhd[left], &ifhd[left], pc + qs, qc - ps, now.whole);
            }
    }
}
