/* SPDX-License-Identifier: Apache-2.0 */
/*
 * window.cu - 1-D convolution, a window of the signal in registers.
 *
 * A thread computes OUTPUTS neighbouring outputs from the OUTPUTS + MASK_WIDTH - 1 values around them, which it loads
 * to registers in vectors of up to 4: 15 values of a mask and 4 outputs take 60 multiply-adds, 5 loads and a store.
 * There is no shared memory and no barrier; what neighbouring threads read twice comes from the L1 cache. A thread
 * does this for ITEMS places at once, so that enough loads are under way to keep the memory busy.
 *
 *   BLOCK    threads of a block.
 *   OUTPUTS  neighbouring outputs a thread computes.
 *   ITEMS    times that it does so, BLOCK * OUTPUTS outputs apart.
 *   STREAM   1: the caches need not keep the outputs.
 *
 * Limit: device memory.
 */
#include "../vectors.cuh"
#include "mask.cuh"

#define VECTOR (OUTPUTS < 4 ? OUTPUTS : 4)

/* What a thread reads: whole vectors around its outputs, of which it needs the values from FIRST on. */
#define MARGIN ((RADIUS + VECTOR - 1) / VECTOR * VECTOR)
#define LINE (OUTPUTS + 2 * MARGIN)
#define FIRST (MARGIN - RADIUS)

__global__ void __launch_bounds__(BLOCK)
    convolve(const float *__restrict__ input, float *__restrict__ output, int n)
{
    int first = blockIdx.x * (BLOCK * OUTPUTS * ITEMS);
    bool inside = first >= MARGIN && first + BLOCK * OUTPUTS * ITEMS + MARGIN <= n; /* all that the block reads */
    first += threadIdx.x * OUTPUTS;

    float line[ITEMS][LINE];
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        int from = first + k * (BLOCK * OUTPUTS) - MARGIN;
        if (inside) {
#pragma unroll
            for (int i = 0; i < LINE; i += VECTOR) {
                vector_of<VECTOR>::type in = load_vector<VECTOR>(input + from + i, false);
#pragma unroll
                for (int v = 0; v < VECTOR; v++)
                    line[k][i + v] = word(in, v);
            }
        } else {
#pragma unroll
            for (int i = FIRST; i < LINE - FIRST; i++)
                line[k][i] = value_at(input, from + i, n);
        }
    }
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        int to = first + k * (BLOCK * OUTPUTS);
        float sum[OUTPUTS];
#pragma unroll
        for (int x = 0; x < OUTPUTS; x++) {
            sum[x] = 0.0f;
#pragma unroll
            for (int j = 0; j < MASK_WIDTH; j++)
                sum[x] += mask[j] * line[k][FIRST + x + j];
        }
        if (inside) {
#pragma unroll
            for (int x = 0; x < OUTPUTS; x += VECTOR) {
                vector_of<VECTOR>::type out;
#pragma unroll
                for (int v = 0; v < VECTOR; v++)
                    word(out, v) = sum[x + v];
                store_vector<VECTOR>(output + to + x, out, STREAM);
            }
        } else {
#pragma unroll
            for (int x = 0; x < OUTPUTS; x++)
                if (to + x < n)
                    output[to + x] = sum[x];
        }
    }
}
