// SPDX-License-Identifier: Apache-2.0
/*
 * special.cu - how many special functions (rsqrt, sin, cos, exp2, log2, reciprocal) the device can do.
 *
 * They share a unit and its rate; the probe takes the reciprocal square root. A thread adds up 1 / sqrt(x), x = seed,
 * seed + 1, seed + 2, ..., in CHAINS sums, of which each takes every CHAINS-th x. No special function waits for
 * another one. The two additions a step are chains of some four clocks a step, and the unit takes eight clocks for a
 * warp: they are hidden even in a single warp, and take 2 of 8 of the slots in which a scheduler could issue.
 *
 * rsqrt.approx.ftz is one instruction, MUFU.RSQ; rsqrtf() adds a few that take care of denormal numbers.
 *
 * x is a small whole number, exact in single precision; the sum depends on each term, which is how it is checked.
 *
 *   BLOCK   threads of a block.
 *   UNROLL  steps written out in the loop.
 *   CHAINS  sums a thread works on; on the CPU device the lanes of a vector.
 *
 * Limit: 16 special functions a multiprocessor and clock on compute capability 7.0 to 9.0.
 */
static __device__ __forceinline__ float reciprocal_root(float x)
{
#ifdef __CUDA_ARCH__
    float root;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
#else
    return rsqrtf(x);
#endif
}

__global__ void __launch_bounds__(BLOCK) probe(const int *seed, float *real, int steps)
{
    int thread = blockIdx.x * BLOCK + threadIdx.x;
    float x[CHAINS], sum[CHAINS];
    for (int c = 0; c < CHAINS; c++) {
        x[c] = (float)(seed[thread] + c);
        sum[c] = 0.0f;
    }
#pragma unroll UNROLL
    for (int i = 0; i < steps; i++) {
#pragma unroll
        for (int c = 0; c < CHAINS; c++) {
            sum[c] += reciprocal_root(x[c]);
            x[c] += (float)CHAINS;
        }
    }
    float all = 0.0f;
    for (int c = 0; c < CHAINS; c++)
        all += sum[c];
    real[thread] = all;
}
