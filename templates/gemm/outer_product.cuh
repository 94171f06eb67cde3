/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outer_product.cuh - what a thread does with tiles in shared memory: sum += a b, a column of REG_M values of the one
 * tile times a row of REG_N values of the other, for one step along the depth.
 *
 * Both tiles lie in shared memory by depth: a row holds the TILE_M (TILE_N) values of one step. The 32 lanes of a warp
 * form a LANES_M x (32 / LANES_M) rectangle. A thread's rows come in runs of 4, the runs LANES_M * 4 rows apart
 * (columns likewise), so that the lanes read one contiguous stretch, four values in one instruction.
 *
 * Registers. They have two banks, the even and the odd ones, and each delivers one operand of a warp per cycle. A
 * multiply-add reads three, and one can start in every cycle: if it takes two from one bank, the next one is a cycle
 * late. What an instruction read is kept for the next one that reads the same register in the same place. So in a run
 * of multiply-adds that share b, each reads one new value of a and one sum, and these must be in different banks:
 *
 *   ORDER  the order of the REG_M x REG_N multiply-adds. 0: row by row. 1: the same in serpentines, so that a run
 *          starts with the value that the one before ended with. 2, 3: the same, column by column. 4, 5: two columns at
 *          a time, straight and in serpentines. The compiler changes it where it sees fit.
 *   BANKS  which sums share an aligned group of four registers at the end of the kernel and hence, mostly, all along.
 *          0: four neighbouring columns, as vector stores want them: a sum is then in the bank of its value of b. 1:
 *          the same with pairs swapped: never in the bank of b. 2: four neighbouring rows with pairs swapped: never in
 *          the bank of a. The groups pass through shared memory before they are stored, since otherwise the compiler is
 *          free to choose.
 *
 * With ORDER = 3, BANKS = 2 and 8 x 16 sums, one multiply-add in twelve comes late, without either one in four to six
 * (counted in the machine code).
 *
 * Shared memory delivers 32 words per cycle and multiprocessor, a vector of four for each lane in four cycles, so that
 * with 8 x 16 sums it is busy for three quarters of the time. Reads must be issued long before their values are used,
 * over a hundred cycles if they come in a bunch. The compiler tends to move them down to where the values are used, and
 * then the warp waits:
 *
 *   READS  0: as the compiler likes. 1: volatile reads, which it does not move past each other, and mostly not far. 2:
 *          a __syncwarp after the reads for each step, which it does not move them past.
 *
 * Where C is small, a block may have all the threads that fit and yet a small tile:
 *
 *   SLICES  groups of threads, of which each takes an equal part of the steps of each tile; at the end their sums are
 *           added in shared memory. This splits the depth without any traffic outside the block.
 */
#ifndef GEMM_OUTER_PRODUCT_CUH
#define GEMM_OUTER_PRODUCT_CUH

#include "vector.cuh"

#ifndef SLICES
#define SLICES 1
#endif
#define LANES_N (32 / LANES_M)
#define WARP_TILE_M (LANES_M * REG_M)
#define WARP_TILE_N (LANES_N * REG_N)
#define WARPS_N (TILE_N / WARP_TILE_N)
#define SLICE_THREADS (TILE_M / REG_M * (TILE_N / REG_N))
#define THREADS (SLICES * SLICE_THREADS)

/* The thread's part of the steps of each tile. */
static __device__ __forceinline__ int slice()
{
    return SLICES > 1 ? threadIdx.x / SLICE_THREADS : 0;
}

/* Where the thread's piece starts in the block's tile. */
static __device__ __forceinline__ int piece_row()
{
    int warp = threadIdx.x % SLICE_THREADS / 32;
    return warp / WARPS_N * WARP_TILE_M + threadIdx.x % 32 / LANES_N * 4;
}

static __device__ __forceinline__ int piece_column()
{
    int warp = threadIdx.x % SLICE_THREADS / 32;
    return warp % WARPS_N * WARP_TILE_N + threadIdx.x % 32 % LANES_N * 4;
}

/* The row (column) of the piece's i-th one, counted from its first. */
static __device__ __forceinline__ int piece_step(int i, int lanes)
{
    return i / 4 * (4 * lanes) + i % 4;
}

/* Four floats from shared memory. */
static __device__ __forceinline__ void read_four(float *to, const float *from)
{
#if READS == 1 && defined(__CUDA_ARCH__)
    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
                 : "r"((unsigned)__cvta_generic_to_shared(from))
                 : "memory");
#else
    load_vector<4>(to, from);
#endif
}

/* COUNT values of a row of a tile, from `from` on. */
template <int COUNT, int LANES>
static __device__ __forceinline__ void load_fragment(float (&to)[COUNT], const float *from)
{
#pragma unroll
    for (int i = 0; i < COUNT; i += 4)
        read_four(&to[i], from + i * LANES);
}

static __device__ __forceinline__ void clear(float (&sum)[REG_M][REG_N])
{
#pragma unroll
    for (int i = 0; i < REG_M; i++)
#pragma unroll
        for (int j = 0; j < REG_N; j++)
            sum[i][j] = 0.0f;
}

/* There and back again, if `back`. */
static __device__ __forceinline__ constexpr int turn(int i, int count, bool back)
{
    return back ? count - 1 - i : i;
}

static __device__ __forceinline__ void multiply(float (&sum)[REG_M][REG_N], const float (&a)[REG_M],
                                                const float (&b)[REG_N])
{
#if ORDER <= 1
#pragma unroll
    for (int i = 0; i < REG_M; i++)
#pragma unroll
        for (int s = 0; s < REG_N; s++) {
            const int j = turn(s, REG_N, ORDER == 1 && i % 2);
            sum[i][j] += a[i] * b[j];
        }
#elif ORDER <= 3
#pragma unroll
    for (int j = 0; j < REG_N; j++)
#pragma unroll
        for (int s = 0; s < REG_M; s++) {
            const int i = turn(s, REG_M, ORDER == 3 && j % 2);
            sum[i][j] += a[i] * b[j];
        }
#else
#pragma unroll
    for (int j = 0; j < REG_N; j += 2)
#pragma unroll
        for (int s = 0; s < REG_M; s++) {
            const int i = turn(s, REG_M, ORDER == 5 && j / 2 % 2), odd = ORDER == 5 && i % 2;
            sum[i][j + odd] += a[i] * b[j + odd];
            sum[i][j + 1 - odd] += a[i] * b[j + 1 - odd];
        }
#endif
}

/* The groups of four sums that BANKS says, each with its number. */
template <class VISIT> static __device__ __forceinline__ void for_each_four(float (&sum)[REG_M][REG_N], VISIT visit)
{
#if BANKS == 2
#pragma unroll
    for (int i = 0; i < REG_M; i += 4)
#pragma unroll
        for (int j = 0; j < REG_N; j++)
            visit(i / 4 * REG_N + j, sum[i + 1][j], sum[i][j], sum[i + 3][j], sum[i + 2][j]);
#else
#pragma unroll
    for (int i = 0; i < REG_M; i++)
#pragma unroll
        for (int j = 0; j < REG_N; j += 4)
            visit((i * REG_N + j) / 4, sum[i][j + BANKS], sum[i][j + 1 - BANKS], sum[i][j + 2 + BANKS],
                  sum[i][j + 3 - BANKS]);
#endif
}

/*
 * Add the slices' sums to those of the first, one slice after the other, by way of TILE_M * TILE_N floats that no
 * thread uses any more; the launch must provide for them.
 */
static __device__ __forceinline__ void add_slices(float (&sum)[REG_M][REG_N], float *scratch)
{
    float *mine = scratch + 4 * (threadIdx.x % SLICE_THREADS);
#pragma unroll 1
    for (int other = 1; other < SLICES; other++) {
        if (slice() == other)
            for_each_four(sum, [=](int group, float &x, float &y, float &z, float &w) {
                float four[4] = {x, y, z, w};
                store_vector4(mine + 4 * SLICE_THREADS * group, four);
            });
        __syncthreads();
        if (slice() == 0)
            for_each_four(sum, [=](int group, float &x, float &y, float &z, float &w) {
                float four[4];
                load_vector<4>(four, mine + 4 * SLICE_THREADS * group);
                x += four[0];
                y += four[1];
                z += four[2];
                w += four[3];
            });
        __syncthreads();
    }
}

/* Four floats of the thread through shared memory, at `mine`, which no other thread uses. */
static __device__ __forceinline__ void pass(float *mine, float &x, float &y, float &z, float &w)
{
#ifdef __CUDA_ARCH__
    unsigned at = (unsigned)__cvta_generic_to_shared(mine);
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(at), "f"(x), "f"(y), "f"(z), "f"(w) : "memory");
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                 : "r"(at)
                 : "memory");
#endif
}

/* See BANKS. `scratch` is shared memory for 4 * THREADS floats that no thread uses any more. */
static __device__ __forceinline__ void pass_sums(float (&sum)[REG_M][REG_N], float *scratch)
{
    if (BANKS > 0)
        for_each_four(sum, [=](int, float &x, float &y, float &z, float &w) {
            pass(scratch + 4 * threadIdx.x, x, y, z, w);
        });
}

/*
 * Store the thread's piece at `row` and `column` of a row-major matrix of `rows` x `columns`, of which only what is
 * inside. `aligned`: every row starts at a multiple of 4 floats.
 */
static __device__ __forceinline__ void store_piece(float *__restrict__ c, const float (&sum)[REG_M][REG_N], int row,
                                                   int column, int rows, int columns, bool aligned)
{
#pragma unroll
    for (int i = 0; i < REG_M; i++) {
        int r = row + piece_step(i, LANES_M);
        if (r >= rows)
            continue;
#pragma unroll
        for (int j = 0; j < REG_N; j += 4) {
            int s = column + j * LANES_N;
            float *to = c + (size_t)r * columns + s;
            if (aligned && s < columns) {
                store_vector4(to, &sum[i][j]);
            } else {
#pragma unroll
                for (int v = 0; v < 4; v++)
                    if (s + v < columns)
                        to[v] = sum[i][j + v];
            }
        }
    }
}

/* The same, mirrored: element (row, column) goes to (column, row) of a row-major `columns` x `rows` matrix. */
static __device__ __forceinline__ void store_mirrored(float *__restrict__ c, const float (&sum)[REG_M][REG_N], int row,
                                                      int column, int rows, int columns, bool aligned)
{
#pragma unroll
    for (int j = 0; j < REG_N; j++) {
        int s = column + piece_step(j, LANES_N);
        if (s >= columns)
            continue;
#pragma unroll
        for (int i = 0; i < REG_M; i += 4) {
            int r = row + i * LANES_M;
            float *to = c + (size_t)s * rows + r;
            float four[4] = {sum[i][j], sum[i + 1][j], sum[i + 2][j], sum[i + 3][j]};
            if (aligned && r < rows) {
                store_vector4(to, four);
            } else {
#pragma unroll
                for (int v = 0; v < 4; v++)
                    if (r + v < rows)
                        to[v] = four[v];
            }
        }
    }
}

#endif
