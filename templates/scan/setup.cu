/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - make the input whole if it is to be, and add it up in double precision, part by part, for verify.cu.
 *
 * Part p has `length` elements from p * length on, and a thread; plain loops.
 */
__global__ void make_whole(float *x, long long n, int largest)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = rintf((float)largest * x[i]);
}

#if NUMBERS == 2
typedef unsigned element;
#else
typedef float element;
#endif

__global__ void add_parts(const element *x, double *sums, double *absolutes, long long n, long long length, int parts)
{
    int part = blockIdx.x * blockDim.x + threadIdx.x;
    if (part >= parts)
        return;
    double sum = 0.0;
    double absolute = 0.0;
    for (long long i = part * length; i < (part + 1) * length && i < n; i++) {
        sum += x[i];
        absolute += fabs((double)x[i]);
    }
    sums[part] = sum;
    absolutes[part] = absolute;
}

/*
 * Each becomes the sum of those before it, that of integers modulo 2^32. Theirs are exact: parts have at most 2^17
 * elements.
 */
__global__ void add_up(double *sums, double *absolutes, int parts)
{
    double before = 0.0;
    double absolute_before = 0.0;
    for (int part = 0; part < parts; part++) {
        double sum = sums[part];
        double absolute = absolutes[part];
        sums[part] = before;
        absolutes[part] = absolute_before;
        before += sum;
#if NUMBERS == 2
        before -= floor(before / 4294967296.0) * 4294967296.0;
#endif
        absolute_before += absolute;
    }
}
