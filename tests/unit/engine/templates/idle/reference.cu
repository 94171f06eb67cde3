__global__ void fill_reference(double *y, int n)
{
    if (threadIdx.x < n)
        y[threadIdx.x] = 1;
}
