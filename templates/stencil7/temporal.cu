/* SPDX-License-Identifier: Apache-2.0 */
/*
 * temporal.cu - DEPTH sweeps of the 7-point stencil in one pass over the grid.
 *
 * A sweep is bound by memory with most of the arithmetic idle. Here a plane that has been loaded goes through DEPTH stages
 * on its way up the grid, and only the last one's results are stored: 8 bytes a point for DEPTH sweeps.
 *
 * Blocks do not wait for each other, so each computes again what it needs of its neighbours: to be right by one point
 * less on every side, a tile loses a point a stage. Of a tile of 32 VECTOR x BLOCK_Y ROWS points those in the middle are
 * stored, DEPTH less at every side (and along x a whole number of vectors less), and a block loads DEPTH planes more at
 * either end. What the outer points compute in later stages is wrong, and used by none that is stored.
 *
 * A stage needs three planes of what the one before has made, but holds only two values a point: the plane that came
 * last, and the sum for that plane without the one above. When the next plane comes it completes the sum, which goes to the
 * next stage, and starts its own. So in a step along z stage s is at the plane 2 s below that of the first.
 *
 * Neighbours along x are in other lanes of the warp, a row of whose tile is one row of the block's. Of the ROWS rows of a
 * thread only the outer two have neighbours in other warps; they go through shared memory, all stages' at once and into two
 * buffers in turns, so that a step needs a single barrier.
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
#include "stencil.cuh"
#include "../vectors.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

#define THREADS (BLOCK_X * BLOCK_Y)
#define SIDES (ROWS > 1 ? 2 : 1)                              /* rows of a thread that others need */
#define EDGE_X ((DEPTH + VECTOR - 1) / VECTOR * VECTOR)       /* points at either side that are not stored */
#define INNER_X (BLOCK_X * VECTOR - 2 * EDGE_X)
#define INNER_Y (BLOCK_Y * ROWS - 2 * DEPTH)

typedef vector_of<VECTOR>::type vector;

/* The outer rows of all threads: of two steps, for each stage. */
struct exchange {
    vector rows[DEPTH][BLOCK_Y][SIDES][BLOCK_X];
};
extern __shared__ exchange exchanges[];

/* A thread's points: of one plane, VECTOR along x and ROWS along y. */
struct patch {
    vector row[ROWS];
};

struct position {
    int x, y, left; /* of the first point; points of the row that are left from there on, 0 if it is outside */
    int nx, ny, nz;
    bool aligned, inner; /* rows are whole vectors; the whole tile is inside of the grid along x and y */
};

static __device__ __forceinline__ bool in_rows(position at, int r)
{
    return at.y + r >= 0 && at.y + r < at.ny;
}

/* Zero outside of the grid. */
static __device__ __forceinline__ patch load_patch(const float *grid, position at, int z, int end)
{
    patch loaded;
    const float *from = grid + ((size_t)z * at.ny + at.y) * at.nx + at.x;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        bool inside = z >= 0 && z < min(end, at.nz) && in_rows(at, r);
        loaded.row[r] = load_part<VECTOR>(from + (ptrdiff_t)r * at.nx, inside ? at.left : 0, at.aligned, false);
    }
    return loaded;
}

/* A point outside of the grid stays zero in all sweeps. */
static __device__ __forceinline__ void clear_outside(patch *values, position at, int z)
{
    bool plane = z >= 0 && z < at.nz;
    if (plane && at.inner)
        return;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int i = 0; i < VECTOR; i++)
            if (!plane || !in_rows(at, r) || i >= at.left)
                word(values->row[r], i) = 0.0f;
}

/* What a stage holds between two planes. */
struct stage {
    patch arrived; /* the plane that has come, to be worked on in the coming step */
    patch kept;    /* the one before */
    patch sum;     /* that one's result, but for the plane above */
};

static __device__ __forceinline__ void publish(exchange *to, int s, const patch *values)
{
    to->rows[s][threadIdx.y][0][threadIdx.x] = values->row[0];
    to->rows[s][threadIdx.y][SIDES - 1][threadIdx.x] = values->row[ROWS - 1];
}

/* Completes the sums of the plane before, starts those of the one that has arrived. */
static __device__ __forceinline__ patch advance(stage *stage, const exchange *from, int s)
{
    patch done;
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
            float flat = weighted_in_plane(here, i > 0 ? word(center, i > 0 ? i - 1 : 0) : west,
                                           i + 1 < VECTOR ? word(center, i + 1 < VECTOR ? i + 1 : i) : east,
                                           word(lower, i), word(upper, i));
            word(done.row[r], i) = word(stage->sum.row[r], i) + ABOVE * here;
            word(stage->sum.row[r], i) = flat + BELOW * word(stage->kept.row[r], i);
            word(stage->kept.row[r], i) = here;
        }
    }
    return done;
}

/* Of a tile only the middle is right. */
static __device__ __forceinline__ void store_patch(float *grid, position at, const patch *values, int z)
{
    int column = threadIdx.x * VECTOR;
    if (column < EDGE_X || column >= EDGE_X + INNER_X)
        return;
    float *to = grid + ((size_t)z * at.ny + at.y) * at.nx + at.x;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        int row = threadIdx.y * ROWS + r;
        bool right = row >= DEPTH && row < DEPTH + INNER_Y && in_rows(at, r);
        store_part<VECTOR>(to + (ptrdiff_t)r * at.nx, values->row[r], right ? at.left : 0, at.aligned, STREAM > 0);
    }
}

/* STAGES sweeps; the tiles are those of DEPTH. ALIGNED: rows of the grid are whole vectors. */
template <int STAGES, bool ALIGNED>
static __device__ __forceinline__ void pass(const float *before, float *after, int nx, int ny, int nz)
{
    position at;
    at.x = (int)blockIdx.x * INNER_X - EDGE_X;
    at.y = (int)blockIdx.y * INNER_Y - DEPTH;
    at.inner = at.x >= 0 && at.x + BLOCK_X * VECTOR <= nx && at.y >= 0 && at.y + BLOCK_Y * ROWS <= ny;
    at.x += threadIdx.x * VECTOR;
    at.y += threadIdx.y * ROWS;
    at.left = at.x >= 0 ? nx - at.x : 0;
    at.nx = nx;
    at.ny = ny;
    at.nz = nz;
    at.aligned = ALIGNED;
    int first = blockIdx.z * CHUNK;
    int end = min(first + CHUNK, nz);

    stage stages[STAGES] = {};
    stages[0].arrived = load_patch(before, at, first - STAGES, end + STAGES);

    /* Stage s is at plane z - 2 s and completes the one below; the last stage's first is `first`. */
#pragma unroll unroll
    for (int z = first - STAGES; z - 2 * STAGES + 1 < end; z++) {
        exchange *shared = exchanges + (z & 1);
        patch coming = load_patch(before, at, z + 1, end + STAGES);
#pragma unroll
        for (int s = 0; s < STAGES; s++)
            publish(shared, s, &stages[s].arrived);
        __syncthreads();
#pragma unroll
        for (int s = STAGES - 1; s >= 0; s--) {
            int done = z - 2 * s - 1;
            patch result = advance(&stages[s], shared, s);
            if (s + 1 < STAGES) {
                clear_outside(&result, at, done);
                stages[s + 1].arrived = result;
            } else if (done >= first && done < end) {
                store_patch(after, at, &result, done);
            }
        }
        stages[0].arrived = coming;
    }
}

__global__ void __launch_bounds__(THREADS)
    sweep(const float *__restrict__ before, float *__restrict__ after, int nx, int ny, int nz)
{
    if (nx % VECTOR == 0)
        pass<DEPTH, true>(before, after, nx, ny, nz);
    else
        pass<DEPTH, false>(before, after, nx, ny, nz);
}

/* A single sweep, where there are not enough left for another pass. */
__global__ void __launch_bounds__(THREADS)
    sweep_once(const float *__restrict__ before, float *__restrict__ after, int nx, int ny, int nz)
{
    pass<1, false>(before, after, nx, ny, nz);
}
