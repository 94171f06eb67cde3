/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filters.cuh - the filters as a matrix with a row for each depth and a column for each map, as `rows` (product.cuh)
 * copies it: `pitch` columns, a multiple of four; those without a map are 0.
 *
 * Blocks of 32 x 8 threads transpose a 32 x 32 tile each through shared memory.
 */
#ifndef CONVNET_FILTERS_CUH
#define CONVNET_FILTERS_CUH

__global__ void __launch_bounds__(256)
    transpose_filters(const float *__restrict__ w, float *__restrict__ transposed, int maps, int depth, int pitch)
{
    __shared__ float tile[32][33];
    int depth0 = blockIdx.x * 32, map0 = blockIdx.y * 32;
    for (int i = threadIdx.y; i < 32; i += 8) {
        int map = map0 + i, d = depth0 + threadIdx.x;
        tile[i][threadIdx.x] = map < maps && d < depth ? w[(size_t)map * depth + d] : 0.0f;
    }
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += 8) {
        int d = depth0 + i, map = map0 + threadIdx.x;
        if (d < depth && map < pitch)
            transposed[(size_t)d * pitch + map] = tile[threadIdx.x][i];
    }
}

#endif
