/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - y = x, copied to double precision without rounding.
 */
__global__ void copy_reference(const float *x, double *expected, long long n)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        expected[i] = (double)x[i];
}
