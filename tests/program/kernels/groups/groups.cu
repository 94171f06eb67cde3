// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

// y ends as x smoothed `rounds` times: a and y take turns, and every step needs its neighbours' last one.
__global__ void jacobi(const float *x, float *a, float *y, int n, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    for (int round = 0; round < rounds; round++) {
        const float *from = round == 0 ? x : (rounds - round) % 2 ? a : y;
        float *to = (rounds - round) % 2 ? y : a;
        for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) {
            float left = i > 0 ? from[i - 1] : 0.0f, right = i + 1 < n ? from[i + 1] : 0.0f;
            to[i] = 0.25f * left + 0.5f * from[i] + 0.25f * right;
        }
#if SYNC_divergent
        if (blockIdx.x > 0)
            return;
#endif
#if !SYNC_missing
        cg::sync(grid);
#endif
    }
}

__device__ float block_sum(const cg::thread_block &block, float value)
{
    __shared__ float sums[32];
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    value = cg::reduce(warp, value, cg::plus<float>());
    if (warp.thread_rank() == 0)
        sums[warp.meta_group_rank()] = value;
    block.sync();
    value = block.thread_rank() < warp.meta_group_size() ? sums[block.thread_rank()] : 0.0f;
    return warp.meta_group_rank() == 0 ? cg::reduce(warp, value, cg::plus<float>()) : 0.0f;
}

// Each cluster's first block gathers the sums of the others from their shared memory, static and dynamic.
__device__ void add_up(const float *x, float *y, int n)
{
    extern __shared__ float dynamic[];
    __shared__ float own;
    cg::cluster_group cluster = cg::this_cluster();
    cg::thread_block block = cg::this_thread_block();
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float value = block_sum(block, i < n ? x[i] : 0.0f);
    if (threadIdx.x == 0)
        *(cluster.block_rank() % 2 ? dynamic : &own) = value;
#if SYNC_divergent
    if (threadIdx.x % 2)
        block.sync();
    else
#endif
#if !SYNC_missing
        cluster.sync();
#endif
    if (cluster.thread_rank() == 0) {
        float sum = 0.0f;
        for (unsigned int rank = 0; rank < cluster.num_blocks(); rank++)
            sum += *cluster.map_shared_rank(rank % 2 ? dynamic : &own, rank);
        atomicAdd(y, sum);
    }
    cluster.sync(); // until then the others' shared memory is read
}

__global__ void total(const float *x, float *y, int n)
{
    add_up(x, y, n);
}

__global__ void __cluster_dims__(2, 1, 1) pairs(const float *x, float *y, int n)
{
    add_up(x, y, n);
}

__global__ void squares(const float *x, float *y, int n)
{
    __shared__ float staged[BLOCK];
    cg::thread_block block = cg::this_thread_block();
    int first = blockIdx.x * BLOCK, count = n - first < BLOCK ? n - first : BLOCK;
    if (count > 0)
        cg::memcpy_async(block, staged, x + first, count * sizeof(float));
    cg::wait(block);
    float value = (int)threadIdx.x < count ? staged[threadIdx.x] : 0.0f;
    auto tile = cg::tiled_partition<8>(cg::tiled_partition<16>(block));
    value = cg::reduce(tile, value * value, cg::plus<float>());
    if (tile.thread_rank() == 0)
        atomicAdd(y, value);
}
