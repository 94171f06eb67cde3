__global__ void scale(const float *x, float *y, float factor, int n)
{
    for (int item = 0; item < ITEMS; item++) {
        int i = (blockIdx.x * ITEMS + item) * BLOCK + threadIdx.x;
        if (i < n)
            y[i] = factor * x[i];
    }
}
