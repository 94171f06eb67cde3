// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of CUB by a block of 20 x 5 threads with three items each, for cub_reductions_test.c.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cuda/functional>
#include <cuda/std/functional>

constexpr int X = 20, Y = 5, THREADS = X * Y, EACH = 3;

__device__ int thread()
{
    return threadIdx.x + X * threadIdx.y;
}

// f after g, of f(t) = a t + b: the order matters.
struct affine {
    unsigned a, b;
};
struct compose {
    __device__ affine operator()(affine g, affine f) const
    {
        return {f.a * g.a, f.a * g.b + f.b};
    }
};
__device__ affine affine_of(int value)
{
    return {unsigned(value % 7 - 3), unsigned(value % 11)};
}

__global__ void reduce(const int *in, int *out)
{
    typedef cub::BlockReduce<int, X, cub::BLOCK_REDUCE_WARP_REDUCTIONS, Y> numbers;
    typedef cub::BlockReduce<affine, X, cub::BLOCK_REDUCE_RAKING, Y> functions;
    __shared__ union {
        typename numbers::TempStorage of_numbers;
        typename functions::TempStorage of_functions;
    } room;
    int own[EACH], n = 0;
    for (int i = 0; i < EACH; i++)
        own[i] = in[thread() * EACH + i];
    auto keep = [&](int value) {
        if (thread() == 0)
            out[n] = value;
        n++;
        __syncthreads();
    };
    keep(numbers(room.of_numbers).Sum(own[0]));
    keep(numbers(room.of_numbers).Sum(own));
    keep(numbers(room.of_numbers).Sum(own[0], 37));
    keep(numbers(room.of_numbers).Sum(own[0], 1));
    keep(numbers(room.of_numbers).Reduce(own[1], cuda::maximum<>()));
    keep(numbers(room.of_numbers).Reduce(own, cuda::minimum<int>()));
    keep(numbers(room.of_numbers).Reduce(own[2], [](int a, int b) { return a ^ b; }, 99));
    affine all = functions(room.of_functions).Reduce(affine_of(own[0]), compose());
    keep(all.a);
    keep(all.b);
    keep(cub::BlockReduce<int, X, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, Y>().Reduce(own[0], cuda::std::plus<>(), 64));
}

// A running total over blocks: all lanes of the first warp are asked, the first answers.
struct running {
    int total;
    __device__ int operator()(int all)
    {
        int before = total;
        total = before + all;
        return threadIdx.x + X * threadIdx.y == 0 ? before : -1000000;
    }
};

__global__ void scan(const int *in, int *out)
{
    typedef cub::BlockScan<int, X, cub::BLOCK_SCAN_RAKING, Y> numbers;
    typedef cub::BlockScan<affine, X, cub::BLOCK_SCAN_WARP_SCANS, Y> functions;
    __shared__ union {
        typename numbers::TempStorage of_numbers;
        typename functions::TempStorage of_functions;
    } room;
    numbers sums(room.of_numbers);
    cuda::maximum<> larger;
    int own[EACH], result[EACH], one, all, t = thread(), n = 0;
    for (int i = 0; i < EACH; i++)
        own[i] = in[t * EACH + i];
    auto keep = [&](int value) {
        out[n++ * THREADS + t] = value;
        __syncthreads();
    };
    auto keep_all = [&] {
        for (int i = 0; i < EACH; i++)
            out[n * THREADS + t * EACH + i] = result[i];
        n += EACH;
        __syncthreads();
    };
    sums.ExclusiveSum(own[0], one);
    keep(one);
    sums.InclusiveSum(own[0], one, all);
    keep(one);
    keep(all);
    sums.ExclusiveSum(own[0], one, all);
    keep(one);
    keep(all);
    running callback = {100};
    sums.ExclusiveSum(own[0], one, callback);
    keep(one);
    sums.InclusiveSum(own[0], one, callback);
    keep(one);
    if (t == 0)
        out[n * THREADS] = callback.total;
    else
        out[n * THREADS + t] = 0;
    n++;
    sums.ExclusiveScan(own[1], one, -5, larger);
    keep(one);
    sums.ExclusiveScan(own[1], one, 1000, larger, all);
    keep(one);
    keep(all);
    sums.ExclusiveScan(own[1], one, larger);
    keep(t == 0 ? 0 : one);
    sums.InclusiveScan(own[1], one, larger, all);
    keep(one);
    affine f = affine_of(own[0]);
    functions(room.of_functions).InclusiveScan(f, f, compose());
    keep(f.a);
    keep(f.b);
    functions(room.of_functions).ExclusiveScan(affine_of(own[0]), f, affine{2, 5}, compose());
    keep(f.a);
    keep(f.b);

    sums.ExclusiveSum(own, result);
    keep_all();
    sums.InclusiveSum(own, result, all);
    keep_all();
    sums.ExclusiveSum(own, result, callback);
    keep_all();
    sums.ExclusiveScan(own, result, 7, larger, all);
    keep_all();
    sums.InclusiveScan(own, result, 7, larger, all);
    keep_all();
    for (int i = 0; i < EACH; i++)
        result[i] = all;
    keep_all();
    for (int i = 0; i < EACH; i++)
        result[i] = own[i];
    sums.InclusiveScan(result, result, larger);
    keep_all();
    sums.ExclusiveScan(own, result, larger, all);
    if (t == 0)
        result[0] = 0;
    keep_all();
    sums.InclusiveSum(own, result, callback);
    keep_all();
}
