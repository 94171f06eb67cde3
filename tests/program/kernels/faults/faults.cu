// Doubles x into y. Each KIND but `good` makes another mistake.
__global__ void twice(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#if KIND_compile_error
    float undeclared = no_such_name;
#endif
#if KIND_too_much_shared
    __shared__ float tile[60000];
    tile[threadIdx.x] = i;
    __syncthreads();
    if (tile[threadIdx.x] < 0)
        return;
#endif
#if KIND_endless
    for (volatile int turn = 0; i == 7; turn = turn + 1)
        ;
#endif
#if KIND_crash
    if (i == 7)
        *(volatile float *)8 = 1;
#endif
#if KIND_before_start
    if (i == 0)
        y[-1] = 0;
#endif
#if KIND_input_changed
    if (i == 3)
        ((float *)x)[i] = 0.25f;
#endif
#if KIND_beyond_end
    if (i <= n)
        y[i] = i < n ? 2 * x[i] : 0;
#elif KIND_not_written
    if (i < n - 1)
        y[i] = 2 * x[i];
#elif KIND_wrong
    if (i < n)
        y[i] = i == n - 1 ? 2 * x[i] + 1 : 2 * x[i];
#elif KIND_wrong_when_awkward
    if (i < n)
        y[i] = n == 131 ? 3 * x[i] : 2 * x[i];
#elif KIND_not_finite
    if (i < n)
        y[i] = i == 11 ? 0.0f / (x[i] - x[i]) : 2 * x[i];
#else
    if (i < n)
        y[i] = 2 * x[i];
#endif
}
