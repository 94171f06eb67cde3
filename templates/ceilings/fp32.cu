// SPDX-License-Identifier: Apache-2.0
/*
 * fp32.cu - how many fp32 multiply-adds the device can do.
 *
 * A thread repeats v = v * a + b for CHAINS values in turn. Each is a chain in which a step waits for the one before it,
 * some four clocks; with 16 warps a scheduler there is always another warp whose turn it is. Nothing else limits it: no
 * memory is touched between the first and the last step, three operands come from registers, and of the instructions
 * all but a few in CHAINS * UNROLL are multiply-adds.
 *
 * The compiler does not know a and b, so it cannot shorten the chain; the sum of the results is written, so it cannot
 * leave one out. With a just below 1 and b = 1 - a the values approach 1 slowly: v = 1 + (v0 - 1) a^steps, which is
 * how they are checked.
 *
 *   BLOCK   threads of a block.
 *   UNROLL  steps written out in the loop.
 *   CHAINS  values a thread works on; on the CPU device the lanes of a vector.
 *
 * Limit: 128 multiply-adds a multiprocessor and clock on compute capability 9.0, four warps a clock, which is also all
 * that its schedulers issue. The loop's own instructions cost the part of them that they are.
 */
__global__ void __launch_bounds__(BLOCK) probe(const int *seed, float *real, int steps, float a, float b)
{
    int thread = blockIdx.x * BLOCK + threadIdx.x;
    float v[CHAINS];
    for (int c = 0; c < CHAINS; c++)
        v[c] = 2.0f + (float)(seed[thread] + 1024 * c) * 0x1p-10f;
#pragma unroll UNROLL
    for (int i = 0; i < steps; i++) {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            v[c] = fmaf(v[c], a, b);
    }
    float sum = 0.0f;
    for (int c = 0; c < CHAINS; c++)
        sum += v[c];
    real[thread] = sum;
}
