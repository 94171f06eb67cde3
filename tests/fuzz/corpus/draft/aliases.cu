#include <cooperative_groups.h>
#define KEY uint
typedef KEY key;
using vec = float4;
#if W == 4
typedef float4 vector;
#endif
template <class T> using alias = T;
typedef struct { float3 position; float2 spin[2]; } Body;
__constant__ float samples[64];
texture<float, 2> old;
#define CHECK(x) do { if ((x) != cudaSuccess) exit(1); } while (0)
__global__ void __cluster_dims__(2, 1, 1) k(vector *y, const key *keys, float3 wind, cudaTextureObject_t image,
    cudaSurfaceObject_t out, const Body *__restrict__ b, __half2 *h, int w, int h_, unsigned long long seed)
{
    namespace cg = cooperative_groups;
    extern __shared__ float dynamic[];
    y[threadIdx.x + threadIdx.y * BLOCK_X * BLOCK_Y] = make_float4(keys[0], samples[1], 0, wind.x);
    cg::this_grid().sync();
    atomicAdd(&y[0].x, tex2D<float>(image, 1, 2));
}
int main(int argc, char **argv)
{
    dim3 grid((w + 15) / 16, h / 16), block(16, 16, 1);
    CHECK(cudaMalloc(&y, sizeof(float4) * 1024 * 1024));
    k<<<grid, block, 4096, stream>>>(y, keys, wind, image, out, b, h, 1024, 1024, 7ull);
    cudaLaunchKernel((void *)k, grid, block, arguments, 0, 0);
    std::vector<float> v(10);
}
