/* SPDX-License-Identifier: Apache-2.0 */
/*
 * smooth.cu - the mean of each sample and its RADIUS neighbours on either side; what lies outside the signal is left out.
 *
 *   BLOCK  threads of a block.
 *   ITEMS  samples of a thread, a block's width apart, so that loads stay coalesced.
 *
 * Neighbours are loaded by neighbours again, from the L1 cache. Limit: memory bandwidth, if it keeps them.
 */
__global__ void __launch_bounds__(BLOCK) smooth(const float *__restrict__ in, float *__restrict__ out, int n)
{
    int first = blockIdx.x * BLOCK * ITEMS + threadIdx.x;
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        int i = first + item * BLOCK;
        if (i >= n)
            return;
        int from = max(i - RADIUS, 0), to = min(i + RADIUS, n - 1);
        float sum = 0.0f;
        for (int k = from; k <= to; k++)
            sum += in[k];
        out[i] = sum / (float)(to - from + 1);
    }
}
