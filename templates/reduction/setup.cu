/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - make values whole, from -largest to largest, so that many are the least. For an extreme every seventh is
 * NaN, the first one with them if there are others, and the greatest is the last one alone.
 */
__global__ void make_whole(float *x, long long n, int largest)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    x[i] = rintf((float)largest * x[i]);
    if (OPERATION > 1 && n > 1) {
        if (i % 7 == 0)
            x[i] = __int_as_float(0x7fc00000);
        if (i == n - 1)
            x[i] = (float)(largest + 1);
    }
}
