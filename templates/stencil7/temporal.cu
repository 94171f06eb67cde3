/* SPDX-License-Identifier: Apache-2.0 */
/*
 * temporal.cu - DEPTH sweeps of the 7-point stencil in one pass over the grid.
 *
 * A sweep is bound by memory with most of the arithmetic idle. Here a plane that has been loaded goes through DEPTH
 * stages on its way up the grid, and only the last one's results are stored: 8 bytes a point for DEPTH sweeps.
 *
 * Blocks do not wait for each other, so each computes again what it needs of its neighbours: to be right by one point
 * less on every side, a tile loses a point a stage. Of a tile of 32 VECTOR x BLOCK_Y ROWS points those in the middle
 * are stored, DEPTH less at every side (and along x a whole number of vectors less), and a block loads DEPTH planes
 * more at either end. What the outer points compute in later stages is wrong, and used by none that is stored.
 *
 * A stage needs three planes of what the one before has made, but holds only two values a point: the sum for the plane
 * that came last, without the point above, and what that plane contributes to the next as the one below. When the next
 * plane comes it completes the sum, which goes to the next stage, and starts its own. So in a step along z stage s is
 * at the plane 2 s below that of the first.
 *
 * Neighbours along x are in other lanes of the warp, a row of whose tile is one row of the block's. Of the ROWS rows of
 * a thread only the outer two have neighbours in other warps; they go through shared memory, all stages' at once and
 * into two buffers in turns, so that a step needs a single barrier.
 *
 *   BLOCK_X   32, a warp.                                BLOCK_Y  warps of a block.
 *   VECTOR    points of a thread along x.                ROWS     points of a thread along y.
 *   DEPTH     sweeps of a pass.
 *   CHUNK     planes a block computes; more of them make up for the steps until a block's stages are all at work.
 *   UNROLL    steps written out in the loop.
 *   STREAM    1: results are hinted not to be read again soon.
 *
 * Limit: the issue of instructions, some ten a point and sweep, and registers, three a point and stage.
 */
#include "rectangle.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

#define THREADS (BLOCK_X * BLOCK_Y)
#define SIDES (ROWS > 1 ? 2 : 1)                              /* rows of a thread that others need */
#define EDGE_X ((DEPTH + VECTOR - 1) / VECTOR * VECTOR)       /* points at either side that are not stored */
#define INNER_X (BLOCK_X * VECTOR - 2 * EDGE_X)
#define INNER_Y (BLOCK_Y * ROWS - 2 * DEPTH)

/* The outer rows of all threads: of two steps, for each stage. */
struct exchange {
    vector rows[DEPTH][BLOCK_Y][SIDES][BLOCK_X];
};
extern __shared__ exchange exchanges[];

/* A point outside of the grid stays zero in all sweeps. */
static __device__ __forceinline__ void clear_outside(rectangle *values, position at, bool exists, bool inner)
{
    if (exists && inner)
        return;
#pragma unroll
    for (int i = 0; i < ROWS * VECTOR; i++)
        if (!exists || !(at.inside >> i & 1))
            word(values->row[i / VECTOR], i % VECTOR) = 0.0f;
}

/* What a stage holds between two planes. */
struct stage {
    rectangle arrived; /* the plane that has come, to be worked on in the coming step */
    rectangle sum;     /* of the plane before, but for the point above */
    rectangle below;   /* what the plane before contributes to the one that has arrived */
};

static __device__ __forceinline__ void publish(exchange *to, int s, const rectangle *values)
{
    to->rows[s][threadIdx.y][0][threadIdx.x] = values->row[0];
    to->rows[s][threadIdx.y][SIDES - 1][threadIdx.x] = values->row[ROWS - 1];
}

/* Completes the sums of the plane before, starts those of the one that has arrived. */
static __device__ __forceinline__ rectangle advance(stage *stage, const exchange *from, int s)
{
    rectangle done;
    vector south = stage->arrived.row[0], north = stage->arrived.row[ROWS - 1]; /* at the tile's edge: anything */
    if (threadIdx.y > 0)
        south = from->rows[s][threadIdx.y - 1][SIDES - 1][threadIdx.x];
    if (threadIdx.y < BLOCK_Y - 1)
        north = from->rows[s][threadIdx.y + 1][0][threadIdx.x];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        vector center = stage->arrived.row[r];
        vector lower = r > 0 ? stage->arrived.row[r > 0 ? r - 1 : 0] : south;
        vector upper = r + 1 < ROWS ? stage->arrived.row[r + 1 < ROWS ? r + 1 : r] : north;
        float west = __shfl_up_sync(0xffffffffu, word(center, VECTOR - 1), 1);
        float east = __shfl_down_sync(0xffffffffu, word(center, 0), 1);
#pragma unroll
        for (int i = 0; i < VECTOR; i++) {
            float here = word(center, i);
            float sum = word(stage->below.row[r], i) + CENTER * here;
            sum += WEST * (i > 0 ? word(center, i > 0 ? i - 1 : 0) : west);
            sum += EAST * (i + 1 < VECTOR ? word(center, i + 1 < VECTOR ? i + 1 : i) : east);
            sum += SOUTH * word(lower, i);
            sum += NORTH * word(upper, i);
            word(done.row[r], i) = word(stage->sum.row[r], i) + ABOVE * here;
            word(stage->sum.row[r], i) = sum;
            word(stage->below.row[r], i) = BELOW * here;
        }
    }
    return done;
}

/* Of a tile only the middle is right. */
static __device__ __forceinline__ void store_inner(float *to, position at, const rectangle *values)
{
    int column = threadIdx.x * VECTOR, row = threadIdx.y * ROWS;
    if (column >= EDGE_X && column < EDGE_X + INNER_X)
        store_rectangle(to, at, values, DEPTH - row, DEPTH + INNER_Y - row);
}

/* STAGES sweeps; the tiles are those of DEPTH. */
template <int STAGES>
static __device__ __forceinline__ void pass(const float *before, float *after, int nx, int ny, int nz, bool aligned)
{
    int tile_x = (int)blockIdx.x * INNER_X - EDGE_X, tile_y = (int)blockIdx.y * INNER_Y - DEPTH;
    int x = tile_x + (int)threadIdx.x * VECTOR, y = tile_y + (int)threadIdx.y * ROWS;
    int first = blockIdx.z * CHUNK;
    int end = min(first + CHUNK, nz);
    position at = position_of(x, y, nx, ny, aligned);
    bool inner = tile_x >= 0 && tile_x + BLOCK_X * VECTOR <= nx && tile_y >= 0 && tile_y + BLOCK_Y * ROWS <= ny;
    ptrdiff_t plane = (ptrdiff_t)nx * ny;
    const float *from = before + (first - STAGES) * plane + (ptrdiff_t)y * nx + x;
    float *to = after + (first - 3 * STAGES + 1) * plane + (ptrdiff_t)y * nx + x;

    stage stages[STAGES] = {};
    stages[0].arrived = load_rectangle(from, at, first >= STAGES);

    /* Stage s is at plane z - 2 s and completes the one below; the last stage's first is `first`. */
#pragma unroll unroll
    for (int z = first - STAGES; z - 2 * STAGES + 1 < end; z++) {
        exchange *shared = exchanges + (z & 1);
        from += plane;
        rectangle coming = load_rectangle(from, at, z + 1 >= 0 && z + 1 < min(end + STAGES, nz));
#pragma unroll
        for (int s = 0; s < STAGES; s++)
            publish(shared, s, &stages[s].arrived);
        __syncthreads();
#pragma unroll
        for (int s = STAGES - 1; s >= 0; s--) {
            int done = z - 2 * s - 1;
            rectangle result = advance(&stages[s], shared, s);
            if (s + 1 < STAGES) {
                clear_outside(&result, at, done >= 0 && done < nz, inner);
                stages[s + 1].arrived = result;
            } else if (done >= first) {
                store_inner(to, at, &result);
            }
        }
        to += plane;
        stages[0].arrived = coming;
    }
}

__global__ void __launch_bounds__(THREADS)
    sweep(const float *__restrict__ before, float *__restrict__ after, int nx, int ny, int nz)
{
    if (nx % VECTOR == 0)
        pass<DEPTH>(before, after, nx, ny, nz, true);
    else
        pass<DEPTH>(before, after, nx, ny, nz, false);
}

/* A single sweep, where there are not enough left for another pass. */
__global__ void __launch_bounds__(THREADS)
    sweep_once(const float *__restrict__ before, float *__restrict__ after, int nx, int ny, int nz)
{
    pass<1>(before, after, nx, ny, nz, nx % VECTOR == 0);
}
