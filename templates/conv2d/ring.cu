/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring.cu - 2-D convolution: the sliding window of window.cuh, fed by asynchronous copies.
 *
 * A warp walks down a strip of 32 * OUTPUTS columns. It has a ring of STAGES slots in shared memory, each of which
 * holds the strip's part of STEP rows with what lies RADIUS to the left and right. While one slot is used, the copies
 * of the next STAGES - 1 are under way, from global to shared memory without a register and without anybody waiting
 * for them: that is what keeps the memory busy however few warps there are. Copies also fill in the zeros outside of
 * the image, so that there are no edges to be tested for later.
 *
 * Nothing is shared between warps, so there is no barrier of a block: a warp waits for its own copies, and its lanes
 * for each other. A thread's columns are runs of 4 neighbours, runs 128 apart: neighbouring lanes then read
 * neighbouring vectors, from shared memory without a bank conflict, and store whole lines.
 *
 *   TILE_X      outputs of a block along x; it has TILE_X / OUTPUTS threads, whole warps.
 *   TILE_Y      rows of outputs of a block. MASK_WIDTH - 1 more rows are read, which a long walk makes up for; a short
 *               one makes more threads.
 *   OUTPUTS     columns of a thread.
 *   STEP        rows of the image that a thread adds at a time.
 *   STAGES      slots of the ring.
 *   TRIM        1: skip the multiply-adds of both ends whose sums nobody stores.
 *   MIN_BLOCKS  blocks that must fit on a multiprocessor, which limits the registers that the compiler uses.
 *
 * Limit: with large masks the instructions themselves: a step of a 15 x 15 mask has 1,000 to 2,000 of them, more than
 * the first caches of instructions hold. Warps waited for instructions in 2 of 5 cases; a barrier that kept them
 * together did not help. With small masks it is behind window.cu, whose many short walks suit the memory better.
 */
#include "../async.cuh"
#include "../vectors.cuh"
#include "mask.cuh"

#define RUN (OUTPUTS < 4 ? OUTPUTS : 4)
#define MARGIN ((RADIUS + 3) / 4 * 4) /* whole vectors of 4 */
#define LINE (RUN + 2 * MARGIN)
#define FIRST (MARGIN - RADIUS)

#include "window.cuh"

#define WARPS (TILE_X / OUTPUTS / 32)
#define STRIP (32 * OUTPUTS)
#define ROW (STRIP + 2 * MARGIN)

__shared__ __align__(16) float ring[WARPS][STAGES][STEP][ROW];

#define VECTORS ((ROW + 127) / 128) /* of a row and lane */

/* A warp's strip, and the part that a lane copies to the ring. */
struct strip {
    const float *from; /* the lane's first vector of the next row, */
    int row;           /* which is this one */
    int end;           /* first row that is not needed */
    int width, column; /* of the image; the strip's first */
    int lane;
    bool aligned;         /* rows are whole vectors */
    bool inside[VECTORS]; /* the lane's vectors are, if rows are aligned */
};

/* The next STEP rows to a slot. */
static __device__ __forceinline__ void fetch(float (*slot)[ROW], strip &strip)
{
#pragma unroll
    for (int r = 0; r < STEP; r++) {
        bool wanted = (unsigned)strip.row < (unsigned)strip.end;
        if (strip.aligned) {
#pragma unroll
            for (int v = 0; v < VECTORS; v++)
                if (128 * (v + 1) <= ROW || 128 * v + 4 * strip.lane < ROW)
                    copy4(&slot[r][128 * v + 4 * strip.lane], strip.from + 128 * v, wanted && strip.inside[v]);
        } else {
#pragma unroll
            for (int i = 0; i < ROW; i += 32) {
                int column = strip.column - MARGIN + i + strip.lane;
                if (i + 32 <= ROW || i + strip.lane < ROW)
                    copy1(&slot[r][i + strip.lane], strip.from - 3 * strip.lane + i,
                          wanted && column >= 0 && column < strip.width);
            }
        }
        strip.from += strip.width;
        strip.row++;
    }
}

static __device__ __forceinline__ void read_lines(float (&lines)[STEP][RUNS][LINE], const float (*slot)[ROW], int lane)
{
#pragma unroll
    for (int r = 0; r < STEP; r++)
#pragma unroll
        for (int g = 0; g < RUNS; g++)
#pragma unroll
            for (int i = 0; i < LINE; i += RUN) {
                vector_of<RUN>::type in = *(const vector_of<RUN>::type *)&slot[r][(32 * g + lane) * RUN + i];
#pragma unroll
                for (int v = 0; v < RUN; v++)
                    lines[r][g][i + v] = word(in, v);
            }
}

static __device__ __forceinline__ void store_row(float *to, const float (&sum)[OUTPUTS], const strip &strip)
{
#pragma unroll
    for (int g = 0; g < RUNS; g++) {
        int x = (32 * g + strip.lane) * RUN;
        vector_of<RUN>::type out;
#pragma unroll
        for (int v = 0; v < RUN; v++)
            word(out, v) = sum[g * RUN + v];
        store_part<RUN>(to + x, out, strip.width - strip.column - x, strip.width % RUN == 0, false);
    }
}

__global__ void __launch_bounds__(TILE_X / OUTPUTS, MIN_BLOCKS)
    convolve(const float *__restrict__ input, float *__restrict__ output, int height, int width)
{
    int warp = threadIdx.x / 32;
    int row0 = blockIdx.y * TILE_Y;
    int rows = min(TILE_Y, height - row0);
    strip strip;
    strip.width = width;
    strip.column = blockIdx.x * TILE_X + warp * STRIP;
    strip.row = row0 - RADIUS;
    strip.end = min(row0 + rows + RADIUS, height);
    strip.lane = threadIdx.x % 32;
    strip.aligned = width % 4 == 0;
    int column = strip.column - MARGIN + 4 * strip.lane;
    strip.from = input + (ptrdiff_t)strip.row * width + column;
#pragma unroll
    for (int v = 0; v < VECTORS; v++)
        strip.inside[v] = column + 128 * v >= 0 && column + 128 * v < width;

#pragma unroll
    for (int stage = 0; stage < STAGES - 1; stage++) {
        fetch(ring[warp][stage], strip);
        copies_commit();
    }

    float sum[WINDOW][OUTPUTS];
    clear(sum);
    float *to = output + (ptrdiff_t)(row0 + 1 - MASK_WIDTH) * width + strip.column;
    int used = 0;            /* slot */
    int filled = STAGES - 1; /* the next one, which was used in the step before */
    /* `complete` is the first row of outputs, counted from row0, that a step completes. */
#pragma unroll 1
    for (int complete = 1 - MASK_WIDTH; complete < rows; complete += STEP) {
        copies_wait<STAGES - 2>();
        __syncwarp();
        float lines[STEP][RUNS][LINE];
        read_lines(lines, ring[warp][used], strip.lane);
        fetch(ring[warp][filled], strip);
        copies_commit();
        slide_at(sum, lines, complete, rows);
#pragma unroll
        for (int r = 0; r < STEP; r++)
            if (complete + r >= 0 && complete + r < rows)
                store_row(to + (ptrdiff_t)r * width, sum[r], strip);
        to += (ptrdiff_t)STEP * width;
        filled = used;
        used = used + 1 < STAGES ? used + 1 : 0;
    }
}
