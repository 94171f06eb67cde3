// SPDX-License-Identifier: Apache-2.0
// Loads, stores and exchanges of CUB by a block of 64 threads with four items each, for cub_tiles_test.c.
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>
#include <cub/thread/thread_load.cuh>
#include <cub/thread/thread_store.cuh>

constexpr int THREADS = 64, EACH = 4, TILE = THREADS * EACH, VALID = 133;

// What each thread gets, of a whole tile and of a part of it.
template <cub::BlockLoadAlgorithm algorithm> __device__ void load_by(const int *in, int *out)
{
    typedef cub::BlockLoad<int, THREADS, EACH, algorithm> load;
    __shared__ typename load::TempStorage room;
    int own[EACH];
    auto keep = [&](int part) {
        for (int i = 0; i < EACH; i++)
            out[part * TILE + threadIdx.x * EACH + i] = own[i];
        __syncthreads();
    };
    load(room).Load(in, own);
    keep(0);
    load(room).Load(in + 1, own, VALID, -7);
    keep(1);
    for (int i = 0; i < EACH; i++)
        own[i] = 1000;
    load(room).Load(in, own, VALID);
    keep(2);
}
__global__ void loads(const int *in, int *out)
{
    load_by<cub::BLOCK_LOAD_DIRECT>(in, out);
    load_by<cub::BLOCK_LOAD_STRIPED>(in, out + 3 * TILE);
    load_by<cub::BLOCK_LOAD_VECTORIZE>(in, out + 6 * TILE);
    load_by<cub::BLOCK_LOAD_TRANSPOSE>(in, out + 9 * TILE);
    load_by<cub::BLOCK_LOAD_WARP_TRANSPOSE>(in, out + 12 * TILE);
    load_by<cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED>(in, out + 15 * TILE);
}

template <cub::BlockStoreAlgorithm algorithm> __device__ void store_by(const int *in, int *out)
{
    typedef cub::BlockStore<int, THREADS, EACH, algorithm> store;
    __shared__ typename store::TempStorage room;
    int own[EACH];
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < EACH; i++)
            own[i] = in[threadIdx.x * EACH + i];
        if (part == 0)
            store(room).Store(out, own);
        else
            store(room).Store(out + TILE, own, VALID);
        __syncthreads();
    }
}
__global__ void stores(const int *in, int *out)
{
    for (int i = threadIdx.x; i < 12 * TILE; i += THREADS)
        out[i] = -1;
    __syncthreads();
    store_by<cub::BLOCK_STORE_DIRECT>(in, out);
    store_by<cub::BLOCK_STORE_STRIPED>(in, out + 2 * TILE);
    store_by<cub::BLOCK_STORE_VECTORIZE>(in, out + 4 * TILE);
    store_by<cub::BLOCK_STORE_TRANSPOSE>(in, out + 6 * TILE);
    store_by<cub::BLOCK_STORE_WARP_TRANSPOSE>(in, out + 8 * TILE);
    store_by<cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>(in, out + 10 * TILE);
}

__global__ void exchanges(const int *in, int *out)
{
    typedef cub::BlockExchange<int, THREADS, EACH> exchange;
    __shared__ typename exchange::TempStorage room;
    int own[EACH], moved[EACH], ranks[EACH], n = 0, t = threadIdx.x;
    bool even[EACH];
    for (int i = 0; i < EACH; i++) {
        own[i] = in[t * EACH + i];
        ranks[i] = TILE - 1 - (t * EACH + i);
        even[i] = ranks[i] % 2 == 0;
    }
    auto keep = [&] {
        for (int i = 0; i < EACH; i++)
            out[n * TILE + t * EACH + i] = moved[i];
        n++;
        __syncthreads();
    };
    exchange(room).BlockedToStriped(own, moved);
    keep();
    exchange(room).StripedToBlocked(own, moved);
    keep();
    exchange(room).BlockedToWarpStriped(own, moved);
    keep();
    exchange(room).WarpStripedToBlocked(own, moved);
    keep();
    exchange(room).ScatterToBlocked(own, moved, ranks);
    keep();
    exchange(room).ScatterToStriped(own, moved, ranks);
    keep();
    for (int i = 0; i < EACH; i++)
        moved[i] = own[i];
    exchange(room).BlockedToStriped(moved);
    __syncthreads();
    exchange(room).StripedToBlocked(moved);
    keep();
    // Compaction: items of even rank come first; what is behind them is undefined.
    for (int i = 0; i < EACH; i++)
        ranks[i] /= 2;
    exchange(room).ScatterToStripedFlagged(own, moved, ranks, even);
    for (int i = EACH / 2; i < EACH; i++)
        moved[i] = 0;
    keep();
    for (int i = 0; i < EACH; i++)
        ranks[i] = even[i] ? ranks[i] : -1;
    exchange(room).ScatterToStripedGuarded(own, moved, ranks);
    for (int i = EACH / 2; i < EACH; i++)
        moved[i] = 0;
    keep();
}

// By the rank of a thread, which may be another than its own; other types; iterators that are no pointers.
struct twice {
    const int *of;
    __device__ int operator[](int i) const { return 2 * of[i]; }
};
__global__ void direct(const int *in, int *out)
{
    int own[EACH], t = threadIdx.x;
    cub::LoadDirectBlocked(THREADS - 1 - t, in, own);
    cub::StoreDirectBlocked(t, out, own);
    cub::LoadDirectStriped<THREADS>(t, in, own, VALID, 0);
    cub::StoreDirectStriped<THREADS>(t, out + TILE, own);
    cub::LoadDirectWarpStriped(t, in, own);
    cub::StoreDirectBlocked(t, out + 2 * TILE, own);
    cub::LoadDirectBlockedVectorized(t, const_cast<int *>(in), own);
    cub::StoreDirectWarpStriped(t, out + 3 * TILE, own);
    double wide[2] = {cub::ThreadLoad<cub::LOAD_LDG>(in + t) + 0.5, cub::ThreadLoad<cub::LOAD_VOLATILE>(in + t) + 1.5};
    __shared__ double all[2 * THREADS];
    cub::StoreDirectBlockedVectorized(t, all, wide);
    __syncthreads();
    cub::ThreadStore<cub::STORE_CG>(out + 4 * TILE + t, int(2 * all[t]));
    cub::ThreadStore<cub::STORE_DEFAULT>(out + 4 * TILE + THREADS + t, int(2 * all[THREADS + t]));
    cub::BlockLoad<int, THREADS, EACH>().Load(twice{in}, own);
    cub::BlockStore<int, THREADS, EACH, cub::BLOCK_STORE_VECTORIZE>().Store(out + 4 * TILE + 2 * THREADS, own);
}
