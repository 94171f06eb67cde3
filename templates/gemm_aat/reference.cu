/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - the reference for C = A Aᵀ: a loop in double precision for each element, of the lower and the upper
 * triangle alike. The magnitude of an element is the sum of its absolute terms, which the error bound of a sum is
 * relative to.
 */
__global__ void gemm_aat_reference(const float *a, double *expected, double *magnitude, int n, int k)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n)
        return;

    double sum = 0.0;
    double absolute = 0.0;
    for (int p = 0; p < k; p++) {
        double term = (double)a[(size_t)row * k + p] * (double)a[(size_t)column * k + p];
        sum += term;
        absolute += term < 0.0 ? -term : term;
    }
    expected[(size_t)row * n + column] = sum;
    magnitude[(size_t)row * n + column] = absolute;
}
