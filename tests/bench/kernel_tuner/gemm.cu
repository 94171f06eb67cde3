/*
 * gemm.cu - C = A B in single precision, row-major: the kernel that both tune and Kernel Tuner sweep.
 *
 * A block computes a BM x BN tile of C from shared tiles of A (BM x BK, transposed, its rows PAD floats longer) and of B
 * (BK x BN). A thread computes TM x TN elements, whose columns lie BN / TN apart, so that neighbouring threads read
 * neighbouring floats. BLOCK = BM BN / (TM TN) threads. Parameters arrive as #defines.
 */
extern "C" __global__ void __launch_bounds__(BLOCK) gemm(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float tile_a[BK][BM + PAD];
    __shared__ float tile_b[BK][BN + PAD];
    const int columns = BN / TN, rows = BM / TM;
    int column = threadIdx.x % columns, row = threadIdx.x / columns;
    int first_row = blockIdx.y * BM, first_column = blockIdx.x * BN;
    float sum[TM][TN] = {};

    for (int p = 0; p < k; p += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += BLOCK) {
            int y = first_row + i / BK, x = p + i % BK;
            tile_a[i % BK][i / BK] = y < m && x < k ? a[(size_t)y * k + x] : 0.0f;
        }
        for (int i = threadIdx.x; i < BK * BN; i += BLOCK) {
            int y = p + i / BN, x = first_column + i % BN;
            tile_b[i / BN][i % BN] = y < k && x < n ? b[(size_t)y * n + x] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int q = 0; q < BK; q++) {
            float left[TM], right[TN];
#pragma unroll
            for (int i = 0; i < TM; i++)
                left[i] = tile_a[q][row + i * rows];
#pragma unroll
            for (int j = 0; j < TN; j++)
                right[j] = tile_b[q][column + j * columns];
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) {
            int y = first_row + row + i * rows, x = first_column + column + j * columns;
            if (y < m && x < n)
                c[(size_t)y * n + x] = sum[i][j];
        }
}
