// SPDX-License-Identifier: Apache-2.0
// Sorts of CUB: by a block of 16 x 4 threads with five items each, and by half a warp; for cub_sorts_test.c.
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cuda_fp16.h>

constexpr int X = 16, Y = 4, THREADS = X * Y, EACH = 5, TILE = THREADS * EACH, VALID = 201;

template <class K, class V = cub::NullType>
using radix_sort = cub::BlockRadixSort<K, X, EACH, V, 4, true, cub::BLOCK_SCAN_WARP_SCANS, cudaSharedMemBankSizeFourByte, Y>;

// Keys of a type, after what `sort` does to them.
template <class K, class F> __device__ void sort_keys(const int *in, int *out, F sort)
{
    __shared__ typename radix_sort<K>::TempStorage room;
    int t = threadIdx.x + X * threadIdx.y;
    K keys[EACH];
    for (int i = 0; i < EACH; i++)
        keys[i] = K(in[t * EACH + i]);
    sort(radix_sort<K>(room), keys);
    for (int i = 0; i < EACH; i++)
        out[t * EACH + i] = int(keys[i]);
    __syncthreads();
}

struct ascending {
    template <class S, class K> __device__ void operator()(S sort, K &keys) const { sort.Sort(keys); }
};
struct descending {
    template <class S, class K> __device__ void operator()(S sort, K &keys) const { sort.SortDescending(keys); }
};

__global__ void radix_keys(const int *in, int *out)
{
    sort_keys<int>(in, out, ascending());
    sort_keys<int>(in, out + TILE, descending());
    sort_keys<signed char>(in, out + 2 * TILE, ascending());
    sort_keys<unsigned short>(in, out + 3 * TILE, descending());
    sort_keys<long long>(in, out + 4 * TILE, ascending());
    sort_keys<unsigned long long>(in, out + 5 * TILE, ascending());
    sort_keys<float>(in, out + 6 * TILE, ascending());
    sort_keys<double>(in, out + 7 * TILE, descending());
    sort_keys<__half>(in, out + 8 * TILE, ascending());
}

// Keys, and the places that they come from: equal keys keep their order. Only bits 2 to 6 count in the third sort; the
// last two are striped.
__global__ void radix_pairs(const int *in, int *out)
{
    __shared__ typename radix_sort<unsigned, int>::TempStorage room;
    int t = threadIdx.x + X * threadIdx.y, n = 0;
    unsigned keys[EACH];
    int places[EACH];
    auto begin = [&] {
        for (int i = 0; i < EACH; i++) {
            places[i] = t * EACH + i;
            keys[i] = unsigned(in[places[i]]) & 0xff;
        }
    };
    auto keep = [&](bool striped) {
        for (int i = 0; i < EACH; i++) {
            int place = striped ? t + i * THREADS : t * EACH + i;
            out[n * TILE + place] = int(keys[i]);
            out[(n + 1) * TILE + place] = places[i];
        }
        n += 2;
        __syncthreads();
        begin();
    };
    begin();
    radix_sort<unsigned, int> sort(room);
    sort.Sort(keys, places);
    keep(false);
    sort.SortDescending(keys, places);
    keep(false);
    sort.Sort(keys, places, 2, 7);
    keep(false);
    sort.SortBlockedToStriped(keys, places);
    keep(true);
    sort.SortDescendingBlockedToStriped(keys, places, 0, 8);
    keep(true);
}

// Zeros of both signs are equal; infinities and the largest numbers are at the ends.
__global__ void radix_floats(const int *, int *out)
{
    typedef cub::BlockRadixSort<float, X, 1, int, 6, false, cub::BLOCK_SCAN_RAKING, cudaSharedMemBankSizeFourByte, Y> sort;
    __shared__ typename sort::TempStorage room;
    int t = threadIdx.x + X * threadIdx.y, place[1] = {t};
    unsigned bits = t % 8 == 0   ? 0x80000000u
                    : t % 8 == 1 ? 0u
                    : t % 8 == 2 ? 0x7f800000u
                    : t % 8 == 3 ? 0xff800000u
                    : t % 8 == 4 ? 0xff7fffffu
                    : t % 8 == 5 ? 1u
                    : t % 8 == 6 ? 0x80000001u
                                 : 0x3f800000u;
    float key[1] = {__uint_as_float(bits)};
    sort(room).Sort(key, place);
    out[t] = place[0];
}

// By a comparison: of remainders, so that many are equal; with the places that keys come from.
struct by_remainder {
    __device__ bool operator()(const int &a, const int &b) const { return (a & 15) < (b & 15); }
};
__global__ void merges(const int *in, int *out)
{
    typedef cub::BlockMergeSort<int, X, EACH, int, Y> sort_pairs;
    typedef cub::BlockMergeSort<int, X, EACH, cub::NullType, Y> sort_keys;
    __shared__ union {
        typename sort_pairs::TempStorage pairs;
        typename sort_keys::TempStorage keys;
    } room;
    int t = threadIdx.x + X * threadIdx.y, keys[EACH], places[EACH];
    for (int i = 0; i < EACH; i++) {
        places[i] = t * EACH + i;
        keys[i] = in[places[i]];
    }
    sort_pairs(room.pairs).Sort(keys, places, by_remainder());
    for (int i = 0; i < EACH; i++) {
        out[t * EACH + i] = keys[i];
        out[TILE + t * EACH + i] = places[i];
        keys[i] = t * EACH + i < VALID ? in[t * EACH + i] : -1000;
    }
    __syncthreads();
    sort_keys(room.keys).StableSort(keys, [](int a, int b) { return a < b; }, VALID, 1 << 20);
    for (int i = 0; i < EACH; i++)
        out[2 * TILE + t * EACH + i] = t * EACH + i < VALID ? keys[i] : 0;
}

// Each half of a warp sorts its own.
__global__ void warp_merges(const int *in, int *out)
{
    typedef cub::WarpMergeSort<int, EACH, 16, int> sort;
    __shared__ typename sort::TempStorage room[Y];
    int t = threadIdx.x + X * threadIdx.y, keys[EACH], places[EACH];
    for (int i = 0; i < EACH; i++) {
        places[i] = t * EACH + i;
        keys[i] = in[places[i]];
    }
    sort(room[threadIdx.y]).StableSort(keys, places, by_remainder());
    for (int i = 0; i < EACH; i++) {
        out[t * EACH + i] = keys[i];
        out[TILE + t * EACH + i] = places[i];
    }
}
