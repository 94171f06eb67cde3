#ifdef TILE
#undef TILE
#endif
#define TILE 16
#ifndef BLOCK_SIZE_X
#define BLOCK_SIZE_X (2 * 32)
#endif
#if !defined(VECTOR)
# define VECTOR 1 /* of 1, 2, 4 */
#endif
#define N 4096
#define SQUARE(x) ((x) * (x))
#define KERNEL(name, op) __global__ void name(float *c, const float *a) { c[threadIdx.x] op a[SQUARE(threadIdx.x)]; }
KERNEL(add, +=)
extern "C" __global__ __launch_bounds__(BLOCK_SIZE_X)
void gemm(float *C, const float *A, const float *B, double alpha)
{
    __shared__ float s[TILE][TILE + PAD];
#pragma unroll UNROLL
    for (int k = 0; k < N; k += TILE_K) s[threadIdx.y][threadIdx.x] = A[k * N] * B[k] * alpha;
    if (USE_FAST) C[blockIdx.x] = s[0][0]; else C[blockIdx.x] -= 1;
}
