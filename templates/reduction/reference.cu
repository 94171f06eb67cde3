/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - the sum in double precision, and the sum of absolute values, which the error bound is relative to.
 *
 * Plain loops in two steps, so that large n do not take too long: thread t of `sections` adds the values t, t +
 * sections, t + 2 sections, ...; then one thread adds the sections.
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
                              int sections)
{
    double sum = 0.0;
    double absolute = 0.0;
    for (int i = 0; i < sections; i++) {
        sum += sums[i];
        absolute += absolutes[i];
    }
    expected[0] = sum;
    magnitude[0] = absolute;
}
