__global__ void saxpy(const float *x, const float *y, float *z, float a, int n)
{
    int first = (blockIdx.x * BLOCK * ITEMS) + threadIdx.x;
    for (int i = first; i < first + BLOCK * ITEMS && i < n; i += BLOCK)
        z[i] = a * x[i] + y[i];
}
