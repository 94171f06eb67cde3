/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - make values whole, from -largest to largest, so that many are the same; for the extremes every seventh is
 * NaN, the first and the last one with them if there are others.
 */
__global__ void make_whole(float *x, long long n, int largest)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool is_nan = OPERATION > 1 && (i % 7 == 0 || i == n - 1) && n > 2;
    x[i] = is_nan ? __int_as_float(0x7fc00000) : rintf((float)largest * x[i]);
}
