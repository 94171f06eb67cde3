/* SPDX-License-Identifier: Apache-2.0 */
/* reference.cu - what verify.cu should find: no errors, of sums of 1. */
__global__ void no_errors(double *expected, double *magnitude, int parts)
{
    int part = blockIdx.x * blockDim.x + threadIdx.x;
    if (part >= parts)
        return;
    expected[part] = 0.0;
    magnitude[part] = 1.0;
}
