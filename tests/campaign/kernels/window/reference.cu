/* SPDX-License-Identifier: Apache-2.0 */
__global__ void reference(const float *x, const double *weights, double *expected, double *magnitude, double *counts,
                          int taps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0.0;
    double absolute = 0.0;
    for (int tap = 0; tap < taps; tap++) {
        double term = weights[tap] * x[i + tap];
        sum += term;
        absolute += fabs(term);
    }
    expected[i] = sum;
    magnitude[i] = absolute;
    counts[i] = taps;
}
