#include <cuda_runtime.h>
/* saxpy: "z = a x + y" __global__ void not(int a) */
#ifndef ITEMS
#define ITEMS 4
#endif
namespace { template <typename T, int N = 3> struct V { T x[N]; }; }
template <typename T, int VECTOR = 2, bool FLAG = false>
__global__ static void __launch_bounds__(BLOCK, 2) saxpy(const T *__restrict__ x, T const* y, T *z, float a = 1.0f, int n)
{
    int first = (blockIdx.x * BLOCK * ITEMS) + threadIdx.x;
    for (int i = first; i < first + BLOCK * ITEMS && i < n; i += BLOCK)
        z[i] = a * x[i] + y[i];
}
extern "C" __global__ void transpose(float4 *out, const float *in, int width, unsigned height, bool flip, struct Foo *foo) {
  __shared__ float tile[TILE_X][TILE_Y];
  int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
#pragma unroll UNROLL
  for (;;) {}
  out[y].x += in[x]; foo->bar = 1;
}
