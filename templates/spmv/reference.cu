/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - the products of each row added up in double precision by a warp; and as magnitude the sum of their
 * absolute values, times the units of 2^-24 that it may be off by: one for each rounding that a product can pass
 * through, n for n nonzeros, or 10 sqrt(n), which is exceeded with negligible probability only (N. Higham and T. Mary,
 * "A new approach to probabilistic rounding error analysis", 2019).
 */
__global__ void spmv_reference(const int *offsets, const int *columns, const float *values, const float *x,
                               double *expected, double *magnitude, int rows)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    int first = row < rows ? offsets[row] : 0, last = row < rows ? offsets[row + 1] : 0;
    double sum = 0.0, absolute = 0.0;
    for (int i = first + lane; i < last; i += 32) {
        double product = (double)values[i] * (double)x[columns[i]];
        sum += product;
        absolute += fabs(product);
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, step);
        absolute += __shfl_down_sync(0xffffffffu, absolute, step);
    }
    if (row < rows && lane == 0) {
        double roundings = last - first;
        expected[row] = sum;
        magnitude[row] = absolute * fmin(roundings, 10.0 * sqrt(roundings));
    }
}
