// SPDX-License-Identifier: Apache-2.0
/*
 * reference.cu - what the probes must compute: by formula, in double precision or in whole numbers.
 */

/* v * a + b with b = 1 - a, repeated: the distance from 1 shrinks by a each time. */
__global__ void fp32_reference(const int *seed, double *expected, double *magnitude, int steps, int chains)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    double shrunk = pow(1.0 - 0x1p-12, (double)steps);
    double sum = 0.0;
    double largest = 0.0;
    for (int c = 0; c < chains; c++) {
        double start = 2.0 + (seed[thread] + 1024 * c) / 1024.0;
        sum += 1.0 + (start - 1.0) * shrunk;
        largest += start;
    }
    expected[thread] = sum;
    magnitude[thread] = largest;
}

__global__ void special_reference(const int *seed, double *expected, int terms)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0.0;
    for (int i = 0; i < terms; i++)
        sum += 1.0 / sqrt((double)(seed[thread] + i));
    expected[thread] = sum;
}

/* Over the two-element field, (1 + s)^8 = 1 + s^8, and a shift by 56 leaves nothing: only the rest of 8 counts. */
__global__ void integer_reference(const int *seed, double *expected, int steps, int chains)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (int c = 0; c < chains; c++) {
        unsigned x = 0x9e3779b9u * (unsigned)(seed[thread] + c);
        for (int i = 0; i < steps % 8; i++)
            x ^= x >> 7;
        sum += x;
    }
    expected[thread] = (double)sum;
}

/* The vectors of the block's threads, each with 1 + 3 + 5 + 7 = 16 times its seed, beginning with the thread's own and
 * 32 further each time. They recur after block / 32 steps. */
__global__ void shared_reference(const int *seed, double *expected, int steps, int block)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int first = thread / block * block;
    int round = block / 32;
    unsigned sum = 0;
    for (int i = 0; i < round; i++) {
        int times = steps / round + (i < steps % round);
        sum += 16u * (unsigned)times * (unsigned)seed[first + (thread - first + 32 * i) % block];
    }
    expected[thread] = (double)sum;
}

/* Warp by warp: the words of its 32 threads, each of which has `unroll` words, `block` apart, in its block's tile. */
__global__ void read_reference(const unsigned *from, double *expected, int n, int block, int unroll, int warps)
{
    int warp = blockIdx.x * blockDim.x + threadIdx.x;
    if (warp >= warps)
        return;
    int tile = 32 * warp / block;
    unsigned all = 0;
    for (int i = 0; i < unroll; i++) {
        for (int lane = 0; lane < 32; lane++) {
            long long word = (long long)tile * block * unroll + i * block + 32 * warp % block + lane;
            if (word < n)
                all ^= from[word];
        }
    }
    expected[warp] = (double)all;
}

__global__ void copy_reference(const unsigned *from, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        expected[i] = (double)from[i];
}
