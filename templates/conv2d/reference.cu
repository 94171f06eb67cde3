/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - the convolution by definition in double precision, outside of the image everything is 0; and the sums
 * of the absolute products, which the error bound is relative to.
 */
__global__ void conv2d_reference(const float *input, const float *mask, double *expected, double *magnitude,
                                 int height, int width, int mask_width)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= height || column >= width)
        return;
    double sum = 0.0;
    double absolute = 0.0;
    for (int i = 0; i < mask_width; i++) {
        for (int j = 0; j < mask_width; j++) {
            int r = row + i - mask_width / 2;
            int c = column + j - mask_width / 2;
            if (r < 0 || r >= height || c < 0 || c >= width)
                continue;
            double product = (double)input[(size_t)r * width + c] * (double)mask[i * mask_width + j];
            sum += product;
            absolute += product < 0.0 ? -product : product;
        }
    }
    expected[(size_t)row * width + column] = sum;
    magnitude[(size_t)row * width + column] = absolute;
}
