/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - where the voxels are: in rows of `row` along x, `spacing` apart, as those of an image are. Rows begin at
 * five different x, and y and z of a row are random. The spacing is a power of two, so that every x is exact.
 */
__global__ void place_voxels(const float *random, float *x, float *y, float *z, int count, int row, float spacing)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count)
        return;
    int line = n / row;
    x[n] = spacing * (float)(n % row - row / 2 + line % 5);
    y[n] = random[2 * line];
    z[n] = random[2 * line + 1];
}
