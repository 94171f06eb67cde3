// Blocks of 64 threads, which is two warps, and 256 bytes of dynamic shared memory, which is 64 floats. The line of each
// fault ends with its name.
#include "below.cuh"

__constant__ float table[32];

static __device__ float use_table(int t)
{
    return table[(t & 31) + BROKEN]; // fault: constant_read
}

__global__ void planted(const float *x, float *y, float *part, int *count, int n)
{
    extern __shared__ float room[];
    __shared__ float tile[64];
    __shared__ float rows[4][16];
    __shared__ int flag;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    float value = x[i];

#if KIND_static_read
    tile[t] = value;
    __syncthreads();
    y[i] = tile[t + BROKEN]; // fault: static_read
#elif KIND_static_write
    tile[t + BROKEN] = value; // fault: static_write
    y[i] = value;
#elif KIND_row_read
    rows[t / 16][t % 16] = value;
    __syncthreads();
    y[i] = t < 48 ? rows[t / 16][t % 16 + BROKEN] : value; // fault: row_read
#elif KIND_dynamic_read
    room[t] = value;
    __syncthreads();
    y[i] = room[t + BROKEN]; // fault: dynamic_read
#elif KIND_dynamic_write
    room[t - BROKEN] = value; // fault: dynamic_write
    y[i] = value;
#elif KIND_constant_read
    y[i] = value + 0.0f * use_table(t);
#elif KIND_global_read
    y[i] = x[i + BROKEN]; // fault: global_read
#elif KIND_global_write
    y[i + BROKEN] = value; // fault: global_write
#elif KIND_local_write
    float own[8];
    for (int k = 0; k < 8 + BROKEN; k++)
        own[(k * n) / 192] = value; // fault: local_write
    y[i] = own[t & 7];
#elif KIND_misaligned
    float4 four = *(const float4 *)(x + (i & 31) * 4 + BROKEN); // fault: misaligned
    y[i] = value + 0.0f * four.x;
#elif KIND_far_read
    y[i] = BROKEN ? x[i - 2000000000LL] : value; // fault: far_read
#elif KIND_missing_barrier
    tile[t] = value;
#if !BROKEN
    __syncthreads();
#endif
    float other = tile[63 - t]; // fault: missing_barrier
    y[i] = value + 0.0f * other;
#elif KIND_warps
    tile[t] = value;
    __syncwarp();
    float other = tile[BROKEN ? t ^ 32 : t ^ 1]; // fault: warps
    y[i] = value + 0.0f * other;
#elif KIND_warp
    tile[t] = value;
#if !BROKEN
    __syncwarp();
#endif
    float other = tile[t ^ 1]; // fault: warp
    y[i] = __shfl_sync(0xffffffffu, value, t & 31) + 0.0f * other;
#elif KIND_last_block
    y[i] = value;
    if (t == 0) {
        part[blockIdx.x] = value;
#if !BROKEN
        __threadfence();
#endif
        flag = atomicAdd(count, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (flag && t < (int)gridDim.x)
        y[i] = value + 0.0f * part[t]; // fault: last_block
#elif KIND_block_tail
    y[i] = value;
#if !BROKEN
    __syncthreads();
#endif
    if (t == 0) {
        __threadfence();
        flag = atomicAdd(count, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (flag)
        y[i] = value + 0.0f * y[t]; // fault: block_tail
#elif KIND_blocks
    y[i] = value;
    if (t == 0)
        part[BROKEN ? 0 : blockIdx.x] = value; // fault: blocks
#elif KIND_divergent
    tile[t] = value;
    if (!BROKEN || t < 32)
        __syncthreads(); // fault: divergent
    y[i] = tile[t];
#elif KIND_two_barriers
    if (BROKEN && t < 32)
        __syncthreads(); // fault: two_barriers
    else
        __syncthreads();
    y[i] = value;
#elif KIND_unset_shared
    if (t < 64 - BROKEN)
        tile[t] = value;
    __syncthreads();
    y[i] = value + (tile[t] > 4.0f ? 1.0f : 0.0f); // fault: unset_shared
#elif KIND_unset_global
    if (!BROKEN)
        y[i] = 0.0f;
    y[i] += value; // fault: unset_global
#elif KIND_header
    y[i] = value + 0.0f * below(x, i);
#endif
}
