// SPDX-License-Identifier: Apache-2.0
// Where the items of a block of 12 x 4 threads, with three each, meet; histograms and runs; for cub_neighbours_test.c.
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_shuffle.cuh>

constexpr int X = 12, Y = 4, THREADS = X * Y, EACH = 3, TILE = THREADS * EACH, VALID = 100;

struct differ {
    __device__ bool operator()(const int &before, const int &behind) const { return before / 16 != behind / 16; }
};
struct every_fifth { // by the place of the second
    __device__ bool operator()(const int &before, const int &behind, int place) const
    {
        return before / 16 != behind / 16 || place % 5 == 0;
    }
};

__global__ void flags(const int *in, int *out)
{
    typedef cub::BlockDiscontinuity<int, X, Y> edges;
    __shared__ typename edges::TempStorage room;
    int t = threadIdx.x + X * threadIdx.y, n = 0, own[EACH], before[EACH], heads[EACH], tails[EACH];
    for (int i = 0; i < EACH; i++)
        own[i] = in[t * EACH + i];
    auto keep = [&](const int (&flags)[EACH]) {
        for (int i = 0; i < EACH; i++)
            out[n * TILE + t * EACH + i] = flags[i];
        n++;
        __syncthreads();
    };
    edges(room).FlagHeads(heads, own, differ());
    keep(heads);
    edges(room).FlagHeads(heads, own, every_fifth(), in[0]);
    keep(heads);
    edges(room).FlagHeads(heads, own, before, differ(), -77);
    keep(heads);
    keep(before);
    edges(room).FlagTails(tails, own, every_fifth());
    keep(tails);
    edges(room).FlagTails(tails, own, differ(), in[TILE - 1]);
    keep(tails);
    edges(room).FlagHeadsAndTails(heads, in[0], tails, in[TILE - 1], own, differ());
    keep(heads);
    keep(tails);
    edges(room).FlagHeadsAndTails(heads, tails, own, differ());
    keep(heads);
    keep(tails);
    edges(room).FlagHeadsAndTails(heads, tails, in[TILE - 1], own, differ());
    keep(tails);
    edges(room).FlagHeadsAndTails(heads, in[0], tails, own, differ());
    keep(heads);
}

struct minus { // as in CUB's documentation
    template <class T> __device__ T operator()(T &item, T &other) { return 3 * item - other; }
};

__global__ void differences(const int *in, int *out)
{
    typedef cub::BlockAdjacentDifference<int, X, Y> differences;
    __shared__ typename differences::TempStorage room;
    int t = threadIdx.x + X * threadIdx.y, n = 0, own[EACH], result[EACH];
    for (int i = 0; i < EACH; i++)
        own[i] = in[t * EACH + i];
    auto keep = [&] {
        for (int i = 0; i < EACH; i++)
            out[n * TILE + t * EACH + i] = result[i];
        n++;
        __syncthreads();
    };
    differences(room).SubtractLeft(own, result, minus());
    keep();
    differences(room).SubtractLeft(own, result, minus(), 50);
    keep();
    differences(room).SubtractLeftPartialTile(own, result, minus(), VALID);
    keep();
    differences(room).SubtractLeftPartialTile(own, result, minus(), VALID, 60);
    keep();
    differences(room).SubtractRight(own, result, minus());
    keep();
    differences(room).SubtractRight(own, result, minus(), 70);
    keep();
    differences(room).SubtractRightPartialTile(own, result, minus(), VALID);
    keep();
    for (int i = 0; i < EACH; i++)
        result[i] = own[i];
    differences(room).SubtractLeft(result, result, minus());
    keep();
    for (int i = 0; i < EACH; i++)
        result[i] = own[i];
    differences(room).SubtractRight(result, result, minus());
    keep();
}

__global__ void shuffles(const int *in, int *out)
{
    typedef cub::BlockShuffle<int, X, Y> shuffle;
    __shared__ typename shuffle::TempStorage room;
    int t = threadIdx.x + X * threadIdx.y, n = 0, one = -1, edge, own[EACH], others[EACH] = {-1, -1, -1};
    for (int i = 0; i < EACH; i++)
        own[i] = in[t * EACH + i];
    auto keep = [&](int value) {
        out[n++ * THREADS + t] = value;
        __syncthreads();
    };
    shuffle(room).Offset(own[0], one, -5);
    keep(t < 5 ? 0 : one);
    shuffle(room).Offset(own[0], one);
    keep(t == THREADS - 1 ? 0 : one);
    shuffle(room).Rotate(own[0], one, 45);
    keep(one);
    shuffle(room).Up(own, others, edge);
    keep(edge);
    keep(t == 0 ? 0 : others[0]);
    keep(others[1]);
    keep(others[2]);
    shuffle(room).Down(own, others, edge);
    keep(edge);
    keep(others[0]);
    keep(others[1]);
    keep(t == THREADS - 1 ? 0 : others[2]);
}

__global__ void histograms(const int *in, int *out)
{
    typedef cub::BlockHistogram<unsigned char, X, EACH, 64, cub::BLOCK_HISTO_ATOMIC, Y> by_atomics;
    typedef cub::BlockHistogram<unsigned char, X, EACH, 64, cub::BLOCK_HISTO_SORT, Y> by_sorting;
    __shared__ union {
        typename by_atomics::TempStorage atomics;
        typename by_sorting::TempStorage sorting;
    } room;
    __shared__ int counts[2][64];
    int t = threadIdx.x + X * threadIdx.y;
    unsigned char own[EACH];
    auto load = [&] {
        for (int i = 0; i < EACH; i++)
            own[i] = in[t * EACH + i] & 63;
    };
    load();
    by_atomics(room.atomics).Histogram(own, counts[0]);
    __syncthreads();
    load();
    by_sorting(room.sorting).InitHistogram(counts[1]);
    __syncthreads();
    by_sorting(room.sorting).Composite(own, counts[1]);
    __syncthreads();
    load();
    by_sorting(room.sorting).Composite(own, counts[1]);
    __syncthreads();
    for (int i = t; i < 64; i += THREADS) {
        out[i] = counts[0][i];
        out[64 + i] = counts[1][i];
    }
}

// Windows of 2 items a thread, until all are there.
__global__ void runs(const int *in, int *out)
{
    typedef cub::BlockRunLengthDecode<int, X, EACH, 2, unsigned, Y> decode;
    __shared__ typename decode::TempStorage room;
    int t = threadIdx.x + X * threadIdx.y, values[EACH], decoded[2];
    unsigned lengths[EACH], places[2];
    int all = 0;
    for (int i = 0; i < EACH; i++) {
        values[i] = in[t * EACH + i];
        lengths[i] = values[i] & 3;
    }
    decode windows(room, values, lengths, all);
    if (t == 0)
        out[0] = all;
    for (int first = 0; first < all; first += 2 * THREADS) {
        windows.RunLengthDecode(decoded, places, first);
        for (int i = 0; i < 2; i++) {
            int at = first + t * 2 + i;
            if (at < all) {
                out[1 + 2 * at] = decoded[i];
                out[2 + 2 * at] = places[i];
            }
        }
    }
}
