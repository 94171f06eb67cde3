/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - the convolution by definition in double precision, outside of the signal everything is 0; and the
 * sums of the absolute products, which the error bound is relative to.
 */
__global__ void conv1d_reference(const float *input, const float *mask, double *expected, double *magnitude, int n,
                                 int mask_width)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n)
        return;
    double sum = 0.0;
    double absolute = 0.0;
    for (int j = 0; j < mask_width; j++) {
        int i = k + j - mask_width / 2;
        if (i < 0 || i >= n)
            continue;
        double product = (double)input[i] * (double)mask[j];
        sum += product;
        absolute += product < 0.0 ? -product : product;
    }
    expected[k] = sum;
    magnitude[k] = absolute;
}
