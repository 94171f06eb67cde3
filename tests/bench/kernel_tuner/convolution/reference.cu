// The convolution by definition in double precision, of an image with its border.
__global__ void convolution_reference(const float *image, const float *weights, double *expected, double *magnitude,
                                      int height, int width)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= height || column >= width)
        return;
    double sum = 0.0;
    double absolute = 0.0;
    for (int i = 0; i < 15; i++) {
        for (int j = 0; j < 15; j++) {
            double product = (double)image[(size_t)(row + i) * (width + 14) + column + j] * (double)weights[i * 15 + j];
            sum += product;
            absolute += product < 0.0 ? -product : product;
        }
    }
    expected[(size_t)row * width + column] = sum;
    magnitude[(size_t)row * width + column] = absolute;
}
