/* SPDX-License-Identifier: Apache-2.0 */
/* reference.cu - the same by definition, in double precision, and the mean of the absolute values for the error bound. */
__global__ void smooth_reference(const float *in, double *out, double *magnitude, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int from = max(i - RADIUS, 0), to = min(i + RADIUS, n - 1);
    double sum = 0.0, absolute = 0.0;
    for (int k = from; k <= to; k++) {
        sum += in[k];
        absolute += fabs((double)in[k]);
    }
    out[i] = sum / (to - from + 1);
    magnitude[i] = absolute / (to - from + 1);
}
