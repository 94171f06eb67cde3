__global__ void scale_reference(const float *x, double *expected, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        expected[i] = 3.0 * (double)x[i];
}
