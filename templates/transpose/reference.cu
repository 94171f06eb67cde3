/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - element (j, i) of B is element (i, j) of A, copied to double precision without rounding.
 */
__global__ void transpose_reference(const float *a, double *expected, int rows, int columns)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < rows && j < columns)
        expected[(size_t)j * rows + i] = (double)a[(size_t)i * columns + j];
}
