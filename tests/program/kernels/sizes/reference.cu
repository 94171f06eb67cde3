__global__ void reference(const float *x, double *expected, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        expected[i] = 2.0 * x[i];
}
