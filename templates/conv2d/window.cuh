/* SPDX-License-Identifier: Apache-2.0 */
/*
 * window.cuh - shared by window.cu and ring.cu: unfinished sums in registers, a window that slides down the image.
 *
 * A thread owns OUTPUTS columns and walks down the image. A row that it reads contributes to MASK_WIDTH rows of
 * outputs, and is used for all of them at once: their unfinished sums are the window, MASK_WIDTH x OUTPUTS registers.
 * Each value of the image is loaded once for MASK_WIDTH * MASK_WIDTH multiply-adds but for those that neighbours
 * share.
 *
 * After each row the window slides: the oldest sums are complete and stored, the others move up by one. That costs
 * nothing, since the first multiply-add of a sum reads the register below and writes its own. STEP rows may be added
 * at a time, so that a value of the mask is fetched to a uniform register once for OUTPUTS * STEP multiply-adds; the
 * window then has STEP - 1 rows more.
 *
 * The first MASK_WIDTH - 1 rows of a walk also contribute to outputs above it, the last ones to outputs below, and
 * nobody stores those. TRIM skips them: in the rows at both ends each row of the window is tested for being wanted.
 *
 * A thread's columns are runs of RUN neighbours. For each run and row it has a line of LINE values, of which those
 * from FIRST on meet the mask.
 */
#ifndef CONV2D_WINDOW_CUH
#define CONV2D_WINDOW_CUH

#include "mask.cuh"

#define RUNS (OUTPUTS / RUN)
#define WINDOW (MASK_WIDTH - 1 + STEP) /* rows of outputs that a step contributes to */

/*
 * Add the rows `lines` of the image, as many as a step has, and slide the window. Then sum[j] is of the row of outputs
 * that the first line's row completes if j = 0, or of the j-th row below that. If ENDS, only those with
 * first <= j <= last are wanted.
 *
 * Row t of the mask meets line r in row MASK_WIDTH - 1 - t + r of the window. Going through the mask from the bottom
 * to the top, the sums that are read from below have not been overwritten yet.
 */
template <bool ENDS>
static __device__ __forceinline__ void slide(float (&sum)[WINDOW][OUTPUTS], const float (&lines)[STEP][RUNS][LINE],
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
                    value += mask[t][i] * lines[r][x / RUN][FIRST + x % RUN + i];
                sum[j][x] = value;
            }
        }
    }
}

static __device__ __forceinline__ void clear(float (&sum)[WINDOW][OUTPUTS])
{
#pragma unroll
    for (int j = 0; j < WINDOW; j++)
#pragma unroll
        for (int x = 0; x < OUTPUTS; x++)
            sum[j][x] = 0.0f;
}

/* Slide past both ends, if TRIM, or as anywhere; `complete` as in the loops of the kernels, of `rows` rows. */
static __device__ __forceinline__ void slide_at(float (&sum)[WINDOW][OUTPUTS],
                                                const float (&lines)[STEP][RUNS][LINE], int complete, int rows)
{
    if (TRIM && (complete < 0 || complete + WINDOW > rows))
        slide<true>(sum, lines, -complete, rows - 1 - complete);
    else
        slide<false>(sum, lines, 0, WINDOW - 1);
}

#endif
