/* SPDX-License-Identifier: Apache-2.0 */
/*
 * joint_reg_smem.cu - C = A B, row-major: one operand in registers, the other in shared memory.
 *
 * After V. Volkov and J. Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra", SC'08. Their point: registers are
 * the largest and fastest memory of a multiprocessor, so a value that only one thread needs does not belong in shared
 * memory. A thread keeps a strip of C in registers. Of the operand that it alone needs it holds a fragment in
 * registers, loaded straight from memory; the operand that all threads of the block need is in shared memory, where
 * reading it is a broadcast. Only one of the two operands passes through shared memory and its barriers.
 *
 * They work column-major: a thread has a row of C. Row-major is the mirror image: a thread has one column of C, or
 * COLUMNS neighbouring ones, TILE_U rows high. Neighbouring threads then read neighbouring elements of a row of B
 * into registers (coalesced), and the tile of A, TILE_U rows by TILE_S steps, is in shared memory. COLUMNS = 1,
 * TILE_T = 64, TILE_U = 16, TILE_S = 4 is the paper's kernel. Later GPUs want more columns per thread: their
 * multiply-add takes no operand from shared memory, so each value of A that is read should serve several.
 *
 *   TILE_T    columns of C per block; it has TILE_T / COLUMNS threads.
 *   TILE_U    rows of C per block, all of them in the registers of each thread: TILE_U * COLUMNS sums.
 *   TILE_S    depth of the shared tile of A: two barriers per TILE_S steps.
 *   COLUMNS   neighbouring columns per thread, loaded as one vector: 1, 2 or 4.
 *   UNROLL    steps along the depth whose values of B a thread holds at once: the register fragment. It is loaded
 *             before it is needed, so it determines how many loads are in flight.
 *   PREFETCH  1: the next fragment and the next tile of A are loaded while this one is used. The tile of A has two
 *             buffers, so one barrier is enough. Costs registers.
 *   PAD       floats added to each row of the (transposed) tile of A to spread its stores over the banks; a multiple
 *             of 4.
 *   MIN_BLOCKS  blocks that must fit on a multiprocessor, which limits the registers that the compiler uses.
 *
 * Limit: B is read from memory once per TILE_U rows of C, so TILE_U must be large to spare the L2 cache, and then
 * registers run out. thread_coarsening.cu shares both operands and reads less of them.
 */
#include "vector.cuh"

#define THREADS (TILE_T / COLUMNS)
#define BUFFERS (PREFETCH + 1)
#define A_LOADS ((TILE_U * TILE_S + THREADS - 1) / THREADS)

__shared__ __align__(16) float a_tile[BUFFERS][TILE_S][TILE_U + PAD];

struct matrices {
    const float *__restrict__ a;
    const float *__restrict__ b;
    int m, n, k;
    int row0;     /* of the block's tile of C */
    int column;   /* the thread's first column of C */
    bool aligned; /* every row of B starts at a multiple of COLUMNS floats */
};

/* Load the thread's share of the tile of A that starts at depth `k0`. */
static __device__ __forceinline__ void load_a(float (&share)[A_LOADS], const matrices &x, int k0)
{
#pragma unroll
    for (int i = 0; i < A_LOADS; i++) {
        int index = threadIdx.x + i * THREADS;
        int row = min(x.row0 + index / TILE_S, x.m - 1);
        int p = k0 + index % TILE_S;
        share[i] = p < x.k ? x.a[(size_t)row * x.k + p] : 0.0f;
    }
}

static __device__ __forceinline__ void store_a(const float (&share)[A_LOADS], int buffer)
{
#pragma unroll
    for (int i = 0; i < A_LOADS; i++) {
        int index = threadIdx.x + i * THREADS;
        if (TILE_U * TILE_S % THREADS == 0 || index < TILE_U * TILE_S)
            a_tile[buffer][index % TILE_S][index / TILE_S] = share[i];
    }
}

/* Load the register fragment: UNROLL rows of B from depth `p`, in the thread's own columns; 0 beyond the edge. */
static __device__ __forceinline__ void load_b(float (&fragment)[UNROLL][COLUMNS], const matrices &x, int p)
{
    if (x.aligned && p + UNROLL <= x.k) {
        const float *from = x.b + (size_t)p * x.n + min(x.column, x.n - COLUMNS);
#pragma unroll
        for (int s = 0; s < UNROLL; s++)
            load_vector<COLUMNS>(fragment[s], from + (size_t)s * x.n);
    } else {
#pragma unroll
        for (int s = 0; s < UNROLL; s++)
#pragma unroll
            for (int j = 0; j < COLUMNS; j++)
                fragment[s][j] = p + s < x.k && x.column + j < x.n ? x.b[(size_t)(p + s) * x.n + x.column + j] : 0.0f;
    }
}

/* sum += (TILE_U values of A, from shared memory) times (COLUMNS values of B, from registers), UNROLL times. */
static __device__ __forceinline__ void multiply(float (&sum)[TILE_U][COLUMNS], int buffer, int depth,
                                                const float (&fragment)[UNROLL][COLUMNS])
{
#pragma unroll
    for (int s = 0; s < UNROLL; s++) {
#pragma unroll
        for (int i = 0; i < TILE_U; i += 4) {
            float a_values[4];
            load_vector<4>(a_values, &a_tile[buffer][depth + s][i]);
#pragma unroll
            for (int v = 0; v < 4; v++)
#pragma unroll
                for (int j = 0; j < COLUMNS; j++)
                    sum[i + v][j] += a_values[v] * fragment[s][j];
        }
    }
}

static __device__ __forceinline__ void store_strip(float *__restrict__ c, const float (&sum)[TILE_U][COLUMNS],
                                                   const matrices &x)
{
#pragma unroll
    for (int i = 0; i < TILE_U; i++) {
        int row = x.row0 + i;
        if (row >= x.m)
            continue;
        float *to = c + (size_t)row * x.n + x.column;
#if COLUMNS == 4
        if (x.aligned && x.column < x.n) {
            store_vector4(to, sum[i]);
            continue;
        }
#endif
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            if (x.column + j < x.n)
                to[j] = sum[i][j];
    }
}

__global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    gemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k)
{
    matrices x;
    x.a = a;
    x.b = b;
    x.m = m;
    x.n = n;
    x.k = k;
    x.row0 = blockIdx.y * TILE_U;
    x.column = blockIdx.x * TILE_T + threadIdx.x * COLUMNS;
    x.aligned = n % COLUMNS == 0;

    float sum[TILE_U][COLUMNS];
#pragma unroll
    for (int i = 0; i < TILE_U; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            sum[i][j] = 0.0f;

    float share[A_LOADS];
    float fragment[UNROLL][COLUMNS];
#if PREFETCH
    load_a(share, x, 0);
    load_b(fragment, x, 0);
    store_a(share, 0);
    __syncthreads();
    int buffer = 0;
    for (int k0 = 0; k0 < k; k0 += TILE_S) {
        load_a(share, x, k0 + TILE_S); /* zeros after the last step */
#pragma unroll 1
        for (int depth = 0; depth < TILE_S; depth += UNROLL) {
            float next[UNROLL][COLUMNS];
            load_b(next, x, k0 + depth + UNROLL);
            multiply(sum, buffer, depth, fragment);
#pragma unroll
            for (int s = 0; s < UNROLL; s++)
#pragma unroll
                for (int j = 0; j < COLUMNS; j++)
                    fragment[s][j] = next[s][j];
        }
        buffer ^= 1;
        store_a(share, buffer);
        __syncthreads();
    }
#else
    for (int k0 = 0; k0 < k; k0 += TILE_S) {
        load_a(share, x, k0);
        store_a(share, 0);
        __syncthreads();
#pragma unroll 1
        for (int depth = 0; depth < TILE_S; depth += UNROLL) {
            load_b(fragment, x, k0 + depth);
            multiply(sum, 0, depth, fragment);
        }
        __syncthreads();
    }
#endif
    store_strip(c, sum, x);
}
