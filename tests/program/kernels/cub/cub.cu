// SPDX-License-Identifier: Apache-2.0
#include <cub/cub.cuh>
#include <cuda/functional>

constexpr int X = 16, Y = BLOCK / X, TILE = BLOCK * EACH;

__device__ void sync()
{
#if !SYNC_missing
    __syncthreads();
#endif
}

// What all tiles so far come to.
template <class F> struct running {
    int value;
    __device__ int operator()(int tile)
    {
        int before = value;
        value = F()(value, tile);
        return before;
    }
};

__global__ void kernel(const int *x, int *y, int *z, int n)
{
    typedef cub::BlockLoad<int, X, EACH, cub::BLOCK_LOAD_TRANSPOSE, Y> load;
    typedef cub::BlockStore<int, X, EACH, cub::BLOCK_STORE_WARP_TRANSPOSE, Y> store;
    typedef cub::BlockReduce<int, X, cub::BLOCK_REDUCE_WARP_REDUCTIONS, Y> reduce;
    typedef cub::BlockScan<int, X, cub::BLOCK_SCAN_RAKING, Y> scan;
    typedef cub::BlockRadixSort<int, X, EACH, int, 4, true, cub::BLOCK_SCAN_WARP_SCANS, cudaSharedMemBankSizeFourByte, Y> sort;
    typedef cub::BlockDiscontinuity<int, X, Y> edges;
    typedef cub::WarpReduce<int, 16> lengths;
    __shared__ union {
        typename load::TempStorage loading;
        typename store::TempStorage storing;
        typename reduce::TempStorage reducing;
        typename scan::TempStorage scanning;
        typename sort::TempStorage sorting;
        typename edges::TempStorage flagging;
    } room;
    __shared__ typename lengths::TempStorage lengths_room[Y];
    __shared__ int sum, most;
    int own[EACH], result[EACH], first = blockIdx.x * TILE, t = threadIdx.x + X * threadIdx.y;

#if KERNEL_sums
    int count = min(TILE, n - first), threads = (count + EACH - 1) / EACH;
    load(room.loading).Load(x + first, own, count, 0);
    sync();
    int total = reduce(room.reducing).Sum(own);
    int greatest = own[0];
    for (int i = 1; i < EACH; i++)
        greatest = t * EACH + i < count ? max(greatest, own[i]) : greatest;
    sync();
    greatest = reduce(room.reducing).Reduce(greatest, cuda::maximum<>(), threads);
    if (t == 0) {
        sum = total;
        most = greatest;
    }
    __syncthreads();
    for (int i = t; i < count; i += BLOCK) {
        y[first + i] = sum;
        z[first + i] = most;
    }
#elif KERNEL_scan
    running<cuda::std::plus<>> sums = {0};
    running<cuda::maximum<>> greatest = {-100};
    for (first = 0; first < n; first += TILE) {
        int count = min(TILE, n - first);
        load(room.loading).Load(x + first, own, count, 0);
        sync();
        scan(room.scanning).InclusiveSum(own, result, sums);
        sync();
        store(room.storing).Store(y + first, result, count);
        sync();
        scan(room.scanning).ExclusiveScan(own, own, cuda::maximum<>(), greatest);
        sync();
        store(room.storing).Store(z + first, own, count);
        __syncthreads();
    }
#elif KERNEL_sort
    int count = min(TILE, n - first);
    load(room.loading).Load(x + first, own, count, 100);
    for (int i = 0; i < EACH; i++)
        result[i] = first + t * EACH + i;
    sync();
    sort(room.sorting).SortDescending(own, result);
    sync();
    sort(room.sorting).SortBlockedToStriped(own, result); // of equal ones, the first is first
    cub::StoreDirectStriped<BLOCK>(t, y + first, own, count);
    cub::StoreDirectStriped<BLOCK>(t, z + first, result, count);
#else
    int count = min(TILE, n - first);
    load(room.loading).Load(x + first, own, count, -1);
    sync();
    edges(room.flagging).FlagHeads(result, own, cuda::std::not_equal_to<>());
    int heads = 0;
    for (int i = 0; i < EACH; i++)
        heads += t * EACH + i < count ? result[i] : 0;
    heads = lengths(lengths_room[threadIdx.y]).Sum(heads);
    heads = cub::ShuffleIndex<16>(heads, 0, 0xffffffff);
    for (int i = 0; i < EACH; i++)
        own[i] = heads;
    sync();
    store(room.storing).Store(y + first, own, count);
    sync();
    store(room.storing).Store(z + first, result, count);
#endif
}
