/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify.cu - the largest error of each part of the results, relative to the sum of absolute values up to there. What
 * must be exact, integers and whole numbers, has an error of 0 or 1.
 *
 * A thread walks through a part, beginning with what setup.cu has found to be before it.
 */
#if NUMBERS == 2
typedef unsigned element;
#else
typedef float element;
#endif

/* 0 if `got` is what is expected: equal, or both are NaN. */
static __device__ double error_of(double got, double expected, double magnitude, bool exactly)
{
    if (got == expected || (got != got && expected != expected))
        return 0.0;
    double error = exactly ? 1.0 : fabs(got - expected) / magnitude;
    return error <= 1.0 ? error : 1.0; /* and if it is NaN */
}

__global__ void verify(const element *x, const element *y, const double *sums, const double *absolutes, double *errors,
                       long long n, long long length, int parts, int exactly)
{
    int part = blockIdx.x * blockDim.x + threadIdx.x;
    if (part >= parts)
        return;
    double sum = sums[part];
    double absolute = absolutes[part];
    double worst = 0.0;
    for (long long i = part * length; i < (part + 1) * length && i < n; i++) {
        double expected = sum;
        sum += x[i];
        absolute += fabs((double)x[i]);
        if (KIND == 1)
            expected = sum;
        if (NUMBERS == 2)
            expected -= floor(expected / 4294967296.0) * 4294967296.0;
        worst = fmax(worst, error_of(y[i], expected, absolute, exactly));
    }
    errors[part] = worst;
}
