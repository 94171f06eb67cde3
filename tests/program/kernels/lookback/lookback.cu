#include "lookback.cuh" /* beside it: scan.test.mjs copies the headers of templates/scan */

/* As in reference.cu. */
static __device__ unsigned total_of(int tile)
{
    return tile * 7u % 11;
}

__global__ void tell_totals(status_word *status, int tiles)
{
    int tile = blockIdx.x * blockDim.x + threadIdx.x;
    if (tile < tiles)
        tell(status, tile, TOTAL, (element)total_of(tile));
}

/* From the last tile to the first: each has only totals before it, if blocks start in order. */
__global__ void look_all(status_word *status, unsigned *y, int tiles)
{
    int tile = tiles - 1 - (int)blockIdx.x;
    element before = look_back(status, tile, (element)total_of(tile));
    if (threadIdx.x == 0)
        y[tile] = (unsigned)before;
}
