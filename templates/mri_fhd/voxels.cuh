/* SPDX-License-Identifier: Apache-2.0 */
/*
 * voxels.cuh - VOXELS voxels in a thread's registers: load them, add a sample's contribution, store the sums.
 *
 * Neighbouring threads own neighbouring voxels, and a thread's own voxels are BLOCK apart, so all accesses are
 * coalesced.
 */
#ifndef MRI_FHD_VOXELS_CUH
#define MRI_FHD_VOXELS_CUH

#include "trigonometry.cuh"

struct voxels {
    float x[VOXELS], y[VOXELS], z[VOXELS];
    float re[VOXELS], im[VOXELS];
};

static __device__ __forceinline__ int voxel_index(int v)
{
    return blockIdx.x * (BLOCK * VOXELS) + v * BLOCK + threadIdx.x;
}

static __device__ __forceinline__ void load_voxels(voxels &own, const float *__restrict__ x,
                                                   const float *__restrict__ y, const float *__restrict__ z, int count)
{
#pragma unroll
    for (int v = 0; v < VOXELS; v++) {
        int n = min(voxel_index(v), count - 1); /* past the last one: computed again, never stored */
        own.x[v] = x[n];
        own.y[v] = y[n];
        own.z[v] = z[n];
        own.re[v] = 0.0f;
        own.im[v] = 0.0f;
    }
}

static __device__ __forceinline__ void add_sample(voxels &own, float kx, float ky, float kz, float rmu, float imu)
{
#pragma unroll
    for (int v = 0; v < VOXELS; v++) {
        float s, c;
        phase(TWO_PI * (kx * own.x[v] + ky * own.y[v] + kz * own.z[v]), &s, &c);
        own.re[v] += rmu * c - imu * s;
        own.im[v] += imu * c + rmu * s;
    }
}

static __device__ __forceinline__ void add_voxels(const voxels &own, float *__restrict__ rfhd,
                                                  float *__restrict__ ifhd, int count)
{
#pragma unroll
    for (int v = 0; v < VOXELS; v++) {
        int n = voxel_index(v);
        if (n < count) {
            rfhd[n] += own.re[v];
            ifhd[n] += own.im[v];
        }
    }
}

#endif
