__global__ void fill(float *y, int n)
{
    const int i = blockIdx.x * A + threadIdx.x;
#if B > 0 && C > 0
    if (i < n)
        y[i] = 1;
#endif
}
