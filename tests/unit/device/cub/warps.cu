// SPDX-License-Identifier: Apache-2.0
// What CUB does in a warp, by a block of 80 threads, whose last warp has 16, for cub_warps_test.c.
#include <cub/util_ptx.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>
#include <cuda/functional>

constexpr int THREADS = 80, EACH = 4;

struct wide { // more than a shuffle carries
    double value;
    int place, first;
};
struct later {
    __device__ wide operator()(const wide &a, const wide &b) const
    {
        wide best = b.value > a.value ? b : a;
        best.first = a.first;
        return best;
    }
};

// Of parts of 32, 8 and 5 lanes.
__global__ void reduce(const int *in, int *out)
{
    typedef cub::WarpReduce<int> whole;
    typedef cub::WarpReduce<int, 8> eighth;
    typedef cub::WarpReduce<int, 5> odd;
    typedef cub::WarpReduce<wide, 8> pairs;
    __shared__ typename whole::TempStorage room[3];
    __shared__ typename eighth::TempStorage room_8[10];
    __shared__ typename odd::TempStorage room_5[21];
    __shared__ typename pairs::TempStorage room_pairs[10];
    int t = threadIdx.x, n = 0, value = in[t];
    auto keep = [&](bool defined, int result) { out[n++ * THREADS + t] = defined ? result : 0; };
    bool head = value % 3 == 0, tail = value % 4 == 0;
    keep(t % 8 == 0, eighth(room_8[t / 8]).Sum(value));
    keep(t % 8 == 0, eighth(room_8[t / 8]).Reduce(value, cuda::maximum<>()));
    keep(t % 8 == 0, eighth(room_8[t / 8]).Sum(value, 5));
    keep(t % 8 == 0, eighth(room_8[t / 8]).Reduce(value, [](int a, int b) { return a ^ b; }, 3));
    wide best = pairs(room_pairs[t / 8]).Reduce(wide{double(value), t, t}, later());
    keep(t % 8 == 0, best.place);
    keep(t % 8 == 0, best.first);
    keep(head || t % 8 == 0, eighth(room_8[t / 8]).HeadSegmentedSum(value, head));
    bool starts = t % 8 == 0 || in[t - 1] % 4 == 0;
    keep(starts, eighth(room_8[t / 8]).TailSegmentedReduce(value, tail, cuda::minimum<int>()));
    // Whole warps: of the last one sixteen lanes are valid.
    keep(t % 32 == 0, whole(room[t / 32]).Sum(value, t < 64 ? 32 : 16));
    keep(t % 32 % 5 == 0 && t % 32 < 30 && t < 79, odd(room_5[t / 32 * 7 + t % 32 / 5]).Sum(value));
}

__global__ void scan(const int *in, int *out)
{
    typedef cub::WarpScan<int, 16> sums;
    typedef cub::WarpScan<wide, 16> pairs;
    __shared__ typename sums::TempStorage room[5];
    __shared__ typename pairs::TempStorage room_pairs[5];
    int t = threadIdx.x, n = 0, value = in[t], one, two, all;
    cuda::maximum<> larger;
    auto keep = [&](int result) { out[n++ * THREADS + t] = result; };
    sums scan(room[t / 16]);
    scan.InclusiveSum(value, one);
    keep(one);
    scan.InclusiveSum(value, one, all);
    keep(all);
    scan.ExclusiveSum(value, one);
    keep(one);
    scan.ExclusiveSum(value, one, all);
    keep(all);
    scan.InclusiveScan(value, one, larger);
    keep(one);
    scan.InclusiveScan(value, one, larger, all);
    keep(all);
    scan.ExclusiveScan(value, one, -20, larger);
    keep(one);
    scan.ExclusiveScan(value, one, 500, larger, all);
    keep(one);
    keep(all);
    scan.ExclusiveScan(value, one, larger);
    keep(t % 16 == 0 ? 0 : one);
    scan.Scan(value, one, two, 7, larger);
    keep(one);
    keep(two);
    keep(scan.Broadcast(value, 11));
    wide best = {double(value), t, t};
    pairs(room_pairs[t / 16]).InclusiveScan(best, best, later());
    keep(best.place);
    keep(best.first);
}

__global__ void tiles(const int *in, int *out)
{
    typedef cub::WarpLoad<int, EACH, cub::WARP_LOAD_TRANSPOSE, 16> load;
    typedef cub::WarpLoad<int, EACH, cub::WARP_LOAD_STRIPED, 16> load_striped;
    typedef cub::WarpLoad<int, EACH, cub::WARP_LOAD_VECTORIZE, 16> load_vectors;
    typedef cub::WarpStore<int, EACH, cub::WARP_STORE_TRANSPOSE, 16> store;
    typedef cub::WarpStore<int, EACH, cub::WARP_STORE_DIRECT, 16> store_direct;
    typedef cub::WarpExchange<int, EACH, 16> exchange;
    __shared__ union {
        typename load::TempStorage loading[5];
        typename store::TempStorage storing[5];
        typename exchange::TempStorage moving[5];
    } room;
    __shared__ typename load_striped::TempStorage none[5];
    __shared__ typename load_vectors::TempStorage none_either[5];
    __shared__ typename store_direct::TempStorage nor_here[5];
    int t = threadIdx.x, part = t / 16, own[EACH], ranks[EACH];
    constexpr int TILE = 16 * EACH, ALL = THREADS * EACH;
    in += part * TILE;
    out += part * TILE;
    load(room.loading[part]).Load(in, own, 50, -9);
    store_direct(nor_here[part]).Store(out, own);
    __syncwarp();
    load_striped(none[part]).Load(in, own);
    store_direct(nor_here[part]).Store(out + ALL, own);
    exchange(room.moving[part]).StripedToBlocked(own, own);
    __syncwarp();
    store_direct(nor_here[part]).Store(out + 2 * ALL, own, 33);
    if (t % 16 >= 8) // else they would stay as they were
        store_direct(nor_here[part]).Store(out + 2 * ALL, own);
    for (int i = 0; i < EACH; i++)
        ranks[i] = TILE - 1 - (t % 16 * EACH + i);
    exchange(room.moving[part]).ScatterToStriped(own, ranks);
    __syncwarp();
    store_direct(nor_here[part]).Store(out + 3 * ALL, own);
    load_vectors(none_either[part]).Load(in, own);
    exchange(room.moving[part]).BlockedToStriped(own, own);
    __syncwarp();
    store(room.storing[part]).Store(out + 4 * ALL, own);
}

__global__ void shuffles(const int *in, int *out)
{
    int t = threadIdx.x, n = 0;
    wide own = {double(in[t]), t, -t};
    auto keep = [&](wide got) { out[n++ * THREADS + t] = got.place; };
    keep(cub::ShuffleUp<8>(own, 3, 0, 0xffffffff));
    keep(cub::ShuffleDown<8>(own, 3, 7, 0xffffffff));
    keep(cub::ShuffleDown<8>(own, 2, 4, 0xffffffff));
    keep(cub::ShuffleIndex<8>(own, 5, 0xffffffff));
    out[n * THREADS + t] = cub::RowMajorTid(THREADS, 1, 1);
}
