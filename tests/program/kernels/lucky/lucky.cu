// Right for one input in two.
__global__ void copy(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[0] < 0 ? 0 : x[i];
}
