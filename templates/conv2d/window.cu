/* SPDX-License-Identifier: Apache-2.0 */
/*
 * window.cu - 2-D convolution, a window of sums in registers that slides down the image.
 *
 * A thread owns OUTPUTS neighbouring columns and walks down TILE_Y rows of outputs. It reads each row of the image
 * once, OUTPUTS + MASK_WIDTH - 1 values in a few vector loads, and uses it for all of the MASK_WIDTH rows of outputs
 * that it contributes to: their unfinished sums are the window, MASK_WIDTH x OUTPUTS registers. A 9 x 9 mask and 4
 * columns make 324 multiply-adds of 3 loads and a store. There is no shared memory and no barrier; what neighbouring
 * threads read twice comes from the L1 cache.
 *
 * After each row the window slides: the oldest sums are complete and stored, the others move up by one. That costs
 * nothing, since the first multiply-add of a sum reads the register below and writes its own.
 *
 * The first MASK_WIDTH - 1 rows of a walk also contribute to outputs above it, the last ones to outputs below, and
 * nobody stores those. TRIM skips them: in the rows at both ends each row of the window is tested for being wanted.
 *
 *   TILE_X      outputs of a block along x; it has TILE_X / OUTPUTS threads.
 *   TILE_Y      rows of outputs of a block. MASK_WIDTH - 1 more rows are read, which a long walk makes up for; a short
 *               one makes more threads.
 *   OUTPUTS     columns of a thread.
 *   STEP        rows of the image that a thread adds at a time. A value of the mask is fetched to a uniform register
 *               once for OUTPUTS * STEP multiply-adds.
 *   PREFETCH    1: the next rows are loaded before these are used.
 *   TRIM        1: skip the multiply-adds of both ends whose sums nobody stores.
 *   STREAM      1: the caches need not keep the outputs.
 *   MIN_BLOCKS  blocks that must fit on a multiprocessor, which limits the registers that the compiler uses.
 *
 * Limit: device memory with small masks, the FMA units with large ones.
 */
#include "../vectors.cuh"
#include "mask.cuh"

#define VECTOR (OUTPUTS < 4 ? OUTPUTS : 4)

/* A row as a thread reads it: whole vectors around its columns, of which it needs those from FIRST on. */
#define MARGIN ((RADIUS + VECTOR - 1) / VECTOR * VECTOR)
#define LINE (OUTPUTS + 2 * MARGIN)
#define FIRST (MARGIN - RADIUS)

#define WINDOW (MASK_WIDTH - 1 + STEP) /* rows of outputs that a step contributes to */

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
            store_vector<VECTOR>(to + x, out, STREAM);
        }
    } else {
#pragma unroll
        for (int x = 0; x < OUTPUTS; x++)
            if (image.column + x < image.width)
                to[x] = sum[x];
    }
}

/*
 * Add the rows `lines` of the image, as many as a step has, and slide the window. Then sum[j] is of the row of outputs
 * that the first line's row completes if j = 0, or of the j-th row below that. If ENDS, only those with
 * first <= j <= last are wanted.
 *
 * Row t of the mask meets line r in row MASK_WIDTH - 1 - t + r of the window. Going through the mask from the bottom to
 * the top, the sums that are read from below have not been overwritten yet.
 */
template <bool ENDS>
static __device__ __forceinline__ void slide(float (&sum)[WINDOW][OUTPUTS], const float (&lines)[STEP][LINE],
                                             int first, int last)
{
#pragma unroll
    for (int t = MASK_WIDTH - 1; t >= 0; t--) {
#pragma unroll
        for (int r = 0; r < STEP; r++) {
            int j = MASK_WIDTH - 1 - t + r;
            if (ENDS && (j < first || j > last))
                continue;
            bool begins = t == MASK_WIDTH - 1 || r == STEP - 1;
#pragma unroll
            for (int x = 0; x < OUTPUTS; x++) {
                float value = !begins ? sum[j][x] : j + STEP < WINDOW ? sum[(j + STEP) % WINDOW][x] : 0.0f;
#pragma unroll
                for (int i = 0; i < MASK_WIDTH; i++)
                    value += mask[t][i] * lines[r][FIRST + x + i];
                sum[j][x] = value;
            }
        }
    }
}

static __device__ __forceinline__ void load_lines(float (&lines)[STEP][LINE], const image &image, const float *from,
                                                  int row)
{
#pragma unroll
    for (int r = 0; r < STEP; r++)
        load_line(lines[r], image, from + (ptrdiff_t)r * image.width, row + r);
}

__global__ void __launch_bounds__(TILE_X / OUTPUTS, MIN_BLOCKS)
    convolve(const float *__restrict__ input, float *__restrict__ output, int height, int width)
{
    int column = blockIdx.x * TILE_X + threadIdx.x * OUTPUTS;
    bool inside = column >= MARGIN && column + OUTPUTS + MARGIN <= width;
    image image = {height, width, column, inside, inside && width % VECTOR == 0};
    if (column >= width)
        return;

    int row0 = blockIdx.y * TILE_Y;
    int rows = min(TILE_Y, height - row0);
    float sum[WINDOW][OUTPUTS];
#pragma unroll
    for (int j = 0; j < WINDOW; j++)
#pragma unroll
        for (int x = 0; x < OUTPUTS; x++)
            sum[j][x] = 0.0f;

    const float *from = input + (ptrdiff_t)(row0 - RADIUS) * width + (column - MARGIN);
    float *to = output + (ptrdiff_t)(row0 + 1 - MASK_WIDTH) * width + column;
    ptrdiff_t stride = (ptrdiff_t)STEP * width;
    float lines[STEP][LINE];
#if PREFETCH
    load_lines(lines, image, from, row0 - RADIUS);
#endif
    /* `complete` is the first row of outputs, counted from row0, that a step completes. */
#pragma unroll 1
    for (int complete = 1 - MASK_WIDTH; complete < rows; complete += STEP) {
        int row = row0 + complete + RADIUS; /* of the step's first line */
#if PREFETCH
        float next[STEP][LINE];
        load_lines(next, image, from + stride, row + STEP);
#else
        load_lines(lines, image, from, row);
#endif
        if (TRIM && (complete < 0 || complete + WINDOW > rows))
            slide<true>(sum, lines, -complete, rows - 1 - complete);
        else
            slide<false>(sum, lines, 0, WINDOW - 1);
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
                lines[r][i] = next[r][i];
#endif
    }
}
