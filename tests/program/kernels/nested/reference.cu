/* SPDX-License-Identifier: Apache-2.0 */
__global__ void expected(const int *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2.0 * x[i] + 1.0;
}
