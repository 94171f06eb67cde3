/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - the sum in double precision, and the sum of absolute values, which the error bound is relative to; or
 * the least or greatest number, and the first place where it is.
 *
 * Plain loops in two steps, so that large n do not take too long: thread t of `sections` takes the values t, t +
 * sections, t + 2 sections, ...; then one thread takes the sections.
 */
__global__ void sum_sections(const float *x, double *sums, double *absolutes, long long n, int sections)
{
    int section = blockIdx.x * blockDim.x + threadIdx.x;
    if (section >= sections)
        return;
    double sum = 0.0;
    double absolute = 0.0;
    for (long long i = section; i < n; i += sections) {
        double value = (double)x[i];
        sum += value;
        absolute += value < 0.0 ? -value : value;
    }
    sums[section] = sum;
    absolutes[section] = absolute;
}

__global__ void sum_reference(const double *sums, const double *absolutes, double *expected, double *magnitude,
                              double *index, int sections)
{
    double sum = 0.0;
    double absolute = 0.0;
    for (int i = 0; i < sections; i++) {
        sum += sums[i];
        absolute += absolutes[i];
    }
    expected[0] = sum;
    magnitude[0] = absolute;
    index[0] = -1.0;
}

/* Is the value at `other` rather the extreme than that at `best`? -1: there is none. */
static __device__ bool is_better(const float *x, long long other, long long best)
{
    if (best < 0 || other < 0)
        return best < 0;
    float a = x[best];
    float b = x[other];
    if (a != a || b != b)
        return b == b || (a != a && other < best);
    if (a == b)
        return other < best;
    return OPERATION % 2 == 0 ? b < a : b > a;
}

__global__ void find_sections(const float *x, long long *places, long long n, int sections)
{
    int section = blockIdx.x * blockDim.x + threadIdx.x;
    if (section >= sections)
        return;
    long long best = -1;
    for (long long i = section; i < n; i += sections)
        if (is_better(x, i, best))
            best = i;
    places[section] = best;
}

__global__ void find_reference(const float *x, const long long *places, double *expected, double *magnitude,
                               double *index, int sections)
{
    long long best = -1;
    for (int i = 0; i < sections; i++)
        if (is_better(x, places[i], best))
            best = places[i];
    expected[0] = (double)x[best];
    magnitude[0] = 0.0;
    index[0] = OPERATION > 3 ? (double)best : -1.0;
}
