// SPDX-License-Identifier: Apache-2.0
/*
 * shared.cu - how many bytes the device can move through shared memory.
 *
 * A block fills a tile with 16 bytes a thread; then each thread reads one vector of 16 bytes after another from it and
 * adds up what it read. Neighbouring threads read neighbouring vectors, so that each group of eight takes all 32 banks
 * once: no conflicts. A load of a warp takes the memory four clocks; the few integer operations around it are spread
 * over four schedulers and hidden behind them. No load waits for another one, only the sum does.
 *
 * The next place is `stride` further, an argument: if the compiler knew it, it could see that places recur, and load
 * each only once.
 *
 *   BLOCK   threads of a block, a power of two; the tile has as many vectors.
 *   UNROLL  loads written out in the loop, and in flight at once.
 *
 * Limit: 128 bytes a multiprocessor and clock, 32 banks of 4 bytes.
 */
__global__ void __launch_bounds__(BLOCK) probe(const int *seed, unsigned *whole, int steps, int stride)
{
    __shared__ uint4 tile[BLOCK];
    int thread = blockIdx.x * BLOCK + threadIdx.x;
    unsigned value = (unsigned)seed[thread];
    tile[threadIdx.x] = make_uint4(value, 3 * value, 5 * value, 7 * value);
    __syncthreads();
    unsigned sum = 0;
    int place = threadIdx.x;
#pragma unroll UNROLL
    for (int i = 0; i < steps; i++) {
        uint4 v = tile[place];
        sum += v.x + v.y + v.z + v.w;
        place = (place + stride) & (BLOCK - 1);
    }
    whole[thread] = sum;
}
