// SPDX-License-Identifier: Apache-2.0
// All pairs, as in "Fast N-Body Simulation with CUDA" (GPU Gems 3, chapter 31): positions with masses in w.
extern "C" __global__ void accelerate(const float4 *positions, float3 *accelerations, float4 shift, int n)
{
    __shared__ float4 tile[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float4 own = i < n ? positions[i] : make_float4(0, 0, 0, 0);
    float3 sum = {0, 0, 0};
    for (int first = 0; first < n; first += BLOCK) {
        int j = first + threadIdx.x;
        tile[threadIdx.x] = j < n ? positions[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < BLOCK; k++) {
            float x = tile[k].x - own.x, y = tile[k].y - own.y, z = tile[k].z - own.z;
            float r = rsqrtf(x * x + y * y + z * z + shift.w);
            float factor = tile[k].w * r * r * r;
            sum.x += x * factor;
            sum.y += y * factor;
            sum.z += z * factor;
        }
        __syncthreads();
    }
    if (i < n)
        accelerations[i] = {sum.x + shift.x, sum.y + shift.y, sum.z + shift.z};
}
