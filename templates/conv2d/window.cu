/* SPDX-License-Identifier: Apache-2.0 */
/*
 * window.cu - 2-D convolution, a window of sums in registers that slides down the image; see window.cuh.
 *
 * A thread owns OUTPUTS neighbouring columns and walks down TILE_Y rows of outputs. It reads each row of the image
 * once, OUTPUTS + MASK_WIDTH - 1 values in a few vector loads: a 9 x 9 mask and 4 columns make 324 multiply-adds of 3
 * loads and a store. There is no shared memory and no barrier; what neighbouring threads read twice comes from the L1
 * cache.
 *
 *   TILE_X      outputs of a block along x; it has TILE_X / OUTPUTS threads.
 *   TILE_Y      rows of outputs of a block. MASK_WIDTH - 1 more rows are read, which a long walk makes up for; short
 *               ones make more threads, which stay close together in memory.
 *   OUTPUTS     columns of a thread.
 *   STEP        rows of the image that a thread adds at a time. A value of the mask is fetched to a uniform register
 *               once for OUTPUTS * STEP multiply-adds.
 *   PREFETCH    1: the next rows are loaded before these are used.
 *   TRIM        1: skip the multiply-adds of both ends whose sums nobody stores.
 *   MIN_BLOCKS  blocks that must fit on a multiprocessor, which limits the registers that the compiler uses.
 *
 * Limit: the wait for a row, unless other warps or PREFETCH fill it, for which there are not enough registers.
 */
#include "../vectors.cuh"
#include "mask.cuh"

#define VECTOR (OUTPUTS < 4 ? OUTPUTS : 4)

/* A row as a thread reads it: whole vectors around its columns, of which it needs those from FIRST on. */
#define MARGIN ((RADIUS + VECTOR - 1) / VECTOR * VECTOR)
#define LINE (OUTPUTS + 2 * MARGIN)
#define FIRST (MARGIN - RADIUS)
#define RUN OUTPUTS

#include "window.cuh"

__device__ __align__(16) float zeros[LINE]; /* in place of a row outside of the image */

struct image {
    int height, width;
    int column;   /* the thread's first */
    bool inside;  /* all of the thread's line lies inside of the image's sides, */
    bool vectors; /* and its vectors are aligned */
};

/* The thread's line of a row, which begins at `from` unless the row is outside. */
static __device__ __forceinline__ void load_line(float (&line)[LINE], const image &image, const float *from, int row)
{
    from = row >= 0 && row < image.height ? from : zeros;
    if (image.vectors) {
#pragma unroll
        for (int i = 0; i < LINE; i += VECTOR) {
            vector_of<VECTOR>::type in = load_vector<VECTOR>(from + i, false);
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                line[i + v] = word(in, v);
        }
    } else if (image.inside) {
#pragma unroll
        for (int i = FIRST; i < LINE - FIRST; i++)
            line[i] = from[i];
    } else {
#pragma unroll
        for (int i = FIRST; i < LINE - FIRST; i++) {
            int column = image.column - MARGIN + i;
            line[i] = column >= 0 && column < image.width ? from[i] : 0.0f;
        }
    }
}

static __device__ __forceinline__ void store_row(float *to, const float (&sum)[OUTPUTS], const image &image)
{
    if (image.vectors) {
#pragma unroll
        for (int x = 0; x < OUTPUTS; x += VECTOR) {
            vector_of<VECTOR>::type out;
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                word(out, v) = sum[x + v];
            store_vector<VECTOR>(to + x, out, false);
        }
    } else {
#pragma unroll
        for (int x = 0; x < OUTPUTS; x++)
            if (image.column + x < image.width)
                to[x] = sum[x];
    }
}

static __device__ __forceinline__ void load_lines(float (&lines)[STEP][1][LINE], const image &image, const float *from,
                                                  int row)
{
#pragma unroll
    for (int r = 0; r < STEP; r++)
        load_line(lines[r][0], image, from + (ptrdiff_t)r * image.width, row + r);
}

__global__ void __launch_bounds__(TILE_X / OUTPUTS, MIN_BLOCKS)
    convolve(const float *__restrict__ input, float *__restrict__ output, int height, int width)
{
    int column = blockIdx.x * TILE_X + threadIdx.x * OUTPUTS;
    bool inside = column >= MARGIN && column + OUTPUTS + MARGIN <= width;
    image image = {height, width, column, inside, inside && width % VECTOR == 0};

    int row0 = blockIdx.y * TILE_Y;
    int rows = min(TILE_Y, height - row0);
    float sum[WINDOW][OUTPUTS];
    clear(sum);

    const float *from = input + (ptrdiff_t)(row0 - RADIUS) * width + (column - MARGIN);
    float *to = output + (ptrdiff_t)(row0 + 1 - MASK_WIDTH) * width + column;
    ptrdiff_t stride = (ptrdiff_t)STEP * width;
    float lines[STEP][1][LINE];
#if PREFETCH
    load_lines(lines, image, from, row0 - RADIUS);
#endif
    /* `complete` is the first row of outputs, counted from row0, that a step completes. */
#pragma unroll 1
    for (int complete = 1 - MASK_WIDTH; complete < rows; complete += STEP) {
        int row = row0 + complete + RADIUS; /* of the step's first line */
#if PREFETCH
        float next[STEP][1][LINE];
        load_lines(next, image, from + stride, row + STEP);
#else
        load_lines(lines, image, from, row);
#endif
        slide_at(sum, lines, complete, rows);
#pragma unroll
        for (int r = 0; r < STEP; r++)
            if (complete + r >= 0 && complete + r < rows)
                store_row(to + (ptrdiff_t)r * width, sum[r], image);
        from += stride;
        to += stride;
#if PREFETCH
#pragma unroll
        for (int r = 0; r < STEP; r++)
#pragma unroll
            for (int i = 0; i < LINE; i++)
                lines[r][0][i] = next[r][0][i];
#endif
    }
}
