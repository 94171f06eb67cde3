__global__ void twice(const float *x, float *y, int n, int m)
{
    bool wrong = WRONG == 1 ? n == 1 : WRONG == 2 && n % 32 == 0 && m % 2 == 1;
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n * m)
        y[i] = wrong ? 0 : 2 * x[i];
}
